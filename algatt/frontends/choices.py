"""Places of largest entries, which depend on the input, and what is looked up at them: experts of a router."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt.errors import InvalidArgument
from algatt.frontends.arrays import Array, is_hidden, is_spread
from algatt.frontends.axes import total
from algatt.frontends.operations import Operations
from algatt.frontends.rankings import Ranking, by_last_axis


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
        return Places(by_last_axis(self.chosen, function))

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

    def compared(self, operations: Operations, name: str, number: int) -> Any:
        """Return whether each place is larger or smaller than a number: a constant where that is known.

        Parameters
        ----------
        name : str
            `gt`, `ge`, `lt` or `le`, the place standing on the left.
        """
        order: dict[str, Callable[[Any, Any], Any]] = {"gt": np.greater, "ge": np.greater_equal, "lt": np.less}
        holds = order.get(name, np.less_equal)(np.arange(self.chosen.shape[-1]), number)
        if holds.all() or not holds.any():
            return np.full(self.shape, bool(holds.all()))
        return Array(total(operations, [self.chosen[..., one] for one in np.flatnonzero(holds)]).entries, truth=True)

    def of(self, operations: Operations, given: Any) -> ChosenArrays:
        """Return what is looked up in a table along its first axis, at places that are one axis."""
        table = operations.results.lift(given)
        if len(self.shape) != 1 or table.shape[0] != self.chosen.shape[-1]:
            raise InvalidArgument("it", "at places that depend on the input", "of a table with a row for each place")
        count = self.shape[0]
        return ChosenArrays(
            tuple(table[one][None].spread((count, *table.shape[1:])) for one in range(table.shape[0])), self
        )


@dataclass(frozen=True, eq=False)
class Picked:
    """Entries at places: those of an array that are largest, or what is computed of them one by one.

    Parameters
    ----------
    values : Array
        What could be picked: for each place, the first axes, an entry for each of all places, the last axis.
    places : Places
        The places.
    ranking : Ranking, optional
        How they compare with all entries of the array that they are the largest of; unknown unless given.
    """

    values: Array
    places: Places
    ranking: Ranking | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array of entries."""
        return self.places.shape

    def view(self, function: Callable[[np.ndarray], np.ndarray]) -> Picked:
        """Return the entries that a function of numpy, which moves entries, makes of it."""
        ranking = None if self.ranking is None else self.ranking.view(function)
        return Picked(by_last_axis(self.values, function), self.places.view(function), ranking)

    def computed(self, function: Callable[[Array, Any], Array], other: Any) -> Picked | None:
        """Return a function of each entry and of that of another array; None if the other array has more axes, or
        is not the same for all places of one column or row.
        """
        given = other.entries if isinstance(other, Array) else np.asarray(other)
        if np.broadcast_shapes(given.shape, self.shape) != self.shape:
            return None
        given = np.broadcast_to(given, self.shape)
        if any(is_spread(self.values.entries, axis) and not is_spread(given, axis) for axis in range(given.ndim)):
            return None
        spread = other.spread(self.shape).view(last_axis) if isinstance(other, Array) else last_axis(given)
        return Picked(function(self.values, spread), self.places)

    def weights(self, operations: Operations, axis: int | None = None) -> Array:
        """Return the numbers by which entries for all places are multiplied: what could be picked, times whether it
        is, and its sum along an axis if there is one.
        """
        return operations.multiply(*summed(operations, self.values, self.places.chosen, axis))

    def settled(self, operations: Operations, axis: int | None = None) -> Array:
        """Return the entries, or their sums along an axis."""
        return operations.sum(self.weights(operations, axis), (-1,))


