"""How the group of a network of any size moves its tensors, without entries of its matrices.

The types of the network say on which sides of tensors each of its spaces acts, and rules for whole matrices what group
that is, as in docs/theory/symbolic_types.md. Rows and columns that may be permuted, signs, and gains and shifts that
are brought into standard position, are those of docs/theory/elements.md.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.fields.types import (
    Action,
    Centring,
    Constraint,
    Diagonal,
    Intertwining,
    Selection,
    Space,
    Turns,
    Vanishing,
)
from algatt.symmetry import GainSymmetry
from algatt.symmetry.arrows.gains import fold_gains
from algatt.symmetry.discrete.signs import signed_sides
from algatt.symmetry.discrete.symmetry import Side, free_coordinates
from algatt.symmetry.symbolic.arrows import Arrow, Arrows
from algatt.symmetry.symbolic.measure import sides_of, types_of_architecture
from algatt.symmetry.symbolic.reduction import Reduction
from algatt.symmetry.typed.components import Component, components

__all__ = ["Coordinates", "Factors", "LargeMotions", "MatrixSpace", "MovingSide", "large_motions"]


@dataclass(frozen=True)
class MovingSide:
    """Where a matrix g acts on a tensor.

    Parameters
    ----------
    tensor : str
        The name of the tensor.
    axis : int
        0 if it multiplies the rows, from the left; 1 if the columns, from the right.
    inverse, transposed : bool
        Whether it is the inverse of g, and whether its transpose.
    part : tuple of int or None
        The rows, or columns, that it multiplies; None for all.
    """

    tensor: str
    axis: int
    inverse: bool
    transposed: bool
    part: tuple[int, ...] | None = None

    def within(self, chosen: tuple[int, ...], flipped: bool, factor: int) -> MovingSide:
        """Return the side of another matrix, that acts on some rows, transposed or not, and inverse for a factor -1."""
        return MovingSide(self.tensor, self.axis, self.inverse != (factor == -1), self.transposed != flipped, chosen)


@dataclass(frozen=True, eq=False)
class MatrixSpace:
    """A space in which matrices act.

    Parameters
    ----------
    size : int
        Their number of rows.
    group : str
        ``general``: all invertible ones; ``orthogonal``: those with g g^T = 1; ``centred``: those of them that keep
        the vector of ones; ``turns``: those that commute with turns of pairs of rows, 2 f with 2 f + 1.
    sides : tuple of MovingSide
        Where they act.
    speeds : tuple of int
        How fast each pair is turned, for ``turns``.
    """

    size: int
    group: str
    sides: tuple[MovingSide, ...]
    speeds: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """The space by the first tensor that it moves."""
        first = self.sides[0]
        return f"{'rows' if first.axis == 0 else 'columns'} of {first.tensor}"


@dataclass(frozen=True, eq=False)
class Factors:
    """Numbers, one for each coordinate, whose powers multiply rows and columns of tensors.

    Parameters
    ----------
    exponents : dict of (str, int) to int
        The powers by side.
    signs, positive : bool
        Whether the numbers have to be 1 or -1, and whether they have to be positive.
    equal : tuple of tuple of int
        Coordinates that have the same number.
    """

    exponents: Mapping[Side, int]
    signs: bool = False
    positive: bool = False
    equal: tuple[tuple[int, ...], ...] = ()

    def admitted(self, numbers: np.ndarray) -> np.ndarray:
        """Return the numbers of the group that are nearest to some that were measured."""
        if self.signs:
            return 1.0 - 2.0 * (numbers < 0)
        numbers = np.abs(numbers) if self.positive else numbers.copy()
        for places in self.equal:
            numbers[list(places)] = numbers[list(places)].mean()
        return numbers


@dataclass(frozen=True, eq=False)
class Coordinates:
    """Rows and columns of tensors that are in one order, and may be permuted and multiplied by numbers.

    Parameters
    ----------
    size : int
        How many there are.
    sides : tuple of (str, int)
        The rows (0) and columns (1) of tensors.
    permuted : bool
        Whether they may be permuted.
    factors : tuple of Factors
        By what they may be multiplied.
    """

    size: int
    sides: tuple[Side, ...]
    permuted: bool
    factors: tuple[Factors, ...] = ()

    @property
    def name(self) -> str:
        """The coordinates by the first tensor that has them."""
        tensor, axis = self.sides[0]
        return f"{'rows' if axis == 0 else 'columns'} of {tensor}"


@dataclass(frozen=True, eq=False)
class LargeMotions:
    """How the group of a network moves its tensors in standard position.

    Parameters
    ----------
    spaces : tuple of MatrixSpace
        Where matrices act.
    coordinates : tuple of Coordinates
        What is permuted, and multiplied by numbers.
    unsolved : tuple of str
        Tensors of spaces whose groups no rule tells, so that they are taken not to move.
    """

    spaces: tuple[MatrixSpace, ...]
    coordinates: tuple[Coordinates, ...]
    unsolved: tuple[str, ...]

    @functools.cached_property
    def spaces_by_side(self) -> dict[Side, list[tuple[MatrixSpace, MovingSide]]]:
        """The spaces whose matrices act on each side of a tensor."""
        found: dict[Side, list[tuple[MatrixSpace, MovingSide]]] = {}
        for space in self.spaces:
            for side in space.sides:
                found.setdefault((side.tensor, side.axis), []).append((space, side))
        return found

    @functools.cached_property
    def coordinates_by_side(self) -> dict[Side, Coordinates]:
        """The coordinates of each side of a tensor that has such."""
        return {side: one for one in self.coordinates for side in one.sides}


@functools.lru_cache(maxsize=16)
def large_motions(arch: Architecture) -> LargeMotions:
    """Return how the group of a network moves its tensors in standard position.

    Cost: that of its program and of its types, which does not depend on the widths.
    """
    shapes = verbs.coordinates(arch)
    gains = tuple(Arrow(one.name, (), shapes[one.name][0]) for one in verbs.members(GainSymmetry, arch))
    equations, actions = types_of_architecture(arch, Arrows(gains))
    reduction = Reduction(equations)
    reduction.run()
    folded = {name: (reduction.fold(rows), reduction.fold(columns)) for name, (rows, columns) in actions.items()}
    moving = sides_of(folded, {})
    spaces: list[MatrixSpace] = []
    factors: list[Factors] = []
    unsolved = moved_by_numbers(folded)
    for part in components(equations, (action for pair in folded.values() for action in pair)):
        if any(space in moving for space in part.spaces):
            found = groups_of(part, reduction, folded)
            if found is None:
                unsolved += dict.fromkeys(side.tensor for space in part.spaces for side in moving.get(space, ()))
            else:
                spaces += (one for one in found if isinstance(one, MatrixSpace))
                factors += (one for one in found if isinstance(one, Factors))
    return LargeMotions(tuple(spaces), tuple(coordinates_of(arch, spaces, factors)), tuple(dict.fromkeys(unsolved)))


Actions = Mapping[str, tuple[Action, Action]]


def moved_by_numbers(actions: Actions) -> list[str]:
    """Return the tensors that numbers multiply which are on their two sides, and not each other's inverse."""
    found = []
    for name, (rows, columns) in actions.items():
        total = Counter(rows.scalars)
        total.update(columns.scalars)
        spaces = any(abs(coefficient) == 1 for action in (rows, columns) for coefficient in action.terms.values())
        if any(total.values()) and not spaces:  # multiples of one are among the matrices of a space
            found.append(name)
    return found


