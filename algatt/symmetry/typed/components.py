"""The equations of types in parts that share no unknown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import networkx as nx

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
    graph: nx.Graph = nx.Graph()
    graph.add_nodes_from(unknowns_of(actions))
    anchors: list[tuple[Space | Scalar, Constraint]] = []
    for constraint in equations.constraints:
        joined = unknowns_of(equations.resolve(action) for action in constraint.actions)
        nx.add_path(graph, joined)
        anchors += [(joined[0], constraint)] if joined else []
    parts = [set(part) for part in nx.connected_components(graph)]
    number = {unknown: index for index, part in enumerate(parts) for unknown in part}
    held: list[list[Constraint]] = [[] for _ in parts]
    for unknown, constraint in anchors:
        held[number[unknown]].append(constraint)
    ordered = [[unknown for unknown in graph if unknown in part] for part in parts]
    return [
        Component(
            tuple(one for one in unknowns if isinstance(one, Space)),
            tuple(one for one in unknowns if isinstance(one, Scalar)),
            tuple(constraints),
        )
        for unknowns, constraints in zip(ordered, held, strict=True)
    ]
