"""Whether the types of a network allow what a place does, and what it does to quotients of the weights."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.recording import program
from algatt.errors import SymmetryError
from algatt.fields import Elements
from algatt.fields.motions import Action, Equations, Motions, Scalar, Space
from algatt.parameters import Parameters, Weights
from algatt.symmetry.named.place import Move, Place
from algatt.symmetry.typed.linear_system import LinearForm, accumulate, solve, unknowns_of
from algatt.symmetry.typed.solution import types_of

__all__ = ["is_found", "places_in_quotient"]

Actions = Mapping[str, tuple[Action, Action]]
"""The actions on the rows and the columns of tensors, by name."""

Values = Mapping[tuple[Space | Scalar, bool], Fraction]
"""The values of unknowns: a space is the sum of these multiples of g (False) and of its transpose (True), or a multiple
of the identity, as a number is.
"""

SIDES = ("rows", "columns")


@functools.lru_cache(maxsize=64)
def types_of_architecture(arch: Architecture) -> tuple[Equations, Actions]:
    """Return the equations of the types of an architecture, and the actions on its tensors."""
    return types_of(program(arch), verbs.coordinates(arch))


def is_found(arch: Architecture, places: Sequence[Place]) -> bool:
    """Return whether what places do is a solution of the equations of an architecture, for all g: then its function
    stays the same.

    Raises
    ------
    MethodError
        If the architecture has no types, because of an operation that has no rule.
    """
    try:
        values_at(places, *types_of_architecture(arch))
    except SymmetryError:
        return False
    return True


def values_at(places: Sequence[Place], equations: Equations, actions: Actions) -> dict[Place, Values]:
    """Return for each place the values of the unknowns with which the tensors move as it says, and no others.

    Raises
    ------
    SymmetryError
        If there are none for one of them.
    """
    constrained = [one for constraint in equations.constraints for one in constraint.actions]
    bound = set(unknowns_of(map(equations.resolve, (*constrained, *equations.positive))))  # these are not all of GL(n)
    values: dict[Place, Values] = {}
    for size in dict.fromkeys(0 if place.scalar else place.size for place in places):
        alike = [place for place in places if size == (0 if place.scalar else place.size)]
        forms = [
            {unknown: c for unknown, c in form.items() if isinstance(unknown, Place) or unknown[0] not in bound}
            for form in (forms_of_matrices(alike, size, actions) if size else forms_of_numbers(alike, actions))
        ]
        unknowns = dict.fromkeys(unknown for form in forms for unknown in form if not isinstance(unknown, Place))
        for solution in solve(forms, [*alike, *unknowns]):
            found = [unknown for unknown in solution if isinstance(unknown, Place)]
            if len(found) == 1:  # a place with the multiples of unknowns that have its moves
                multiple = solution.pop(found[0])
                whole = {unknown: Fraction(value, multiple) for unknown, value in solution.items()}
                if are_powers(whole, matrices=size > 0):
                    values[found[0]] = whole
    for place in places:
        if place not in values:
            tensors = ", ".join(move.tensor for move in place.moves)
            raise SymmetryError(f"the types of the network do not allow that {tensors} move together in this way")
    return values


def are_powers(values: Values, *, matrices: bool) -> bool:
    """Return whether unknowns are powers of g in the group: each space g, its transpose or the inverse of one of these,
    or each a number to a whole power.
    """
    if not matrices:
        return all(value.denominator == 1 for value in values.values())
    return all(abs(value) == 1 for value in values.values()) and len({space for space, _ in values}) == len(values)


def forms_of_matrices(places: Sequence[Place], size: int, actions: Actions) -> Iterable[LinearForm]:
    """Iterate over the linear forms that vanish if all sides of tensors move by the powers of g that places say, times
    multiples of these: for each side the coefficients of g, then those of its transpose. Numbers are zero.
    """
    powers = powers_of(places)
    for name, pair in actions.items():
        for side, action in zip(SIDES, pair, strict=True):
            for transposed in (False, True):
                form: LinearForm = {}
                for (space, turned), coefficient in action.terms.items():
                    if space.size == size:
                        accumulate(form, (space, transposed != turned), coefficient)
                for place, power in powers.get((name, side, transposed), ()):
                    accumulate(form, place, -power)
                yield form


def forms_of_numbers(places: Sequence[Place], actions: Actions) -> Iterable[LinearForm]:
    """Iterate over the linear forms that vanish if all tensors are multiplied by the powers of numbers that places say,
    where spaces are multiples of the identity.
    """
    powers = powers_of(places)
    for name, pair in actions.items():
        form: LinearForm = {}
        for action in pair:
            for (space, _), coefficient in action.terms.items():
                accumulate(form, (space, False), coefficient)
            for scalar, coefficient in action.scalars.items():
                accumulate(form, (scalar, False), coefficient)
        for side in SIDES:
            for transposed in (False, True):
                for place, power in powers.get((name, side, transposed), ()):
                    accumulate(form, place, -power)
        yield form


def powers_of(places: Sequence[Place]) -> dict[tuple[str, str, bool], list[tuple[Place, int]]]:
    """Return the powers of g, and of its transpose, that act on sides of tensors, with their places."""
    powers: dict[tuple[str, str, bool], list[tuple[Place, int]]] = {}
    for place in places:
        for move in place.moves:
            powers.setdefault((move.tensor, move.side, move.transposed), []).append((place, move.power))
    return powers


def places_in_quotient(arch: Architecture, places: Sequence[Place], coordinates: type[Parameters]) -> tuple[Place, ...]:
    """Return what places do to the tensors of a quotient of the weights, found by the types of the arrow to it.

    Raises
    ------
    SymmetryError
        If they do not act there.
    """
    equations, actions, moved = types_of_quotient(arch, coordinates)
    values = values_at(places, equations, actions)
    return tuple(Place(one.size, tuple(moves_of(one, values[one], moved)), one.number) for one in places)


@functools.lru_cache(maxsize=64)
def types_of_quotient(arch: Architecture, coordinates: type[Parameters]) -> tuple[Equations, Actions, Actions]:
    """Return the equations of the types of the arrow to other coordinates, and the actions on the tensors of the
    weights and on those of the quotient.
    """
    field = Motions()
    typed = {name: field.tensor(name, shape) for name, shape in verbs.coordinates(arch).items()}
    theta = Weights(tuple(Elements(field, raw) for raw in typed.values()), tuple(typed))
    quotient = verbs.convert(theta, coordinates)
    field.equations.settle()
    resolve = field.equations.resolve
    after = {name: element.raw for name, element in zip(quotient.names(), quotient.elements, strict=True)}
    before, behind = (
        {name: (resolve(raw.rows), resolve(raw.columns)) for name, raw in arrays.items()} for arrays in (typed, after)
    )
    return field.equations, before, behind


def moves_of(place: Place, values: Values, actions: Actions) -> Iterable[Move]:
    """Iterate over the moves of tensors whose actions have these values."""
    forms = forms_of_numbers((), actions) if place.scalar else forms_of_matrices((), place.size, actions)
    powers = [sum(c * values.get(unknown, 0) for unknown, c in form.items()) for form in forms]
    sides = SIDES[:1] if place.scalar else SIDES
    kinds = (False,) if place.scalar else (False, True)
    moves = [(name, side, transposed) for name in actions for side in sides for transposed in kinds]
    for (name, side, transposed), power in zip(moves, powers, strict=True):
        if power:
            yield Move(name, side, int(power), transposed)
