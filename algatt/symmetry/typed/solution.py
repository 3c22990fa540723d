"""The symmetries of a network: the solutions of the equations of its types, as vector fields on its weights,
and their names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from algatt import verbs
from algatt.fields import Elements
from algatt.fields.motions import Action, Constraint, Diagonal, Equations, Intertwining, Motions, Moving, Scalar, Space
from algatt.programs import Program
from algatt.programs.interpret import Results
from algatt.symmetry.typed.entries import Sum, forms_with_sums
from algatt.symmetry.typed.linear_system import (
    Component,
    Echelon,
    LinearForm,
    MadeInTurn,
    accumulate,
    components,
    earliest,
    is_free,
    primitive,
    solve,
    unknowns_of,
)

__all__ = [
    "Entries",
    "MovingTensor",
    "Solution",
    "VectorField",
    "interpret_types",
    "name_spaces",
    "solve_equations",
    "solve_types",
]

Entries = dict[tuple[int, int], int]
"""The entries of a matrix that are not zero."""


@dataclass(frozen=True)
class MovingTensor:
    """How a vector field moves a tensor W: by L W + W R.

    Parameters
    ----------
    rows, columns : dict of (int, int) to int
        The entries of L and of R that are not zero.
    """

    rows: Entries
    columns: Entries


VectorField = dict[str, MovingTensor]
"""The tensors that a vector field moves, by name."""


@dataclass(frozen=True, eq=False)
class Solution:
    """The vector fields that belong to one component of the unknowns.

    Parameters
    ----------
    component : Component
        The unknowns and their constraints.
    sides : tuple of (str, str)
        The tensors that they move, each with the side, ``rows`` or ``columns``.
    fields : sequence of VectorField
        A basis, independent of those of the solutions before this one.
    assignments : sequence of dict
        For each of them the values of the unknowns: scalars, and entries of spaces as (space, row, column).
    actions : dict of str to (Action, Action)
        The actions on the rows and the columns of all tensors.
    positive : bool
        Whether a gate or a root lets only positive numbers act.
    equations : Equations
        The equations, solved.
    results : tuple of Moving
        The types of the results of all instructions of the program, to be resolved by the equations.
    free : bool
        Whether it is a matrix with any entries, of size 2 at least.
    """

    component: Component
    sides: tuple[tuple[str, str], ...]
    fields: Sequence[VectorField]
    assignments: Sequence[Mapping[Any, int]]
    actions: Mapping[str, tuple[Action, Action]]
    positive: bool
    equations: Equations
    results: tuple[Moving, ...]
    free: bool = False

    @property
    def mixed_sides(self) -> tuple[tuple[str, str], ...]:
        """The sides on which its matrices are not diagonal."""
        return self.sides if self.free else sides_of(self.fields, self.actions, mixed=True)

    @property
    def diagonal(self) -> bool:
        """Whether only diagonal matrices act in its spaces."""
        values = (key for assignment in self.assignments for key in assignment if isinstance(key, tuple))
        moved = (place for one in self.fields for both in one.values() for place in (*both.rows, *both.columns))
        return all(i == j for _, i, j in values) and all(i == j for i, j in moved)


def interpret_types(program: Program, field: Motions, typed: Mapping[str, Moving]) -> tuple[Moving, ...]:
    """Let the operations of a program collect their equations over `Motions`; its value does not move. Return the types
    of the results of its instructions.
    """
    tensors = {name: Elements(field, raw) for name, raw in typed.items()}
    shape = next((one.shape for one in program.instructions if one.operation == "input"), None)
    inputs = None if shape is None else Elements(field, field.fixed(shape))
    evaluated = Results(program, field, tensors, inputs)
    results: tuple[Moving, ...] = tuple(evaluated[number].raw for number in range(len(program)))
    field.require_fixed(results[-1])
    field.equations.settle()
    return results


@dataclass(frozen=True, eq=False)
class SolvedTypes:
    """The solutions of the equations of a program, of which some may move nothing, or what others move.

    Parameters
    ----------
    bases : dict of Component to sequence of dict
        A basis of the values of the unknowns of each component that moves tensors.
    actions : dict of str to (Action, Action)
        The actions on the rows and the columns of all tensors.
    equations : Equations
        The equations, solved.
    results : tuple of Moving
        The types of the results of all instructions.
    """

    bases: Mapping[Component, Sequence[Mapping[Any, int]]]
    actions: Mapping[str, tuple[Action, Action]]
    equations: Equations
    results: tuple[Moving, ...]

    def fields(self) -> Iterator[VectorField]:
        """Iterate over the vector fields of all solutions."""
        uses = uses_of(self.actions)
        return (field_of(one, uses) for basis in self.bases.values() for one in basis)


def solve_equations(program: Program, shapes: Mapping[str, tuple[int, ...]]) -> SolvedTypes:
    """Return the solutions of the equations of a program with tensors of given shapes, over Q, by components."""
    field = Motions()
    typed = {name: field.tensor(name, shape) for name, shape in shapes.items()}
    results = interpret_types(program, field, typed)
    equations, resolve = field.equations, field.equations.resolve
    actions = {name: (resolve(raw.rows), resolve(raw.columns)) for name, raw in typed.items()}
    removed = -1
    while True:  # until nothing more is removed
        uses = uses_of(actions)
        parts = components(equations, (action for pair in actions.values() for action in pair))
        moving = [part for part in parts if any(one in uses for one in (*part.spaces, *part.scalars))]
        bases = {part: assignments(part, equations) for part in moving}
        scalar = [action for part, basis in bases.items() for action in implied_scalars(part, basis)]
        if not scalar or equations.removed == removed:
            break
        removed = equations.removed
        for action in scalar:
            equations.require_scalar(action)
        equations.settle()
        actions = {name: (resolve(rows), resolve(columns)) for name, (rows, columns) in actions.items()}
    return SolvedTypes(bases, actions, equations, results)


def solve_types(program: Program, shapes: Mapping[str, tuple[int, ...]]) -> list[Solution]:
    """Return the solutions of the equations of a program with tensors of given shapes, over Q, all independent."""
    solved = solve_equations(program, shapes)
    bases, actions, equations, results = solved.bases, solved.actions, solved.equations, solved.results
    uses = uses_of(actions)
    signed = {one for action in equations.positive for one in unknowns_of([equations.resolve(action)])}
    moving = sorted(
        bases, key=lambda part: not part.spaces
    )  # numbers last: multiples of the identity of a space are its own
    independent = Echelon()
    solutions = []
    for part in moving:
        positive = not signed.isdisjoint((*part.spaces, *part.scalars))
        if is_free(part, actions):
            (space,), basis = part.spaces, bases[part]
            whole = field_of({(space, k, k): 1 for k in range(space.size)}, uses)
            if independent.add(normal_form(whole, actions)):
                made = MadeInTurn(len(basis), partial(field_in_turn, basis, uses))
                sides = sides_of([whole], actions)
                solutions.append(Solution(part, sides, made, basis, actions, positive, equations, results, free=True))
                continue
        found = [(one, field_of(one, uses)) for one in bases[part]]
        own = with_own_entries(bases[part], actions)
        kept = [
            pair for pair, one in zip(found, own, strict=True) if one or independent.add(normal_form(pair[1], actions))
        ]
        if kept:
            values, fields = zip(*kept, strict=True)
            sides = sides_of(fields, actions)
            solutions.append(Solution(part, sides, fields, values, actions, positive, equations, results))
    return solutions


Use = tuple[str, str, bool, int | Fraction, int]
"""Where an unknown acts: tensor, side, whether transposed, coefficient and size."""


def uses_of(actions: Mapping[str, tuple[Action, Action]]) -> dict[Space | Scalar, list[Use]]:
    """Return where each unknown acts."""
    uses: dict[Space | Scalar, list[Use]] = {}
    for name, pair in actions.items():
        for side, action in zip(("rows", "columns"), pair, strict=True):
            for (space, transposed), coefficient in action.terms.items():
                uses.setdefault(space, []).append((name, side, transposed, coefficient, action.size))
            for scalar, coefficient in action.scalars.items():
                uses.setdefault(scalar, []).append((name, side, False, coefficient, action.size))
    return uses


def with_own_entries(basis: Sequence[Mapping[Any, int]], actions: Mapping[str, tuple[Action, Action]]) -> list[bool]:
    """Return of which values of unknowns the vector fields have an entry outside of the diagonal that no other field
    has, so that they are independent of all: it is that of a space that acts alone where it acts.
    """
    every = [action for pair in actions.values() for action in pair]
    together = {space for action in every if len(action.terms) > 1 for space, _ in action.terms}
    alone = {space for action in every for space, _ in action.terms} - together
    held = Counter(key for one in basis for key in one)
    return [
        any(held[key] == 1 and isinstance(key, tuple) and key[1] != key[2] and key[0] in alone for key in one)
        for one in basis
    ]


def field_in_turn(
    basis: Sequence[Mapping[Any, int]], uses: Mapping[Space | Scalar, list[Use]], place: int
) -> VectorField:
    """Return the vector field of one of several values of unknowns."""
    return field_of(basis[place], uses)


def assignments(part: Component, equations: Equations) -> Sequence[Mapping[Any, int]]:
    """Return a basis of the values of the unknowns of a component that satisfy its constraints."""
    if not part.constraints:
        unknowns = part.unknowns
        return MadeInTurn(len(unknowns), lambda place: {unknowns[place]: 1})
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
        return found
    return earliest([{key: value for key, value in one.items() if key not in sums} for one in found], unknowns)


def forms_of(constraint: Constraint, equations: Equations) -> Iterator[LinearForm]:
    """Return the forms of a constraint, sparse ones if there are any."""
    sparse = forms_with_sums(constraint, equations) if isinstance(constraint, Intertwining) else None
    return verbs.linear_forms(constraint, equations) if sparse is None else sparse


def implied_scalars(part: Component, basis: Sequence[Mapping[Any, int]]) -> list[Action]:
    """Return the actions of a component that are multiples of the identity in all solutions, beside others that are
    not: to say so leaves these with equations of their own.
    """
    spaces = [Action(space.size, {(space, False): 1}) for space in part.spaces]
    sums = (action for one in part.constraints if isinstance(one, Intertwining) for action in one.actions)
    actions = [*spaces, *(action for action in sums if len(action.terms) > 1)]
    scalar = [action for action in actions if all(is_multiple(action, assignment) for assignment in basis)]
    return scalar if basis and not {id(action) for action in spaces} <= {id(action) for action in scalar} else []


def is_multiple(action: Action, assignment: Mapping[Any, int]) -> bool:
    """Return whether an action is a multiple of the identity for given values of the unknowns."""
    entries: LinearForm = {}
    for key, value in assignment.items():
        if isinstance(key, tuple):
            space, i, j = key
            for transposed in (False, True):
                coefficient = action.terms.get((space, transposed), 0)
                accumulate(entries, (j, i) if transposed else (i, j), coefficient * value)
    diagonal = {entries.get((k, k), 0) for k in range(action.size)}
    return len(diagonal) == 1 and all(i == j for i, j in entries)


def field_of(assignment: Mapping[Any, int], uses: Mapping[Space | Scalar, list[Use]]) -> VectorField:
    """Return the vector field of the values of unknowns, with integers without a common divisor."""
    entries: LinearForm = {}
    for unknown, value in assignment.items():
        space, i, j = unknown if isinstance(unknown, tuple) else (unknown, None, None)
        for name, side, transposed, coefficient, size in uses.get(space, ()):
            if i is None:
                for k in range(size):
                    accumulate(entries, (name, side, k, k), coefficient * value)
            else:
                accumulate(entries, (name, side, j, i) if transposed else (name, side, i, j), coefficient * value)
    field: VectorField = {}
    for (name, side, i, j), value in (primitive(entries) if entries else {}).items():
        moving = field.setdefault(name, MovingTensor({}, {}))
        (moving.rows if side == "rows" else moving.columns)[i, j] = value
    return field


def normal_form(field: VectorField, actions: Mapping[str, tuple[Action, Action]]) -> LinearForm:
    """Return the entries of all L and R, those with R_00 = 0: c I and - c I together move no matrix."""
    form: LinearForm = {}
    for name, moving in field.items():
        for side, entries in (("rows", moving.rows), ("columns", moving.columns)):
            for (i, j), value in entries.items():
                accumulate(form, (name, side, i, j), value)
        shift = moving.columns.get((0, 0), 0)
        if shift:
            for side, action, change in zip(("rows", "columns"), actions[name], (shift, -shift), strict=True):
                for k in range(action.size):
                    accumulate(form, (name, side, k, k), change)
    return form


def sides_of(
    fields: Iterable[VectorField], actions: Mapping[str, Any], *, mixed: bool = False
) -> tuple[tuple[str, str], ...]:
    """Return the tensors that vector fields move, each with its side, in the order of the network; those alone where
    rows or columns are mixed, if that is asked.
    """
    found = {
        (name, side)
        for field in fields
        for name, moving in field.items()
        for side, entries in (("rows", moving.rows), ("columns", moving.columns))
        if (any(i != j for i, j in entries) if mixed else entries)
    }
    return tuple((name, side) for name in actions for side in ("rows", "columns") if (name, side) in found)


PLACES = (("score", "QK"), ("value", "VO"), ("hidden", ("up", "gate", "down")))
"""What a space is called that joins tensors of one layer of which all are in a list."""


def name_spaces(joined: Sequence[Sequence[str]], sizes: Sequence[int]) -> list[str]:
    """Return a name for each space, given the tensors that it joins and its number of coordinates.

    A space within a layer is named by the path of the layer and by what it is there, as ``1.heads.score_2``, or by the
    tensors. One that joins layers is a ``stream``; a number that multiplies other tensors than these is a ``scale``.
    Names that are met again are numbered.
    """
    names = [name_of(tensors, size) for tensors, size in zip(joined, sizes, strict=True)]
    count, seen = Counter(names), Counter[str]()
    numbered = []
    for name in names:
        seen[name] += 1
        numbered.append(f"{name}_{seen[name]}" if count[name] > 1 else name)
    return numbered


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
