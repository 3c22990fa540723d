"""Arrays of any rank whose entries are entries of results of a program.

A reference is one integer: the number of a result and the place of an entry in it. So reshape, permute, slice, expand,
join and gather of an array are those of numpy on its references, and record no instruction. When an operation asks for
a matrix, `matrix_of` writes it as rows and columns of results.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from algatt.errors import InvalidArgument
from algatt.fields import Elements
from algatt.programs import Trace
from algatt.programs.interpret import TraceArray
from algatt.programs.parts import ENTRYWISE, TOGETHER

PLACES = 40
"""Number of bits of the place of an entry in its result; the other bits are the number of the result."""

MOST_PIECES = 4096
"""Maximum number of parts of results that a matrix is joined of."""


@dataclass(frozen=True, eq=False)
class Array:
    """An array of entries of results.

    Parameters
    ----------
    entries : numpy.ndarray of int64
        The references.
    hidden : numpy.ndarray of bool, optional
        True where the entry is minus infinity, whatever the reference is; nowhere unless given.
    truth : bool, optional
        Whether all entries are known to be 0 or 1, as truth values are.
    """

    entries: np.ndarray
    hidden: np.ndarray | None = None
    truth: bool = False

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array."""
        return self.entries.shape

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return self.entries.ndim

    def view(self, function: Callable[[np.ndarray], np.ndarray]) -> Array:
        """Return the array that a function of numpy, which moves entries, makes of it."""
        return Array(function(self.entries), None if self.hidden is None else function(self.hidden), self.truth)

    def __getitem__(self, index: Any) -> Array:
        """Return a part of the array."""
        return self.view(lambda entries: entries[index])

    def reshape(self, *shape: int) -> Array:
        """Return the array in another shape."""
        return self.view(lambda entries: entries.reshape(shape))

    def transpose(self, axes: Sequence[int]) -> Array:
        """Return the array with its axes in another order."""
        return self.view(lambda entries: entries.transpose(axes))

    def spread(self, shape: tuple[int, ...]) -> Array:
        """Return the array spread to a shape."""
        return self.view(lambda entries: np.broadcast_to(entries, shape))


