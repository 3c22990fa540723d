"""The statements about the flow as checks: the hypotheses and the conclusion, at tokens that are given.

Each check returns a `StatementCheck`. What is marked derived was worked out for this package and is no statement of the
paper.
"""

from algatt.dynamics.statements.check import StatementCheck
from algatt.dynamics.statements.clusters import (
    check_causal_cluster,
    check_metastability,
    check_single_cluster,
    check_synchronisation,
)
from algatt.dynamics.statements.energy import (
    check_approximate_orthogonality,
    check_energy_rate,
    check_falling_head_energy,
    check_falling_softmax_energy,
    check_head_energy_rates,
    check_radial_dominance,
    check_total_energy_rate,
)
from algatt.dynamics.statements.entropy import (
    check_entropy_rate,
    check_equiangular_entropy,
    check_falling_entropy,
    check_growing_entropy,
)
from algatt.dynamics.statements.equiangular import (
    check_clustering_times,
    check_dominance_threshold,
    check_equiangular_reduction,
    check_fastest_strength,
    check_goldilocks_zone,
    check_relu_crossover,
    check_softmax_times,
    check_sub_additivity,
    check_super_additivity,
    check_unit_shadow_bound,
)

__all__ = [
    "StatementCheck",
    "check_approximate_orthogonality",
    "check_causal_cluster",
    "check_clustering_times",
    "check_dominance_threshold",
    "check_energy_rate",
    "check_entropy_rate",
    "check_equiangular_entropy",
    "check_equiangular_reduction",
    "check_falling_entropy",
    "check_falling_head_energy",
    "check_falling_softmax_energy",
    "check_fastest_strength",
    "check_goldilocks_zone",
    "check_growing_entropy",
    "check_head_energy_rates",
    "check_metastability",
    "check_radial_dominance",
    "check_relu_crossover",
    "check_single_cluster",
    "check_softmax_times",
    "check_sub_additivity",
    "check_super_additivity",
    "check_synchronisation",
    "check_total_energy_rate",
    "check_unit_shadow_bound",
]
