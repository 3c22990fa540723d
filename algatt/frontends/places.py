"""Operations on places of largest entries, and on entries that are minus infinity depending on the input."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt.errors import InvalidArgument
from algatt.frontends import axes, functions
from algatt.frontends.arrays import Array, Tokens, is_spread, shape_of
from algatt.frontends.choices import Picked, Places, along, largest_places, ranked
from algatt.frontends.operations import Operations
from algatt.frontends.rankings import Ranking


@dataclass(frozen=True, eq=False)
class DynamicallyMasked:
    """Entries of which some are minus infinity, depending on the input.

    Parameters
    ----------
    values : Array
        The entries.
    shown : Array
        Truth values: where they are not minus infinity.
    """

    values: Array
    shown: Array

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array of entries."""
        return self.values.shape

    def view(self, function: Any) -> DynamicallyMasked:
        """Return the entries that a function of numpy, which moves entries, makes of it."""
        return DynamicallyMasked(self.values.view(function), self.shown.view(function))


FROM_INPUT = (Array, DynamicallyMasked, Picked, Places, Tokens)
"""What depends on weights or inputs."""

Reader = Callable[..., tuple[str, tuple[Any, ...]]]
"""What returns how torch calls an operation, and its arguments, of its operands and options in another library."""

MIRRORED = {"eq": "eq", "ge": "le", "gt": "lt", "le": "ge", "lt": "gt", "ne": "ne"}
"""Comparisons, and what they are with their operands exchanged."""


def by_places(operations: Operations, name: str, arguments: Any, keywords: Any) -> Any:
    """Return the result of an operation on places of largest entries, or that makes such; None if it is another one.

    Parameters
    ----------
    operations : Operations
        Where results are recorded.
    name : str
        The operation, as torch calls it.
    arguments : tuple
        Its arguments in the order of torch, with numbers as arrays of numpy.
    keywords : dict
        Its other arguments.
    """
    first, *rest = arguments
    if name == "topk":
        return list(largest(operations, first, *rest, **keywords))
    if name == "sort":
        return in_order(operations, first, *rest, **keywords)
    if name in ("max", "argmax") and rest and isinstance(first, Array | DynamicallyMasked):
        return largest_along(operations, name, first, *rest)
    if name in ("min", "argmin") and rest and isinstance(first, Array):
        found = largest_along(operations, name.replace("min", "max"), operations.multiply(first, -1), *rest)
        return [operations.multiply(found[0], -1), found[1]] if name == "min" else found
    if name in ("kthvalue", "median") and rest:
        return smallest_but(operations, first, *(rest if name == "kthvalue" else (None, *rest)))
    if name == "index_put" and len(rest[0]) == 1:
        return filled(operations, first, rest[0][0], *rest[1:])
    if name in ("masked_fill", "where"):
        return masked(operations, name, *arguments)
    if name in MIRRORED and any(isinstance(one, Picked) for one in arguments):
        return compared(operations, name, *arguments)
    if name == "eq" and isinstance(first, Places):
        return first.equals(rest[0])
    if name == "ne" and isinstance(first, Places):
        return functions.negate(operations, first.equals(rest[0]))
    if name in ("ge", "gt", "le", "lt") and isinstance(first, Places) and np.ndim(rest[0]) == 0:
        return first.compared(operations, name, rest[0])
    if name == "index" and len(rest[0]) == 1 and isinstance(rest[0][0], Places):
        return rest[0][0].of(operations, first)
    if name in ("gather", "scatter") and isinstance(rest[1], Places):
        axis, places = rest[0] % len(shape_of(first)), rest[1]
        whole = (*places.shape[:-1], places.chosen.shape[-1])
        if axis != len(whole) - 1 or shape_of(first) != whole:
            raise InvalidArgument("it", "at places that depend on the input", "along the last axis, of all entries")
        return at_all(operations, first, places) if name == "gather" else scattered(operations, first, places, rest[2])
    if name == "gather":
        return at_constant_places(operations, first, *rest)
    if name in ("_softmax", "_safe_softmax") and isinstance(first, DynamicallyMasked):
        shares = operations.multiply(operations.softmax(first.values, rest[0]), first.shown)
        return operations.divide(shares, axes.reduce(operations, shares, "sum", [rest[0]], keep=True))
    if name in ("_softmax", "_safe_softmax") and isinstance(first, Picked):
        return softmax_of_picked(operations, first, rest[0])
    if isinstance(first, DynamicallyMasked):
        return steps_of_softmax(operations, name, first, *rest)
    return None


