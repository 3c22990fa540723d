"""How the group of a network of any size moves its tensors, without entries of its matrices.

The types of the network say on which sides of tensors each of its spaces acts, and rules for whole matrices what group
that is, as in docs/theory/motions.md. Rows and columns that may be permuted, signs, and gains and shifts that
are brought into standard position, are those of docs/theory/elements.md.
"""

from __future__ import annotations

import dataclasses
import functools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.network import program as program_of
from algatt.fields.motions import (
    Action,
    Space,
    Turns,
)
from algatt.fields.motions.reduction import Reduction
from algatt.geometry.equality.large.conditions import SpaceConditions
from algatt.geometry.equality.large.motions import Coordinates, Factors, LargeMotions, MatrixSpace, MovingSide
from algatt.symmetry import GainSymmetry
from algatt.symmetry.discrete.signs import signed_sides
from algatt.symmetry.discrete.symmetry import Side, free_coordinates
from algatt.symmetry.motions.solution import Connected
from algatt.symmetry.motions.solving import components
from algatt.symmetry.quotients.gains import fold_gains
from algatt.symmetry.symbolic.measure import types_of
from algatt.symmetry.symbolic.sides import sides_of


@functools.lru_cache(maxsize=16)
def large_motions(arch: Architecture) -> LargeMotions:
    """Return how the group of a network moves its tensors in standard position.

    Cost: that of its program and of its types, which does not depend on the widths.
    """
    reduction, folded, parts = folded_types(arch)
    moving = sides_of(folded, {})
    spaces: list[MatrixSpace] = []
    factors: list[Factors] = []
    unruled: list[Side] = []
    acting: Actions = {}
    for name, pair in folded.items():
        for axis, action in enumerate(pair):
            for space in dict.fromkeys(space for space, _ in action.terms):
                acting.setdefault(space, []).append(((name, axis), action))
    for part in parts:
        if any(space in moving for space in part.spaces):
            found = groups_of(part, reduction, acting)
            if found is None:
                unruled += (side for space in part.spaces for side, _ in acting.get(space, ()))
            here = [one for one in found or () if isinstance(one, MatrixSpace)]
            spaces += here
            unruled += (side.side for one in here if one.group == "commutant" for side in one.sides)
            factors += (one for one in found or () if isinstance(one, Factors))
    passing = tuple(one for one in spaces if one.group == "means")
    commutants = tuple(one for one in spaces if one.group == "commutant")
    seen = tuple(one for one in spaces if one.group not in ("means", "commutant"))
    coordinates = tuple(coordinates_of(arch, seen, factors))
    return LargeMotions(seen, coordinates, passing, commutants, tuple(moved_by_numbers(folded)), tuple(unruled))


@functools.lru_cache(maxsize=16)
def folded_types(
    arch: Architecture,
) -> tuple[Reduction, Mapping[str, tuple[Action, Action]], tuple[Connected, ...]]:
    """Return the equations of the types of a network with gains folded, what acts on the rows and columns of each
    tensor, and the components of the equations.
    """
    types = types_of(arch, program_of(arch))
    reduction = Reduction(types.equations)
    reduction.run()
    folded = {name: (reduction.fold(rows), reduction.fold(columns)) for name, (rows, columns) in types.actions.items()}
    parts = components(types.equations, (action for pair in folded.values() for action in pair))
    return reduction, folded, tuple(parts)


Actions = dict[Space, list[tuple[Side, Action]]]
"""For each space the sides of tensors on which it acts, each with what acts there."""


def moved_by_numbers(actions: Mapping[str, tuple[Action, Action]]) -> list[str]:
    """Return the tensors that numbers multiply which are on their two sides, and not each other's inverse."""
    found = []
    for name, (rows, columns) in actions.items():
        total = Counter(rows.scalars)
        total.update(columns.scalars)
        spaces = any(abs(coefficient) == 1 for action in (rows, columns) for coefficient in action.terms.values())
        if any(total.values()) and not spaces:  # multiples of one are among the matrices of a space
            found.append(name)
    return found


