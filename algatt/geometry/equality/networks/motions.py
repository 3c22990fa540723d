r"""How the group of a network moves its tensors: unknown matrices on their sides, and unknown numbers in their entries.

A tensor W becomes :math:`G\, W H` with :math:`G = g^{\pm 1}` or its transpose, for the matrix g of a space, times
numbers: entry (i, j) is multiplied by :math:`\prod_k c_k^{e_{ik} + f_{jk}}`. Spaces in which only diagonal matrices
act are numbers alone.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.fields.types import Action, Centring, Constraint, Diagonal, Intertwining, Ones, Scalar, Space, Vanishing
from algatt.symmetry import ShiftSymmetry
from algatt.symmetry.discrete.symmetry import Side, free_coordinates, free_signs
from algatt.symmetry.typed.solution import Solution
from algatt.symmetry.typed.symmetry import MovingSpace, spaces_of

__all__ = ["Block", "MatrixSide", "Motions", "SignFamily", "motions_of"]


@dataclass(frozen=True, eq=False)
class MatrixSide:
    """The matrix of a space on one side of a tensor.

    Parameters
    ----------
    space : Space
        The space.
    transposed : bool
        Whether it is transposed.
    sign : int
        1, or -1 for its inverse.
    """

    space: Space
    transposed: bool
    sign: int


@dataclass(frozen=True, eq=False)
class Block:
    """Spaces whose matrices are solved for together, as constraints join them.

    Parameters
    ----------
    spaces : tuple of Space
        The spaces.
    constraints : tuple of Constraint
        The constraints on them.
    scale : int
        The number by which all their matrices may be multiplied.
    moving : MovingSpace
        Where they are from.
    """

    spaces: tuple[Space, ...]
    constraints: tuple[Constraint, ...]
    scale: int
    moving: MovingSpace


@dataclass(frozen=True)
class SignFamily:
    """Numbers that have to be 1 or -1, one for each coordinate.

    Parameters
    ----------
    sides : tuple of (str, int)
        The sides of tensors whose coordinates they multiply.
    numbers : range
        The numbers.
    """

    sides: tuple[Side, ...]
    numbers: range


@dataclass(frozen=True, eq=False)
class Motions:
    """How the group of a network moves its tensors.

    Parameters
    ----------
    numbers : int
        How many unknown numbers there are.
    positive : tuple of int
        Those that have to be positive.
    signs : tuple of SignFamily
        Those that have to be 1 or -1, by the sides of tensors that they act on.
    scalars : dict of Scalar to int
        The numbers that scalars of blocks are.
    blocks : tuple of Block
        The spaces with other groups than diagonal matrices.
    matrices : dict of (str, int) to MatrixSide
        The matrices, by tensor and side (0 for rows).
    exponents : dict of (str, int) to ndarray
        For each row, or column, of a tensor the exponents of the numbers.
    classes : tuple of tuple of (str, int)
        Sides of tensors whose coordinates are permuted together.
    unsolved : tuple of str
        The names of spaces that are not solved for.
    owners : tuple of str
        For each number the space that it belongs to.
    """

    numbers: int
    positive: tuple[int, ...]
    signs: tuple[SignFamily, ...]
    scalars: Mapping[Scalar, int]
    blocks: tuple[Block, ...]
    matrices: Mapping[Side, MatrixSide]
    exponents: Mapping[Side, np.ndarray]
    classes: tuple[tuple[Side, ...], ...]
    unsolved: tuple[str, ...]
    owners: tuple[str, ...]

    @functools.cached_property
    def class_of(self) -> dict[Side, int]:
        """The number of the class of each side that has one."""
        return {side: number for number, sides in enumerate(self.classes) for side in sides}

    def patterns(self, name: str) -> tuple[list[tuple[int, ...]], np.ndarray]:
        """Return the different exponents that the entries of a tensor have, and the number of those of each entry."""
        if name not in self.cache:
            rows, columns = (self.exponents[name, axis] for axis in (0, 1))
            keys: dict[tuple[int, ...], int] = {}
            numbers = [[keys.setdefault(tuple(entry), len(keys)) for entry in (row + columns).tolist()] for row in rows]
            self.cache[name] = list(keys), np.array(numbers)
        return self.cache[name]

    @functools.cached_property
    def cache(self) -> dict[str, tuple[list[tuple[int, ...]], np.ndarray]]:
        """The patterns that were asked for."""
        return {}

    @functools.cached_property
    def block_of(self) -> dict[Space, int]:
        """The number of the block of each space."""
        return {space: number for number, block in enumerate(self.blocks) for space in block.spaces}

    def is_orthogonal(self, space: Space) -> bool:
        """Return whether the matrices of a space are orthogonal, but for numbers."""
        return any(
            isinstance(one, Vanishing) and any(space == term for term, _ in one.action.terms)
            for one in self.blocks[self.block_of[space]].constraints
        )


@functools.lru_cache(maxsize=64)
def motions_of(arch: Architecture, *, keeps_means: bool = False) -> Motions:
    """Return how the group of an architecture moves its tensors; with `keeps_means` a subgroup: where means are
    subtracted, matrices keep the vector of ones.

    What else they do to that vector is not seen, or passed on by arrows, wherever what writes into a space and what
    reads it are in standard position. Where some tensors are in it and others are not, as they are read before means are
    subtracted, the first move by what is left of the matrices then.
    """
    summed = summed_sides(arch)
    shapes = {name: ((1, 1) + tuple(shape))[-2:] for name, shape in verbs.coordinates(arch).items()}
    weights: list[dict[tuple[str, int, int], int]] = []  # for each number, its exponents by tensor, side and row
    positive: list[int] = []
    scalars: dict[Scalar, int] = {}
    blocks: list[Block] = []
    matrices: dict[Side, MatrixSide] = {}
    unsolved: list[str] = []
    owners: list[str] = []
    for moving in spaces_of(arch):
        if moving.solution.diagonal:
            start = len(weights)
            weights += diagonal_weights(moving.solution)
            positive += range(start, len(weights)) if moving.solution.positive else ()
        else:
            solution, seen = with_summed_sides(moving.solution, summed)
            if keeps_means and moves_means_only(solution) and not seen:
                continue
            straight = straightened(solution, keeps_means, seen)
            found = sides_of_block(straight)
            if found is None:
                unsolved.append(moving.name)
                continue
            matrices.update(found)
            moving = dataclasses.replace(moving, solution=straight)
            scale = len(weights)
            weights += block_weights(moving, found, shapes, scalars, scale)
            if moving.solution.positive:
                positive += range(scale + 1, len(weights))
            component = moving.solution.component
            blocks.append(Block(component.spaces, component.constraints, scale, moving))
        owners += [moving.name] * (len(weights) - len(owners))
    signs = []
    for sides, size in free_signs(arch):
        signs.append(SignFamily(sides, range(len(weights), len(weights) + size)))
        weights += [{(*side, i): 1 for side in sides} for i in range(size)]
        owners += [sides[0][0]] * size
    exponents = {
        (name, axis): np.zeros((size, len(weights)), dtype=np.int64)
        for name, shape in shapes.items()
        for axis, size in enumerate(shape)
    }
    for number, entries in enumerate(weights):
        for (name, axis, place), value in entries.items():
            exponents[name, axis][place, number] += value
    closed = {side for side, matrix in matrices.items() if matrix.space not in beside_permutations(blocks)}
    classes = tuple(sides for sides, _ in free_coordinates(arch) if closed.isdisjoint(sides))
    return Motions(
        numbers=len(weights),
        positive=tuple(positive),
        signs=tuple(signs),
        scalars=scalars,
        blocks=tuple(blocks),
        matrices=matrices,
        exponents=exponents,
        classes=classes,
        unsolved=tuple(unsolved),
        owners=tuple(owners),
    )


def diagonal_weights(solution: Solution) -> list[dict[tuple[str, int, int], int]]:
    """Return the exponents of the number of each vector field of a solution."""
    return [
        {
            (name, axis, i): value
            for name, moved in field.items()
            for axis, entries in enumerate((moved.rows, moved.columns))
            for (i, _), value in entries.items()
        }
        for field in solution.fields
    ]


def beside_permutations(blocks: Iterable[Block]) -> set[Space]:
    """Return the spaces whose matrices do not permute coordinates: they change means alone, permutations the rest."""
    return {space for block in blocks if moves_means_only(block.moving.solution) for space in block.spaces}


def moves_means_only(solution: Solution) -> bool:
    """Return whether matrices change nothing but means that are subtracted afterwards."""
    constraints = solution.component.constraints
    return bool(constraints) and all(
        isinstance(one, Intertwining)
        and isinstance(one.constant, Centring)
        and sorted(len(action.terms) for action in one.actions) == [0, 1]
        and not any(action.scalars for action in one.actions)
        for one in constraints
    )


def summed_sides(arch: Architecture) -> set[Side]:
    """Return the sides of tensors to which anything may be added alike: in standard position they add up to zero."""
    return {
        (family.shift.tensor, int(family.shift.kind == "columns"))
        for family in verbs.symmetries(arch)
        if isinstance(family, ShiftSymmetry) and not family.shift.conditions
    }


def with_summed_sides(solution: Solution, summed: set[Side]) -> tuple[Solution, Set[Space]]:
    """Return a solution with the spaces of which means are subtracted, and also read as they are by some tensors: in
    others, whose sums are zero, h acts as k does, for k C = C h.
    """
    actions = dict(solution.actions)
    seen = set()
    constraints = solution.component.constraints
    orthogonal = {space for one in constraints if isinstance(one, Vanishing) for space, _ in one.action.terms}
    for one in constraints:
        if not isinstance(one, Intertwining) or not isinstance(one.constant, Centring) or len(one.right.terms) != 1:
            continue
        ((space, _),) = one.right.terms
        sides = {
            (name, axis): action
            for name, pair in solution.actions.items()
            for axis, action in enumerate(pair)
            if any(space == term for term, _ in action.terms)
        }
        if space in orthogonal or summed.issuperset(sides) or one.left.scalars or one.right.scalars:
            continue
        seen.add(space)
        for (name, axis), action in sides.items():
            h, k = (one.right, one.left) if axis == 0 else (one.right.T, one.left.T)
            if (name, axis) in summed and action.terms == h.terms:
                pair = list(actions[name])
                pair[axis] = Action(action.size, k.terms, action.scalars)
                actions[name] = pair[0], pair[1]
    return dataclasses.replace(solution, actions=actions), seen


def straightened(solution: Solution, keeps_means: bool, seen: Set[Space]) -> Solution:
    """Return a solution in which orthogonal matrices stand for their inverses' transposes, so that they have
    coefficient 1, with the constraints of `motions_of`; for spaces of which the means are seen there are none.
    """
    component = solution.component
    orthogonal = {
        space
        for one in component.constraints
        if isinstance(one, Vanishing) and len(one.action.terms) == 2 and not one.action.scalars
        for space, _ in one.action.terms
    }

    def straight(action: Action) -> Action:
        terms: dict[tuple[Space, bool], int | Fraction] = {}
        for (space, transposed), c in action.terms.items():
            key = (space, not transposed) if space in orthogonal and c < 0 else (space, transposed)
            turned = -c if key[1] != transposed else c
            terms[key] = terms.get(key, 0) + turned
        return Action(action.size, terms, action.scalars)

    constraints: list[Constraint] = []
    for one in component.constraints:
        if not isinstance(one, Intertwining):
            constraints.append(one)
            continue
        now = Intertwining(straight(one.left), one.constant, straight(one.right))
        constraints.append(now)
        if keeps_means and isinstance(one.constant, Centring):
            for action in now.actions:
                if len(action.terms) == 1 and not action.scalars and seen.isdisjoint(space for space, _ in action.terms):
                    constraints.append(Intertwining(action, Ones(action.size, 1), Action(1)))
    actions = {name: (straight(rows), straight(columns)) for name, (rows, columns) in solution.actions.items()}
    component = dataclasses.replace(component, constraints=tuple(constraints))
    return dataclasses.replace(solution, component=component, actions=actions)


def sides_of_block(solution: Solution) -> dict[Side, MatrixSide] | None:
    """Return the matrices on the sides of tensors, or None if one is more than a matrix, its inverse or transpose."""
    spaces = set(solution.component.spaces)
    found = {}
    for name, pair in solution.actions.items():
        for axis, action in enumerate(pair):
            own = [(term, coefficient) for term, coefficient in action.terms.items() if term[0] in spaces]
            if not own:
                continue
            if len(action.terms) > 1 or abs(own[0][1]) != 1:
                return None
            (space, transposed), coefficient = own[0]
            found[name, axis] = MatrixSide(space, transposed, int(coefficient))
    constraints = solution.component.constraints
    fitting = all(is_solvable(constraint) for constraint in constraints)
    if solution.positive and any(isinstance(constraint, Diagonal) for constraint in constraints):
        return None  # signs of single coordinates of such a space are not told
    whole = all(
        coefficient == int(coefficient)
        for pair in solution.actions.values()
        for action in pair
        for scalar, coefficient in action.scalars.items()
        if scalar in solution.component.scalars
    )
    return found if fitting and whole else None


def is_solvable(constraint: Constraint) -> bool:
    """Return whether the elements of the group satisfy linear equations, and one of the form g g^T = 1."""
    if isinstance(constraint, Diagonal):
        return len(constraint.action.terms) == 1
    if isinstance(constraint, Vanishing):
        terms = constraint.action.terms
        first = next(iter(terms.values()))
        whole = all(c / first == int(c / first) for c in constraint.action.scalars.values())
        return len(terms) == 2 and len({space for space, _ in terms}) == 1 and len(set(terms.values())) == 1 and whole
    if isinstance(constraint, Intertwining):
        signs = {c for action in constraint.actions for c in action.terms.values()}
        single = all(len(action.terms) <= 1 for action in constraint.actions)
        return single and len(signs) == 1 and signs <= {1, -1} and not any(one.scalars for one in constraint.actions)
    return False


def block_weights(
    moving: MovingSpace,
    sides: Mapping[Side, MatrixSide],
    shapes: Mapping[str, tuple[int, ...]],
    scalars: dict[Scalar, int],
    scale: int,
) -> list[dict[tuple[str, int, int], int]]:
    """Return the exponents of the scale of a block, and of its scalars, and enter these."""
    weights: list[dict[tuple[str, int, int], int]] = [{}]
    for (name, axis), side in sides.items():
        weights[0].update({(name, axis, i): side.sign for i in range(shapes[name][axis])})
    for scalar in moving.solution.component.scalars:
        scalars[scalar] = scale + len(weights)
        weights.append(
            {
                (name, axis, i): int(action.scalars[scalar])
                for name, pair in moving.solution.actions.items()
                for axis, action in enumerate(pair)
                if scalar in action.scalars
                for i in range(shapes[name][axis])
            }
        )
    return weights


def action_side(action: Action) -> MatrixSide:
    """Return the matrix that an action of one term stands for."""
    ((space, transposed), coefficient), *_ = action.terms.items()
    return MatrixSide(space, transposed, int(coefficient))