def steps_of_softmax(operations: Operations, name: str, x: DynamicallyMasked, *rest: Any) -> Any:
    """Return the largest entry along an axis, entries less others, or their exponentials; None of other operations."""
    if name == "amax" and len(rest[0]) == 1:
        moved = x.view(lambda entries: np.moveaxis(entries, rest[0][0], -1))
        return largest(operations, moved, 1)[0].settled(operations).view(lambda entries: entries[..., 0])
    if name == "sub" and not isinstance(rest[0], DynamicallyMasked):
        return DynamicallyMasked(operations.subtract(x.values, rest[0]), x.shown)
    return operations.multiply(operations.exp(x.values), x.shown) if name == "exp" else None


def by_readers(
    operations: Operations, readers: Mapping[str, Reader], name: str, operands: list[Any], options: Mapping[str, Any]
) -> tuple[Any, list[Any]]:
    """Return the result of an operation of another library as `by_places` does, and the operands; of what was picked
    the entries, if it is another operation.
    """
    if name in readers:
        word, arguments = readers[name](*operands, **options)
        found = by_places(operations, word, arguments, {})
        if found is not None:
            return found, operands
    return None, [one.settled(operations) if isinstance(one, Picked) else one for one in operands]


def refuse_places(operands: Iterable[Any]) -> None:
    """Raise `InvalidArgument` if operands are places, or minus infinity depending on the input."""
    for one in operands:
        if isinstance(one, Places):
            should = "a comparison, or a look-up of one axis of places"
            raise InvalidArgument("it", "of places of largest entries", should)
        if isinstance(one, DynamicallyMasked):
            raise InvalidArgument("it", "of minus infinity depending on the input", "a softmax, or largest entries")


def compared(operations: Operations, name: str, first: Any, second: Any) -> Array | None:
    """Return how entries compare with the largest ones of the same array; None if that is not known."""
    if isinstance(first, Picked):
        name, first, second = MIRRORED[name], second, first
    if not isinstance(first, Array | DynamicallyMasked) or not isinstance(second, Picked) or second.ranking is None:
        return None
    values, shown = (first.values, first.shown) if isinstance(first, DynamicallyMasked) else (first, None)
    return second.ranking.compared(operations, name, values, shown)


def at_all(operations: Operations, x: Any, places: Places) -> Picked:
    """Return the entries of an array at places along its last axis."""
    x = operations.results.lift(x)
    return Picked(x.view(lambda entries: entries[..., None, :]).spread(places.chosen.shape), places)


def at_constant_places(operations: Operations, x: Any, axis: int, places: Any) -> Array:
    """Return the entries of an array at constant places along an axis."""
    if not isinstance(places, np.ndarray):
        raise InvalidArgument(
            "it", "at places that are computed of the input", "at places of largest entries, or constant"
        )
    size = shape_of(x)[axis]
    index = tuple(slice(count) if one != axis % places.ndim else slice(size) for one, count in enumerate(places.shape))
    return operations.results.lift(x).view(lambda entries: np.take_along_axis(entries[index], places, axis))


def largest(operations: Operations, x: Any, *given: Any) -> tuple[Picked, Places]:
    """Return the largest entries along the last axis, in falling order, and their places.

    What is minus infinity is below all that is shown: numbers in the order of the entries, and positive, as 1 and the
    sum of their squares are added once they are centred, are zero there.
    """
    if not isinstance(x, DynamicallyMasked):
        return largest_places(operations, x, *given)
    centred = operations.subtract(x.values, axes.reduce(operations, x.values, "mean", [-1], keep=True))
    bound = operations.add(axes.reduce(operations, centred, "squares", [-1], keep=True), 1)
    places, within, equal = ranked(operations, operations.multiply(operations.add(centred, bound), x.shown), *given)
    values = at_all(operations, x.values, places).values
    shown = x.shown.view(lambda entries: entries[..., None, :]).spread(places.chosen.shape)
    return Picked(values, places, Ranking(values, within, equal, shown)), places


