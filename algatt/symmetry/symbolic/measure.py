"""The dimension of the group of all symmetries that types and quotients find, and of its orbits, without entries."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.network import program
from algatt.fields import Elements
from algatt.fields.motions import (
    Action,
    Constraint,
    Diagonal,
    Intertwining,
    MotionEquations,
    Motions,
    Scalar,
    Selection,
    Space,
    Vanishing,
)
from algatt.fields.motions.equations import over
from algatt.fields.motions.reduction import Reduction
from algatt.linalg.forms import EchelonOfForms, LinearForm, accumulate, solve
from algatt.programs import Program
from algatt.programs.interpret import Results
from algatt.symmetry.groups import MatrixGroup
from algatt.symmetry.motions.solving import components
from algatt.symmetry.quotients.gains import fold_gains
from algatt.symmetry.symbolic.quotients import QuotientFamilies, quotients_of_program
from algatt.symmetry.symbolic.sides import Actions, Side, moves, sides_of, vanishes
from algatt.symmetry.symbolic.structures import Structure, structure_of
from algatt.symmetry.symbolic.unseen_spaces import unseen_spaces


@dataclass(frozen=True)
class Block:
    """Spaces that constraints join, and what these leave of them.

    Parameters
    ----------
    tensors : tuple of str
        The tensors that the spaces move.
    group : MatrixGroup
        The group of the largest space.
    dimension : int or None
        The dimension of the group of all of them; None if no rule tells it.
    size : int
        The number of coordinates of the largest space.
    """

    tensors: tuple[str, ...]
    group: MatrixGroup | None
    dimension: int | None
    size: int


@dataclass(frozen=True)
class Measure:
    """What is known of the symmetries of a network from its types, without entries.

    Parameters
    ----------
    blocks : tuple of Block
        The spaces that may move, those that constraints join together.
    quotients : QuotientFamilies
        What quotients remove besides.
    dimension : int
        The dimension of the group, and those of all quotients; at least, if a block has none.
    orbit : int
        The dimension of what all of them together move generic weights by; at least.
    moved : tuple of str
        The tensors of spaces of which it is not known whether they move unseen.
    wide : tuple of str
        The tensors of spaces of which a part moves unseen that is another one at other weights.
    """

    blocks: tuple[Block, ...]
    quotients: QuotientFamilies
    dimension: int
    orbit: int
    moved: tuple[str, ...]
    wide: tuple[str, ...]


def measure(arch: Architecture) -> Measure:
    """Measure the symmetries of an architecture, of which quotients are on its program."""
    return measure_types(types_of(arch, program(arch)), quotients_of_program(program(arch), units=arch.units))


@dataclass(frozen=True)
class Types:
    """The types of the results of a program.

    Parameters
    ----------
    equations : Equations
        Their equations.
    actions : Actions
        What acts on the tensors that are no gains, by name.
    results : Results
        The results, as far as the value is made of them.
    """

    equations: MotionEquations
    actions: Actions
    results: Results


def types_of(arch: Architecture, program: Program) -> Types:
    """Return the types of the results of a program of an architecture, in which gains that are folded are ones."""
    field, shapes = Motions(), verbs.coordinates(arch)
    gains = {gain.name for gain in fold_gains(program)[1].gains}
    typed = {name: field.tensor(name, shape) for name, shape in shapes.items() if name not in gains}
    tensors = {name: Elements(field, typed[name] if name in typed else field.ones(shapes[name])) for name in shapes}
    results = Results(program, field, tensors, Elements(field, field.fixed(arch.input_shape)))
    field.require_fixed(results[len(program) - 1].raw)
    Reduction(field.equations).settle()
    return Types(field.equations, {name: (raw.rows, raw.columns) for name, raw in typed.items()}, results)


def measure_types(types: Types, quotients: QuotientFamilies) -> Measure:
    """Measure the solutions of the equations of types, together with quotients."""
    reduction = Reduction(types.equations)
    reduction.run()
    folded = {name: (reduction.fold(rows), reduction.fold(columns)) for name, (rows, columns) in types.actions.items()}
    sides = sides_of(folded, {})
    structures: list[tuple[tuple[Space, ...], Structure | None]] = []
    relations: dict[tuple[Space, ...], list[LinearForm]] = {}
    refused: set[Space | Scalar] = set()
    numbers: list[tuple[tuple[Space, ...], tuple[str, ...]]] = []
    for part in components(types.equations, (action for pair in folded.values() for action in pair)):
        constraints = [(one, tuple(map(reduction.fold, one.actions))) for one in part.constraints]
        if part.spaces and any(space in sides for space in part.spaces):
            acts = [acting(space, sides, folded) for space in part.spaces if space in sides]
            alone = all(any(len(one.terms) < 2 for one in actions) for actions in acts)
            found = structure_of(part.spaces, constraints, sides) if alone and not part.scalars else None
            structures.append((part.spaces, found))
            refused.update((*part.spaces, *part.scalars) if found is None else ())
            relations[part.spaces] = [form for one, those in constraints for form in relations_of(one, those) if form]
        elif part.spaces and part.scalars and not leave_numbers_free(constraints):
            refused.update(part.scalars)
            numbers.append((part.spaces, tensors_of_numbers(part.scalars, folded)))
    known = [(spaces, found) for spaces, found in structures if found is not None]
    dimension = total(known, relations, folded, refused)
    kinds_of = quotients.unseen
    seen = {name: pair for name, pair in folded.items() if not vanishes(name, pair, kinds_of)}
    behind = sides_of(seen, kinds_of)
    visible = [(spaces, found) for spaces, found in known if any(space in behind for space in spaces)]
    unseen = unseen_spaces(visible, sides, behind, kinds_of)
    unproven = {space for spaces, _ in visible if not unseen.open.isdisjoint(spaces) for space in spaces}
    rest = [(spaces, found) for spaces, found in visible if unproven.isdisjoint(spaces)]
    orbit = total(rest, relations, seen, refused | unproven) - unseen.everywhere - unseen.generic
    blocks = tuple(
        Block(
            tensors_of(spaces, sides),
            None if found is None else found.groups[max(spaces, key=lambda space: found.groups[space].dimension)],
            None if found is None else found.dimension,
            max(space.size for space in spaces),
        )
        for spaces, found in structures
    )
    blocks += tuple(Block(tensors, None, None, max(space.size for space in spaces)) for spaces, tensors in numbers)
    doubtful = unseen.open | unseen.doubtful
    in_part = [
        name
        for name, pair in folded.items()
        if "entries" in (kinds := kinds_of.get(name, frozenset()))
        and moves(pair)
        and not vanishes(name, pair, {name: kinds - {"entries"}})
    ]
    moved = tuple(dict.fromkeys([*(side.tensor for one in doubtful for side in sides.get(one, ())), *in_part]))
    wide = tensors_of(unseen.wide, sides)
    return Measure(blocks, quotients, dimension + quotients.dimension, orbit + quotients.rank, moved, wide)


def acting(space: Space, sides: Mapping[Space, list[Side]], actions: Actions) -> Iterable[Action]:
    """Iterate over the actions in which a space occurs."""
    for side in sides.get(space, ()):
        yield from (action for action in actions[side.tensor] if any(one is space for one, _ in action.terms))


def tensors_of(spaces: Iterable[Space], sides: Mapping[Space, list[Side]]) -> tuple[str, ...]:
    """Return the tensors that spaces move."""
    return tuple(dict.fromkeys(side.tensor for space in spaces for side in sides.get(space, ())))


def tensors_of_numbers(numbers: Collection[Scalar], actions: Actions) -> tuple[str, ...]:
    """Return the tensors that numbers move."""
    return tuple(
        name for name, pair in actions.items() if any(not action.scalars.keys().isdisjoint(numbers) for action in pair)
    )


def leave_numbers_free(constraints: Iterable[tuple[Constraint, tuple[Action, ...]]]) -> bool:
    """Return whether constraints on spaces that act on no tensor ask for nothing of the numbers in them: they say that
    parts of the spaces, none of which have rows in common, are numbers, each perhaps several times, and that the spaces
    are diagonal. Then the diagonal matrices of these numbers satisfy them.
    """
    parts: dict[Space, dict[tuple[int, ...], Action]] = {}
    for constraint, actions in constraints:
        if isinstance(constraint, Diagonal):
            if len(actions[0].terms) > 1:
                return False
            continue
        if not isinstance(constraint, Intertwining) or not isinstance(constraint.constant, Selection):
            return False
        whole, part = actions if constraint.constant.transposed else actions[::-1]
        if len(whole.terms) != 1 or part.terms:
            return False
        (((space, _), factor),) = whole.terms.items()
        number = (part.resize(1) - whole.resize(1)).times(over(1, factor))
        if not (number - parts.setdefault(space, {}).setdefault(constraint.constant.chosen, number)).zero:
            return False
    chosen = [[row for rows in found for row in rows] for found in parts.values()]
    return all(len(rows) == len(set(rows)) for rows in chosen)


def relations_of(constraint: Constraint, actions: tuple[Action, ...]) -> list[LinearForm]:
    """Return what a constraint says of numbers if all of its spaces are numbers."""
    if isinstance(constraint, Vanishing):
        return [number_of(actions[0])]
    if isinstance(constraint, Intertwining):
        left, right = map(number_of, actions)
        for unknown, coefficient in right.items():
            accumulate(left, unknown, -coefficient)
        return [left]
    return []


def number_of(action: Action) -> LinearForm:
    """Return what an action is if all of its spaces are numbers."""
    form: LinearForm = {}
    for (space, _), coefficient in action.terms.items():
        accumulate(form, space, coefficient)
    for scalar, coefficient in action.scalars.items():
        accumulate(form, scalar, coefficient)
    return form


def total(
    known: Sequence[tuple[tuple[Space, ...], Structure]],
    relations: Mapping[tuple[Space, ...], list[LinearForm]],
    actions: Actions,
    fixed: Collection[Space | Scalar],
) -> int:
    """Return the dimension of the vector fields: that of the spaces and numbers, less that of those that move nothing.

    A combination moves no tensor if on each of them L = c and R = -c: then all spaces in it are numbers.
    """
    multiples: dict[Space | Scalar, LinearForm] = {}
    for name, pair in actions.items():
        for action in pair:
            for unknown, coefficient in number_of(action).items():
                if unknown not in fixed:
                    accumulate(multiples.setdefault(unknown, {}), name, coefficient)
    spaces = [space for part, _ in known for space in part]
    scalars = [unknown for unknown in multiples if isinstance(unknown, Scalar)]
    shown, moving = EchelonOfForms(), EchelonOfForms()
    forms = [form for part, _ in known for form in relations[part]]
    for vector in solve(forms, [*spaces, *scalars]):
        shown.add({unknown: value for unknown, value in vector.items() if unknown in multiples})
        image: LinearForm = {}
        for unknown, value in vector.items():
            for name, coefficient in multiples.get(unknown, {}).items():
                accumulate(image, name, value * coefficient)
        moving.add(image)
    unmoved = len(shown.rows) - len(moving.rows)
    return sum(found.dimension for _, found in known) + len(scalars) - unmoved
