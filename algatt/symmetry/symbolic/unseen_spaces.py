"""How much of spaces moves nothing that is seen behind the quotients."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from algatt.fields.motions import Space
from algatt.symmetry.symbolic.sides import Side, Unseen
from algatt.symmetry.symbolic.structures import Structure


@dataclass(frozen=True)
class UnseenSpaces:
    """How much of spaces moves nothing that is seen.

    Parameters
    ----------
    open : set of Space
        The spaces of which it is not shown.
    doubtful : set of Space
        Those of which less may move unseen: what moves them unseen moves tensors that quotients move, too.
    everywhere : int
        The dimension of what moves unseen at all weights, of the other spaces: tensors by what quotients remove.
    generic : int
        That of what moves unseen other tensors at other weights.
    wide : set of Space
        The spaces of which that is a part.
    """

    open: set[Space]
    doubtful: set[Space]
    everywhere: int
    generic: int
    wide: set[Space]


def unseen_spaces(
    known: Iterable[tuple[tuple[Space, ...], Structure]],
    all_sides: Mapping[Space, list[Side]],
    sides: Mapping[Space, list[Side]],
    unseen: Unseen,
) -> UnseenSpaces:
    """Return how much of spaces moves nothing that is seen.

    One space after the other is shown to be a number if it moves nothing that is seen, on tensors whose other sides are
    known to be numbers; or a number and what moves all of its tensors by multiples of ones that quotients remove. In
    the end, spaces that have only tensors with such other sides may move them unseen for a part of them.

    Parameters
    ----------
    known : iterable of (tuple of Space, Structure)
        The spaces.
    all_sides : mapping of Space to list of Side
        The sides on which each space acts.
    sides : mapping of Space to list of Side
        Those of tensors that are seen behind the quotients.
    unseen : mapping of str to frozenset of str
        The kinds of changes that quotients remove.
    """
    known = list(known)
    freedom = {
        space: found.freedom[space]
        for spaces, found in known
        for space in spaces
        if space in all_sides and found.groups[space].dimension  # else it is zero
    }
    leaders = {space: those for _, found in known for space, those in found.leaders.items()}
    left, before, everywhere, generic = set(freedom), -1, 0, 0
    doubtful: set[Space] = set()
    wide: set[Space] = set()

    def widths(seen: Sequence[Side]) -> tuple[list[int], list[int]]:
        straight, transposed = ([one.width for one in seen if one.transposed == flipped] for flipped in (False, True))
        return straight, transposed

    def images(seen: Sequence[Side]) -> tuple[list[int], list[int]]:
        straight, transposed = ([one.image for one in seen if one.transposed == flipped] for flipped in (False, True))
        return straight, transposed

    def lost(space: Space) -> int | None:
        """Return the dimension of what of a space moves unseen; None if it is not known."""
        free, every = freedom[space], sides.get(space, [])
        seen = [side for side in every if left.isdisjoint(side.beside)]
        if free(*widths([side for side in seen if not side.blurred])) or free.leaves_images(*images(every)):
            return 0
        led = any(one not in left for one in leaders.get(space, ()))
        ways = [free.sums > free.ones] if led else []
        if free.blurred is not None:
            ways += [side.transposed for side in seen if side.blurred and side.width >= free.blurred]
        for way in ways:
            part = free.sums if way else free.ones
            if not part or all(side.blurred and side.transposed == way for side in every):
                return part
        return None

    while len(left) != before:
        before = len(left)
        for space in list(left):
            part = lost(space)
            if part is not None:
                left.discard(space)
                everywhere += part
    for space in [one for one in left if all(left.isdisjoint(side.beside) for side in sides.get(one, ()))]:
        free, every = freedom[space], sides.get(space, [])
        if free.image is not None and (free.image < free.single or not any(side.blurred for side in every)):
            part = free.unseen(*widths(every))
            left -= set() if part is None else {space}
            generic += part or 0
            wide.update({space} if part else ())
            if part and any(side.tensor in unseen for side in all_sides[space]):
                doubtful.add(space)
    return UnseenSpaces(left, doubtful, everywhere, generic, wide)
