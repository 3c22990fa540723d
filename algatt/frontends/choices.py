"""Places of largest entries, which depend on the input, and what is looked up at them: experts of a router."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt.errors import InvalidArgument
from algatt.frontends.arrays import Array
from algatt.frontends.axes import total
from algatt.frontends.operations import Operations

__all__ = ["Options", "Places", "largest_places"]


@dataclass(frozen=True, eq=False)
class Places:
    """Places of largest entries.

    Parameters
    ----------
    chosen : Array
        Truth values: whether each place, the first axes, is each of all places, the last axis.
    """

    chosen: Array

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array of places."""
        return self.chosen.shape[:-1]

    def view(self, function: Callable[[np.ndarray], np.ndarray]) -> Places:
        """Return the places that a function of numpy, which moves entries, makes of it."""
        last = range(self.chosen.shape[-1])
        return Places(
            self.chosen.view(lambda entries: np.stack([function(entries[..., one]) for one in last], axis=-1))
        )

    def equals(self, numbers: Any) -> Array:
        """Return whether each place is a number."""
        shape = np.broadcast_shapes(self.shape, np.shape(numbers))
        wanted = np.broadcast_to(numbers, shape)[..., None]
        if wanted.min() < 0 or wanted.max() >= self.chosen.shape[-1]:
            raise InvalidArgument("it", "with places that are not there", f"below {self.chosen.shape[-1]}")

        def function(entries: np.ndarray) -> np.ndarray:
            spread = np.broadcast_to(entries, (*shape, entries.shape[-1]))
            return np.take_along_axis(spread, wanted, axis=-1)[..., 0]

        return self.chosen.view(function)

    def of(self, operations: Operations, given: Any) -> Options:
        """Return what is looked up in a table along its first axis, at places that are one axis."""
        table = operations.results.lift(given)
        if len(self.shape) != 1 or table.shape[0] != self.chosen.shape[-1]:
            raise InvalidArgument("it", "at places that depend on the input", "of a table with a row for each place")
        count = self.shape[0]
        return Options(tuple(table[one][None].spread((count, *table.shape[1:])) for one in range(table.shape[0])), self)


@dataclass(frozen=True, eq=False)
class Options:
    """Arrays of which each row, the first axis, is that of one of some arrays: the one whose place is chosen there.

    Parameters
    ----------
    arrays : tuple of Array
        The arrays, of one shape.
    places : Places
        Which of them is chosen in each row.
    """

    arrays: tuple[Array, ...]
    places: Places

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of each array."""
        return self.arrays[0].shape

    def joined(self, made: Sequence[Any]) -> Any:
        """Return the options among arrays, one for each, or several if there are lists of arrays."""
        if isinstance(made[0], list):
            return [Options(tuple(parts), self.places) for parts in zip(*made, strict=True)]
        return Options(tuple(made), self.places)

    def settled(self, operations: Operations) -> Array:
        """Return the rows that are chosen: the sum of all, each times whether it is."""
        rest = (1,) * (len(self.shape) - 1)
        return total(
            operations,
            [
                operations.multiply(one, self.places.chosen[:, place].reshape(-1, *rest))
                for place, one in enumerate(self.arrays)
            ],
        )


def largest_places(
    operations: Operations, x: Array, count: int, axis: int = -1, largest: bool = True, in_order: bool = True
) -> tuple[Array, Places]:
    """Return the largest entries along the last axis, in falling order, and their places."""
    if not largest:
        raise InvalidArgument("it", "of smallest entries", "of largest ones")
    if axis % x.ndim != x.ndim - 1:
        raise InvalidArgument("it", f"along the axis {axis}", "along the last axis")
    operations.refuse_hidden(x, "sorted")
    shown = [operations.normalise(functools.partial(largest_of, count=number), x, -1) for number in range(1, count + 1)]
    gates = [shown[0], *(operations.subtract(*pair) for pair in zip(shown[1:], shown[:-1], strict=True))]
    chosen = stacked(gates, -2)
    entries = [operations.sum(operations.multiply(x, gate), (-1,)) for gate in gates]
    return stacked(entries, -1), Places(Array(chosen.entries, truth=True))


def largest_of(matrix: Any, across: int, *, count: int) -> Any:
    """Return where the largest entries of columns (axis 0) or of rows (axis 1) are."""
    found = (matrix if across == 0 else matrix.T).largest(count)
    return found if across == 0 else found.T


def stacked(parts: Sequence[Array], axis: int) -> Array:
    """Return arrays beside each other along a new axis."""
    return Array(np.stack([part.entries for part in parts], axis=axis))
