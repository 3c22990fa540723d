"""The operations of arrays that front ends write models in, each recorded as operations of matrices."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from algatt.errors import InvalidArgument
from algatt.fields import Elements
from algatt.frontends.arrays import Array, RecordedResults, is_hidden, is_spread, shape_of
from algatt.frontends.contraction import contract
from algatt.frontends.layouts import layout_of
from algatt.programs import Masked

Matrix = Any
"""A matrix of results, or of numbers."""


@dataclass(frozen=True, eq=False)
class Operations:
    """Operations of arrays and constants, which are spread as in numpy.

    Parameters
    ----------
    results : Results
        The results so far.
    least : float
        Constants of at most this size stand for minus infinity where they are added to what is normalised.
    """

    results: RecordedResults = field(default_factory=RecordedResults)
    least: float = float(np.finfo(np.float16).min)

    def entrywise(self, function: Callable[..., Matrix], *operands: Any, hidden: np.ndarray | None = None) -> Array:
        """Return a function of matrices, which sees them entry by entry, of arrays.

        Parameters
        ----------
        function : callable
            It takes matrices, of which some may be constants, and some be spread.
        *operands : Array or array
            The arrays.
        hidden : numpy.ndarray of bool, optional
            Where the result is minus infinity.
        """
        shape = np.broadcast_shapes(*map(shape_of, operands))
        layout = layout_of(self.results, shape, operands)
        given = [layout.matrices(one.entries if isinstance(one, Array) else np.asarray(one)) for one in operands]
        made = np.empty((*layout.outer, *layout.matrix), dtype=np.int64)
        for cell in layout.cells():
            matrices = [
                self.spread_matrix(entries[cell], isinstance(one, Array))
                for entries, one in zip(given, operands, strict=True)
            ]
            made[cell] = self.results.entries_of(function(*matrices)).entries
        return Array(layout.put(made, shape), hidden)

    def spread_matrix(self, values: np.ndarray, are_references: bool) -> Matrix:
        """Return a matrix of references, or of numbers, without axes along which it is spread; a number alone, if all
        entries are one.
        """
        for axis in (0, 1):
            if is_spread(values, axis):
                values = values[:1] if axis == 0 else values[:, :1]
        if are_references:
            return self.results.matrix_of(values)
        return number_of(values.flat[0]) if values.size == 1 else entered(values)

    def add(self, left: Any, right: Any) -> Array:
        """Return a sum; constants that are minus infinity, or at most `least`, hide entries."""
        (left, above), (right, below) = self.shown(left), self.shown(right)
        shape = np.broadcast_shapes(shape_of(left), shape_of(right))
        hidden = joined_masks(shape, above, below)
        if not isinstance(right, Array) and not np.any(right):
            return Array(left.spread(shape).entries, hidden)
        if not isinstance(left, Array):
            left, right = right, left
            if not np.any(right):
                return Array(left.spread(shape).entries, hidden)
        return self.entrywise(lambda a, b: a + b, left, right, hidden=hidden)

    def shown(self, value: Any) -> tuple[Any, np.ndarray | None]:
        """Return an array or constant without what is hidden in it, and where that is."""
        if isinstance(value, Array):
            return Array(value.entries), value.hidden
        values = np.asarray(value)
        if values.dtype.kind != "f" or not (values <= self.least).any():
            return values, None
        return np.where(values <= self.least, 0, values), values <= self.least

    def subtract(self, left: Any, right: Any) -> Array:
        """Return a difference."""
        if not isinstance(right, Array):
            return self.add(left, -np.asarray(right))
        self.refuse_hidden(right, "subtracted")
        left, hidden = self.shown(left)
        hidden = joined_masks(np.broadcast_shapes(shape_of(left), right.shape), hidden, None)
        if not isinstance(left, Array):
            return self.entrywise(lambda a, b: -b + a, left, right, hidden=hidden)
        return self.entrywise(lambda a, b: a - b, left, right, hidden=hidden)

    def multiply(self, left: Any, right: Any) -> Array:
        """Return an entrywise product; entries that are hidden stay so by positive factors."""
        if not isinstance(left, Array):
            left, right = right, left
        shape = np.broadcast_shapes(left.shape, shape_of(right))
        if is_hidden(left) and (isinstance(right, Array) or not (np.asarray(right) > 0).all()):
            self.refuse_hidden(left, "multiplied by what is not positive")
        self.refuse_hidden(right, "multiplied")
        if not isinstance(right, Array) and (np.asarray(right) == 1).all():
            return left.spread(shape)
        hidden = joined_masks(shape, left.hidden, None)
        return self.entrywise(lambda a, b: a * b, Array(left.entries), right, hidden=hidden)

    def divide(self, left: Any, right: Any) -> Array:
        """Return an entrywise quotient."""
        if not isinstance(right, Array):
            values = np.asarray(right)
            if not np.all(values):
                raise InvalidArgument("module", "with a division by the constant 0", "with other denominators")
            return self.multiply(left, reciprocals(values))
        self.refuse_hidden(left, "divided")
        self.refuse_hidden(right, "a denominator")
        if not isinstance(left, Array):
            if (np.asarray(left) == 1).all():
                made = self.entrywise(lambda b: b.reciprocal(), right)
                return made.spread(np.broadcast_shapes(shape_of(left), right.shape))
            return self.entrywise(lambda a, b: b.reciprocal() * a, left, right)
        return self.entrywise(lambda a, b: a * b.reciprocal(), left, right)

    def apply(self, function: Callable[[Matrix], Matrix], operand: Array) -> Array:
        """Return a function of one variable of all entries."""
        self.refuse_hidden(operand, "an argument of such a function")
        return self.entrywise(function, operand)

    def exp(self, operand: Array) -> Array:
        """Return the exponentials, which are 0 where entries are hidden."""
        made = self.entrywise(lambda a: a.exp(), Array(operand.entries))
        return self.multiply(made, ~operand.hidden) if operand.hidden is not None and is_hidden(operand) else made

    def where(self, condition: Any, left: Any, right: Any) -> Array:
        """Return the entries of one array where a condition holds, and of another one elsewhere; a condition that
        depends on the input has the entries 0 and 1.
        """
        if isinstance(condition, Array):
            self.refuse_hidden(left, "chosen")
            self.refuse_hidden(right, "chosen")
            if not isinstance(left, Array) and not np.any(left):
                return self.multiply(right, self.subtract(1, condition))
            return self.add(right, self.multiply(condition, self.difference(left, right)))
        shape = np.broadcast_shapes(np.shape(condition), shape_of(left), shape_of(right))
        chosen = np.broadcast_to(condition, shape)
        if chosen.all() or not chosen.any():
            value, hidden = self.shown(left if chosen.all() else right)
            return Array(self.results.lift(value).spread(shape).entries, joined_masks(shape, hidden, None))
        parts = []
        for given, one in ((left, chosen), (right, ~chosen)):
            value, hidden = self.shown(given)
            hidden = None if hidden is None else np.broadcast_to(hidden, shape)
            wholly = hidden is not None and bool(hidden[one].all())
            parts.append((None if wholly else self.results.lift(value).spread(shape).entries, hidden))
        (first, above), (second, below) = parts
        first, second = (second if first is None else first), (first if second is None else second)
        if first is None or second is None:
            raise InvalidArgument("module", "with a mask that hides all", "with a mask that shows something")
        entries = first if first is second else np.where(chosen, first, second)
        above, below = (np.zeros(shape, dtype=bool) if one is None else one for one in (above, below))
        hidden = np.where(chosen, above, below)
        return Array(entries, hidden if hidden.any() else None)

    def difference(self, left: Any, right: Any) -> Any:
        """Return a difference of arrays or constants."""
        if isinstance(left, Array) or isinstance(right, Array):
            return self.subtract(left, right)
        return np.asarray(left) - np.asarray(right)

    def refuse_hidden(self, value: Any, how: str) -> None:
        """Refuse an array with entries that are minus infinity."""
        if is_hidden(value):
            raise InvalidArgument("module", f"with minus infinity {how}", "with minus infinity before a softmax alone")

    def reduce(self, function: Callable[[Matrix, int], Elements], operand: Array, axis: int) -> Array:
        """Return a function of the columns (axis 0) or of the rows (axis 1) of matrices, each with one value, of an
        array along an axis; the axis goes.

        Parameters
        ----------
        function : callable
            It takes a matrix, or `Masked`, and the axis, 0 or 1.
        """
        axis %= operand.ndim
        shape = (*operand.shape[:axis], *operand.shape[axis + 1 :])
        layout = layout_of(self.results, operand.shape, [operand], along=axis)
        across = layout.axes.index(axis)
        size = layout.matrix[1 - across]
        made = np.empty((*layout.outer, size), dtype=np.int64)
        for cell, given in self.cells_of(operand, layout):
            made[cell] = self.results.entries_of(function(given, across)).entries.ravel()
        others = [one for one in layout.order if one != axis]
        return Array(made.transpose(np.argsort(others)).reshape(shape))

    def normalise(self, function: Callable[[Matrix, int], Elements], operand: Array, axis: int) -> Array:
        """Return a function of the columns (axis 0) or of the rows (axis 1) of matrices of an array along an axis,
        with as many values.
        """
        axis %= operand.ndim
        layout = layout_of(self.results, operand.shape, [operand], along=axis)
        made = np.empty((*layout.outer, *layout.matrix), dtype=np.int64)
        for cell, given in self.cells_of(operand, layout):
            made[cell] = self.results.entries_of(function(given, layout.axes.index(axis))).entries
        return Array(layout.put(made, operand.shape))

    def cells_of(self, operand: Array, layout: Any) -> Any:
        """Iterate over the matrices of an array, with their places; of one with hidden entries as `Masked`."""
        entries = layout.matrices(operand.entries)
        hidden = layout.matrices(operand.hidden) if is_hidden(operand) and operand.hidden is not None else None
        for cell in layout.cells():
            matrix = self.results.matrix_of(entries[cell])
            yield cell, matrix if hidden is None else Masked(matrix, (~hidden[cell]).astype(np.int64))

    def sum(self, operand: Array, axes: Sequence[int]) -> Array:
        """Return the sums along axes, which go."""
        self.refuse_hidden(operand, "summed")
        for axis in sorted((axis % operand.ndim for axis in axes), reverse=True):
            operand = self.reduce(lambda matrix, across: matrix.sum(axis=across), operand, axis)
        return operand

    def mean(self, operand: Array, axes: Sequence[int]) -> Array:
        """Return the means along axes, which go."""
        count = math.prod(operand.shape[axis] for axis in axes)
        return self.entrywise(lambda a: a * Fraction(1, count), self.sum(operand, axes))

    def softmax(self, operand: Array, axis: int) -> Array:
        """Return exponentials divided by their sums along an axis."""

        def soft(matrix: Matrix, across: int) -> Elements:
            given = matrix if isinstance(matrix, Masked) else Masked(matrix, np.ones(matrix.shape, dtype=np.int64))
            if given.shown.all():
                e = given.scores.exp()
                return e / e.sum(axis=across)
            return given.softmax(across)

        return self.normalise(soft, operand, axis)

    def maximum(self, operand: Array, axis: int) -> Array:
        """Return the largest entries along an axis, which goes."""

        def largest(matrix: Matrix, across: int) -> Elements:
            if isinstance(matrix, Masked):
                return matrix.maximum(across)
            columns = matrix if across == 0 else matrix.T
            found = (columns * columns.largest(1)).sum(axis=0)
            return found if across == 0 else found.T

        return self.reduce(largest, operand, axis)

    def layer_norm(self, operand: Array, axis: int, eps: float) -> Array:
        """Return the array less its means along an axis, divided by the root of its variance plus a constant."""

        def norm(matrix: Matrix, across: int) -> Elements:
            columns = (matrix if across == 0 else matrix.T).centre()
            lengths = columns.column_products(columns) * Fraction(1, columns.shape[-2])
            made = columns / ((lengths + Fraction(eps)).sqrt() if eps else lengths.sqrt())
            return made if across == 0 else made.T

        self.refuse_hidden(operand, "normalised")
        return self.normalise(norm, operand, axis)

    def contract(self, left: Any, right: Any, left_axes: Sequence[Sequence[int]], right_axes: Any) -> Array:
        """Return a contraction, as `algatt.frontends.contraction.contract` does."""
        self.refuse_hidden(left, "multiplied")
        self.refuse_hidden(right, "multiplied")
        lift = self.results.lift
        return contract(self.results, lift(left), lift(right), left_axes, right_axes)


def joined_masks(shape: tuple[int, ...], one: np.ndarray | None, other: np.ndarray | None) -> np.ndarray | None:
    """Return where either of two masks, spread to a shape, is true; None if there are none."""
    given = [np.broadcast_to(mask, shape) for mask in (one, other) if mask is not None]
    return None if not given else given[0] if len(given) == 1 else given[0] | given[1]


def number_of(value: Any) -> Fraction | int:
    """Return a number as a fraction."""
    return (
        int(value)
        if isinstance(value, bool | np.bool_ | int | np.integer)
        else Fraction(value if isinstance(value, Fraction) else float(value))
    )


def entered(values: np.ndarray) -> np.ndarray:
    """Return a matrix of numbers as it is entered into fields."""
    from algatt.frontends.arrays import check_numbers

    return check_numbers(values)


def reciprocals(values: np.ndarray) -> np.ndarray:
    """Return the reciprocals of constants as fractions."""
    found = np.empty(values.shape, dtype=object)
    for place, value in np.ndenumerate(values):
        found[place] = 1 / Fraction(number_of(value))
    return found
