"""Elimination modulo p: panels of rows, and products with all the rest, in which nearly all of the work is.

A panel is eliminated by halves of its rows, down to strips. A strip is brought into reduced form within a narrow window
of columns; what was done there is collected in a square matrix and applied to the other columns in one product. Then
one product clears the pivot columns of the whole panel in the rows below: as many terms as add up exactly for the
default prime, so that entries are read, reduced and written seldom. Rows are never exchanged; columns are, so that the
pivots come first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from algatt.fields import PrimeField
from algatt.linalg.arithmetic import PROBE, Arithmetic, Window, arithmetic

PANEL = 512
"""Rows of a panel."""

STRIP = 128
"""Rows of a strip."""

Blocks = tuple[tuple[int, int], ...]
"""First pivot and number of pivots of blocks that follow each other."""


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
    blocks: Blocks
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
        for blocks in panels_of(self.blocks):
            clear(self.calculus, work, self.form, blocks)
        return work[:, self.rank :]

    def tail(self) -> np.ndarray:
        """Return the reduced form in the columns without pivots; in those of the pivots it is the identity."""
        form, tail = self.form, self.calculus.copy(self.form[:, self.rank :])
        for blocks in reversed(panels_of(self.blocks)):
            start, end = blocks[0][0], sum(blocks[-1])
            for first, count in reversed(blocks):
                stop = first + count
                self.calculus.subtract_product(tail[start:first], form[start:first, first:stop], tail[first:stop])
            self.calculus.subtract_product(tail[:start], form[:start, start:end], tail[start:end])
        return tail


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
    blocks: Blocks
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
    below = begun.top + PANEL
    after = eliminate_rows(calculus, work, order, begun, min(below, len(work)))
    clear(calculus, work[below:], work, after.blocks[len(begun.blocks) :])
    return replace(after, top=below)


def eliminate_rows(calculus: Arithmetic, work: np.ndarray, order: np.ndarray, begun: Begun, below: int) -> Begun:
    """Eliminate the rows of a working matrix up to `below`, by halves, each row by the others of these that have a
    pivot; the rows below are not changed.
    """
    strips = -((begun.top - below) // STRIP)
    if strips <= 1:
        return eliminate_next_strip(calculus, work, order, begun, below)
    middle = begun.top + strips // 2 * STRIP
    upper = eliminate_rows(calculus, work, order, begun, middle)
    clear(calculus, work[middle:below], work, upper.blocks[len(begun.blocks) :])
    return eliminate_rows(calculus, work, order, upper, below)


def eliminate_next_strip(calculus: Arithmetic, work: np.ndarray, order: np.ndarray, begun: Begun, below: int) -> Begun:
    """Bring the rows of a working matrix up to `below` into reduced form."""
    top, rank = begun.top, begun.rank
    strip = work[top:below, rank:]
    rows, columns, factor = eliminate_sparse(calculus, strip)
    count = len(rows)
    if not count:
        return replace(begun, top=below)
    moved, sources = pivots_first(columns, work.shape[1] - rank)
    if len(moved):
        work[:, rank + moved] = work[:, rank + sources]
        order[rank + moved] = order[rank + sources]
    if rank < top or not is_first(rows):
        work[rank : rank + count, rank:] = strip[rows]
    return Begun(
        below,
        order,
        (*begun.pivot_rows, *(top + rows).tolist()),
        (*begun.blocks, (rank, count)),
        begun.determinant * factor % calculus.p,
    )


def clear(calculus: Arithmetic, rows: np.ndarray, form: np.ndarray, blocks: Blocks) -> None:
    """Subtract from rows, in place, what makes the pivot columns of blocks that follow each other zero.

    By which multiples is found in these columns, block by block; then one product is subtracted in those behind them.
    """
    if not blocks or not len(rows):
        return
    start = blocks[0][0]
    for first, count in blocks[1:]:
        stop = first + count
        calculus.subtract_product(rows[:, first:stop], rows[:, start:first], form[start:first, first:stop])
    end = sum(blocks[-1])
    calculus.subtract_product(rows[:, end:], rows[:, start:end], calculus.factor(form[start:end, end:]))


def panels_of(blocks: Blocks) -> list[Blocks]:
    """Return blocks that follow each other in groups with about as many pivots as a panel has rows."""
    panels: list[Blocks] = []
    for first, count in blocks:
        if panels and first + count - panels[-1][0][0] <= PANEL:
            panels[-1] = (*panels[-1], (first, count))
        else:
            panels.append(((first, count),))
    return panels


def pivots_first(columns: np.ndarray, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the places that change when `columns` are moved to the front, and what comes to each of them."""
    places = np.arange(width)
    if is_first(columns):
        return places[:0], places[:0]
    order = np.concatenate([columns, np.setdiff1d(places, columns)])
    moved = np.flatnonzero(order != places)
    return moved, order[moved]


