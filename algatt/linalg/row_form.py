"""Row forms: what is left of a matrix when rows may be combined freely, and the combination that gets there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.fields import Elements, PrimeField, Rationals, Reals
from algatt.linalg.engines import Auto
from algatt.linalg.matrix import checked_matrix
from algatt.linalg.rank import above_rounding, float_rank

TIE = 7 / 16
"""Power of the unit of rounding: floats whose ratio is nearer to 1 are as large as each other, and of several largest
ones the first is taken; 1e-7 for float64, 7e-4 for float32.
"""

NEARLY_TIE = 5 / 16
"""Power of the unit of rounding: floats whose ratio is farther from 1 are different, and between the two rounding may
decide; 1e-5 for float64, 6e-3 for float32.
"""


@dataclass(frozen=True, eq=False)
class RowForm:
    """A normal form of a matrix under GL acting from the left.

    Parameters
    ----------
    transform : Elements
        Invertible, with ``transform @ matrix`` equal to `form` above zeros.
    form : Elements
        Shape (rank, columns), the identity in the pivot columns: the same for all matrices with the same row space.
    pivots : tuple of int
        Columns: over GF(p) and the rationals the leftmost possible ones; over the reals those that column pivoting
        takes in an orthonormal basis of the row space, which keeps the entries of the form small.
    basis : Elements
        Shape (rows, rank): independent columns that span the column space; orthonormal over the reals.
    """

    transform: Elements
    form: Elements
    pivots: tuple[int, ...]
    basis: Elements

    @property
    def rank(self) -> int:
        """The rank."""
        return len(self.pivots)


def row_form(matrix: Elements, gap: float | None = None, checked: bool = False, size: float = 0.0) -> RowForm:
    """Return the row form of a matrix.

    Parameters
    ----------
    matrix : Elements
        Over a prime field, the rationals or the reals.
    gap : float, optional
        Over the reals: the ratio between neighbouring singular values that decides the rank.
    checked : bool, optional
        Whether the caller checks what follows from the rank. Then no gap is asked for: singular values `gap` times as
        large as rounding count.
    size : float, optional
        Over the reals, if the matrix is a product: the size of what was added up in it, beside which all of it may be
        rounding.

    Raises
    ------
    RankUndecided
        Over the reals, if the singular values have no gap.
    """
    raw = checked_matrix(matrix).raw
    form: RowForm = verbs.row_form_over(matrix.field, raw, gap=gap, checked=checked, size=size)
    return form


def row_rank(matrix: Elements, gap: float | None = None, checked: bool = False, size: float = 0.0) -> int:
    """Return the rank of the row form of a matrix, with the arguments of `row_form`, without the form.

    Raises
    ------
    RankUndecided
        Over the reals, if the singular values have no gap.
    """
    if not isinstance(matrix.field, Reals):
        return int(verbs.rank(matrix))
    raw = checked_matrix(matrix).raw
    return rank_of_floats(matrix.field, np.linalg.svd(raw, compute_uv=False), raw.shape, gap, checked, size)


def rank_of_floats(
    field: Reals, singular_values: np.ndarray, shape: tuple[int, ...], gap: float | None, checked: bool, size: float
) -> int:
    """Return the rank that singular values say; a gap is asked for unless the caller checks what follows."""
    if checked:
        return above_rounding(singular_values, shape, gap, size, field.precision)
    return float_rank(singular_values, shape, gap, size, field.precision).rank


@verbs.row_form_over.method
def row_form_over_exact_fields(
    field: PrimeField | Rationals,
    raw: np.ndarray,
    *,
    gap: float | None = None,
    checked: bool = False,
    size: float = 0.0,
) -> RowForm:
    height, width = raw.shape
    augmented = verbs.row_reduce(Auto(), field, np.hstack([raw, verbs.encode(field, np.eye(height, dtype=np.int64))]))
    pivots = tuple(pivot for pivot in augmented.pivots if pivot < width)
    transform = Elements(field, augmented.matrix[:, width:])
    form = Elements(field, augmented.matrix[: len(pivots), :width])
    return RowForm(transform, form, pivots, Elements(field, raw[:, list(pivots)]))


@verbs.row_form_over.method
def row_form_over_reals(
    field: Reals, raw: np.ndarray, *, gap: float | None = None, checked: bool = False, size: float = 0.0
) -> RowForm:
    left, singular_values, right = np.linalg.svd(raw)
    rank = rank_of_floats(field, singular_values, raw.shape, gap, checked, size)
    pivots, _ = pivot_columns(right[:rank], field.unit)
    square = right[:rank][:, list(pivots)]
    there = left.T.copy()
    there[:rank] = np.linalg.solve(square, left[:, :rank].T / singular_values[:rank, None])
    rows = np.linalg.solve(square, right[:rank])
    return RowForm(Elements(field, there), Elements(field, rows), pivots, Elements(field, left[:, :rank]))


def pivot_columns(rows: np.ndarray, unit: float) -> tuple[tuple[int, ...], bool]:
    """Return the columns that column pivoting takes in a matrix with orthonormal rows, and whether rounding by a unit
    cannot change them; any other basis of its row space gives the same.

    Of what is left of the columns only the squares of their sizes are kept. After k of r pivots these add up to r - k,
    so that the largest is at least 1 / n, and what is rounded in it small beside `TIE`.
    """
    left, pivots, clear = np.square(rows).sum(axis=0), [], True
    directions = np.zeros((len(rows), len(rows)))
    for step in range(len(rows)):
        pivot, told = first_largest(np.sqrt(np.maximum(left, 0.0)), unit)
        before = directions[:step]
        column = rows[:, pivot] - (before @ rows[:, pivot]) @ before
        directions[step] = column / np.linalg.norm(column)
        left -= np.square(directions[step] @ rows)
        pivots.append(pivot)
        clear = clear and told
    return tuple(sorted(pivots)), clear


def first_largest(sizes: np.ndarray, unit: float) -> tuple[int, bool]:
    """Return the place of the first of the largest floats, and whether rounding by a unit cannot change it: then none
    before it is nearly as large.
    """
    ratios = sizes / sizes.max()
    place = int(np.argmax(ratios >= 1 - unit**TIE))
    return place, not (ratios[:place] > 1 - unit**NEARLY_TIE).any()
