"""The symmetries of a network: the solutions of the equations of its types, as vector fields on its weights,
and their names.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections import Counter
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from algatt import verbs
from algatt.fields import Elements
from algatt.fields.motions import (
    Action,
    Centring,
    Constraint,
    Diagonal,
    Equations,
    Intertwining,
    Motions,
    Moving,
    Space,
)
from algatt.programs import Program
from algatt.programs.interpret import interpret
from algatt.symmetry.typed.basis import Basis, VectorFields
from algatt.symmetry.typed.linear_system import (
    Component,
    LinearForm,
    Sum,
    components,
    earliest,
    entry_of,
    forms_of_centring,
    pivots_of,
    solve,
    total,
    unknowns_of,
)


@dataclass(frozen=True, eq=False)
class Solution:
    """The vector fields that belong to one component of the unknowns.

    Parameters
    ----------
    component : Component
        The unknowns and their constraints.
    fields : VectorFields
        A basis, independent of those of the solutions before this one.
    positive : bool
        Whether a gate or a root lets only positive numbers act.
    """

    component: Component
    fields: VectorFields
    positive: bool

    @functools.cached_property
    def sides(self) -> tuple[tuple[str, str], ...]:
        """The tensors that they move, each with the side, ``rows`` or ``columns``."""
        return self.fields.sides()

    @property
    def diagonal(self) -> bool:
        """Whether only diagonal matrices act in its spaces."""
        return not any(one.mixed for one in self.fields.basis.unknowns.values())

    def beside(self, tensor: str, ways: Collection[tuple[str, Any]]) -> Solution | None:
        """Return the vector fields that move a tensor W only in ways in which others may, at almost all weights; None
        if there are none, and itself where that is not known.

        W moves by L W alone, and others by multiples of fixed rows, which a matrix B maps to zero, and by 1 w^T. If W B
        has as many columns as rows, L W B = 1 w^T says that L is 1 u^T, and zero without w; if all L are diagonal, they
        are zero if it has one column, or two beside w.
        """
        pair = self.fields.actions[tensor]
        moving = [self.fields.basis.moves(action) for action in pair]
        if moving.count(True) != 1:
            return self
        side = moving.index(True)
        across = [way for way in ways if way[0] == ("columns", "rows")[side]]
        others = [way for way in ways if way not in across]
        rows, columns = (action.size for action in pair[:: (1, -1)[side]])
        enough = 1 + bool(others) if self.diagonal else rows
        if any(row is not None for _, row in others) or columns - len(across) < enough or rows == len(others):
            return self
        action = pair[side].T if side else pair[side]
        found = self.fields.of_equal_rows(action, zero=self.diagonal or not others)
        if found is None or len(found) == len(self.fields):
            return self
        return replace(self, fields=found) if len(found) else None


def interpret_types(program: Program, field: Motions, typed: Mapping[str, Moving]) -> None:
    """Let the operations of a program collect their equations over `Motions`; its value does not move."""
    tensors = {name: Elements(field, raw) for name, raw in typed.items()}
    shape = next((one.shape for one in program.instructions if one.operation == "input"), None)
    inputs = None if shape is None else Elements(field, field.fixed(shape))
    field.require_fixed(interpret(program, field, tensors, inputs).raw)
    field.equations.settle()


@dataclass(frozen=True, eq=False)
class SolvedTypes:
    """The solutions of the equations of a program, of which some may move nothing, or what others move.

    Parameters
    ----------
    fields : dict of Component to VectorFields
        The solutions of each component that moves tensors.
    actions : dict of str to (Action, Action)
        The actions on the rows and the columns of all tensors.
    equations : Equations
        The equations, solved.
    """

    fields: Mapping[Component, VectorFields]
    actions: Mapping[str, tuple[Action, Action]]
    equations: Equations


def solve_equations(program: Program, shapes: Mapping[str, tuple[int, ...]]) -> SolvedTypes:
    """Return the solutions of the equations of a program with tensors of given shapes, over Q, by components."""
    field = Motions()
    typed = {name: field.tensor(name, shape) for name, shape in shapes.items()}
    interpret_types(program, field, typed)
    equations, resolve = field.equations, field.equations.resolve
    actions = {name: (resolve(raw.rows), resolve(raw.columns)) for name, raw in typed.items()}
    removed = -1
    while True:  # until nothing more is removed
        parts = components(equations, (action for pair in actions.values() for action in pair))
        owners = {unknown: part for part in parts for unknown in part.both}
        moving: dict[Component, dict[str, tuple[Action, Action]]] = {part: {} for part in parts}
        for name, pair in actions.items():
            for unknown in unknowns_of(pair):
                moving[owners[unknown]][name] = pair
        fields = {part: VectorFields(basis_of(part, equations), own) for part, own in moving.items() if own}
        scalar = [action for part, one in fields.items() for action in implied_scalars(part, one.basis)]
        if not scalar or equations.removed == removed:
            break
        removed = equations.removed
        for action in scalar:
            equations.require_scalar(action)
        equations.settle()
        actions = {name: (resolve(rows), resolve(columns)) for name, (rows, columns) in actions.items()}
    return SolvedTypes(fields, actions, equations)


def solve_types(program: Program, shapes: Mapping[str, tuple[int, ...]]) -> list[Solution]:
    """Return the solutions of the equations of a program with tensors of given shapes, over Q, all independent."""
    solved = solve_equations(program, shapes)
    equations, actions = solved.equations, solved.actions
    signed = {one for action in equations.positive for one in unknowns_of([equations.resolve(action)])}
    moving = sorted(
        solved.fields, key=lambda part: not part.spaces
    )  # numbers last: multiples of the identity of a space are its own
    kept = independent_fields([solved.fields[part] for part in moving], actions)
    return [
        Solution(part, solved.fields[part].some(own), not signed.isdisjoint(part.both))
        for part, own in zip(moving, kept, strict=True)
        if own.any()
    ]


def independent_fields(
    moving: Sequence[VectorFields], actions: Mapping[str, tuple[Action, Action]]
) -> list[np.ndarray]:
    """Return which vector fields are independent of all before them.

    In a relation all L and R are multiples of the identity, c on the rows and - c on the columns of each tensor: these
    are equations for its factors, and the last field in it depends on the others.
    """
    sides = [action for pair in actions.values() for action in pair]
    alone = {space for one in sides if len(one.terms) == 1 for space, _ in one.terms}
    values: dict[Any, LinearForm] = {}  # of unknowns, by factors
    order = []
    for number, fields in enumerate(moving):
        unrelated = with_own_entries(fields, alone)
        order += [(number, k) for k in np.flatnonzero(~unrelated).tolist()]
        for unknown, one in fields.basis.unknowns.items():
            listed = zip(*(array[~unrelated[one.numbers]].tolist() for array in one.arrays), strict=True)
            for k, i, j, value in listed:
                key = (unknown, i, j) if isinstance(unknown, Space) else unknown
                values.setdefault(key, {})[number, k] = value

    def entry(action: Action, i: int, j: int) -> LinearForm:
        return total((values.get(key, {}), c) for key, c in entry_of(action, i, j).items())

    forms = [form for key, form in values.items() if isinstance(key, tuple) and key[0] in alone and key[1] != key[2]]
    others = [one for one in sides if not {space for space, _ in one.terms} <= alone]
    for action in others:
        forms += [entry(action, i, j) for i, j in np.ndindex(action.size, action.size) if i != j]
    for action in (*(Action(space.size, {(space, False): 1}) for space in alone), *others):
        forms += [total([(entry(action, i, i), 1), (entry(action, 0, 0), -1)]) for i in range(1, action.size)]
    forms += [total([(entry(rows, 0, 0), 1), (entry(columns, 0, 0), 1)]) for rows, columns in actions.values()]
    kept = [np.ones(len(fields), dtype=bool) for fields in moving]
    for number, k in pivots_of(solve(filter(None, forms), order), order[::-1]):
        kept[number][k] = False
    return kept


def with_own_entries(fields: VectorFields, alone: Container[Space]) -> np.ndarray:
    """Return which vector fields are in no relation, as they have an entry outside of the diagonal that no other one
    has, of a matrix that is the only one somewhere.
    """
    found = np.zeros(len(fields), dtype=bool)
    for unknown, one in fields.basis.unknowns.items():
        if unknown in alone:
            own = one.own(unknown.size)
            found[one.numbers[own[one.rows[own] != one.columns[own]]]] = True
    return found


def basis_of(part: Component, equations: Equations) -> Basis:
    """Return a basis of the values of the unknowns of a component that satisfy its constraints."""
    if not part.constraints:
        (unknown,) = part.both
        return Basis.free(unknown)
    diagonal = {}
    for one in part.constraints:
        if isinstance(one, Diagonal) and len(terms := equations.resolve(one.action).terms) == 1:
            diagonal[next(iter(terms))[0]] = one
    unknowns = [
        key for key in part.unknowns if not isinstance(key, tuple) or key[1] == key[2] or key[0] not in diagonal
    ]
    others = (one for one in part.constraints if one not in diagonal.values())
    forms = [form for one in others for form in forms_of(one, equations)]
    if diagonal:
        kept = set(unknowns)
        forms = [{key: value for key, value in form.items() if key in kept or isinstance(key, Sum)} for form in forms]
    sums = dict.fromkeys(key for form in forms for key in form if isinstance(key, Sum))
    found = solve(filter(None, forms), [*sums, *unknowns])
    if not sums:
        return Basis.of(found)
    without: list[LinearForm] = [{key: value for key, value in one.items() if key not in sums} for one in found]
    return Basis.of(earliest(without, unknowns))


def forms_of(constraint: Constraint, equations: Equations) -> Iterator[LinearForm]:
    """Return the forms of a constraint, sparse ones if there are any."""
    if isinstance(constraint, Intertwining) and isinstance(constraint.constant, Centring):
        return forms_of_centring(constraint, equations)
    return verbs.linear_forms(constraint, equations)


def implied_scalars(part: Component, basis: Basis) -> list[Action]:
    """Return the actions of a component that are multiples of the identity in all solutions, beside others that are
    not: to say so leaves these with equations of their own.
    """
    spaces = [Action(space.size, {(space, False): 1}) for space in part.spaces]
    sums = (action for one in part.constraints if isinstance(one, Intertwining) for action in one.actions)
    actions = [*spaces, *(action for action in sums if len(action.terms) > 1)]
    scalar = [action for action in actions if basis.are_multiples(Action(action.size, action.terms))]
    return scalar if basis.count and not {id(action) for action in spaces} <= {id(action) for action in scalar} else []


PLACES = (("score", "QK"), ("value", "VO"), ("hidden", ("up", "gate", "down")))
"""What a space is called that joins tensors of one layer of which all are in a list."""


PART = re.compile(r"(.+)\.((rows|columns)(_[0-9]+)+)")
"""The name of rows or columns of a tensor that are read by themselves: the tensor, and which they are."""


def name_spaces(joined: Sequence[Sequence[str]], sizes: Sequence[int]) -> list[str]:
    """Return a name for each space, given the tensors that it joins and its number of coordinates.

    A space within a layer is named by the path of the layer and by what it is there, as ``1.heads.score_2``, or by the
    tensors. Where several spaces join other rows and columns of the same tensors each, they are those of heads, as
    ``attention.head_2.rows_3_4-rows_7_8``. One that joins layers is a ``stream``; a number that multiplies other
    tensors than these is a ``scale``. Names that are met again are numbered.
    """
    parts = [[PART.fullmatch(tensor) for tensor in tensors] for tensors in joined]
    cut = [tuple((one[1], one[3]) for one in some if one) if all(some) else () for some in parts]
    alike, count, seen = Counter(zip(cut, sizes, strict=True)), Counter[str](), Counter[Any]()
    names = []
    for tensors, size, kind, some in zip(joined, sizes, cut, parts, strict=True):
        name = name_of(tensors, size)
        if size > 1 and alike[kind, size] > 1 and kind:
            seen[kind, size] += 1
            paths = [tensor.split(".")[:-1] for tensor, _ in kind]
            layer = itertools.takewhile(lambda some: len(set(some)) == 1, zip(*paths, strict=False))
            own = "-".join(one[2] for one in some if one)
            name = ".".join([*(one for one, *_ in layer), f"head_{seen[kind, size]}", own])
        names.append(name)
        count[name] += 1
    numbers = Counter[str]()
    for k, name in enumerate(names):
        numbers[name] += 1
        names[k] = f"{name}_{numbers[name]}" if count[name] > 1 else name
    return names


def name_of(tensors: Sequence[str], size: int) -> str:
    """Return the name of a space that joins tensors, without a number where others have the same."""
    paths = list(dict.fromkeys(tensor.rpartition(".")[0] for tensor in tensors))
    own = list(dict.fromkeys(tensor.rpartition(".")[2] for tensor in tensors))
    path = f"{paths[0]}." if paths[0] else ""
    if len(paths) == 1:
        kinds = {name.removeprefix("b_").partition("_")[0] for name in own}
        for place, members in PLACES:
            if kinds <= set(members):
                number = next((name.removeprefix("b_").partition("_")[2] for name in own if "_" in name), "")
                return f"{path}{place}_{number}" if number else f"{path}{place}"
    if size == 1:
        return f"{path}scale"
    numbers = {name.rpartition("_")[2] for name in own} if not path else set()  # tensors without a path are numbered
    return "stream" if len(paths) > 1 or len(numbers) > 1 else f"{path}{'-'.join(own)}"
