"""The right null space of a matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import DivisionByZero
from algatt.fields import Balls, Elements, PrimeField, PublicArray, Rationals, Reals
from algatt.linalg.echelon import Echelon
from algatt.linalg.engines import Engine, checked_engine
from algatt.linalg.matrix import checked_matrix, elements_of_matrix
from algatt.linalg.rank import above_rounding, float_rank, pivots_from_below


@verbs.kernel.method
def kernel_of_array(matrix: PublicArray, *, engine: Engine | None = None, gap: float | None = None) -> Any:
    return verbs.kernel(elements_of_matrix(matrix), engine=engine, gap=gap).public()


@verbs.kernel.method
def kernel_of_elements(matrix: Elements, *, engine: Engine | None = None, gap: float | None = None) -> Elements:
    raw = checked_matrix(matrix).raw
    return Elements(matrix.field, verbs.kernel_over(matrix.field, raw, engine=engine, gap=gap))


@verbs.kernel_over.method
def kernel_over_prime_field(
    field: PrimeField, raw: np.ndarray, *, engine: Engine | None = None, gap: float | None = None
) -> np.ndarray:
    return null_space(verbs.row_reduce(checked_engine(engine), field, raw), field.p)


@verbs.kernel_over.method
def kernel_over_reals(
    field: Reals, raw: np.ndarray, *, engine: Engine | None = None, gap: float | None = None
) -> np.ndarray:
    if not raw.size:
        return np.eye(raw.shape[1])
    _, singular_values, right = np.linalg.svd(raw)
    return right[float_rank(singular_values, raw.shape, gap, precision=field.precision).rank :].T


def kernel_of_rank(matrix: Elements, rank: int) -> Elements:
    """Return a basis, as columns, of the kernel of a matrix whose rank is at most `rank`; no columns if the rank is
    smaller.

    Where the rank is `rank`, the basis over GF(p) and over balls is a rational function of the entries near the matrix.

    Raises
    ------
    DivisionByZero
        If balls are too wide to show that the rank is `rank`.
    """
    return Elements(matrix.field, verbs.kernel_of_rank_over(matrix.field, matrix.raw, rank=rank))


@verbs.kernel_of_rank_over.method
def kernel_of_rank_over_exact_fields(field: PrimeField | Rationals, raw: np.ndarray, *, rank: int) -> np.ndarray:
    basis: np.ndarray = verbs.kernel_over(field, raw)
    return basis if basis.shape[1] == raw.shape[1] - rank else basis[:, :0]


@verbs.kernel_of_rank_over.method
def kernel_of_rank_over_reals(field: Reals, raw: np.ndarray, *, rank: int) -> np.ndarray:
    width = raw.shape[1]
    if rank == 0:
        return np.eye(width)
    _, singular_values, right = np.linalg.svd(raw)
    full = above_rounding(singular_values, raw.shape, 1.0, precision=field.precision) >= rank
    return right[rank if full else width :].T


@verbs.kernel_of_rank_over.method
def kernel_of_rank_over_balls(field: Balls, raw: np.ndarray, *, rank: int) -> np.ndarray:
    """Each vector is 1 in one column without a pivot and 0 in the others."""
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
    return np.asarray(verbs.encode(field, basis))


def null_space(form: Echelon, p: int) -> np.ndarray:
    """Return the basis, as columns, whose entries in the non-pivot columns are the identity."""
    columns = form.matrix.shape[1]
    free = np.setdiff1d(np.arange(columns), form.pivots)
    basis = np.zeros((columns, len(free)), dtype=form.matrix.dtype)
    tail = form.matrix[:, free]
    basis[list(form.pivots)] = np.multiply(tail != 0, p) - tail
    basis[free, np.arange(len(free))] = 1
    return basis
