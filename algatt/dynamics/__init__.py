"""Multi-head attention as a flow of tokens, on the sphere or in the flat space: energies, radial shadows, entropy,
clustering.
"""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.dynamics.dense import states_at as states_at
    from algatt.dynamics.energy import energy_gradient as energy_gradient
    from algatt.dynamics.energy import energy_rate as energy_rate
    from algatt.dynamics.equiangular import EquiangularFlow as EquiangularFlow
    from algatt.dynamics.equiangular import clustering_time as clustering_time
    from algatt.dynamics.equiangular import cosine_at as cosine_at
    from algatt.dynamics.equiangular import linearised_clustering_time as linearised_clustering_time
    from algatt.dynamics.flow import FlatFlow as FlatFlow
    from algatt.dynamics.flow import Flow as Flow
    from algatt.dynamics.flow import PreNormFlow as PreNormFlow
    from algatt.dynamics.flow import SphereFlow as SphereFlow
    from algatt.dynamics.heads import Head as Head
    from algatt.dynamics.heads import MatrixHead as MatrixHead
    from algatt.dynamics.heads import ProjectorHead as ProjectorHead
    from algatt.dynamics.heads import ScalarHead as ScalarHead
    from algatt.dynamics.integrate import distance_from_cluster as distance_from_cluster
    from algatt.dynamics.integrate import integrate as integrate
    from algatt.dynamics.integrate import resume as resume
    from algatt.dynamics.low_rank_head import LowRankHead as LowRankHead
    from algatt.dynamics.metastability import Clusters as Clusters
    from algatt.dynamics.metastability import Stair as Stair
    from algatt.dynamics.metastability import clusters as clusters
    from algatt.dynamics.motion import velocity_errors as velocity_errors
    from algatt.dynamics.noise import diffuse as diffuse
    from algatt.dynamics.thresholds import entropy_growth_cosine as entropy_growth_cosine
    from algatt.dynamics.thresholds import fastest_softmax_temperature as fastest_softmax_temperature
    from algatt.dynamics.thresholds import goldilocks_zone as goldilocks_zone
    from algatt.dynamics.thresholds import radial_dominance_threshold as radial_dominance_threshold
    from algatt.dynamics.thresholds import relu_crossover as relu_crossover
    from algatt.dynamics.thresholds import softmax_inflection as softmax_inflection
    from algatt.dynamics.thresholds import unit_shadow_bound as unit_shadow_bound
    from algatt.dynamics.tokens import equiangular_tokens as equiangular_tokens
    from algatt.dynamics.tokens import normalised as normalised
    from algatt.dynamics.tokens import random_tokens as random_tokens
    from algatt.dynamics.trajectory import Trajectory as Trajectory
    from algatt.dynamics.trajectory import load_trajectory as load_trajectory
    from algatt.dynamics.velocity import head_outputs as head_outputs
    from algatt.verbs import activation_slopes as activation_slopes
    from algatt.verbs import energy as energy
    from algatt.verbs import entropy as entropy
    from algatt.verbs import entropy_rate as entropy_rate
    from algatt.verbs import potential as potential
    from algatt.verbs import radial_dominance as radial_dominance
    from algatt.verbs import radial_shadow as radial_shadow
    from algatt.verbs import velocity as velocity

on_demand(__name__)
