"""The dimension of the group of all symmetries that types find, and of its orbits, without entries."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from algatt import verbs
from algatt.architectures import Architecture
from algatt.fields import Elements
from algatt.fields.types import (
    Action,
    Constraint,
    Equations,
    Intertwining,
    Scalar,
    Space,
    Typed,
    Types,
    Vanishing,
)
from algatt.parameters import Weights
from algatt.symmetry.groups import MatrixGroup
from algatt.symmetry.symbolic.reduction import Reduction
from algatt.symmetry.symbolic.structures import Structure, structure_of
from algatt.symmetry.typed.components import components
from algatt.symmetry.typed.linear_system import Echelon, LinearForm, accumulate, solve

__all__ = ["Block", "Measure", "measure", "measure_types", "types_of_architecture"]


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
    dimension : int
        The dimension of the group; at least, if a block has none.
    orbit : int
        The dimension of its orbits at generic weights; at least.
    moved : tuple of str
        The tensors of spaces of which it is not known whether they move unseen.
    """

    blocks: tuple[Block, ...]
    dimension: int
    orbit: int
    moved: tuple[str, ...]


@dataclass(frozen=True)
class Side:
    """A tensor as a matrix on which a space acts from the left.

    Parameters
    ----------
    tensor : str
        Its name.
    transposed : bool
        Whether the transposed matrix of the space acts.
    width : int
        Its number of columns.
    opposite : tuple of Space
        The spaces that act from the right.
    """

    tensor: str
    transposed: bool
    width: int
    opposite: tuple[Space, ...]


Actions = Mapping[str, tuple[Action, Action]]


def measure(arch: Architecture) -> Measure:
    """Measure the symmetries of an architecture."""
    return measure_types(*types_of_architecture(arch))


def types_of_architecture(arch: Architecture) -> tuple[Equations, Actions]:
    """Return the equations of the types of an architecture, and the actions on its tensors, by name.

    The network itself is evaluated over `Types`, not its program, so that its layers may look at types.
    """
    field = Types()
    typed = {name: field.tensor(name, shape) for name, shape in verbs.coordinates(arch).items()}
    theta = Weights(tuple(Elements(field, raw) for raw in typed.values()), tuple(typed))
    value: Typed = verbs.evaluate(arch, theta, Elements(field, field.fixed(arch.input_shape))).raw
    field.require_fixed(value)
    field.equations.settle()
    return field.equations, {name: (raw.rows, raw.columns) for name, raw in typed.items()}


def measure_types(equations: Equations, actions: Actions) -> Measure:
    """Measure the solutions of equations of types."""
    reduction = Reduction(equations)
    reduction.run()
    folded = {name: (reduction.fold(rows), reduction.fold(columns)) for name, (rows, columns) in actions.items()}
    sides = sides_of(folded)
    structures: list[tuple[tuple[Space, ...], Structure | None]] = []
    relations: dict[tuple[Space, ...], list[LinearForm]] = {}
    refused: set[Space | Scalar] = set()
    for part in components(equations, (action for pair in folded.values() for action in pair)):
        constraints = [(one, tuple(map(reduction.fold, one.actions))) for one in part.constraints]
        if part.spaces and any(space in sides for space in part.spaces):
            alone = all(len(one.terms) < 2 for space in part.spaces for one in acting(space, sides, folded))
            found = structure_of(part.spaces, constraints, sides) if alone and not part.scalars else None
            structures.append((part.spaces, found))
            refused.update((*part.spaces, *part.scalars) if found is None else ())
            relations[part.spaces] = [form for one, those in constraints for form in relations_of(one, those) if form]
    known = [(spaces, found) for spaces, found in structures if found is not None]
    pinned, unseen = unseen_spaces(known, sides)
    unproven = {space for spaces, _ in known if not pinned.isdisjoint(spaces) for space in spaces}
    dimension = total(known, relations, folded, refused)
    rest = [(spaces, found) for spaces, found in known if unproven.isdisjoint(spaces)]
    orbit = total(rest, relations, folded, refused | unproven) if unproven else dimension
    orbit -= unseen
    blocks = tuple(
        Block(
            tensors_of(spaces, sides),
            None if found is None else found.groups[max(spaces, key=lambda space: found.groups[space].dimension)],
            None if found is None else found.dimension,
            max(space.size for space in spaces),
        )
        for spaces, found in structures
    )
    moved = tuple(dict.fromkeys(side.tensor for space in pinned for side in sides.get(space, ())))
    return Measure(blocks, dimension, orbit, moved)


def sides_of(actions: Actions) -> dict[Space, list[Side]]:
    """Return the sides of tensors on which each space acts."""
    sides: dict[Space, list[Side]] = {}
    for name, (rows, columns) in actions.items():
        for one, other, flipped in ((rows, columns, False), (columns, rows, True)):
            opposite = tuple(space for space, _ in other.terms)
            for space, transposed in one.terms:
                sides.setdefault(space, []).append(Side(name, transposed != flipped, other.size, opposite))
    return sides


def acting(space: Space, sides: Mapping[Space, list[Side]], actions: Actions) -> Iterable[Action]:
    """Iterate over the actions in which a space occurs."""
    for side in sides.get(space, ()):
        yield from (action for action in actions[side.tensor] if any(one is space for one, _ in action.terms))


def tensors_of(spaces: Iterable[Space], sides: Mapping[Space, list[Side]]) -> tuple[str, ...]:
    """Return the tensors that spaces move."""
    return tuple(dict.fromkeys(side.tensor for space in spaces for side in sides.get(space, ())))


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
    shown, moving = Echelon(), Echelon()
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


def unseen_spaces(
    known: Iterable[tuple[tuple[Space, ...], Structure]], sides: Mapping[Space, list[Side]]
) -> tuple[set[Space], int]:
    """Return the spaces of which it is not shown how much of them moves no tensor, and how much of the others does.

    One space after the other is shown to be a number if it moves no tensor, on tensors whose other sides are known to
    be numbers. In the end, spaces that have such tensors only may do so for a part of them.
    """
    freedom = {space: found.freedom[space] for spaces, found in known for space in spaces if space in sides}
    left, before, unseen = set(freedom), -1, 0

    def widths(seen: Sequence[Side]) -> tuple[list[int], list[int]]:
        straight, transposed = ([one.width for one in seen if one.transposed == flipped] for flipped in (False, True))
        return straight, transposed

    while len(left) != before:
        before = len(left)
        for space in list(left):
            if freedom[space](*widths([side for side in sides[space] if left.isdisjoint(side.opposite)])):
                left.discard(space)
    for space in [one for one in left if all(left.isdisjoint(side.opposite) for side in sides[one])]:
        if freedom[space].all:
            part = freedom[space].unseen(*widths(sides[space]))
            left -= set() if part is None else {space}
            unseen += part or 0
    return left, unseen
