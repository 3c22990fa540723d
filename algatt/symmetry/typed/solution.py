"""The symmetries of a network: the solutions of the equations of its types, as vector fields on its weights,
and their names.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.fields import Elements
from algatt.fields.motions import Action, Constraint, Diagonal, Equations, Intertwining, Motions, Moving
from algatt.programs import Program
from algatt.programs.interpret import interpret
from algatt.symmetry.typed.basis import SIDES, Basis, Moves, VectorFields
from algatt.symmetry.typed.entries import Sum, forms_with_sums
from algatt.symmetry.typed.linear_system import (
    Component,
    Echelon,
    LinearForm,
    accumulate,
    components,
    earliest,
    solve,
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

    @property
    def faithful(self) -> tuple[str, ...]:
        """The tensors of which it is known that no vector field vanishes on them at almost all weights.

        Such a tensor W moves by L W alone for one unknown matrix L, or a number, or by W R: that is zero for no
        diagonal L but 0 if no row of W is zero, and for no L at all if the rows of W are independent.
        """
        if len(self.component.both) > 1:
            return ()
        fixed = []
        for name, pair in self.fields.actions.items():
            counts = [len(self.fields.basis.coefficients(action)) for action in pair]
            (own, other), side = [action.size for action in pair][:: (1, -1)[counts == [0, 1]]], sorted(counts)
            if side == [0, 1] and (own <= other or self.diagonal):
                fixed.append(name)
        return tuple(fixed)


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
    independent = Echelon()
    solutions = []
    for part in moving:
        positive = not signed.isdisjoint(part.both)
        fields = independent_fields(solved.fields[part], actions, independent)
        if len(fields):
            solutions.append(Solution(part, fields, positive))
    return solutions


def independent_fields(
    fields: VectorFields, actions: Mapping[str, tuple[Action, Action]], others: Echelon
) -> VectorFields:
    """Return those of some vector fields that are independent of each other and of others, to which they are added as
    far as later ones may depend on them.
    """
    kept = with_own_entries(fields)
    left = np.flatnonzero(~kept)
    for number, one in zip(left, fields.some(~kept).each(), strict=True):
        kept[number] = others.add(normal_form(one, actions))
    return fields.some(kept)


def with_own_entries(fields: VectorFields) -> np.ndarray:
    """Return of which vector fields it is seen that they are independent of all others, as they have an entry outside
    of the diagonal that no other one has: it is that of a matrix that acts alone where it acts.
    """
    every = [action for pair in fields.actions.values() for action in pair]
    together = {space for action in every if len(action.terms) > 1 for space, _ in action.terms}
    alone = {space for action in every for space, _ in action.terms} - together
    found = np.zeros(len(fields), dtype=bool)
    for unknown, one in fields.basis.unknowns.items():
        if unknown in alone:
            places = one.rows * unknown.size + one.columns
            _, first, counts = np.unique(places, return_index=True, return_counts=True)
            own = first[counts == 1]
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
    sparse = forms_with_sums(constraint, equations) if isinstance(constraint, Intertwining) else None
    return verbs.linear_forms(constraint, equations) if sparse is None else sparse


def implied_scalars(part: Component, basis: Basis) -> list[Action]:
    """Return the actions of a component that are multiples of the identity in all solutions, beside others that are
    not: to say so leaves these with equations of their own.
    """
    spaces = [Action(space.size, {(space, False): 1}) for space in part.spaces]
    sums = (action for one in part.constraints if isinstance(one, Intertwining) for action in one.actions)
    actions = [*spaces, *(action for action in sums if len(action.terms) > 1)]
    scalar = [action for action in actions if basis.are_multiples(Action(action.size, action.terms))]
    return scalar if basis.count and not {id(action) for action in spaces} <= {id(action) for action in scalar} else []


def normal_form(moves: Moves, actions: Mapping[str, tuple[Action, Action]]) -> LinearForm:
    """Return the entries of all L and R, those with R_00 = 0: c I and - c I together move no matrix."""
    form: LinearForm = {}
    for (name, side), entries in moves.items():
        for (i, j), value in entries.items():
            accumulate(form, (name, side, i, j), value)
        shift = entries.get((0, 0), 0) if side == "columns" else 0
        if shift:
            for other, action, change in zip(SIDES, actions[name], (shift, -shift), strict=True):
                for k in range(action.size):
                    accumulate(form, (name, other, k, k), change)
    return form


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
