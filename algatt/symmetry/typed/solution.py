"""The solutions of the equations of types, entry by entry, over the rational numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from algatt.fields.types import Action, Diagonal, Equations, Intertwining, Scalar, Space, Vanishing

__all__ = ["Entries", "solutions"]

Unknown = Any
"""A scalar, or a space with the row and the column of an entry."""

Form = dict[Unknown, int | Fraction]
"""A linear form in the unknowns: the coefficients that are not zero."""


@dataclass
class Entries:
    """The entries of actions as linear forms in the entries of the spaces that were not solved for.

    Parameters
    ----------
    equations : Equations
        The equations, solved as far as whole matrices go.
    """

    equations: Equations

    def __post_init__(self) -> None:
        self.diagonal: set[Space] = set()
        for constraint in self.equations.constraints:
            if isinstance(constraint, Diagonal):
                action = self.equations.resolved(constraint.action)
                if len({space for space, _ in action.terms}) == 1:
                    self.diagonal.update(space for space, _ in action.terms)

    def entry(self, action: Action, i: int, j: int) -> Form:
        """Return an entry of a resolved action."""
        form: Form = {}
        for (space, transposed), coefficient in action.terms.items():
            if space in self.diagonal and i != j:
                continue
            key = (space, j, i) if transposed else (space, i, j)
            form[key] = form.get(key, 0) + coefficient
        if i == j:
            form.update(action.scalars)
        return form

    def forms(self) -> Iterator[Form]:
        """Iterate over the linear forms that vanish."""
        for constraint in self.equations.constraints:
            actions = [self.equations.resolved(action) for action in constraint.actions]
            if isinstance(constraint, Diagonal):
                yield from self.off_diagonal(actions[0])
            elif isinstance(constraint, Vanishing):
                yield from self.all_entries(actions[0])
            elif isinstance(constraint, Intertwining):
                yield from self.intertwining(actions[0], constraint.constant, actions[1])

    def off_diagonal(self, action: Action) -> Iterator[Form]:
        if all(space in self.diagonal for space, _ in action.terms):
            return
        for i in range(action.size):
            for j in range(action.size):
                if i != j:
                    yield self.entry(action, i, j)

    def all_entries(self, action: Action) -> Iterator[Form]:
        narrow = all(space in self.diagonal for space, _ in action.terms)
        for i in range(action.size):
            for j in [i] if narrow else range(action.size):
                yield self.entry(action, i, j)

    def intertwining(self, left: Action, constant: np.ndarray, right: Action) -> Iterator[Form]:
        """Iterate over the entries of A C - C B."""
        rows = [[(k, value) for k, value in enumerate(row) if value] for row in constant.tolist()]
        columns = [[(k, value) for k, value in enumerate(column) if value] for column in constant.T.tolist()]
        for i in range(left.size):
            for j in range(right.size):
                form: Form = {}
                parts = [(self.entry(left, i, k), value) for k, value in columns[j]]
                parts += [(self.entry(right, k, j), -value) for k, value in rows[i]]
                for part, value in parts:
                    for key, coefficient in part.items():
                        form[key] = form.get(key, 0) + value * coefficient
                yield {key: coefficient for key, coefficient in form.items() if coefficient}


def solutions(forms: Iterable[Form], unknowns: Iterable[Unknown]) -> list[Form]:
    """Return a basis of the common zeros of linear forms, with integer coefficients without common divisors.

    Each element is a map from unknowns to values. The unknowns that are given later are solved for first.
    """
    order = {unknown: number for number, unknown in enumerate(unknowns)}
    solved: dict[Unknown, Form] = {}
    for form in sorted((form for form in forms if form), key=len):
        rest = substituted(form, solved)
        if rest:
            pivot = max(rest, key=order.__getitem__)
            coefficient = Fraction(rest.pop(pivot))
            solved[pivot] = {key: -value / coefficient for key, value in rest.items()}
    basis: dict[Unknown, Form] = {unknown: {unknown: 1} for unknown in order if unknown not in solved}
    for pivot in solved:
        for key, value in substituted({pivot: 1}, solved).items():
            basis[key][pivot] = value
    return [primitive(vector) for vector in basis.values()]


def substituted(form: Form, solved: dict[Unknown, Form]) -> Form:
    """Return a form in the unknowns that were not solved for."""
    result: Form = {}
    pending = list(form.items())
    while pending:
        key, value = pending.pop()
        solution = solved.get(key)
        if solution is None:
            total = result.get(key, 0) + value
            if total:
                result[key] = total
            else:
                result.pop(key, None)
        else:
            pending += [(other, value * coefficient) for other, coefficient in solution.items()]
    return result


def primitive(vector: Form) -> Form:
    """Return a multiple with integers; the divisors that are left are powers that the largest common denominator brought."""
    denominator = lcm(*(Fraction(value).denominator for value in vector.values()))
    return {key: int(value * denominator) for key, value in vector.items()}


def scalars_and_spaces(actions: Iterable[Action]) -> tuple[list[Scalar], list[Space]]:
    """Return the unknowns of resolved actions, in the order in which they were made."""
    scalars = {scalar for action in actions for scalar in action.scalars}
    spaces = {space for action in actions for space, _ in action.terms}
    return sorted(scalars, key=lambda one: one.number), sorted(spaces, key=lambda one: one.number)
