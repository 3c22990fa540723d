"""Whether the code of a network allows what a place does, and what it does to quotients of the weights."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.network import program
from algatt.errors import SymmetryError
from algatt.fields import Elements
from algatt.fields.motions import Action, Motions, Moving
from algatt.fields.motions.moving import sizes
from algatt.fields.motions.reduction import Reduction
from algatt.parameters import Parameters, Weights
from algatt.symmetry.motions.solving import interpret_types, unknowns_of
from algatt.symmetry.named.place import Place, PlaceMove

SIDES = ("rows", "columns")


class GivenFamily:
    """Tensors that move as places say, each by an unknown matrix or number of its own.

    Parameters
    ----------
    places : sequence of Place
        The places.
    shapes : dict of str to tuple of int
        The shapes of all tensors.

    Attributes
    ----------
    field : Motions
        The equations.
    unknowns : list of Action
        The unknown of each place.
    tensors : dict of str to Moving
        How the tensors move.
    """

    def __init__(self, places: Sequence[Place], shapes: dict[str, tuple[int, ...]]) -> None:
        self.field = Motions()
        self.unknowns = [self.field.equations.unknown(1 if one.scalar else one.size, "place") for one in places]
        sides = {name: [Action(size) for size in sizes(shape)] for name, shape in shapes.items()}
        for place, unknown in zip(places, self.unknowns, strict=True):
            for move in place.moves:
                pair, axis = sides[move.tensor], SIDES.index(move.side)
                acting = unknown.resize(pair[axis].size) if place.scalar else unknown.T if move.transposed else unknown
                pair[axis] += acting.times(move.power)
        self.tensors = {
            name: Moving(shapes[name], rows, columns, varies=False) for name, (rows, columns) in sides.items()
        }

    @property
    def allowed(self) -> bool:
        """Whether the equations ask for nothing of the unknowns: they are solved for others, the later ones, first."""
        equations = self.field.equations
        bound = [action for one in equations.constraints for action in one.actions] + equations.positive
        asked = unknowns_of(map(equations.resolve, bound))
        given = unknowns_of(self.unknowns)
        return not any(one in equations.spaces or one in equations.scalars or one in asked for one in given)


@functools.lru_cache(maxsize=256)
def is_found(arch: Architecture, places: tuple[Place, ...]) -> bool:
    """Return whether tensors may move as places say, for all g: then the function of an architecture stays the same.

    Raises
    ------
    MethodError
        If there is an operation that has no rule.
    """
    given = GivenFamily(places, verbs.coordinates(arch))
    interpret_types(program(arch), given.field, given.tensors)
    return given.allowed


@functools.lru_cache(maxsize=256)
def places_in_quotient(
    arch: Architecture, places: tuple[Place, ...], coordinates: type[Parameters]
) -> tuple[Place, ...]:
    """Return what places do to the tensors of a quotient of the weights, found by the motions of the map to it.

    Raises
    ------
    SymmetryError
        If they do not act there.
    """
    given = GivenFamily(places, verbs.coordinates(arch))
    theta = Weights(tuple(Elements(given.field, raw) for raw in given.tensors.values()), tuple(given.tensors))
    quotient = verbs.convert(theta, coordinates)
    Reduction(given.field.equations).run()
    if not given.allowed:
        raise SymmetryError(f"{len(places)} changes of coordinates are none of {coordinates.__name__}")
    resolve = given.field.equations.resolve
    moved = {
        name: (resolve(one.raw.rows), resolve(one.raw.columns))
        for name, one in zip(quotient.names(), quotient.elements, strict=True)
    }
    return tuple(
        Place(one.size, tuple(moves_of(unknown, moved)), one.number)
        for one, unknown in zip(places, given.unknowns, strict=True)
    )


def moves_of(unknown: Action, moved: dict[str, tuple[Action, Action]]) -> Iterator[PlaceMove]:
    """Iterate over the moves of tensors by an unknown matrix or number."""
    for name, pair in moved.items():
        for scalar in unknown.scalars:
            if power := sum(action.scalars.get(scalar, 0) for action in pair):
                yield PlaceMove(name, SIDES[0], int(power))
        for space, _ in unknown.terms:
            for side, action in zip(SIDES, pair, strict=True):
                for transposed in (False, True):
                    if power := action.terms.get((space, transposed), 0):
                        yield PlaceMove(name, side, int(power), transposed)
