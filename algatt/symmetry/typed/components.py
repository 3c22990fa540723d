"""The equations of types in parts that share no unknown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from algatt.fields.types import Action, Constraint, Equations, Scalar, Space

__all__ = ["Component", "components", "unknowns_of"]


@dataclass(frozen=True)
class Component:
    """Unknown matrices and numbers that constraints join, directly or by others.

    Parameters
    ----------
    spaces : tuple of Space
        The matrices.
    scalars : tuple of Scalar
        The numbers.
    constraints : tuple of Constraint
        All constraints on them.
    """

    spaces: tuple[Space, ...]
    scalars: tuple[Scalar, ...]
    constraints: tuple[Constraint, ...]

    @property
    def unknowns(self) -> list[Any]:
        """The scalars, and the entries of the spaces as (space, row, column)."""
        entries = [(space, i, j) for space in self.spaces for i in range(space.size) for j in range(space.size)]
        return [*self.scalars, *entries]


def unknowns_of(actions: Iterable[Action]) -> list[Space | Scalar]:
    """Return the spaces and scalars of resolved actions, each once."""
    found: dict[Space | Scalar, None] = {}
    for action in actions:
        found.update(dict.fromkeys(space for space, _ in action.terms))
        found.update(dict.fromkeys(action.scalars))
    return list(found)


def components(equations: Equations, actions: Iterable[Action]) -> list[Component]:
    """Return the components of all unknowns that resolved actions or constraints hold, in the order of the actions."""
    joined = [(unknowns_of(map(equations.resolve, one.actions)), one) for one in equations.constraints]
    everything = [*unknowns_of(actions), *(unknown for unknowns, _ in joined for unknown in unknowns)]
    together: dict[Space | Scalar, set[Space | Scalar]] = {unknown: {unknown} for unknown in everything}
    for unknowns, _ in joined:
        whole = set().union(*(together[unknown] for unknown in unknowns))
        together.update(dict.fromkeys(whole, whole))
    parts: dict[int, list[Space | Scalar]] = {}
    for unknown, whole in together.items():
        parts.setdefault(id(whole), []).append(unknown)
    return [
        Component(
            tuple(one for one in part if isinstance(one, Space)),
            tuple(one for one in part if isinstance(one, Scalar)),
            tuple(constraint for unknowns, constraint in joined if unknowns and unknowns[0] in together[part[0]]),
        )
        for part in parts.values()
    ]
