"""How the largest entries of an array compare with all of its entries, which follows from their places."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt.frontends.arrays import Array, is_hidden
from algatt.frontends.operations import Operations


@dataclass(frozen=True, eq=False)
class Ranking:
    """The order of the largest entries of an array among all of its entries.

    One of the largest entries is an entry itself, so the sign of their difference says nothing of it; but the entries
    that are at least as large are those at its place and at the places before.

    Parameters
    ----------
    entries : Array
        For each place, the first axes, all entries, the last axis.
    within, equal : Array
        Truth values: whether each entry is at least as large as that at the place, and whether it is this one.
    shown : Array, optional
        Truth values: which entries are not minus infinity depending on the input; all unless given.
    """

    entries: Array
    within: Array
    equal: Array
    shown: Array | None = None

    def view(self, function: Callable[[np.ndarray], np.ndarray]) -> Ranking:
        """Return the ranking at the places that a function of numpy, which moves entries, makes of them."""
        entries, within, equal = (by_last_axis(one, function) for one in (self.entries, self.within, self.equal))
        return Ranking(entries, within, equal, None if self.shown is None else by_last_axis(self.shown, function))

    def compared(self, operations: Operations, name: str, other: Array, shown: Array | None) -> Array | None:
        """Return the comparison of an array with the entries at places, if all of its entries are ranked; else None.

        Parameters
        ----------
        name : str
            `gt`, `ge`, `lt`, `le`, `eq` or `ne`, the array standing on the left.
        other : Array
            The array.
        shown : Array or None
            Truth values: which of its entries are not minus infinity depending on the input.
        """
        shape = np.broadcast_shapes(self.entries.shape[:-1], other.shape)
        marks = marks_of(other, shown)
        ranked = [over(one, shape) for one in marks_of(self.entries, self.shown)]
        same = np.logical_and.reduce(
            [one == np.broadcast_to(mark, shape)[..., None] for one, mark in zip(ranked, marks, strict=True)]
        )
        if not same.any(axis=-1).all():
            return None
        which = same.argmax(axis=-1)[..., None]
        above, at = (
            Array(np.take_along_axis(over(one.entries, shape), which, axis=-1)[..., 0])
            for one in (self.within, self.equal)
        )
        made = at if name in ("eq", "ne") else operations.subtract(above, at) if name in ("gt", "le") else above
        return Array((operations.subtract(1, made) if name in ("lt", "le", "ne") else made).entries, truth=True)


def marks_of(x: Array, shown: Array | None) -> list[Any]:
    """Return what entries are compared by: their references, and what says that they are minus infinity."""
    hidden = x.hidden if is_hidden(x) else np.zeros(x.shape, dtype=bool)
    return [x.entries, hidden, np.zeros(x.shape, dtype=np.int64) if shown is None else shown.entries]


def over(entries: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Return an array whose axes but the last one are spread to a shape."""
    spread = entries.reshape(*(1,) * (len(shape) + 1 - entries.ndim), *entries.shape)
    return np.broadcast_to(spread, (*shape, entries.shape[-1]))


def by_last_axis(x: Array, function: Callable[[np.ndarray], np.ndarray]) -> Array:
    """Return what a function of numpy, which moves entries, makes of an array at each place of its last axis."""
    last = range(x.shape[-1])
    return x.view(lambda entries: np.stack([function(entries[..., one]) for one in last], axis=-1))
