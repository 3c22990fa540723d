"""Strips of few rows are brought into reduced form, within a window of columns and by halves of their rows."""

from __future__ import annotations

import numpy as np

from algatt.linalg.arithmetic import PROBE, Arithmetic, Window

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
