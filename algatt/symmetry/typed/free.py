"""Vector fields of a matrix of which every entry may be any number: made one by one, as those of large spaces are
many.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

from algatt.fields.motions import Action
from algatt.symmetry.typed.linear_system import Component

__all__ = ["MadeInTurn", "is_free"]


@dataclass(frozen=True, eq=False)
class MadeInTurn(Sequence[Any]):
    """A sequence whose members are made when they are asked for.

    Parameters
    ----------
    size : int
        How many there are.
    make : callable
        What makes one, by its place.
    """

    size: int
    make: Callable[[int], Any]

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, place: int) -> Any: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Any]: ...
    def __getitem__(self, place: int | slice) -> Any:
        if isinstance(place, slice):
            return [self.make(one) for one in range(self.size)[place]]
        return self.make(range(self.size)[place])


def is_free(part: Component, actions: Mapping[str, tuple[Action, Action]]) -> bool:
    """Return whether a component is a matrix without constraints, and no other matrix acts where it acts.

    Then its vector fields are independent of each other and of all others, if that of the identity is independent of
    these: where it acts, others move a tensor by multiples of the identity at most, by numbers or by c on one side for
    -c on the other.
    """
    if part.constraints or part.scalars or len(part.spaces) != 1 or part.spaces[0].size == 1:
        return False
    return all(
        len(action.terms) == 1
        for pair in actions.values()
        for action in pair
        if any(space is part.spaces[0] for space, _ in action.terms)
    )
