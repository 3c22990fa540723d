"""Elimination modulo p: panels of rows, and products with all the rest, in which nearly all of the work is.

A panel is brought into reduced form within a narrow window of columns, by halves of its rows; what was done there is
collected in a square matrix and applied to the other columns in one product. Then one product clears the pivot columns
in the rows below. Rows are never exchanged; columns are, so that the pivots come first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from algatt.fields import PrimeField
from algatt.linalg.arithmetic import Arithmetic, arithmetic

__all__ = ["Begun", "Eliminated", "Follow", "eliminate", "eliminate_working"]

PANEL = 256
"""Rows of a panel."""

SMALL = 32
"""So few rows are eliminated column by column; more are split into halves."""

Pivots = tuple[np.ndarray, np.ndarray, int]
"""Rows and columns of pivots, and the determinant of the minor that they make before the elimination."""

NONE: Pivots = (np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp), 1)


@dataclass(frozen=True, eq=False)
class Eliminated:
    """A row echelon form with permuted columns.

    Parameters
    ----------
    calculus : Arithmetic
        How its entries are to be read.
    pivot_rows : ndarray of int
        Rows of the matrix that are independent, one for each pivot.
    order : ndarray of int
        The columns of the matrix in the order of the form: those of the pivots first.
    blocks : tuple of (int, int)
        First pivot and number of pivots of each block.
    form : ndarray
        Shape (rank, columns). Between the pivot columns of one block it is the identity; left of that it is not read.
    determinant : int
        The determinant of the minor with the pivot rows and pivot columns in their orders.
    """

    calculus: Arithmetic
    pivot_rows: np.ndarray
    order: np.ndarray
    blocks: tuple[tuple[int, int], ...]
    form: np.ndarray
    determinant: int

    @property
    def rank(self) -> int:
        """The number of pivots."""
        return len(self.pivot_rows)

    @property
    def pivot_columns(self) -> np.ndarray:
        """The columns of the pivots."""
        return self.order[: self.rank]

    def reduce(self, work: np.ndarray) -> np.ndarray:
        """Clear the pivot columns in other rows, whose columns are in the order of the form, in place; return what
        remains in the other columns.
        """
        rows = work
        for first, count in self.blocks:
            stop = first + count
            self.calculus.subtract_product(rows[:, stop:], rows[:, first:stop], self.form[first:stop, stop:])
        return rows[:, self.rank :]

    def tail(self) -> np.ndarray:
        """Return the reduced form in the columns without pivots; in those of the pivots it is the identity."""
        form = self.calculus.copy(self.form)
        for first, count in reversed(self.blocks):
            stop = first + count
            self.calculus.subtract_product(form[:first, stop:], form[:first, first:stop], form[first:stop, stop:])
        return form[:, self.rank :]


@dataclass(frozen=True, eq=False)
class Begun:
    """An elimination after some panels: what is known beside the working matrix, whose first rows are the form.

    Parameters
    ----------
    top : int
        The first row of the next panel.
    order : ndarray of int
        The columns in the order of the working matrix.
    pivot_rows : tuple of int
        The rows of the pivots found.
    blocks : tuple of (int, int)
        First pivot and number of pivots of each block.
    determinant : int
        The product of the pivots.
    """

    top: int
    order: np.ndarray
    pivot_rows: tuple[int, ...]
    blocks: tuple[tuple[int, int], ...]
    determinant: int

    @property
    def rank(self) -> int:
        """The number of pivots found."""
        return len(self.pivot_rows)

    def form(self, calculus: Arithmetic, work: np.ndarray) -> Eliminated:
        """Return the echelon form of the rows that are done, in a working matrix."""
        rows = np.array(self.pivot_rows, dtype=np.intp)
        return Eliminated(calculus, rows, self.order, self.blocks, work[: self.rank], self.determinant)


Follow = Callable[[Arithmetic, Begun, np.ndarray], object]
"""What is called after each panel with how far an elimination is, and the working matrix of an arithmetic."""


def eliminate(field: PrimeField, raw: np.ndarray, target: int | None = None) -> Eliminated:
    """Bring a matrix of residues into row echelon form, or as much of it as has the rank `target`."""
    calculus = arithmetic(field, raw.size * min(raw.shape))
    return eliminate_working(calculus, calculus.enter(raw), target)


def eliminate_working(
    calculus: Arithmetic,
    work: np.ndarray,
    target: int | None = None,
    follow: Follow | None = None,
    begun: Begun | None = None,
) -> Eliminated:
    """Bring a working matrix into row echelon form, in place, or go on with one that was begun."""
    height, width = work.shape
    most = min(height, width) if target is None else min(height, width, target)
    begun = begun or Begun(0, np.arange(width), (), (), 1 % calculus.p)
    order = begun.order.copy()
    while begun.top < height and begun.rank < most:
        begun = eliminate_next(calculus, work, order, begun)
        if follow is not None:
            follow(calculus, begun, work)
    form = begun.form(calculus, work)
    if form.rank == height:
        return form
    return replace(form, form=calculus.copy(form.form))  # no row is kept that holds nothing


def eliminate_next(calculus: Arithmetic, work: np.ndarray, order: np.ndarray, begun: Begun) -> Begun:
    """Eliminate the next panel of a working matrix, in place; the order of its columns is changed too."""
    top, rank = begun.top, begun.rank
    below = top + PANEL
    panel = calculus.factor(work[top:below, rank:])
    rows, columns, factor = eliminate_sparse_panel(calculus, panel)
    count = len(rows)
    if not count:
        return replace(begun, top=below)
    moved, sources = pivots_first(columns, work.shape[1] - rank)
    if len(moved):
        work[:, rank + moved] = work[:, rank + sources]
        order[rank + moved] = order[rank + sources]
        panel[:, moved] = panel[:, sources]
    stop = rank + count
    work[rank:stop, rank:] = panel[rows]
    calculus.subtract_product(work[below:, stop:], work[below:, rank:stop], panel[rows, count:])
    return Begun(
        below,
        order,
        (*begun.pivot_rows, *(top + rows).tolist()),
        (*begun.blocks, (rank, count)),
        begun.determinant * factor % calculus.p,
    )


def pivots_first(columns: np.ndarray, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the places that change when `columns` are moved to the front, and what comes to each of them."""
    places = np.arange(width)
    order = np.concatenate([columns, np.setdiff1d(places, columns)])
    moved = np.flatnonzero(order != places)
    return moved, order[moved]


