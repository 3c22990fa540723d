"""Exact and floating-point linear algebra over the fields."""

from algatt.linalg import determinant, inverse, kernel, multiply, reduced, solve
from algatt.linalg.ball_rank import RankLowerBound
from algatt.linalg.echelon import Echelon
from algatt.linalg.engines import Auto, Blas, Engine, Flint, Galois
from algatt.linalg.rank import RankVerdict
from algatt.linalg.row_space import RowSpace

__all__ = [
    "Auto",
    "Blas",
    "Echelon",
    "Engine",
    "Flint",
    "Galois",
    "RankLowerBound",
    "RankVerdict",
    "RowSpace",
    "determinant",
    "inverse",
    "kernel",
    "multiply",
    "reduced",
    "solve",
]
