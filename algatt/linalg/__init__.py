"""Exact and floating-point linear algebra over the fields."""

from algatt.loading import load_below

load_below(__name__)

from algatt.linalg import determinant, inverse, kernel, multiply, rational, reduced, roots, solve
from algatt.linalg.ball_rank import RankLowerBound
from algatt.linalg.echelon import Echelon
from algatt.linalg.engines import Auto, Blas, Engine, Flint, Galois, Gpu
from algatt.linalg.generated import GeneratedMatrix
from algatt.linalg.rank import RankVerdict
from algatt.linalg.row_space import RowSpace
from algatt.linalg.tiled import Tiled, TiledRank, rank_on_workers
from algatt.verbs import determinant, echelon, exact_rank, inverse, is_invertible, kernel, rank, root, row_reduce, solve

__all__ = [
    "Auto",
    "Blas",
    "Echelon",
    "Engine",
    "Flint",
    "Galois",
    "GeneratedMatrix",
    "Gpu",
    "RankLowerBound",
    "RankVerdict",
    "RowSpace",
    "Tiled",
    "TiledRank",
    "determinant",
    "echelon",
    "exact_rank",
    "inverse",
    "is_invertible",
    "kernel",
    "multiply",
    "rank",
    "rank_on_workers",
    "rational",
    "reduced",
    "root",
    "roots",
    "row_reduce",
    "solve",
]
