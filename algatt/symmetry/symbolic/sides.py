"""The sides of tensors on which spaces act."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from algatt.fields.motions import Action, Space

Actions = Mapping[str, tuple[Action, Action]]
"""What acts on the rows and on the columns of each tensor."""

Unseen = Mapping[str, frozenset[str]]
"""The kinds of changes of tensors of which nothing is seen."""

ENTRIES = ("entries", "all entries")
"""Changes of entries of a tensor."""


@dataclass(frozen=True)
class Side:
    """A tensor as a matrix on which a space acts from the left.

    Parameters
    ----------
    tensor : str
        Its name.
    transposed : bool
        Whether the transposed matrix of the space acts.
    width : int
        Its number of columns, less one if a column may be added to all of them.
    beside : tuple of Space
        The spaces that act from the right, and others that act from the left.
    blurred : bool
        Whether a row may be added to all of its rows.
    image : int
        The dimension of what its columns span, if no other space acts from the left and nothing is added to its rows;
        if not, the number of its rows, from which nothing follows.
    """

    tensor: str
    transposed: bool
    width: int
    beside: tuple[Space, ...]
    blurred: bool
    image: int


def moves(actions: tuple[Action, Action]) -> bool:
    """Return whether actions on a tensor are unknown."""
    return any(action.terms or action.scalars for action in actions)


def vanishes(name: str, actions: tuple[Action, Action], unseen: Unseen) -> bool:
    """Return whether nothing is seen of a tensor: it has one column and any may be added, or one row; or entries are
    not seen, after which it is not looked at.
    """
    height, width = (action.size for action in actions)
    kinds = unseen.get(name, frozenset())
    if not kinds.isdisjoint(ENTRIES):
        return True
    return (width == 1 and "columns" in kinds) or (height == 1 and "rows" in kinds)


def sides_of(actions: Actions, unseen: Unseen) -> dict[Space, list[Side]]:
    """Return the sides of tensors on which each space acts."""
    sides: dict[Space, list[Side]] = {}
    for name, (rows, columns) in actions.items():
        kinds = unseen.get(name, frozenset())
        for one, others, flipped, along, across in (
            (rows, columns, False, "rows", "columns"),
            (columns, rows, True, "columns", "rows"),
        ):
            width = others.size - (across in kinds)
            for space, transposed in one.terms:
                beside = tuple(other for other, _ in (*others.terms, *one.terms) if other is not space)
                blurred = along in kinds
                image = one.size if blurred or len(one.terms) > 1 else others.size
                side = Side(name, transposed != flipped, width, beside, blurred, image)
                sides.setdefault(space, []).append(side)
    return sides
