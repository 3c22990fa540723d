"""The algorithms for exact elimination, as objects that are passed as an option ``engine=``."""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.fields import PrimeField
from algatt.linalg.echelon import Echelon
from algatt.linalg.elimination import eliminate

__all__ = ["Auto", "Blas", "Engine", "Flint", "Galois"]


class Engine(ABC):
    """An algorithm for the reduced row echelon form."""


@dataclass(frozen=True)
class Auto(Engine):
    """`Blas` for p < 2^31, where float64 products are exact; `Flint` above."""

    def choose(self, field: PrimeField) -> Engine:
        """Return the engine for a field."""
        return Blas() if field.p < 2**31 else Flint()


@dataclass(frozen=True)
class Blas(Engine):
    """Our own recursive elimination in float64 matrix products; Python integers for p >= 2^31."""


@dataclass(frozen=True)
class Galois(Engine):
    """The galois package: compiled loops, no blocking."""


@dataclass(frozen=True)
class Flint(Engine):
    """FLINT's ``nmod_mat`` through python-flint: fast, after a conversion entry by entry."""


@verbs.row_reduce.method
def row_reduce_auto(engine: Auto, field: PrimeField, raw: np.ndarray) -> Echelon:
    return verbs.row_reduce(engine.choose(field), field, raw)


@verbs.row_reduce.method
def row_reduce_blas(engine: Blas, field: PrimeField, raw: np.ndarray) -> Echelon:
    form = eliminate(field, raw)
    increasing = np.argsort(form.pivot_columns)
    pivots = form.pivot_columns[increasing]
    matrix: np.ndarray = np.zeros((form.rank, raw.shape[1]), dtype=field.dtype)
    matrix[:, form.order[form.rank :]] = form.calculus.leave(form.tail())[increasing]
    matrix[np.arange(form.rank), pivots] = 1
    return Echelon(matrix, tuple(int(column) for column in pivots))


@verbs.row_reduce.method
def row_reduce_galois(engine: Galois, field: PrimeField, raw: np.ndarray) -> Echelon:
    if not raw.size:
        return Echelon(raw[:0], ())
    reduced = verbs.encode(field, verbs.decode(field, raw).row_reduce())
    return echelon_of_rows(reduced)


@verbs.row_reduce.method
def row_reduce_flint(engine: Flint, field: PrimeField, raw: np.ndarray) -> Echelon:
    import flint

    if not raw.size:
        return Echelon(raw[:0], ())
    height, width = raw.shape
    matrix = flint.nmod_mat(height, width, [int(x) for x in raw.ravel().tolist()], field.p)
    reduced, rank = matrix.rref()
    rows: np.ndarray = np.array([int(x) for x in reduced.entries()[: rank * width]], dtype=field.dtype)
    return echelon_of_rows(rows.reshape(rank, width))


def echelon_of_rows(reduced: np.ndarray) -> Echelon:
    """Read the pivots off the rows of a reduced form."""
    rows = reduced[(reduced != 0).any(axis=1)]
    return Echelon(rows, tuple(int(np.flatnonzero(row)[0]) for row in rows))