def groups_of(part: Connected, reduction: Reduction, actions: Actions) -> list[MatrixSpace | Factors] | None:
    """Return the groups of the spaces of a component, those of diagonal matrices as factors; None where there is no
    rule.
    """
    if part.scalars:
        return None
    known = SpaceConditions()
    for constraint in part.constraints:
        if not known.read(constraint, tuple(map(reduction.fold, constraint.actions)), reduction.diagonal):
            return None
    wholes = {S: sorted(row for chosen, *_ in listed for row in chosen) for S, listed in known.parts.items()}
    if any(rows != list(range(S.size)) for S, rows in wholes.items()):
        return None
    if known.centred:
        return centred_space(part, known, actions)
    free = [space for space in part.spaces if space not in known.parts and space not in known.means]
    if len(free) > 1 and not known.parts:
        return None
    found: list[MatrixSpace | Factors] = []
    for space, ends in known.means.items():
        passing = before_means(space, ends, actions, turned=False)
        found += [MatrixSpace(space.size, "means", passing, (), (passing,))] if passing else []
    for space in free:
        sides = [*sides_on(space, actions)]
        for whole, listed in known.parts.items():
            for chosen, piece, flipped, factor in listed:
                if piece is space:
                    for side in sides_on(whole, actions):
                        sides.append(None if side is None else side.within(chosen, flipped, factor))
        listed_sides = tuple(side for side in sides if side is not None)
        if len(listed_sides) < len(sides):
            return None
        if not listed_sides:
            continue
        if space in reduction.diagonal or any(whole in reduction.diagonal for whole in known.parts):
            one = factors_of(space, known, reduction, actions)
            if one is None:
                return None
            found += one
        elif space in known.turned or space in known.commuting:
            if space in known.skew:
                return None
            found.append(commuting_space(space, known, listed_sides))
        else:
            found.append(MatrixSpace(space.size, "orthogonal" if space in known.skew else "general", listed_sides))
    return found


def commuting_space(space: Space, known: SpaceConditions, sides: tuple[MovingSide, ...]) -> MatrixSpace:
    """Return the group of the matrices that commute with turns, or with other constants."""
    speeds, constants = known.turned.get(space, ()), tuple(known.commuting.get(space, ()))
    if not constants and pairs_of(speeds) is not None:
        return MatrixSpace(space.size, "turns", sides, speeds)
    turns = ((Turns(space.size, speeds), False),) if speeds else ()
    return MatrixSpace(space.size, "commutant", sides, constants=(*turns, *constants))


def factors_of(
    space: Space, known: SpaceConditions, reduction: Reduction, actions: Actions
) -> list[MatrixSpace | Factors] | None:
    """Return the numbers of diagonal matrices; None where there is no rule."""
    positive = space in {one for action in reduction.equations.positive for one, _ in reduction.fold(action).terms}
    if known.skew or known.commuting:
        return None
    if not known.parts:
        equal = pairs_of(known.turned.get(space, ()))
        return None if equal is None else [Factors(powers(space, actions), positive=positive, equal=equal)]
    pairs = {tuple(chosen) for listed in known.parts.values() for chosen, *_ in listed}
    if len(pairs) != 1 or space not in known.turned:
        return None
    (chosen,) = pairs
    turned = pairs_of(known.turned[space])
    if len(chosen) != space.size or turned is None:
        return None
    exponents: dict[Side, int] = {}
    for whole, listed in known.parts.items():
        for side, power in powers(whole, actions).items():
            exponents[side] = power * listed[0][3]
    equal = tuple((chosen[one], chosen[two]) for one, two in turned)
    return [Factors(exponents, positive=positive, equal=equal)]


def pairs_of(speeds: tuple[int, ...]) -> tuple[tuple[int, int], ...] | None:
    """Return the rows that are turned together, which diagonal matrices that commute with turns multiply by one number;
    None if some are not turned, or in the same way.
    """
    sizes = [abs(speed) for speed in speeds]
    if len(set(sizes)) < len(sizes) or 0 in sizes:
        return None
    return tuple((2 * pair, 2 * pair + 1) for pair in range(len(speeds)))


