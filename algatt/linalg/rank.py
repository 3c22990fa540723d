"""The rank of a matrix: exact over GF(p), with its gap in floating point, from below over balls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from algatt import verbs
from algatt.arguments import check_above_one
from algatt.errors import InvalidArgument, RankUndecided
from algatt.fields import Balls, Elements, Field, PrimeField, PublicArray, Reals
from algatt.fields.arrays import DOUBLE
from algatt.fields.ball import midpoints
from algatt.fields.prime import galois_characteristic
from algatt.linalg.engines import Engine, checked_engine
from algatt.linalg.matrix import elements_of_matrix, exact_matrix, matrix_shaped
from algatt.verbs.views import Tabled


@dataclass(frozen=True)
class RankLowerBound(Tabled):
    """A proven lower bound of the rank of every real matrix in a matrix of balls.

    Parameters
    ----------
    rank : int
        The bound; it is the rank if it is the number of rows or of columns.
    rows, columns : tuple of int
        A minor of this order that does not vanish.
    """

    rank: int
    rows: tuple[int, ...]
    columns: tuple[int, ...]


def rank_from_below(field: Balls, raw: np.ndarray) -> RankLowerBound:
    """Return the number of pivots of an elimination, every one of which raises the rank."""
    pivots = pivots_from_below(field, raw)
    return RankLowerBound(
        len(pivots), tuple(sorted(row for row, _ in pivots)), tuple(sorted(column for _, column in pivots))
    )


def pivots_from_below(field: Balls, raw: np.ndarray) -> list[tuple[int, int]]:
    """Eliminate with the largest midpoint as pivot, for as long as its ball excludes zero; return row and column of
    each pivot.

    Cost: rows * columns * rank operations with balls, of about 0.2 microseconds each at 128 bits.
    """
    rest = raw.copy()
    rows, columns = (np.arange(size) for size in raw.shape)
    pivots: list[tuple[int, int]] = []
    while rest.size:
        sizes = np.abs(midpoints(rest))
        row, column = np.unravel_index(int(np.argmax(np.nan_to_num(sizes, nan=-1.0))), rest.shape)
        pivot = rest[row : row + 1, column : column + 1]
        told = pivot.flat[0] != 0  # of balls: zero is outside
        if not told:
            break
        pivots.append((int(rows[row]), int(columns[column])))
        above = verbs.multiply(field, rest[row : row + 1], verbs.reciprocal(field, pivot))
        left = rest[:, column : column + 1]
        rest = verbs.add(field, rest, verbs.negate(field, verbs.multiply(field, left, above)))
        rest = np.delete(np.delete(rest, row, axis=0), column, axis=1)
        rows, columns = np.delete(rows, row), np.delete(columns, column)
    return pivots


GAP = 1e3
"""So many times as large as its neighbour a singular value has to be, unless another gap is given."""


@dataclass(frozen=True)
class RankVerdict(Tabled):
    """A rank that floating point could decide.

    Parameters
    ----------
    rank : int
        The number of singular values above the gap.
    gap : float
        The ratio of the two singular values around the gap, those below rounding being counted as the rounding level;
        infinite for a zero matrix.
    """

    rank: int
    gap: float

    def __int__(self) -> int:
        return self.rank


Rank = int | RankVerdict | RankLowerBound
"""What a rank is over a prime field, over the reals, and over balls."""


def float_rank(
    singular_values: np.ndarray,
    shape: tuple[int, ...],
    gap: float | None,
    size: float = 0.0,
    precision: int = DOUBLE,
) -> RankVerdict:
    """Decide a rank from decreasing singular values.

    The level of rounding is put below all of them, so that a full rank has a gap too. The rank ends at the widest gap;
    a second gap below it that is as wide as required leaves two answers, and none is given. If the matrix is a product,
    `size` is the size of what was added up in it, beside which all of it may be rounding. `precision` is that of its
    entries.
    """
    gap = required_gap(precision) if gap is None else gap
    check_above_one("gap", gap)
    if not singular_values.size or singular_values[0] == 0:
        return RankVerdict(0, np.inf)
    floor = rounding_level(singular_values, shape, size, precision)
    if singular_values[0] <= floor:
        raise RankUndecided(singular_values[:3].tolist(), 1.0, gap, "all of a product may be rounding")
    levels = np.append(np.maximum(singular_values, floor), floor)
    ratios = levels[:-1] / levels[1:]
    widest = int(np.argmax(ratios))
    around = [float(value) for value in singular_values[max(widest - 2, 0) : widest + 4]]
    if ratios[widest] < gap:
        raise RankUndecided(around, float(ratios[widest]), gap, "no gap in the singular values is wide enough")
    if (ratios[widest + 1 :] >= gap).any():
        raise RankUndecided(around, float(ratios[widest]), gap, "the singular values have several gaps")
    return RankVerdict(widest + 1, float(ratios[widest]))


def required_gap(precision: int) -> float:
    """Return the gap that decides a rank unless another is given: 1000, or half of the bits of less precise numbers."""
    return min(GAP, 2.0 ** ((precision - 1) / 2))


def rounding_level(
    singular_values: np.ndarray, shape: tuple[int, ...], size: float = 0.0, precision: int = DOUBLE
) -> float:
    """Return the size up to which singular values, given in decreasing order, may be nothing but rounding.

    That of the computation is ``max(shape) * eps * largest`` with the eps of float64. Rounding the entries to
    `precision` bits changes the matrix, and so each singular value, by at most half of the spacing times the Frobenius
    norm; the other half is for products of two matrices.
    """
    computed = max(shape) * np.finfo(np.float64).eps * max(singular_values[0], size)
    entered = 2.0 ** (1 - precision) * max(float(np.linalg.norm(singular_values)), size)
    return max(float(computed), entered)


def above_rounding(
    singular_values: np.ndarray, shape: tuple[int, ...], gap: float | None, size: float = 0.0, precision: int = DOUBLE
) -> int:
    """Count the singular values that are at least `gap` times as large as rounding; whoever uses this has to check what
    follows.
    """
    if not singular_values.any():
        return 0
    gap = required_gap(precision) if gap is None else gap
    return int((singular_values >= gap * rounding_level(singular_values, shape, size, precision)).sum())


@verbs.rank.method
def rank_of_array(matrix: PublicArray, *, engine: Engine | None = None, gap: float | None = None) -> Rank:
    if galois_characteristic(matrix, "matrix") is None:
        return verbs.rank(elements_of_matrix(matrix), engine=engine, gap=gap)
    return cast(int, verbs.rank_over(*exact_matrix(matrix), engine=engine, gap=gap))


@verbs.rank.method
def rank_of_elements(matrix: Elements, *, engine: Engine | None = None, gap: float | None = None) -> Rank:
    raw = matrix_shaped(matrix, "matrix").raw
    return cast(Rank, verbs.rank_over(matrix.field, raw, engine=engine, gap=gap))


@verbs.rank_over.method
def rank_over_prime_field(
    field: PrimeField, raw: np.ndarray, *, engine: Engine | None = None, gap: float | None = None
) -> int:
    return int(verbs.exact_rank(checked_engine(engine), field, raw))


@verbs.rank_over.method
def rank_over_reals(
    field: Reals, raw: np.ndarray, *, engine: Engine | None = None, gap: float | None = None
) -> RankVerdict:
    singular_values = np.empty(0)
    if raw.size:
        largest = np.abs(raw).max()  # divided by, so that the smallest and largest floats neither vanish nor overflow
        singular_values = np.linalg.svd(raw / largest if largest else raw, compute_uv=False)
    return float_rank(singular_values, raw.shape, gap, precision=field.precision)


@verbs.rank_over.method
def rank_over_balls(
    field: Balls, raw: np.ndarray, *, engine: Engine | None = None, gap: float | None = None
) -> RankLowerBound:
    return rank_from_below(field, raw)


@verbs.rank_over.method
def rank_over_other_field(field: Field, raw: Any, *, engine: Engine | None = None, gap: float | None = None) -> Rank:
    raise InvalidArgument("matrix", f"over {field}", "over a PrimeField, Rationals() or Reals()")
