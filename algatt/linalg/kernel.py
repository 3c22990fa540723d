"""The right null space of a matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import DivisionByZero
from algatt.fields import Balls, Elements, PrimeField, PublicArray, Rationals
from algatt.fields.real import precision_of
from algatt.linalg.ball_rank import pivots_from_below
from algatt.linalg.echelon import Echelon
from algatt.linalg.engines import Engine, checked_engine
from algatt.linalg.matrix import checked_matrix, elements_of_matrix
from algatt.linalg.rank import above_rounding, float_rank
from algatt.linalg.rational import rational_kernel

__all__ = ["kernel_of_rank"]


@verbs.kernel.method
def kernel_of_array(matrix: PublicArray, *, engine: Engine | None = None, gap: float | None = None) -> Any:
    return verbs.kernel(elements_of_matrix(matrix), engine=engine, gap=gap).public()


@verbs.kernel.method
def kernel_of_elements(matrix: Elements, *, engine: Engine | None = None, gap: float | None = None) -> Elements:
    if isinstance(matrix.field, Rationals):
        return rational_kernel(matrix)
    field = checked_matrix(matrix).field
    if isinstance(field, PrimeField):
        return Elements(field, null_space(verbs.row_reduce(checked_engine(engine), field, matrix.raw), field.p))
    if not matrix.raw.size:
        return Elements(field, np.eye(matrix.shape[1]))
    _, singular_values, right = np.linalg.svd(matrix.raw)
    rank = float_rank(singular_values, matrix.shape, gap, precision=precision_of(field)).rank
    return Elements(field, right[rank:].T)


def kernel_of_rank(matrix: Elements, rank: int) -> Elements:
    """Return a basis, as columns, of the kernel of a matrix whose rank is at most `rank`; no columns if the rank is
    smaller.

    Where the rank is `rank`, the basis over GF(p) and over balls is a rational function of the entries near the matrix.

    Raises
    ------
    DivisionByZero
        If balls are too wide to show that the rank is `rank`.
    """
    width = matrix.shape[1]
    if isinstance(matrix.field, Balls):
        return enclosed_null_space(matrix.field, matrix.raw, rank)
    if isinstance(matrix.field, PrimeField):
        basis = verbs.kernel(matrix)
        return basis if basis.shape[1] == width - rank else Elements(matrix.field, basis.raw[:, :0])
    if rank == 0:
        return Elements(matrix.field, np.eye(width))
    _, singular_values, right = np.linalg.svd(matrix.raw)
    full = above_rounding(singular_values, matrix.shape, 1.0, precision=precision_of(matrix.field)) >= rank
    return Elements(matrix.field, right[rank if full else width :].T)


def enclosed_null_space(field: Balls, raw: np.ndarray, rank: int) -> Elements:
    """Return the null vectors of a matrix of balls of at most this rank, each of which is 1 in one column without a
    pivot and 0 in the others.
    """
    import flint

    pivots = pivots_from_below(field, raw)
    if len(pivots) < rank:
        raise DivisionByZero(f"a minor of order {rank} is zero, or not told from zero with {field.bits} bits")
    rows, columns = np.array(pivots, dtype=np.int64).reshape(-1, 2).T
    free = np.setdiff1d(np.arange(raw.shape[1]), columns)
    basis = np.zeros((raw.shape[1], len(free)), dtype=np.int64).astype(object)
    basis[free, np.arange(len(free))] = 1
    if rank and len(free):
        square, right = (flint.arb_mat(part.tolist()) for part in (raw[np.ix_(rows, columns)], raw[np.ix_(rows, free)]))
        try:
            solution = field.compute(square.solve, -right)
        except ZeroDivisionError as error:
            raise DivisionByZero(f"a minor of order {rank} is not told from zero with {field.bits} bits") from error
        basis[columns] = np.array(solution.tolist(), dtype=object)
    return Elements(field, verbs.encode(field, basis))


def null_space(form: Echelon, p: int) -> np.ndarray:
    """Return the basis, as columns, whose entries in the non-pivot columns are the identity."""
    columns = form.matrix.shape[1]
    free = np.setdiff1d(np.arange(columns), form.pivots)
    basis = np.zeros((columns, len(free)), dtype=form.matrix.dtype)
    tail = form.matrix[:, free]
    basis[list(form.pivots)] = np.multiply(tail != 0, p) - tail
    basis[free, np.arange(len(free))] = 1
    return basis
