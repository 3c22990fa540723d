"""The statements about the flow as checks: the hypotheses and the conclusion, at tokens that are given.

Each check returns a `StatementCheck`. What is marked derived was worked out for this package and is no statement of the
paper.
"""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.dynamics.statements.check import StatementCheck as StatementCheck
    from algatt.dynamics.statements.clusters import check_causal_cluster as check_causal_cluster
    from algatt.dynamics.statements.clusters import check_metastability as check_metastability
    from algatt.dynamics.statements.clusters import check_single_cluster as check_single_cluster
    from algatt.dynamics.statements.clusters import check_synchronisation as check_synchronisation
    from algatt.dynamics.statements.energy import check_approximate_orthogonality as check_approximate_orthogonality
    from algatt.dynamics.statements.energy import check_energy_rate as check_energy_rate
    from algatt.dynamics.statements.energy import check_falling_head_energy as check_falling_head_energy
    from algatt.dynamics.statements.energy import check_falling_softmax_energy as check_falling_softmax_energy
    from algatt.dynamics.statements.energy import check_head_energy_rates as check_head_energy_rates
    from algatt.dynamics.statements.energy import check_radial_dominance as check_radial_dominance
    from algatt.dynamics.statements.energy import check_total_energy_rate as check_total_energy_rate
    from algatt.dynamics.statements.entropy import check_entropy_rate as check_entropy_rate
    from algatt.dynamics.statements.entropy import check_equiangular_entropy as check_equiangular_entropy
    from algatt.dynamics.statements.entropy import check_falling_entropy as check_falling_entropy
    from algatt.dynamics.statements.entropy import check_growing_entropy as check_growing_entropy
    from algatt.dynamics.statements.equiangular import check_clustering_times as check_clustering_times
    from algatt.dynamics.statements.equiangular import check_dominance_threshold as check_dominance_threshold
    from algatt.dynamics.statements.equiangular import check_equiangular_reduction as check_equiangular_reduction
    from algatt.dynamics.statements.equiangular import check_fastest_strength as check_fastest_strength
    from algatt.dynamics.statements.equiangular import check_goldilocks_zone as check_goldilocks_zone
    from algatt.dynamics.statements.equiangular import check_relu_crossover as check_relu_crossover
    from algatt.dynamics.statements.equiangular import check_softmax_times as check_softmax_times
    from algatt.dynamics.statements.equiangular import check_sub_additivity as check_sub_additivity
    from algatt.dynamics.statements.equiangular import check_super_additivity as check_super_additivity
    from algatt.dynamics.statements.equiangular import check_unit_shadow_bound as check_unit_shadow_bound

on_demand(__name__)