@dataclass
class Conditions:
    """What the constraints of a component say of its spaces.

    Attributes
    ----------
    skew, means : set of Space
        Spaces of skew matrices, and those that move nothing but means which are subtracted.
    turned : dict of Space to tuple of int
        The speeds of turns that a space commutes with.
    centred : bool
        Whether some are the same but for means.
    parts : dict of Space to list of (tuple of int, Space, bool, int)
        Spaces that are direct sums: the rows, the space that acts on these, whether it is transposed, and its factor.
    """

    skew: set[Space] = field(default_factory=set)
    means: set[Space] = field(default_factory=set)
    turned: dict[Space, tuple[int, ...]] = field(default_factory=dict)
    centred: bool = False
    parts: dict[Space, list[tuple[tuple[int, ...], Space, bool, int]]] = field(default_factory=dict)

    def read(self, constraint: Constraint, actions: tuple[Action, ...], diagonal: set[Space]) -> bool:
        """Take a constraint up, and return whether there is a rule for it."""
        about = {space for action in actions for space, _ in action.terms}
        if any(action.scalars or len(action.terms) > 2 for action in actions):
            return False
        if isinstance(constraint, Diagonal):
            return about <= diagonal
        if isinstance(constraint, Vanishing):
            self.skew |= about
            return len(about) == 1 and len(actions[0].terms) == 2 and len(set(actions[0].terms.values())) == 1
        if not isinstance(constraint, Intertwining) or any(len(action.terms) > 1 for action in actions):
            return False
        if isinstance(constraint.constant, Turns) and len(about) == 1 and actions[0].terms == actions[1].terms:
            (space,) = about
            return self.turned.setdefault(space, constraint.constant.speeds) == constraint.constant.speeds
        if isinstance(constraint.constant, Centring):
            if len(about) == 1 and any(action.zero for action in actions):
                self.means |= about
            else:
                self.centred = True
            return True
        if isinstance(constraint.constant, Selection) and all(action.terms for action in actions):
            return self.read_part(constraint.constant, *actions)
        return False

    def read_part(self, selection: Selection, left: Action, right: Action) -> bool:
        """Take up that a space has another one in some of its rows and columns."""
        whole, piece = (left, right) if selection.transposed else (right, left)
        (((S, flipped), factor),), (((P, turned), own),) = whole.terms.items(), piece.terms.items()
        ratio = own * factor  # both are 1 or -1
        if {abs(own), abs(factor)} != {1} or S is P:
            return False
        found = (selection.chosen, P, flipped != turned, int(ratio))
        listed = self.parts.setdefault(S, [])
        if found not in listed:
            listed.append(found)
        return len({chosen for chosen, *_ in listed}) == len(listed)


