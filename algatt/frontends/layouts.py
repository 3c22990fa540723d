"""Which axes of arrays become the rows and the columns of matrices.

Along an axis references move through rows of results, through columns, or from one result to others. Two axes are
chosen such that few parts have to be taken and few transposed: so tokens are columns where they are in the input.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt.frontends.arrays import PLACES, Array, RecordedResults


@dataclass(frozen=True)
class AxisMove:
    """How references move along an axis.

    Parameters
    ----------
    kind : {"none", "rows", "columns", "mixed"}
        Through what.
    pieces : int
        How many runs of rows or columns, one after the other, of one result there are.
    size : int
        The length of the axis.
    """

    kind: str
    pieces: int
    size: int


def move_along(results: RecordedResults, entries: np.ndarray, axis: int) -> AxisMove:
    """Return how references move along an axis, beginning with the first entry."""
    size = entries.shape[axis]
    if size == 1 or entries.strides[axis] == 0 or not entries.size:
        return AxisMove("none", 1, size)
    line = entries[tuple(slice(None) if one == axis else 0 for one in range(entries.ndim))]
    if (line == line[0]).all():
        return AxisMove("none", 1, size)
    numbers = line >> PLACES
    widths = np.array([results.trace.instructions[number].shape[1] for number in numbers.tolist()])
    rows, columns = np.divmod(line % (1 << PLACES), widths)
    same = numbers[1:] == numbers[:-1]
    steps = {
        kind: same & (np.abs(np.diff(moving)) == 1) & (np.diff(fixed) == 0)
        for kind, moving, fixed in (("rows", rows, columns), ("columns", columns, rows))
    }
    kind = max(steps, key=lambda one: int(steps[one].sum()))
    others = steps["columns" if kind == "rows" else "rows"]
    if others.any():
        return AxisMove("mixed", size, size)
    if not steps[kind].any():
        fixed = columns if (np.diff(rows) != 0).any() else rows
        kind = "mixed" if not same.all() or (np.diff(fixed) != 0).any() else "columns" if fixed is rows else "rows"
    return AxisMove(kind, size - int(steps[kind].sum()) if kind in steps else size, size)


def pieces_of(rows: AxisMove, columns: AxisMove) -> int:
    """Return how many parts of results a matrix is made of along whose axes references move so, twice; one more if
    it is transposed.
    """
    kinds = {rows.kind, columns.kind} - {"none"}
    together = rows.pieces * columns.pieces
    if len(kinds) == 1 and "none" not in (rows.kind, columns.kind) and rows.size > 1 and columns.size > 1:
        together = min(rows.size * columns.pieces, columns.size * rows.pieces)
    return 2 * together + (rows.kind == "columns" or columns.kind == "rows")


def orientation_of(results: RecordedResults, entries: np.ndarray) -> int:
    """Return 1 if a matrix of references stands as in its result, -1 if it is transposed, 0 if that is not known."""
    moves = [move_along(results, entries, axis).kind for axis in (0, 1)]
    if moves[0] in ("rows", "none") and moves[1] in ("columns", "none"):
        return 1 if moves != ["none", "none"] else 0
    return -1 if moves[0] in ("columns", "none") and moves[1] in ("rows", "none") else 0


@dataclass(frozen=True)
class Layout:
    """Two axes of arrays of one shape, the rows and the columns of matrices.

    Parameters
    ----------
    shape : tuple of int
        The shape of the arrays, with one or more axes of length 1 behind.
    rows, columns : int
        The axes.
    """

    shape: tuple[int, ...]
    rows: int
    columns: int

    @property
    def order(self) -> list[int]:
        """All axes, those of matrices last."""
        return [axis for axis in range(len(self.shape)) if axis not in self.axes] + list(self.axes)

    @property
    def axes(self) -> tuple[int, int]:
        """The axes of matrices."""
        return self.rows, self.columns

    @property
    def outer(self) -> tuple[int, ...]:
        """The sizes of the other axes."""
        return tuple(self.shape[axis] for axis in self.order[:-2])

    @property
    def matrix(self) -> tuple[int, int]:
        """The shape of a matrix."""
        return self.shape[self.rows], self.shape[self.columns]

    def cells(self) -> Iterator[tuple[int, ...]]:
        """Iterate over the places of matrices."""
        return itertools.product(*map(range, self.outer))

    def matrices(self, values: np.ndarray) -> np.ndarray:
        """Return an array, of references or of numbers, spread to the shape, with the axes of matrices last."""
        return np.broadcast_to(with_ones_behind(values, self.shape), self.shape).transpose(self.order)

    def put(self, matrices: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
        """Return an array whose axes of matrices are last with its axes in order, of a shape without ones behind."""
        return matrices.transpose(np.argsort(self.order)).reshape(shape)


def with_ones_behind(values: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Return an array that can be spread to a shape with axes of length 1 behind."""
    extra = len(shape) - 1
    return values.reshape((1,) * (extra - values.ndim) + values.shape + (1,))


def layout_of(
    results: RecordedResults, shape: tuple[int, ...], operands: Sequence[Any], *, along: int | None = None
) -> Layout:
    """Return the layout for an operation on arrays that are spread to a shape.

    Parameters
    ----------
    results : Results
        The results that the arrays refer to.
    shape : tuple of int
        The shape.
    operands : sequence of Array or array
        The arrays; constants can stand in any way.
    along : int, optional
        An axis that has to be one of the two.
    """
    whole = (*shape, 1)
    every = range(len(whole))
    given = [one.entries for one in operands if isinstance(one, Array)]
    freely = [entries for entries in given if not results.is_chosen(entries)] or given
    arrays = [np.broadcast_to(with_ones_behind(entries, whole), whole) for entries in freely]
    moves = [[move_along(results, entries, axis) for axis in every] for entries in arrays]

    def key(pair: tuple[int, int]) -> tuple[int, ...]:
        rows, columns = pair
        others = [axis for axis in every if axis not in pair]
        pieces = 0
        for one in moves:  # where an array is spread, its matrices are one; where it is empty, there are none
            cells = math.prod(one[axis].size for axis in others if one[axis].kind != "none" or not one[axis].size)
            pieces += cells * pieces_of(one[rows], one[columns])
        return pieces, every[-1] in pair, -max(pair), -columns

    pairs = [pair for pair in itertools.permutations(every, 2) if along is None or along in pair]
    if not pairs:
        return Layout((1, *whole), 0, 1)
    return Layout(whole, *min(pairs, key=key))