@dataclass(frozen=True, eq=False)
class ChosenArrays:
    """Arrays of which each place, an index of the first axes, has one, times a number.

    Parameters
    ----------
    arrays : tuple of Array
        The arrays, of one shape.
    places : Places
        Which of them is chosen at each place.
    factor : Picked, optional
        The numbers; unless given, ones.
    """

    arrays: tuple[Array, ...]
    places: Places
    factor: Picked | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of each array."""
        return self.arrays[0].shape

    def joined(self, made: Sequence[Any]) -> Any:
        """Return the options among arrays, one for each, or several if there are lists of arrays."""
        if isinstance(made[0], list):
            return [ChosenArrays(tuple(parts), self.places) for parts in zip(*made, strict=True)]
        return ChosenArrays(tuple(made), self.places)

    def times(self, factor: Picked) -> ChosenArrays | None:
        """Return the options, times numbers with one more axis; None if these belong to other places."""
        shape = self.places.shape
        if self.factor is not None or factor.shape != (*shape, *(1,) * (len(self.shape) - len(shape))):
            return None
        moved = factor.view(lambda entries: entries.reshape(shape))
        same = np.array_equal(moved.places.chosen.entries, self.places.chosen.entries)
        return ChosenArrays(self.arrays, self.places, moved) if same else None

    def reshaped(self, shape: Sequence[int]) -> ChosenArrays | None:
        """Return the options with other axes of places; None if these stay, or more than they change."""
        inner = self.shape[len(self.places.shape) :]
        outer = tuple(shape)[: len(shape) - len(inner)]
        if tuple(shape)[len(outer) :] != inner or -1 in shape or not outer or outer == self.places.shape:
            return None

        def function(entries: np.ndarray) -> np.ndarray:
            return entries.reshape(outer)

        return ChosenArrays(
            tuple(one.reshape(*shape) for one in self.arrays),
            self.places.view(function),
            None if self.factor is None else self.factor.view(function),
        )

    def settled(self, operations: Operations, axis: int | None = None) -> Array:
        """Return what is chosen, or its sums along an axis of places: the sum of all, each times a weight."""
        if axis is not None and not all(is_spread(one.entries, axis) for one in self.arrays):
            return operations.sum(self.settled(operations), (axis,))
        if self.factor is not None:
            weights = self.factor.weights(operations, axis)
        else:
            weights = self.places.chosen if axis is None else along(operations, self.places.chosen, axis)
        first = (slice(None),) * (axis or 0) + (0,) if axis is not None else ()
        rest = (1,) * (len(self.shape) - len(self.places.shape))
        return total(
            operations,
            [
                operations.multiply(one[first], weights[..., place].reshape(*weights.shape[:-1], *rest))
                for place, one in enumerate(self.arrays)
            ],
        )


def last_axis(entries: np.ndarray) -> np.ndarray:
    """Return an array with one more axis, the last one, of length one."""
    return entries[..., None]


def along(operations: Operations, x: Array, axis: int) -> Array:
    """Return the sum of the parts of an array along an axis, one after the other."""
    before: tuple[Any, ...] = (slice(None),) * axis
    return total(operations, [Array(x.entries[(*before, place)]) for place in range(x.shape[axis])])


def summed(operations: Operations, values: Array, chosen: Array, axis: int | None) -> tuple[Array, Array]:
    """Return values and whether they are chosen, or two factors of the sums of their products along an axis."""
    if axis is None:
        return values, chosen
    if is_spread(values.entries, axis):
        return values[(*(slice(None),) * axis, 0)], along(operations, chosen, axis)
    made = along(operations, operations.multiply(values, chosen), axis)
    return made, operations.results.lift(np.ones(made.shape, dtype=np.int64))


def largest_places(operations: Operations, x: Array, count: int, *given: Any, **options: Any) -> tuple[Picked, Places]:
    """Return the largest entries along the last axis, in falling order, and their places."""
    entries = x.view(lambda entries: entries[..., None, :]).spread((*x.shape[:-1], count, x.shape[-1]))
    places, within, equal = ranked(operations, x, count, *given, **options)
    missing = beyond(x, count)
    return Picked(Array(entries.entries, missing), places, Ranking(entries, within, equal)), places


def ranked(
    operations: Operations, x: Array, count: int, axis: int = -1, largest: bool = True, in_order: bool = True
) -> tuple[Places, Array, Array]:
    """Return the places of the largest entries along the last axis, in falling order; which entries are at least as
    large as each of these; and which are these.
    """
    if not largest:
        raise InvalidArgument("it", "of smallest entries", "of largest ones")
    if axis % x.ndim != x.ndim - 1:
        raise InvalidArgument("it", f"along the axis {axis}", "along the last axis")
    found = [largest_shown(operations, x, number) for number in range(1, count + 1)]
    gates = [found[0], *(operations.subtract(*pair) for pair in zip(found[1:], found[:-1], strict=True))]
    chosen, within = (Array(np.stack([one.entries for one in part], axis=-2), truth=True) for part in (gates, found))
    missing, equal = beyond(x, count), chosen
    if missing is not None:  # minus infinity is as large as itself
        every = operations.results.lift(np.ones(chosen.shape, dtype=bool))
        hidden = np.broadcast_to(np.asarray(x.hidden)[..., None, :], chosen.shape)
        within = Array(np.where(missing, every.entries, within.entries), truth=True)
        equal = Array(np.where(missing & hidden, every.entries, chosen.entries), truth=True)
    return Places(chosen), within, equal


def largest_shown(operations: Operations, x: Array, count: int) -> Array:
    """Return where the largest entries along the last axis are, of those that are not minus infinity: all of these
    where they are fewer.
    """
    if not is_hidden(x):
        return operations.normalise(functools.partial(largest_of, count=count), x, -1)
    patterns, rows = np.unique(np.asarray(x.hidden).reshape(-1, x.shape[-1]), axis=0, return_inverse=True)
    entries = x.entries.reshape(-1, x.shape[-1])
    made = np.array(operations.results.lift((~np.asarray(x.hidden)).astype(np.int64)).entries).reshape(entries.shape)
    for number, hidden in enumerate(patterns):
        if (~hidden).sum() > count:
            where = np.ix_(rows.reshape(-1) == number, ~hidden)
            made[where] = largest_shown(operations, Array(entries[where]), count).entries
    return Array(made.reshape(x.shape))


def beyond(x: Array, count: int) -> np.ndarray | None:
    """Return which of the largest entries along the last axis are minus infinity, as there are not enough others."""
    if not is_hidden(x):
        return None
    shown = (~np.asarray(x.hidden)).sum(axis=-1)[..., None, None]
    return np.broadcast_to(shown <= np.arange(count)[:, None], (*x.shape[:-1], count, x.shape[-1]))


def largest_of(matrix: Any, across: int, *, count: int) -> Any:
    """Return where the largest entries of columns (axis 0) or of rows (axis 1) are."""
    found = (matrix if across == 0 else matrix.T).largest(count)
    return found if across == 0 else found.T