def groups_of(part: Component, reduction: Reduction, actions: Actions) -> list[MatrixSpace | Factors] | None:
    """Return the groups of the spaces of a component, those of diagonal matrices as factors; None where there is no
    rule.
    """
    if part.scalars:
        return None
    known = Conditions()
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
    for space in free:
        sides = [*acting(space, actions)]
        for whole, listed in known.parts.items():
            for chosen, piece, flipped, factor in listed:
                if piece is space:
                    for side in acting(whole, actions):
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
        elif space in known.turned:
            speeds = [abs(speed) for speed in known.turned[space]]
            if space in known.skew or len(set(speeds)) < len(speeds) or 0 in speeds:
                return None
            found.append(MatrixSpace(space.size, "turns", listed_sides, known.turned[space]))
        else:
            found.append(MatrixSpace(space.size, "orthogonal" if space in known.skew else "general", listed_sides))
    return found


def factors_of(
    space: Space, known: Conditions, reduction: Reduction, actions: Actions
) -> list[MatrixSpace | Factors] | None:
    """Return the numbers of diagonal matrices; None where there is no rule."""
    positive = space in {one for action in reduction.equations.positive for one, _ in reduction.fold(action).terms}
    if known.skew:
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


def centred_space(part: Component, known: Conditions, actions: Actions) -> list[MatrixSpace | Factors] | None:
    """Return the group of a stream of which means are subtracted: in standard position all its spaces move alike."""
    if not known.skew or known.turned or known.parts or known.means:
        return None
    sides = [side for space in part.spaces for side in acting(space, actions)]
    found = tuple(side for side in sides if side is not None)
    if len(found) < len(sides):
        return None
    return [MatrixSpace(part.spaces[0].size, "centred", found)] if found else []


def acting(space: Space, actions: Actions) -> Iterator[MovingSide | None]:
    """Iterate over the sides on which a space acts; None for one on which it is not a matrix, an inverse or a
    transpose.
    """
    for name, pair in actions.items():
        for axis, action in enumerate(pair):
            own = [(flipped, coefficient) for (one, flipped), coefficient in action.terms.items() if one is space]
            if own:
                plain = len(own) == 1 and len(action.terms) == 1 and own[0][1] in (1, -1)
                yield MovingSide(name, axis, own[0][1] == -1, own[0][0]) if plain else None


def powers(space: Space, actions: Actions) -> dict[Side, int]:
    """Return the powers by which diagonal matrices of a space act on sides."""
    return {
        (name, axis): int(coefficient)
        for name, pair in actions.items()
        for axis, action in enumerate(pair)
        for (one, _), coefficient in action.terms.items()
        if one is space
    }


def coordinates_of(
    arch: Architecture, spaces: Iterable[MatrixSpace], factors: Iterable[Factors]
) -> Iterator[Coordinates]:
    """Iterate over the rows and columns that are permuted, or multiplied by numbers, where no matrices act."""
    inside = {(side.tensor, side.axis) for space in spaces for side in space.sides}
    program, _ = fold_gains(verbs.program(arch))
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
