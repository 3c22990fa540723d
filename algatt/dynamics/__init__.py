"""Multi-head attention as a flow of tokens, on the sphere or in the flat space: energies, radial shadows, entropy,
clustering.
"""

from algatt.loading import load_below

load_below(__name__)

from algatt.dynamics import energy, entropy, shadow, statements, velocity
from algatt.dynamics.dense import states_at
from algatt.dynamics.equiangular import EquiangularFlow, clustering_time, cosine_at, linearised_clustering_time
from algatt.dynamics.flow import FlatFlow, Flow, PreNormFlow, SphereFlow
from algatt.dynamics.heads import Head, MatrixHead, ProjectorHead, ScalarHead
from algatt.dynamics.integrate import distance_from_cluster
from algatt.dynamics.low_rank_head import LowRankHead
from algatt.dynamics.metastability import Clusters, Stair, clusters
from algatt.dynamics.motion import velocity_errors
from algatt.dynamics.noise import diffuse
from algatt.dynamics.thresholds import (
    entropy_growth_cosine,
    fastest_softmax_temperature,
    goldilocks_zone,
    radial_dominance_threshold,
    relu_crossover,
    softmax_inflection,
    unit_shadow_bound,
)
from algatt.dynamics.tokens import equiangular_tokens, normalised, random_tokens
from algatt.dynamics.trajectory import Trajectory, load_trajectory
from algatt.verbs import (
    activate_in_place,
    activation_slopes,
    backward_sums,
    energy,
    energy_gradient,
    energy_rate,
    entropy,
    entropy_rate,
    equiangular_weights,
    head_outputs,
    head_values,
    integrate,
    is_normalised,
    lift,
    lift_keys,
    potential,
    radial_dominance,
    radial_shadow,
    resume,
    score_factors,
    temperature,
    velocity,
    weigh,
)

__all__ = [
    "Clusters",
    "EquiangularFlow",
    "FlatFlow",
    "Flow",
    "Head",
    "LowRankHead",
    "MatrixHead",
    "PreNormFlow",
    "ProjectorHead",
    "ScalarHead",
    "SphereFlow",
    "Stair",
    "Trajectory",
    "activate_in_place",
    "activation_slopes",
    "backward_sums",
    "clustering_time",
    "clusters",
    "cosine_at",
    "diffuse",
    "distance_from_cluster",
    "energy",
    "energy_gradient",
    "energy_rate",
    "entropy",
    "entropy_growth_cosine",
    "entropy_rate",
    "equiangular_tokens",
    "equiangular_weights",
    "fastest_softmax_temperature",
    "goldilocks_zone",
    "head_outputs",
    "head_values",
    "integrate",
    "is_normalised",
    "lift",
    "lift_keys",
    "linearised_clustering_time",
    "load_trajectory",
    "normalised",
    "potential",
    "radial_dominance",
    "radial_dominance_threshold",
    "radial_shadow",
    "random_tokens",
    "relu_crossover",
    "resume",
    "score_factors",
    "shadow",
    "softmax_inflection",
    "statements",
    "states_at",
    "temperature",
    "unit_shadow_bound",
    "velocity",
    "velocity_errors",
    "weigh",
]