@dataclass(frozen=True, eq=False)
class Tokens:
    """Numbers of tokens that are read.

    Parameters
    ----------
    columns : numpy.ndarray of int
        Which columns of the input are the unit vectors of the tokens.
    """

    columns: np.ndarray

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array of numbers."""
        return self.columns.shape

    def __getitem__(self, index: Any) -> Tokens:
        """Return some of the numbers."""
        return Tokens(self.columns[index])

    def view(self, function: Callable[[np.ndarray], np.ndarray]) -> Tokens:
        """Return the numbers that a function of numpy, which moves entries, makes of it."""
        return Tokens(function(self.columns))


def shape_of(value: Any) -> tuple[int, ...]:
    """Return the shape of an array, of numbers of tokens, or of a constant."""
    return tuple(value.shape) if hasattr(value, "shape") else tuple(np.shape(value))


def is_hidden(value: Any) -> bool:
    """Return whether some entries of an array are minus infinity."""
    return isinstance(value, Array) and value.hidden is not None and bool(value.hidden.any())


@dataclass(frozen=True, eq=False)
class RecordedResults:
    """The results of a program that is being recorded, and their entries.

    Parameters
    ----------
    trace : Trace
        Where instructions are recorded.
    constants : dict of int to numpy.ndarray
        The numbers in the results that are constants.
    """

    trace: Trace = field(default_factory=Trace)
    constants: dict[int, np.ndarray] = field(default_factory=dict)

    def entries_of(self, matrix: Elements, shape: tuple[int, ...] | None = None) -> Array:
        """Return the entries of a result, row by row in a shape."""
        height, width = matrix.shape
        start = matrix.raw.number << PLACES
        return Array(np.arange(start, start + height * width).reshape((height, width) if shape is None else shape))

    def operation_of(self, entry: int) -> str:
        """Return the operation that made an entry, given as a reference."""
        return self.trace.instructions[int(entry) >> PLACES].operation

    def constant(self, values: np.ndarray) -> Elements:
        """Record a matrix of numbers."""
        made = Elements.of(self.trace, values)
        self.constants[made.raw.number] = values
        return made

    def lift(self, value: Any) -> Array:
        """Return an array, or the array of a constant; minus infinity is hidden."""
        if isinstance(value, Array):
            return value
        values = np.asarray(value)
        if values.size == 0:
            return Array(np.zeros(values.shape, dtype=np.int64))
        truth, hidden = values.dtype == bool, np.isneginf(values) if values.dtype.kind == "f" else None
        values = check_numbers(np.where(hidden, 0, values) if hidden is not None and hidden.any() else values)
        matrix = values.reshape(-1, values.shape[-1]) if values.ndim else values.reshape(1, 1)
        hidden = hidden if hidden is not None and hidden.any() else None
        return Array(self.entries_of(self.constant(matrix), values.shape).entries, hidden, truth)

    def matrix_of(self, entries: np.ndarray) -> Elements:
        """Return a matrix of references as rows and columns of a result, or as such parts joined.

        Parameters
        ----------
        entries : numpy.ndarray of int64
            The references, with two axes.
        """
        height, width = entries.shape
        for axis in (0, 1):
            if entries.shape[axis] > 1 and is_spread(entries, axis):
                line = self.matrix_of(entries[:1] if axis == 0 else entries[:, :1])
                ones = np.ones((height, 1) if axis == 0 else (1, width), dtype=np.int64)
                return ones @ line if axis == 0 else line @ ones
        found = self.block_of(entries)
        if found is not None:
            return found
        if self.is_chosen(entries):
            return self.chosen_rows(entries)
        found = self.made_again(entries)
        if found is not None:
            return found
        groups = [starts_of_groups(entries), starts_of_groups(entries.T)]
        if max(map(len, groups)) == 1:
            groups = [self.starts_within(entries, axis) for axis in (0, 1)]
        if max(map(len, groups)) == 1:
            groups = [list(range(size)) for size in entries.shape]
        cuts = [(np.split(entries, groups[axis][1:], axis=axis), axis) for axis in (1, 0) if len(groups[axis]) > 1]
        pieces, axis = min(cuts, key=lambda cut: (sum(map(number_of_parts, cut[0])), len(cut[0])))
        if len(pieces) > MOST_PIECES:
            raise InvalidArgument(
                "module", f"of {len(pieces)} entries, each from another place", "made of rows and columns of matrices"
            )
        return self.joined(pieces, axis)

    def is_chosen(self, entries: np.ndarray) -> bool:
        """Return whether matrices of references are to one result, the same column in each, of which some entries are
        there more than once, but not spread along an axis.
        """
        if entries.ndim < 2 or min(entries.shape[-2:]) < 2 or any(is_spread(entries, axis) for axis in (-2, -1)):
            return False
        number = int(entries.flat[0] >> PLACES)
        if number in self.constants or (entries >> PLACES != number).any():
            return False
        columns = entries % (1 << PLACES) % self.trace.instructions[number].shape[1]
        if (columns != columns[..., :1, :1]).any():
            return False
        first = entries.reshape(-1, *entries.shape[-2:])[0]
        return len(np.unique(first)) < first.size

    def chosen_rows(self, entries: np.ndarray) -> Elements:
        """Return references to a column, some more than once, row by row: the transpose of the column times zeros and
        ones, as biases that depend on distances are.
        """
        from algatt.fields.base import concatenate

        number, first = int(entries[0, 0] >> PLACES), int(entries[0, 0] % (1 << PLACES))
        height, width = self.trace.instructions[number].shape
        column = self.part(number, np.arange(height), np.array([first % width])).T
        rows = (entries % (1 << PLACES) // width)[:, None] == np.arange(height)[:, None]
        return concatenate([column @ self.constant(row.astype(np.int64)) for row in rows])

    def made_again(self, entries: np.ndarray) -> Elements | None:
        """Return a matrix of references to several results that one operation makes, entry by entry, as that operation
        of matrices of their operands; None unless these are parts of one result, or can be written so in turn.

        So states that were computed one by one, each for all tokens, become a matrix of all states for each token.
        """
        first = self.trace.instructions[int(entries.flat[0]) >> PLACES]
        if first.operation not in ENTRYWISE and (len(first.operands) != 1 or first.operation in TOGETHER):
            return None
        numbers, which = np.unique(entries >> PLACES, return_inverse=True)
        made = [self.trace.instructions[number] for number in numbers.tolist()]
        kind = first.operation, first.argument
        if len(made) == 1 or any((one.operation, one.argument) != kind for one in made):
            return None
        which = which.reshape(entries.shape)
        rows, columns = np.divmod(entries % (1 << PLACES), np.array([one.shape[1] for one in made])[which])
        given = []
        for operands in zip(*(one.operands for one in made), strict=True):
            shapes = [self.trace.instructions[operand].shape for operand in operands]
            if any(len(shape) < 2 for shape in shapes):
                if len(set(operands)) > 1:
                    return None
                given.append(TraceArray(operands[0], shapes[0]))
                continue
            heights, widths = (np.array(sizes)[which] for sizes in zip(*shapes, strict=True))
            places = np.where(heights > 1, rows, 0) * widths + np.where(widths > 1, columns, 0)
            whole = self.whole_of(self.origins((np.array(operands)[which] << PLACES) + places))
            if whole is None:
                return None
            given.append(whole.raw)
        shape = np.broadcast_shapes(*(one.shape for one in given))
        if shape != entries.shape:
            return None
        return Elements(self.trace, self.trace.record(first.operation, *given, shape=shape, argument=first.argument))

    def whole_of(self, entries: np.ndarray) -> Elements | None:
        """Return a matrix of references, without axes along which it is spread, if it is rows and columns of one result
        or made again; else None.
        """
        for axis in (0, 1):
            if is_spread(entries, axis):
                entries = entries[:1] if axis == 0 else entries[:, :1]
        found = self.block_of(entries)
        return self.made_again(entries) if found is None else found

    def origins(self, entries: np.ndarray) -> np.ndarray:
        """Return references to what was taken or transposed as those to where it was taken from."""
        found = entries.copy()
        pending = np.unique(entries >> PLACES).tolist()
        while pending:
            number = pending.pop()
            one = self.trace.instructions[number]
            if one.operation in ("take", "transpose"):
                here = found >> PLACES == number
                rows, columns = np.divmod(found[here] % (1 << PLACES), one.shape[1])
                if one.operation == "take":
                    rows, columns = (
                        np.array(places)[at] for places, at in zip(one.argument, (rows, columns), strict=True)
                    )
                else:
                    rows, columns = columns, rows
                (source,) = one.operands
                found[here] = (source << PLACES) + rows * self.trace.instructions[source].shape[1] + columns
                pending.append(source)
        return found

    def joined(self, pieces: list[np.ndarray], axis: int) -> Elements:
        """Return matrices of references joined below each other (axis 0) or side by side (axis 1)."""
        from algatt.fields.base import concatenate

        return concatenate([self.matrix_of(piece) for piece in pieces], axis=axis)

    def block_of(self, entries: np.ndarray) -> Elements | None:
        """Return a matrix of references as some rows and columns of one result, or as the transpose of these; None if
        it is neither.
        """
        sources = block_places(entries)
        if sources is None:
            return None
        down, across = sources
        number, width = int(down[0] >> PLACES), self.trace.instructions[int(down[0] >> PLACES)].shape[1]
        rows, columns = (places % (1 << PLACES) for places in (down, across))
        if number in self.constants:
            return self.constant(self.constants[number].reshape(-1)[entries % (1 << PLACES)])
        for turned in (False, True):
            one, two = (columns, rows) if turned else (rows, columns)
            if (one % width == one[0] % width).all() and (two // width == two[0] // width).all():
                found = self.part(number, one // width, two % width)
                return found.T if turned else found
        return None

    def part(self, number: int, rows: np.ndarray, columns: np.ndarray) -> Elements:
        """Return rows and columns of a result, of which some may be there more than once."""
        shape = self.trace.instructions[number].shape
        found = Elements(self.trace, TraceArray(number, shape))
        for axis, places in enumerate((rows, columns)):
            if len(places) == shape[axis] and (places == np.arange(len(places))).all():
                continue
            found = chosen(found, places, axis)
        return found

    def starts_within(self, entries: np.ndarray, axis: int) -> list[int]:
        """Return where new pieces start along an axis of references to one result: where neither the row nor the
        column in it stays.
        """
        line = entries[:, 0] if axis == 0 else entries[0]
        shape = self.trace.instructions[int(line[0] >> PLACES)].shape
        places = line % (1 << PLACES)
        splits = []
        for lines in (places // shape[1], places % shape[1]):
            splits.append([0, *(np.flatnonzero(lines[1:] != lines[:-1]) + 1).tolist()])
        return min(splits, key=len)


def chosen(matrix: Elements, places: np.ndarray, axis: int) -> Elements:
    """Return rows (axis 0) or columns (axis 1) of a matrix, of which some may be there more than once."""
    from algatt.fields.base import concatenate

    def take(one: Elements, numbers: Sequence[int]) -> Elements:
        return one[list(numbers)] if axis == 0 else one[:, list(numbers)]

    numbers = places.tolist()
    if len(set(numbers)) == len(numbers):
        return take(matrix, numbers)
    seen: dict[int, int] = {}
    rounds: list[list[int]] = []
    where: list[tuple[int, int]] = []
    for number in numbers:
        turn = seen[number] = seen.get(number, -1) + 1
        if turn == len(rounds):
            rounds.append([])
        where.append((turn, len(rounds[turn])))
        rounds[turn].append(number)
    starts = np.cumsum([0, *map(len, rounds)])
    order = [int(starts[turn]) + place for turn, place in where]
    whole = concatenate([take(matrix, one) for one in rounds], axis=axis)
    return whole if order == sorted(order) else take(whole, order)


def check_numbers(values: np.ndarray) -> np.ndarray:
    """Return constants as they are entered: real numbers, truth values as 0 and 1."""
    if values.dtype.kind == "c":
        raise InvalidArgument("module", "with complex numbers", "with real numbers: write real and imaginary parts")
    if values.dtype.kind == "b":
        return values.astype(np.int64)
    if values.dtype.kind not in "iu" and values.dtype != object:
        values = values.astype(np.float64)
        if not np.isfinite(values).all():
            raise InvalidArgument("module", "with constants that are nan or inf", "with finite constants, or -inf")
    return values


def is_spread(entries: np.ndarray, axis: int) -> bool:
    """Return whether an array of references, or of numbers, is the same all along an axis."""
    if entries.strides[axis] == 0 or entries.shape[axis] == 1:
        return True
    first, second, last = (entries.take(place, axis) for place in (0, 1, -1))
    if not ((first == second).all() and (first == last).all()):
        return False
    return bool((entries == np.expand_dims(first, axis)).all())


def number_of_parts(entries: np.ndarray) -> int:
    """Return how many parts of results a matrix of references is joined of at most: 1, or one for each entry."""
    for axis, size in enumerate(entries.shape):
        if size > 1 and is_spread(entries, axis):
            return number_of_parts(entries[:1] if axis == 0 else entries[:, :1])
    return entries.size if block_places(entries) is None else 1


def block_places(entries: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the first column and the first row of a matrix of references to one result, if all others are sums of
    these less the first entry, or None.
    """
    down, across = entries[:, 0], entries[0]
    number = down[0] >> PLACES
    if (down >> PLACES != number).any() or (across >> PLACES != number).any():
        return None
    return (down, across) if (entries == down[:, None] + (across - across[0])).all() else None


def starts_of_groups(entries: np.ndarray) -> list[int]:
    """Return where groups of rows start, each of which is moved by one step of all of its entries from the one
    before, and refers to the same results.
    """
    ahead, behind = entries[1:], entries[:-1]
    steps = ahead - behind
    new = (steps != steps[:, :1]).any(axis=1) | (ahead[:, 0] >> PLACES != behind[:, 0] >> PLACES)
    return [0, *(np.flatnonzero(new) + 1).tolist()]
