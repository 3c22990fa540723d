"""Elimination modulo p: recursive by halves of the rows, so that nearly all the work is in matrix products.

Matrices are held as balanced residues in float64 for p < 2^31, and as Python integers above. The rows are never permuted and the pivots of a
row space are its leading columns, so pivot rows and columns together name a minor that does not vanish.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from algatt.fields import PrimeField
from algatt.fields.prime import canonical, reduce_floats
from algatt.linalg.product import centre, product_balanced

__all__ = ["Eliminated", "eliminate", "reduce_by", "to_residues", "to_working"]

PANEL = 32
"""At most this many rows are eliminated column by column; more are split into halves."""


@dataclass(frozen=True, eq=False)
class Eliminated:
    """A reduced echelon form without its identity block.

    Parameters
    ----------
    pivot_rows : ndarray of int
        Rows of the matrix that are independent, one for each pivot.
    pivots : ndarray of int
        The pivot columns, in the same order.
    others : ndarray of int
        The remaining columns, increasing.
    tail : ndarray
        Shape (rank, columns - rank): the echelon form in the remaining columns; in the pivot columns it is the identity.
    determinant : int
        The determinant of the minor with the pivot rows and pivot columns in the given orders.
    """

    pivot_rows: np.ndarray
    pivots: np.ndarray
    others: np.ndarray
    tail: np.ndarray
    determinant: int


def to_working(field: PrimeField, raw: np.ndarray) -> np.ndarray:
    """Return a fresh matrix in the representation in which the elimination works."""
    return raw.copy() if field.dtype is object else centre(raw, field.p)


def to_residues(field: PrimeField, work: np.ndarray) -> np.ndarray:
    """Return a matrix of the elimination as residues 0..p-1; the argument is used up."""
    return np.asarray(work % field.p) if field.dtype is object else canonical(work, field.p)


def times(field: PrimeField, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Multiply two working matrices."""
    return np.asarray(left @ right % field.p) if field.dtype is object else product_balanced(left, right, field.p)


def minus(field: PrimeField, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Subtract two working matrices."""
    difference = left - right
    if field.dtype is object:
        return np.asarray(difference % field.p)
    return reduce_floats(difference, field.p)


def reduce_by(field: PrimeField, rows: np.ndarray, form: Eliminated) -> np.ndarray:
    """Clear the pivot columns of `form` in other rows and return what remains, in the remaining columns alone."""
    if not len(form.pivots):
        return rows
    return minus(field, rows[:, form.others], times(field, rows[:, form.pivots], form.tail))


def eliminate(field: PrimeField, work: np.ndarray) -> Eliminated:
    """Bring a working matrix into reduced echelon form."""
    if work.shape[0] <= PANEL:
        return eliminate_panel(field, work)
    half = work.shape[0] // 2
    top = eliminate(field, work[:half])
    bottom = eliminate(field, reduce_by(field, work[half:], top))
    return Eliminated(
        pivot_rows=np.concatenate([top.pivot_rows, bottom.pivot_rows + half]),
        pivots=np.concatenate([top.pivots, top.others[bottom.pivots]]),
        others=top.others[bottom.others],
        tail=np.vstack([reduce_by(field, top.tail, bottom), bottom.tail]),
        determinant=top.determinant * bottom.determinant % field.p,
    )


def eliminate_panel(field: PrimeField, work: np.ndarray) -> Eliminated:
    """Bring a matrix of few rows into reduced echelon form, a window of columns at a time.

    The windows are narrow; what happens in one is collected in a square matrix and applied to all columns at once.
    """
    height, width = work.shape
    free = np.ones(height, dtype=bool)
    pivot_rows: list[int] = []
    pivots: list[int] = []
    determinant = 1
    start = 0
    while free.any() and start < width:
        occupied = np.flatnonzero((work[free, start:] != 0).any(axis=0))
        if not len(occupied):
            break
        start += int(occupied[0])
        stop = min(start + 2 * height, width)
        transform, rows, columns, factor = eliminate_window(field, work[:, start:stop], free)
        determinant = determinant * factor % field.p
        work = times(field, transform, work)
        free[rows] = False
        pivot_rows += rows
        pivots += [start + column for column in columns]
        start = stop
    kept, others = np.array(pivot_rows, dtype=np.intp), np.setdiff1d(np.arange(width), pivots)
    return Eliminated(kept, np.array(pivots, dtype=np.intp), others, work[np.ix_(kept, others)], determinant)


def eliminate_window(field: PrimeField, window: np.ndarray, free: np.ndarray) -> tuple[np.ndarray, list[int], list[int], int]:
    """Eliminate a window column by column, with pivots in the free rows.

    Returns the square matrix that does it, the rows and columns of the pivots, and the product of the pivots. Residues below 2^31 are multiplied
    as int64.
    """
    p, height = field.p, window.shape[0]
    integers = object if field.dtype is object else np.int64
    both = np.hstack([window, np.eye(height, dtype=window.dtype)]).astype(integers) % p
    free = free.copy()
    rows: list[int] = []
    columns: list[int] = []
    determinant = 1
    for column in range(window.shape[1]):
        candidates = np.flatnonzero(free & (both[:, column] != 0))
        if not len(candidates):
            continue
        row = int(candidates[0])
        pivot = int(both[row, column])
        determinant = determinant * pivot % p
        both[row] = both[row] * pow(pivot, -1, p) % p
        factors = both[:, column].copy()
        factors[row] = 0
        touched = np.flatnonzero(factors)
        both[touched] = (both[touched] - factors[touched, None] * both[row] % p) % p
        free[row] = False
        rows.append(row)
        columns.append(column)
        if not free.any():
            break
    transform: np.ndarray = both[:, window.shape[1] :].astype(field.dtype)
    return (transform if field.dtype is object else centre(transform, p)), rows, columns, determinant
