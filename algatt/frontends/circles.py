"""Tables of cosines and sines of frequencies times positions, as points of the circle, which rotations are made of."""

from __future__ import annotations

import numpy as np

from algatt import verbs
from algatt.fields import Elements
from algatt.frontends.arrays import Array
from algatt.frontends.operations import Operations

MOST_POSITIONS = 2**31
"""Maximum position of a token that is turned."""


ROUNDING = 8
"""Maximum distance of an entry of a table from a point of the circle, in units of the rounding of its angle."""


def circle(operations: Operations, angles: np.ndarray, name: str) -> Array | None:
    """Return the cosines or sines of numbers that are frequencies, the last axis, times whole positions, up to their
    rounding: as points of the circle, which rotations are made of. None for other numbers.
    """
    if angles.ndim < 2 or angles.dtype.kind != "f" or not angles.any():
        return None
    rows = angles.reshape(-1, angles.shape[-1]).astype(np.float64)
    sizes = np.abs(rows).sum(axis=1)
    first = rows[np.argmin(np.where(sizes > 0, sizes, np.inf))]
    places = np.rint(rows[:, np.argmax(np.abs(first))] / first[np.argmax(np.abs(first))]).astype(np.int64)
    rounding = 4 * np.finfo(angles.dtype).eps * np.abs(rows)
    if not (np.abs(np.outer(places, first) - rows) <= rounding).all() or places.max() > MOST_POSITIONS:
        return None
    frequencies, positions = (
        np.broadcast_to(one, rows.shape).reshape(angles.shape) for one in (first, places[:, None])
    )
    return points(operations, frequencies, positions, np.full(angles.shape, name == "sin"))


def points(operations: Operations, frequencies: np.ndarray, places: np.ndarray, are_sines: np.ndarray) -> Array:
    """Return the cosines or sines of frequencies times positions, entry by entry."""
    distinct, column = np.unique(places, return_inverse=True)
    angles, row = np.unique(frequencies, return_inverse=True)
    trace = operations.results.trace
    made = verbs.circle_points(trace, angles=tuple(angles.tolist()), positions=tuple(distinct.tolist()))
    tables = [operations.results.entries_of(Elements(trace, one)).entries for one in made]
    row, column = row.reshape(frequencies.shape), column.reshape(places.shape)
    return Array(np.where(are_sines, tables[1][row, column], tables[0][row, column]))


def frequencies_in(table: np.ndarray) -> list[float]:
    """Return the frequencies of the columns of a table that are the sines of one times the numbers of the rows, counted
    from 0.
    """
    if table.ndim != 2 or table.dtype.kind != "f" or len(table) < 2:
        return []
    columns = [column for column in table.T.astype(np.float64) if not column[0] and 0 < column[1] <= 1]
    found = [float(np.arcsin(column[1])) for column in columns]
    return [one for one, column in zip(found, columns, strict=True) if is_wave(table, column, one, np.sin)]


def stored_circle(operations: Operations, table: np.ndarray, frequencies: list[float]) -> Array | None:
    """Return a table as points of the circle, if each of its columns holds the cosines, or the sines, of one frequency
    times the number of the row; None for another table.
    """
    found = []
    for column in table.T.astype(np.float64) if table.ndim == 2 and len(table) > 1 and frequencies else ():
        is_sine = not column[0]
        wave = np.sin if is_sine else np.cos
        best = min(frequencies, key=lambda one: float(np.abs(wave(np.arange(len(column)) * one) - column).max()))
        if not is_wave(table, column, best, wave):
            return None
        found.append((best, is_sine))
    if not found:
        return None
    angles, are_sines = (np.broadcast_to(np.array(one), table.shape) for one in zip(*found, strict=True))
    places = np.broadcast_to(np.arange(len(table))[:, None], table.shape)
    return points(operations, angles, places, are_sines)


def is_wave(table: np.ndarray, column: np.ndarray, frequency: float, wave: np.ufunc) -> bool:
    """Return whether a column is a function of a frequency times the numbers of the rows, up to the rounding of the
    type of the table, or to single precision, in which it may have been computed.
    """
    angles = np.arange(len(column)) * frequency
    rounding = ROUNDING * max(np.finfo(table.dtype).eps, np.finfo(np.float32).eps) * (1 + angles)
    return bool((np.abs(wave(angles) - column) <= rounding).all())
