"""Scalar heads and tokens with one common cosine g: the flow on the sphere reduces to one equation for g (derived).

The equation is g' = 2 b(g) (1 - g) (1 + (n - 1) g), with b the sum over the heads of the strength times the weight of
another token. In the coordinate u = ln((1 + (n - 1) g) / (1 - g)) it is u' = 2 n b, which has no singular ends, so it
is u that is integrated.
"""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.dynamics.equiangular.clustering import clustering_time as clustering_time
    from algatt.dynamics.equiangular.clustering import linearised_clustering_time as linearised_clustering_time
    from algatt.dynamics.equiangular.flow import EquiangularFlow as EquiangularFlow
    from algatt.dynamics.equiangular.solution import cosine_at as cosine_at

on_demand(__name__)
