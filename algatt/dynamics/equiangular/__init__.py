"""Scalar heads and tokens with one common cosine g: the flow on the sphere reduces to one equation for g (derived).

The equation is g' = 2 b(g) (1 - g) (1 + (n - 1) g), with b the sum over the heads of the strength times the weight of
another token. In the coordinate u = ln((1 + (n - 1) g) / (1 - g)) it is u' = 2 n b, which has no singular ends, so it
is u that is integrated.
"""

from algatt.dynamics.equiangular import rates
from algatt.dynamics.equiangular.clustering import clustering_time, linearised_clustering_time
from algatt.dynamics.equiangular.flow import EquiangularFlow
from algatt.dynamics.equiangular.solution import cosine_at

__all__ = ["EquiangularFlow", "clustering_time", "cosine_at", "linearised_clustering_time", "rates"]
