"""Types: the equations between the matrices by which results move, collected from a program and solved over Q."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from algatt.fields import Elements
from algatt.fields.motions import (
    Action,
    Centring,
    Constraint,
    Diagonal,
    Intertwining,
    MotionEquations,
    Motions,
    Moving,
    Scalar,
    Space,
    Vanishing,
)
from algatt.fields.motions.reduction import Reduction
from algatt.linalg.forms import LinearForm, accumulate, earliest, solve, total
from algatt.programs import Program
from algatt.programs.interpret import interpret
from algatt.symmetry.motions.solution import (
    Connected,
    Solution,
)


def unknowns_of(actions: Iterable[Action]) -> list[Space | Scalar]:
    """Return the spaces and scalars of resolved actions, each once."""
    found: dict[Space | Scalar, None] = {}
    for action in actions:
        found.update(dict.fromkeys(space for space, _ in action.terms))
        found.update(dict.fromkeys(action.scalars))
    return list(found)


def components(equations: MotionEquations, actions: Iterable[Action]) -> list[Connected]:
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
        Connected(
            tuple(one for one in part if isinstance(one, Space)),
            tuple(one for one in part if isinstance(one, Scalar)),
            tuple(constraint for unknowns, constraint in joined if unknowns and unknowns[0] in together[part[0]]),
        )
        for part in parts.values()
    ]


def entry_of(action: Action, i: int, j: int) -> LinearForm:
    """Return an entry of an action as a linear form in the entries of spaces, (space, row, column), and in scalars."""
    form: LinearForm = {}
    for (space, transposed), coefficient in action.terms.items():
        accumulate(form, (space, j, i) if transposed else (space, i, j), coefficient)
    if i == j:
        for scalar, coefficient in action.scalars.items():
            accumulate(form, scalar, coefficient)
    return form


def forms_of(constraint: Constraint) -> Iterator[LinearForm]:
    """Iterate over the linear forms in entries of spaces and in scalars that a constraint makes zero."""
    left, *others = constraint.actions
    if not isinstance(constraint, Intertwining):  # the entries of an action, or those off the diagonal
        for i, j in np.ndindex(left.size, left.size):
            if i != j or isinstance(constraint, Vanishing):
                yield entry_of(left, i, j)
        return
    (right,) = others
    if isinstance(constraint.constant, Centring):
        yield from forms_of_centring(constraint, left, right)
        return
    entries = constraint.constant.array
    rows, columns = (
        [[(k, c) for k, c in enumerate(one) if c] for one in matrix.tolist()] for matrix in (entries, entries.T)
    )
    for i, j in itertools.product(range(left.size), range(right.size)):  # the entries of A C - C B
        parts = [(entry_of(left, i, k), value) for k, value in columns[j]]
        yield total([*parts, *((entry_of(right, k, j), -value) for k, value in rows[i])])


class Sum(NamedTuple):
    """The mean of a row of A, or of a column of B, for an equation A C = C B with the centring matrix C."""

    constraint: Intertwining
    side: str
    place: int


def forms_of_centring(constraint: Intertwining, left: Action, right: Action) -> Iterator[LinearForm]:
    """Iterate over the entries of (A C - C B) / n with means of rows of A and of columns of B as further unknowns, and
    over what defines these: most have four terms.
    """
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


def solution_of(part: Connected, actions: Mapping[str, tuple[Action, Action]]) -> Solution:
    """Return a basis of the values of the unknowns of a component that satisfy its constraints, which are resolved."""
    if not part.constraints:
        return Solution.free(part, actions)
    diagonal = {}
    for one in part.constraints:
        if isinstance(one, Diagonal) and len(one.action.terms) == 1:
            diagonal[next(iter(one.action.terms))[0]] = one
    unknowns = [
        key for key in part.unknowns if not isinstance(key, tuple) or key[1] == key[2] or key[0] not in diagonal
    ]
    others = (one for one in part.constraints if one not in diagonal.values())
    forms = [form for one in others for form in forms_of(one)]
    if diagonal:
        kept = set(unknowns)
        forms = [{key: value for key, value in form.items() if key in kept or isinstance(key, Sum)} for form in forms]
    sums = dict.fromkeys(key for form in forms for key in form if isinstance(key, Sum))
    found = solve(filter(None, forms), [*sums, *unknowns])
    if sums:
        found = earliest(({key: c for key, c in one.items() if key not in sums} for one in found), unknowns)
    return Solution.of(part, actions, found)


def interpret_types(program: Program, field: Motions, typed: Mapping[str, Moving]) -> None:
    """Let the operations of a program collect their equations over `Motions`; its value does not move."""
    tensors = {name: Elements(field, raw) for name, raw in typed.items()}
    shape = next((one.shape for one in program.instructions if one.operation == "input"), None)
    inputs = None if shape is None else Elements(field, field.fixed(shape))
    field.require_fixed(interpret(program, field, tensors, inputs).raw)
    Reduction(field.equations).run()


def solve_types(program: Program, shapes: Mapping[str, tuple[int, ...]]) -> list[Solution]:
    """Return the solutions of the equations of a program with tensors of given shapes, over Q, by components, all
    independent.
    """
    field = Motions()
    typed = {name: field.tensor(name, shape) for name, shape in shapes.items()}
    interpret_types(program, field, typed)
    equations, resolve = field.equations, field.equations.resolve
    actions = {name: (resolve(raw.rows), resolve(raw.columns)) for name, raw in typed.items()}
    parts = components(equations, (action for pair in actions.values() for action in pair))
    owners = {unknown: part for part in parts for unknown in part.both}
    moving: dict[Connected, dict[str, tuple[Action, Action]]] = {part: {} for part in parts}
    for name, pair in actions.items():
        for unknown in unknowns_of(pair):
            moving[owners[unknown]][name] = pair
    found = [solution_of(part, own) for part, own in moving.items() if own]
    signed = {one for action in equations.positive for one in unknowns_of([resolve(action)])}
    found.sort(key=lambda one: not one.component.spaces)  # multiples of the identity of a space are its own
    return [
        dataclasses.replace(one, positive=not signed.isdisjoint(one.component.both))
        for one in independent(found, actions)
        if len(one)
    ]


def independent(found: Sequence[Solution], actions: Mapping[str, tuple[Action, Action]]) -> Iterator[Solution]:
    """Iterate over those of vector fields that are independent of all before them, as velocities of tensors.

    In a relation all L and R are multiples of the identity, c on the rows and - c on the columns of each tensor: these
    are equations for its factors, and the last field in it depends on the others.
    """
    sides = [action for pair in actions.values() for action in pair]
    alone = {space for one in sides if len(one.terms) == 1 for space, _ in one.terms}
    values: dict[Any, LinearForm] = {}  # of unknowns, by factors
    factors: list[tuple[int, int]] = []
    for number, fields in enumerate(found):
        related = ~fields.with_own_entries(alone)
        factors += [(number, k) for k in np.flatnonzero(related).tolist()]
        for unknown, one in fields.unknowns.items():
            for k, i, j, value in zip(*(array[related[one.numbers]].tolist() for array in one.arrays), strict=True):
                key = (unknown, i, j) if isinstance(unknown, Space) else unknown
                values.setdefault(key, {})[number, k] = value

    def entry(action: Action, i: int, j: int) -> LinearForm:
        return total((values.get(key, {}), c) for key, c in entry_of(action, i, j).items())

    forms = [form for key, form in values.items() if isinstance(key, tuple) and key[0] in alone and key[1] != key[2]]
    others = [one for one in sides if not {space for space, _ in one.terms} <= alone]
    forms += [entry(action, i, j) for action in others for i, j in np.ndindex(action.size, action.size) if i != j]
    for action in (*(Action(space.size, {(space, False): 1}) for space in alone), *others):
        forms += [total([(entry(action, i, i), 1), (entry(action, 0, 0), -1)]) for i in range(1, action.size)]
    forms += [total([(entry(rows, 0, 0), 1), (entry(columns, 0, 0), 1)]) for rows, columns in actions.values()]
    dependent = {next(iter(relation)) for relation in solve(filter(None, forms), factors[::-1])}
    for number, fields in enumerate(found):
        yield fields.some(np.array([(number, k) not in dependent for k in range(len(fields))], dtype=bool))