MORE = 32
"""So many columns a window has more than rows, in case that some have no pivot."""

Pivots = tuple[np.ndarray, np.ndarray, int]
"""Rows and columns of pivots, and the determinant of the minor that they make before the elimination."""

NONE: Pivots = (np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp), 1)


def eliminate_sparse(calculus: Arithmetic, strip: np.ndarray) -> Pivots:
    """Bring a strip into reduced form, in place, those columns being taken out that are not zero if they are few."""
    if 2 * len(calculus.occupied(strip[:PROBE])) > strip.shape[1]:
        return eliminate_strip(calculus, strip)
    occupied = calculus.occupied(strip)
    if 2 * len(occupied) > strip.shape[1]:
        return eliminate_strip(calculus, strip)
    some = strip[:, occupied]
    rows, columns, determinant = eliminate_strip(calculus, some)
    strip[:, occupied] = some
    return rows, occupied[columns], determinant


def eliminate_strip(calculus: Arithmetic, strip: np.ndarray) -> Pivots:
    """Bring a strip into reduced form, in place, a window of columns at a time."""
    free = np.arange(strip.shape[0])
    found: list[Pivots] = []
    start = 0
    while len(free):
        start = first_occupied(calculus, strip, free, start)
        if start == strip.shape[1]:
            break
        stop = min(start + len(free) + MORE, strip.shape[1])
        rest = strip if len(free) == len(strip) else strip[free]
        window = calculus.fetch(rest[:, start:stop])
        transform, rows, columns, determinant = eliminate_window(calculus.near, window)
        calculus.apply(calculus.send(transform), rest[:, start:])
        for done, _, _ in found:
            cleared = strip[done]
            calculus.subtract_product(cleared[:, start:], cleared[:, start + columns], rest[rows, start:])
            strip[done] = cleared
        if rest is not strip:
            strip[free] = rest
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


def first_occupied(calculus: Arithmetic, strip: np.ndarray, rows: np.ndarray, start: int) -> int:
    """Return the first column from `start` on in which one of the rows is not zero, or the number of columns."""
    step = 8  # most often it is the first one
    while start < strip.shape[1]:
        occupied = calculus.occupied(strip[rows, start : start + step])
        if len(occupied):
            return start + int(occupied[0])
        start += step
        step = min(8 * step, 1024)
    return strip.shape[1]


def eliminate_window(calculus: Arithmetic, window: np.ndarray) -> Window:
    """Eliminate a matrix of few columns, all rows of which may have pivots; see `Arithmetic.eliminate_window`."""
    height, width = window.shape
    if height <= calculus.small:
        return calculus.eliminate_window(window, np.ones(height, dtype=bool))
    both = np.hstack([window, np.eye(height, dtype=window.dtype)])
    pivots = eliminate_halves(calculus, both, width)
    return (both[:, width:], *pivots)


def eliminate_halves(calculus: Arithmetic, window: np.ndarray, width: int) -> Pivots:
    """Bring a matrix into reduced form, in place, with pivots in its first `width` columns, by halves of its rows."""
    height = window.shape[0]
    if height <= calculus.small:
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


def is_first(places: np.ndarray) -> bool:
    """Return whether places are the first ones, in their order."""
    return np.array_equal(places, np.arange(len(places)))
