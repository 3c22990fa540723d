"""The constraints of types entry by entry: linear forms that vanish."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

import numpy as np

from algatt import verbs
from algatt.fields.motions import Action, Diagonal, Equations, Intertwining, Vanishing
from algatt.symmetry.typed.linear_system import LinearForm, accumulate


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
    """An entry of A u / c or of v^T B / c, for an equation A C = C B with C = c 1 + u v^T."""

    constraint: Intertwining
    side: str
    place: int


def forms_with_sums(constraint: Intertwining, equations: Equations) -> Iterator[LinearForm] | None:
    """Return the entries of (A C - C B) / c with those of A u / c and v^T B / c as further unknowns, and what defines
    these; most have four terms. None if C is not c 1 + u v^T for a c other than 0.
    """
    found = multiple_and_factors(constraint.constant.array)
    return None if found is None else sparse_forms(constraint, equations, *found)


def sparse_forms(
    constraint: Intertwining, equations: Equations, c: int, u: Sequence[int], v: Sequence[int]
) -> Iterator[LinearForm]:
    """Iterate over (A - B)_ij + (A u / c)_i v_j - u_i (v^T B / c)_j, and over what A u and v^T B are."""
    left, right = (equations.resolve(action) for action in constraint.actions)
    for i, j in np.ndindex(len(u), len(v)):
        own: list[tuple[LinearForm, int]] = [({Sum(constraint, "left", i): 1}, v[j])]
        own.append(({Sum(constraint, "right", j): 1}, -u[i]))
        yield total([(entry_of(left, i, j), 1), (entry_of(right, i, j), -1), *own])
    for i in range(len(u)):
        yield total([({Sum(constraint, "left", i): 1}, -c), *((entry_of(left, i, k), one) for k, one in enumerate(u))])
        yield total(
            [({Sum(constraint, "right", i): 1}, -c), *((entry_of(right, k, i), one) for k, one in enumerate(v))]
        )


def total(parts: Iterable[tuple[Mapping[Any, int | Fraction], int | Fraction]]) -> LinearForm:
    """Return the sum of multiples of forms."""
    form: LinearForm = {}
    for part, factor in parts:
        for key, coefficient in part.items():
            accumulate(form, key, factor * coefficient)
    return form


def multiple_and_factors(entries: np.ndarray) -> tuple[int, list[int], list[int]] | None:
    """Return integers c, u and v such that c 1 + u v^T is a multiple of a square matrix that is larger than 2 x 2, if
    there are any with a c other than 0.
    """
    size = len(entries)
    if size < 3 or entries.shape != (size, size):
        return None
    places = np.argwhere(entries * (1 - np.eye(size, dtype=int)))
    if not len(places):
        return None
    a, b = places[0].tolist()
    k = next(k for k in range(size) if k not in (a, b))
    # In u v^T the minor of the rows a and k and the columns k and b vanishes: of its entries that at k, k has c in it.
    c = entries[k, k] - Fraction(entries[a, k] * entries[k, b]) / Fraction(entries[a, b])
    common = lcm(c.denominator, *(Fraction(one).denominator for one in entries.flat))
    whole = entries * common - int(c * common) * np.eye(size, dtype=int)
    u, v = whole[:, b], whole[a]
    if not c or not np.array_equal(np.multiply.outer(u, v), whole * whole[a, b]):
        return None
    return int(c * common * whole[a, b]), [int(one) for one in u], [int(one) for one in v]
