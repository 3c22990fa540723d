"""Long stacks in which the arrows of a block move what is in the next one, measured by four and five groups of blocks.

The arrows of the first group, of those between, and of the last one are not alike, but those between are alike among
themselves. So these are a piece of the stack whose dimension is linear in their number. docs/theory/motions.md
has the proof.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Sequence
from graphlib import CycleError, TopologicalSorter

from algatt.symmetry.symbolic.arrows import Arrows

__all__ = ["continue_between"]


OUTSIDE = None
"""The group of what is in none."""

FIRST, BETWEEN, LAST = "first", "between", "last"


def continue_between(
    one: Arrows, two: Arrows, before: Sequence[Sequence[str]], after: Sequence[Sequence[str]], shared: Collection[str]
) -> bool:
    """Return whether a group of blocks that a network has more of between the first one and the last one has the arrows
    of that which there was, and nothing else has others.

    Parameters
    ----------
    one, two : Arrows
        Those of the networks.
    before, after : sequence of sequence of str
        What the names of the tensors of each group begin with, in each network.
    shared : collection of str
        The tensors that all blocks share.
    """
    small = Groups(before, shared).described(one)
    return small is not None and small == Groups(after, shared).described(two)


Described = tuple[Hashable, Hashable, Hashable, Hashable]
"""The arrows of the first group, of each of those between, of the last one, and of what is outside."""


class Groups:
    """The groups of blocks of a stack.

    Parameters
    ----------
    paths : sequence of sequence of str
        What the names of the tensors of each begin with.
    shared : collection of str
        The tensors that all blocks share, which are in none.
    """

    def __init__(self, paths: Sequence[Sequence[str]], shared: Collection[str]) -> None:
        self.count = len(paths)
        self.shared = shared
        self.paths = [(path, group, place) for group, those in enumerate(paths) for place, path in enumerate(those)]

    def place_of(self, name: str) -> tuple[int | None, Hashable]:
        """Return the group in which a tensor is, and what it is there."""
        if name not in self.shared:
            for path, group, place in self.paths:
                if name.startswith(path):
                    return group, (place, name[len(path) :])
        return OUTSIDE, name

    def described(self, arrows: Arrows) -> Described | None:
        """Return arrows by what they do from the group of their own tensor; None if those between the first group and
        the last one are not alike, or more than neighbours are moved, or what takes changes up may hand them back.
        """
        found: dict[int | None, Counter[Hashable]] = {group: Counter() for group in (OUTSIDE, *range(self.count))}
        takers: dict[Hashable, set[Hashable]] = {}
        for arrow in arrows.all:
            group, own = self.place_of(arrow.tensors[0])
            moved = [(*self.place_of(name), kind) for name, kind in arrow.moves]
            if group is not OUTSIDE and any(there is not OUTSIDE and abs(there - group) > 1 for there, *_ in moved):
                return None
            takers.setdefault(own, set()).update(what for _, what, _ in moved[1:])
            moves = self.from_outside(moved) if group is OUTSIDE else self.from_group(group, moved)
            if moves is None:
                return None
            found[group][(own, moves, arrow.dimension, arrow.unseen)] += 1
        try:
            TopologicalSorter(takers).prepare()
        except CycleError:
            return None
        if any(found[group] != found[1] for group in range(2, self.count - 1)):
            return None
        first, between, last, outside = (frozenset(found[group].items()) for group in (0, 1, self.count - 1, OUTSIDE))
        return first, between, last, outside

    def from_group(self, group: int, moved: Sequence[tuple[int | None, Hashable, str]]) -> Hashable:
        """Return what is moved from a group: where, counted from it."""
        return frozenset((OUTSIDE if there is OUTSIDE else there - group, what, kind) for there, what, kind in moved)

    def from_outside(self, moved: Sequence[tuple[int | None, Hashable, str]]) -> Hashable:
        """Return what is moved from outside; None if not the same in all groups between the first and the last."""
        names = {OUTSIDE: "outside", 0: FIRST, self.count - 1: LAST}
        moves = Counter((names.get(there, BETWEEN), what, kind) for there, what, kind in moved)
        if any(where == BETWEEN and count != self.count - 2 for (where, *_), count in moves.items()):
            return None
        return frozenset(moves)