def eliminate_sparse_panel(calculus: Arithmetic, panel: np.ndarray) -> Pivots:
    """Bring a panel into reduced form, in place, those columns being taken out that are not zero if they are few."""
    occupied = calculus.occupied(panel)
    if 2 * len(occupied) > panel.shape[1]:
        return eliminate_panel(calculus, panel)
    some = panel[:, occupied]
    rows, columns, determinant = eliminate_panel(calculus, some)
    panel[:, occupied] = some
    return rows, occupied[columns], determinant


def eliminate_panel(calculus: Arithmetic, panel: np.ndarray) -> Pivots:
    """Bring a panel into reduced form, in place, a window of columns at a time."""
    free = np.arange(panel.shape[0])
    found: list[Pivots] = []
    start = 0
    while len(free):
        start = first_occupied(calculus, panel, free, start)
        if start == panel.shape[1]:
            break
        stop = min(start + len(free) + SMALL, panel.shape[1])
        rest = panel[free]
        window = calculus.fetch(rest[:, start:stop])
        window = np.hstack([window, np.eye(len(free), dtype=window.dtype)])
        rows, columns, determinant = eliminate_halves(calculus.near, window, stop - start)
        rest[:, start:stop] = calculus.send(window[:, : stop - start])
        rest[:, stop:] = calculus.product(calculus.send(window[:, stop - start :]), rest[:, stop:])
        for done, _, _ in found:
            cleared = panel[done]
            calculus.subtract_product(cleared[:, start:], cleared[:, start + columns], rest[rows, start:])
            panel[done] = cleared
        panel[free] = rest
        found.append((free[rows], start + columns, determinant))
        free = np.delete(free, rows)
        start = stop
    return combine(found, calculus.p)


def combine(found: list[Pivots], p: int) -> Pivots:
    """Put pivots together in the order in which they were found."""
    if not found:
        return NONE
    determinant = 1
    for _, _, factor in found:
        determinant = determinant * factor % p
    return (
        np.concatenate([rows for rows, _, _ in found]),
        np.concatenate([columns for _, columns, _ in found]),
        determinant,
    )


def first_occupied(calculus: Arithmetic, panel: np.ndarray, rows: np.ndarray, start: int) -> int:
    """Return the first column from `start` on in which one of the rows is not zero, or the number of columns."""
    step = 8  # most often it is the first one
    while start < panel.shape[1]:
        occupied = calculus.occupied(panel[rows, start : start + step])
        if len(occupied):
            return start + int(occupied[0])
        start += step
        step = min(8 * step, 1024)
    return panel.shape[1]


def eliminate_halves(calculus: Arithmetic, window: np.ndarray, width: int) -> Pivots:
    """Bring a matrix into reduced form, in place, with pivots in its first `width` columns, by halves of its rows."""
    height = window.shape[0]
    if height <= SMALL:
        return eliminate_small(calculus, window, width)
    upper, lower = window[: height // 2], window[height // 2 :]
    rows, columns, _ = first = eliminate_halves(calculus, upper, width)
    calculus.subtract_product(lower, lower[:, columns], upper[rows])
    rows, columns, determinant = eliminate_halves(calculus, lower, width)
    calculus.subtract_product(upper, upper[:, columns], lower[rows])
    return combine([first, (height // 2 + rows, columns, determinant)], calculus.p)


def eliminate_small(calculus: Arithmetic, window: np.ndarray, width: int) -> Pivots:
    """Bring a matrix of few rows into reduced form, in place, some columns at a time."""
    height = window.shape[0]
    free = np.ones(height, dtype=bool)
    found: list[Pivots] = []
    start = 0
    while free.any():
        start = first_occupied(calculus, window[:, :width], np.flatnonzero(free), start)
        if start >= width:
            break
        stop = min(start + 2 * height, width)
        transform, rows, columns, determinant = calculus.eliminate_window(window[:, start:stop], free)
        window[...] = calculus.product(transform, window)
        free[rows] = False
        found.append((rows, start + columns, determinant))
        start = stop
    return combine(found, calculus.p)
