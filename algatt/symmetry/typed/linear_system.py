"""Sparse linear equations over the rational numbers: those of types entry by entry, the parts that share no unknown,
and exact solutions.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm
from typing import Any, NamedTuple

import numpy as np

from algatt import verbs
from algatt.fields.motions import Action, Constraint, Diagonal, Equations, Intertwining, Scalar, Space, Vanishing

LinearForm = dict[Any, int | Fraction]
"""The coefficients that are not zero, by unknown."""


@dataclass
class Echelon:
    """Linear forms in reduced row echelon form: each has an unknown that no other one has, with coefficient 1.

    Attributes
    ----------
    rows : dict of unknown to LinearForm
        The forms by their pivots, without these.
    """

    rows: dict[Hashable, LinearForm] = field(default_factory=dict)
    holders: dict[Hashable, set[Hashable]] = field(default_factory=dict, repr=False)

    def reduce(self, form: Mapping[Any, int | Fraction]) -> LinearForm:
        """Return a form modulo those that are here: without their pivots."""
        result: LinearForm = {}
        for key, value in form.items():
            row = self.rows.get(key)
            if row is None:
                accumulate(result, key, value)
            else:
                for other, coefficient in row.items():
                    accumulate(result, other, -value * coefficient)
        return result

    def add(self, form: Mapping[Any, int | Fraction], order: Mapping[Any, int] | None = None) -> bool:
        """Add a form and return whether it is independent of those that are here.

        Its pivot is the unknown that is last in the order, or any if none is given.
        """
        rest = self.reduce(form)
        if not rest:
            return False
        pivot = next(iter(rest)) if order is None else max(rest, key=order.__getitem__)
        leading = rest.pop(pivot)
        factor = leading if leading in (1, -1) else 1 / Fraction(leading)  # fractions take longer
        row: LinearForm = {key: value * factor for key, value in rest.items()}
        for holder in self.holders.pop(pivot, set()):
            held = self.rows[holder]
            factor = held.pop(pivot)
            for key, value in row.items():
                accumulate(held, key, -factor * value)
                if key in held:
                    self.holders.setdefault(key, set()).add(holder)
                else:
                    self.holders[key].discard(holder)
        self.rows[pivot] = row
        for key in row:
            self.holders.setdefault(key, set()).add(pivot)
        return True


def accumulate(form: LinearForm, key: Hashable, value: int | Fraction) -> None:
    """Add to a coefficient of a form."""
    total = form.get(key, 0) + value
    if total:
        form[key] = total
    else:
        form.pop(key, None)


def solve(forms: Iterable[LinearForm], unknowns: Iterable[Hashable]) -> list[dict[Any, int]]:
    """Return a basis of the common zeros of linear forms over Q, each primitive: integers without a common divisor.

    The unknowns that come later are expressed by the earlier ones.
    """
    order = {unknown: number for number, unknown in enumerate(unknowns)}
    echelon = Echelon()
    for form in sorted(forms, key=len):
        echelon.add(form, order)
    basis: dict[Any, LinearForm] = {unknown: {unknown: 1} for unknown in order if unknown not in echelon.rows}
    for pivot, row in echelon.rows.items():
        for key, value in row.items():
            basis[key][pivot] = -value
    return [primitive(vector) for vector in basis.values()]


def earliest(vectors: Iterable[LinearForm], unknowns: Sequence[Hashable]) -> list[dict[Any, int]]:
    """Return that basis of the space of some vectors which `solve` returns: each has the earliest unknown that it can
    have, and no other one has it.
    """
    return [primitive({pivot: 1, **row}) for pivot, row in pivots_of(vectors, unknowns).items()]


def pivots_of(vectors: Iterable[Mapping[Any, int | Fraction]], unknowns: Sequence[Hashable]) -> dict[Any, LinearForm]:
    """Return the unknowns that are the first ones of vectors in the space of some, each with the rest of one of these
    in which no other one of them is.
    """
    place = {unknown: -number for number, unknown in enumerate(unknowns)}
    echelon = Echelon()
    for vector in sorted(vectors, key=len):
        echelon.add(vector, place)
    return {pivot: echelon.rows[pivot] for pivot in sorted(echelon.rows, key=place.__getitem__, reverse=True)}


def primitive(vector: LinearForm) -> dict[Any, int]:
    """Return the multiple with integers that have no common divisor."""
    denominator = lcm(*(value.denominator for value in vector.values()))
    integers = {key: int(value * denominator) for key, value in vector.items()}
    common = gcd(*integers.values())
    return integers if common == 1 else {key: value // common for key, value in integers.items()}


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
    def both(self) -> tuple[Space | Scalar, ...]:
        """The matrices and the numbers."""
        return *self.spaces, *self.scalars

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


def total(parts: Iterable[tuple[Mapping[Any, int | Fraction], int | Fraction]]) -> LinearForm:
    """Return the sum of multiples of forms."""
    form: LinearForm = {}
    for part, factor in parts:
        for key, coefficient in part.items():
            accumulate(form, key, factor * coefficient)
    return form


def entry_of(action: Action, i: int, j: int) -> LinearForm:
    """Return an entry of an action as a linear form in the entries of spaces, (space, row, column), and in scalars."""
    form: LinearForm = {}
    for (space, transposed), coefficient in action.terms.items():
        accumulate(form, (space, j, i) if transposed else (space, i, j), coefficient)
    if i == j:
        for scalar, coefficient in action.scalars.items():
            accumulate(form, scalar, coefficient)
    return form


@verbs.linear_forms.method
def forms_of_action(constraint: Vanishing | Diagonal, equations: Equations) -> Iterator[LinearForm]:
    """The entries of an action, or those off the diagonal."""
    action = equations.resolve(constraint.action)
    for i, j in np.ndindex(action.size, action.size):
        if i != j or isinstance(constraint, Vanishing):
            yield entry_of(action, i, j)


@verbs.linear_forms.method
def forms_of_intertwining(constraint: Intertwining, equations: Equations) -> Iterator[LinearForm]:
    """The entries of A C - C B."""
    left, right = (equations.resolve(action) for action in constraint.actions)
    entries = constraint.constant.array
    rows = [[(k, value) for k, value in enumerate(row) if value] for row in entries.tolist()]
    columns = [[(k, value) for k, value in enumerate(column) if value] for column in entries.T.tolist()]
    for i in range(left.size):
        for j in range(right.size):
            parts = [(entry_of(left, i, k), value) for k, value in columns[j]]
            yield total([*parts, *((entry_of(right, k, j), -value) for k, value in rows[i])])


class Sum(NamedTuple):
    """The mean of a row of A, or of a column of B, for an equation A C = C B with the centring matrix C."""

    constraint: Intertwining
    side: str
    place: int


def forms_of_centring(constraint: Intertwining, equations: Equations) -> Iterator[LinearForm]:
    """Iterate over the entries of (A C - C B) / n with means of rows of A and of columns of B as further unknowns, and
    over what defines these: most have four terms.
    """
    left, right = (equations.resolve(action) for action in constraint.actions)
    n = left.size
    for i, j in np.ndindex(n, n):
        means: LinearForm = {Sum(constraint, "left", i): -1, Sum(constraint, "right", j): 1}
        yield total([(entry_of(left, i, j), 1), (entry_of(right, i, j), -1), (means, 1)])
    for i in range(n):
        for side, entries in (
            ("left", [entry_of(left, i, k) for k in range(n)]),
            ("right", [entry_of(right, k, i) for k in range(n)]),
        ):
            yield total([({Sum(constraint, side, i): 1}, -n), *((one, 1) for one in entries)])