def centred_space(part: Connected, known: SpaceConditions, actions: Actions) -> list[MatrixSpace | Factors] | None:
    """Return the group of a stream of which means are subtracted: in standard position all its spaces move alike."""
    if not known.skew or known.turned or known.commuting or known.parts or known.means:
        return None
    turned = {part.spaces[0]: False}
    for _ in part.spaces:
        for one, other, flipped in known.centred:
            for first, second in ((one, other), (other, one)):
                if first in turned:
                    turned.setdefault(second, turned[first] != flipped)
    if len(turned) < len(part.spaces):
        return None
    sides = [
        None if side is None else dataclasses.replace(side, transposed=side.transposed != turned[space])
        for space in part.spaces
        for side in sides_on(space, actions)
    ]
    found = tuple(side for side in sides if side is not None)
    if len(found) < len(sides):
        return None
    before = tuple(
        before_means(space, known.ends[space], actions, turned=turned[space])
        for space in part.spaces
        if space not in known.skew
    )
    return [MatrixSpace(part.spaces[0].size, "centred", found, (), before)] if found else []


def before_means(space: Space, ends: set[bool], actions: Actions, *, turned: bool) -> tuple[MovingSide, ...]:
    """Return the sides of a matrix h with C h = k C, or of its transpose or inverse that it holds for, of which k is
    the transpose if it is turned; none if both C h = k C and h C = C k hold.
    """
    found = tuple(side for side in sides_on(space, actions) if side is not None)
    (left, *more) = ends
    return (
        ()
        if more
        else tuple(
            dataclasses.replace(side, transposed=side.transposed != left, inverse=side.inverse != (turned != left))
            for side in found
        )
    )


def sides_on(space: Space, actions: Actions) -> Iterator[MovingSide | None]:
    """Iterate over the sides on which a space acts; None for one on which it is not a matrix, an inverse or a
    transpose.
    """
    for (name, axis), action in actions.get(space, ()):
        (_, flipped), coefficient = next(iter(action.terms.items()))
        plain = len(action.terms) == 1 and coefficient in (1, -1)
        yield MovingSide(name, axis, coefficient == -1, flipped) if plain else None


def powers(space: Space, actions: Actions) -> dict[Side, int]:
    """Return the powers by which diagonal matrices of a space act on sides."""
    return {
        side: int(coefficient)
        for side, action in actions.get(space, ())
        for (one, _), coefficient in action.terms.items()
        if one is space
    }


def coordinates_of(
    arch: Architecture, spaces: Iterable[MatrixSpace], factors: Iterable[Factors]
) -> Iterator[Coordinates]:
    """Iterate over the rows and columns that are permuted, or multiplied by numbers, where no matrices act."""
    inside = {(side.tensor, side.axis) for space in spaces for side in space.sides}
    program, _ = fold_gains(program_of(arch))
    numbers = list(factors)
    odd = [{side for side, power in one.exponents.items() if power % 2} for one in numbers if not one.positive]
    for sides, _ in signed_sides(program):
        if inside.isdisjoint(sides) and set(sides) not in odd:
            numbers.append(Factors(dict.fromkeys(sides, 1), signs=True))
    gains = {one.name for one in verbs.members(GainSymmetry, arch)}
    for listed, size in free_coordinates(arch):
        sides = tuple(side for side in listed if side[0] not in gains)
        if sides and inside.isdisjoint(sides):
            own = [one for one in numbers if one.exponents.keys() <= set(sides)]
            numbers = [one for one in numbers if one not in own]
            yield Coordinates(size, sides, True, tuple(own))
    shapes = verbs.coordinates(arch)
    joined: list[tuple[set[Side], list[Factors]]] = []
    for one in numbers:
        together = [pair for pair in joined if not pair[0].isdisjoint(one.exponents)]
        rest = [pair for pair in joined if pair not in together]
        whole = set(one.exponents).union(*(sides for sides, _ in together))
        joined = [*rest, (whole, [*(each for _, others in together for each in others), one])]
    for whole, others in joined:
        name, axis = min(whole)
        yield Coordinates(shapes[name][axis], tuple(sorted(whole)), False, tuple(others))
