"""Exact and floating-point linear algebra over the fields."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.linalg.echelon import Echelon as Echelon
    from algatt.linalg.engines import Auto as Auto
    from algatt.linalg.engines import Blas as Blas
    from algatt.linalg.engines import Engine as Engine
    from algatt.linalg.engines import Flint as Flint
    from algatt.linalg.engines import Galois as Galois
    from algatt.linalg.engines import Gpu as Gpu
    from algatt.linalg.engines import RowSpace as RowSpace
    from algatt.linalg.generated import GeneratedMatrix as GeneratedMatrix
    from algatt.linalg.rank import RankLowerBound as RankLowerBound
    from algatt.linalg.rank import RankVerdict as RankVerdict
    from algatt.linalg.systems import determinant as determinant
    from algatt.linalg.systems import is_invertible as is_invertible
    from algatt.linalg.systems import solve as solve
    from algatt.linalg.tiled import Tiled as Tiled
    from algatt.linalg.tiled import TiledRank as TiledRank
    from algatt.linalg.tiled import rank_on_workers as rank_on_workers
    from algatt.verbs import echelon as echelon
    from algatt.verbs import inverse as inverse
    from algatt.verbs import kernel as kernel
    from algatt.verbs import rank as rank

on_demand(__name__)
