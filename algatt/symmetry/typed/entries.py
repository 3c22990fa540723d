"""The constraints of types entry by entry: linear forms that vanish."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from algatt import verbs
from algatt.fields.motions import Action, Diagonal, Equations, Intertwining, Staying, Vanishing
from algatt.symmetry.typed.linear_system import LinearForm, accumulate

__all__ = ["entry_of"]


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
def forms_of_equation(constraint: Vanishing, equations: Equations) -> Iterator[LinearForm]:
    action = equations.resolve(constraint.action)
    for i in range(action.size):
        for j in range(action.size):
            yield entry_of(action, i, j)


@verbs.linear_forms.method
def forms_off_the_diagonal(constraint: Diagonal, equations: Equations) -> Iterator[LinearForm]:
    action = equations.resolve(constraint.action)
    for i in range(action.size):
        for j in range(action.size):
            if i != j:
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
            form: LinearForm = {}
            parts = [(entry_of(left, i, k), value) for k, value in columns[j]]
            parts += [(entry_of(right, k, j), -value) for k, value in rows[i]]
            for part, value in parts:
                for key, coefficient in part.items():
                    accumulate(form, key, value * coefficient)
            yield form


@verbs.linear_forms.method
def forms_of_staying(constraint: Staying, equations: Equations) -> Iterator[LinearForm]:
    """The entries of L C + C R + s 1 + 1 r."""
    rows, columns = (equations.resolve(action) for action in constraint.actions)
    entries = constraint.constant.array.tolist()
    same = rows.scalar and columns.scalar and len({value for row in entries for value in row}) == 1
    for i, row in enumerate(entries):
        for j in range(columns.size):
            if same and i and j:  # the sum of those of (i, 0) and (0, j), less that of (0, 0)
                continue
            form: LinearForm = {}
            parts: list[tuple[Mapping[Any, Any], Any]] = [(entry_of(rows, i, i), row[j])] if rows.scalar else []
            if not rows.scalar:
                parts += [(entry_of(rows, i, k), other[j]) for k, other in enumerate(entries)]
            parts += [(entry_of(columns, k, j), row[k]) for k in ((j,) if columns.scalar else range(columns.size))]
            parts += [({(constraint.left, i): 1}, 1), ({(constraint.right, j): 1}, 1)]
            for part, value in parts:
                for key, coefficient in part.items():
                    accumulate(form, key, value * coefficient)
            yield form
