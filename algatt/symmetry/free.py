"""Families that are in no relation with others at almost all weights, by how they move tensors alone (derived, see
docs/theory/motions.md).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from algatt.parameters import Weights
from algatt.symmetry.base import Symmetry, Way, entries_of

EQUAL_ROWS, EQUAL_COLUMNS = (frozenset[Way]({(kind, None)}) for kind in ("rows", "columns"))


def related(families: Sequence[Symmetry]) -> dict[int, Symmetry]:
    """Return what of each family may be in relations with others, or of which no dimension is known, by the numbers of
    the families: without one others may be seen to be in none.
    """
    left = dict(enumerate(families))
    moved = {number: family.tensors for number, family in left.items()}
    users: dict[str, set[int]] = defaultdict(set)
    for number, tensors in moved.items():
        for tensor in tensors:
            users[tensor].add(number)
    pending, tried = dict.fromkeys(left), set[object]()
    while pending:
        number, _ = pending.popitem()
        for tensor in moved[number]:
            ways = ways_of([left[one] for one in users[tensor] - {number}], tensor)
            if ways is None or (asked := (number, tensor, ways)) in tried:
                continue
            tried.add(asked)
            part = left[number].beside(tensor, ways)
            if part is not left[number]:
                for one in moved.pop(number):
                    users[one].discard(number)
                    pending.update(dict.fromkeys(users[one]))
                if part is None:
                    del left[number]
                else:
                    left[number], moved[number] = part, part.tensors
                    for one in part.tensors:
                        users[one].add(number)
                    pending[number] = None
                break
    return {number: left[number] for number in sorted(left)}


def ways_of(families: Iterable[Symmetry], tensor: str) -> frozenset[Way] | None:
    """Return the ways in which families add rows and columns to a tensor; None if one moves it in other ways."""
    ways = [family.added.get(tensor) for family in families]
    known = [way for way in ways if way is not None]
    return frozenset[Way]().union(*known) if len(known) == len(ways) else None


def places_of(theta: Weights, families: Sequence[Symmetry]) -> dict[str, range]:
    """Return for each tensor entries on which a combination of tangents of families vanishes only if it does on all:
    those of one row, or column, if there are multiples of these in all others.
    """
    users: dict[str, list[Symmetry]] = defaultdict(list)
    for family in families:
        for tensor in family.tensors:
            users[tensor].append(family)
    found = entries_of(theta)
    for name, own in users.items():
        width, ways = theta.tensors[name].shape[-1], ways_of(own, name)
        if ways == EQUAL_ROWS:
            found[name] = range(width)
        elif ways == EQUAL_COLUMNS:
            found[name] = found[name][::width]
    return found