def smallest_but(operations: Operations, x: Any, count: int | None, axis: int = -1, keep: bool = False) -> list[Any]:
    """Return the entries along the last axis that are smallest but for a number, or the lower middle ones, and their
    places.
    """
    size = x.shape[axis]
    place = size - ((size + 1) // 2 if count is None else count)
    index = (..., slice(place, place + 1)) if keep else (..., place)
    return [one.view(lambda entries: entries[index]) for one in largest(operations, x, place + 1, axis)]


def in_order(
    operations: Operations, x: Any, axis: int = -1, descending: bool = False, *, stable: bool | None = None
) -> list[Any]:
    """Return all entries along the last axis in rising or falling order, and their places."""
    if stable is not None:  # of `sort.stable` this stands before the axis
        raise InvalidArgument("it", "in a stable order", "of numbers that differ, in any order")
    found = largest(operations, x, x.shape[-1], axis)
    return list(found) if descending else [one.view(lambda entries: np.flip(entries, -1)) for one in found]


def largest_along(operations: Operations, name: str, x: Any, axis: int, keep: bool = False) -> Any:
    """Return the largest entry along an axis, and its place; or its place alone."""
    picked, places = largest(operations, x.view(lambda entries: np.moveaxis(entries, axis, -1)), 1)

    def function(entries: np.ndarray) -> np.ndarray:
        return np.moveaxis(entries, -1, axis) if keep else entries[..., 0]

    if name == "argmax":
        return places.view(function)
    values = (
        picked.view(function)
        if isinstance(x, DynamicallyMasked)
        else axes.reduce(operations, x, "largest", [axis], keep=keep)
    )
    return [values, places.view(function)]


def scattered(operations: Operations, x: Any, places: Places, source: Any) -> Any:
    """Return an array with others in the place of the entries that are chosen: of a number, or of what was picked."""
    count = len(places.shape) - 1
    chosen = Array(along(operations, places.chosen, count).entries, truth=True)
    if isinstance(source, Picked) and source.places is places:
        spread = is_spread(source.values.entries, count)
        source = source.values[(..., 0, slice(None))] if spread else source.weights(operations, count)
    elif isinstance(source, Array | Picked) or np.ndim(source):
        raise InvalidArgument("it", "of other entries than those at the places", "of one number, or of these entries")
    if not isinstance(x, Array) and isinstance(source, int | float) and source == 1 and not np.any(x):
        return chosen
    if not isinstance(x, Array) and (np.asarray(x) <= operations.least).all():
        return DynamicallyMasked(operations.results.lift(source).spread(chosen.shape), chosen)
    return operations.where(chosen, source, operations.results.lift(x))


def filled(operations: Operations, x: Any, mask: Any, value: Any, adds: bool = False) -> Any:
    """Return an array with a value in its place where truth values hold, which have its first axes; None if these are
    numbers of places, or if the value has one of these axes.
    """
    axes_of_mask = len(shape_of(mask))
    if adds or not functions.truth_of(mask) or len(shape_of(value)) > len(shape_of(x)) - axes_of_mask:
        return None
    mask = mask.reshape(*shape_of(mask), *(1,) * (len(shape_of(x)) - axes_of_mask))
    made = masked(operations, "where", mask, value, x)
    return operations.where(mask, value, x) if made is None else made


def masked(operations: Operations, name: str, first: Any, second: Any, third: Any) -> DynamicallyMasked | None:
    """Return an array that is minus infinity where a truth value says so, one that depends on the input, or more of an
    array that is so already; None if what is chosen, or filled in, is anything else.
    """
    mask, inside, outside = (second, third, first) if name == "masked_fill" else (first, second, third)
    hidden = [
        not isinstance(one, Array | DynamicallyMasked) and bool(np.all(np.asarray(one) <= operations.least))
        for one in (inside, outside)
    ]
    if hidden[0] == hidden[1]:
        return None
    x = outside if hidden[0] else inside
    values, before = (x.values, x.shown) if isinstance(x, DynamicallyMasked) else (operations.results.lift(x), None)
    if not isinstance(mask, Array):
        if before is None:
            return None
        values = operations.where(mask, *((-np.inf, values) if hidden[0] else (values, -np.inf)))
        return DynamicallyMasked(values, before.spread(values.shape))
    shown = functions.negate(operations, mask) if hidden[0] else mask
    if values.hidden is not None:
        shown = functions.both(operations, shown, ~values.hidden)
        values = Array(values.entries)
    shown = shown if before is None else functions.both(operations, before, shown)
    shape = np.broadcast_shapes(shown.shape, values.shape)
    return DynamicallyMasked(values.spread(shape), shown.spread(shape))


def softmax_of_picked(operations: Operations, x: Picked, axis: int) -> Picked | None:
    """Return exponentials of entries at places divided by their sum; None unless all places pick of one array."""
    count = len(x.shape) - 1
    if axis % len(x.shape) != count or not is_spread(x.values.entries, count):
        return None
    shares = operations.softmax(x.values[(..., 0, slice(None))], -1)
    kept = operations.multiply(shares, along(operations, x.places.chosen, count))
    shares = operations.divide(shares, axes.reduce(operations, kept, "sum", [-1], keep=True))
    return at_all(operations, shares, x.places)
