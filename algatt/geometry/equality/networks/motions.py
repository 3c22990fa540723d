r"""How the group of a network moves its tensors: unknown matrices on their sides, and unknown numbers in their entries.

A tensor W becomes :math:`G\, W H` with :math:`G = g^{\pm 1}` or its transpose, for the matrix g of a space, times
numbers: entry (i, j) is multiplied by :math:`\prod_k c_k^{e_{ik} + f_{jk}}`. Spaces in which only diagonal matrices
act are numbers alone.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.fields import Elements
from algatt.fields.motions import Action, Constraint, Diagonal, Intertwining, Ones, Scalar, Space, Vanishing
from algatt.geometry.equality.networks.monomials import product_of_powers
from algatt.geometry.equality.networks.straightening import (
    aligned,
    moves_means_only,
    straightened,
    summed_sides,
    with_summed_sides,
)
from algatt.symmetry.discrete.symmetry import Side, free_coordinates, free_signs
from algatt.symmetry.tensors_element import Sides
from algatt.symmetry.typed.solution import Solution
from algatt.symmetry.typed.symmetry import MovingSpace, spaces_of

__all__ = ["Block", "MatrixSide", "Motions", "SignFamily", "motions_of"]


@dataclass(frozen=True)
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

    def turned(self, axis: int) -> MatrixSide:
        """Return how the matrix acts on the transposed tensor, if it acts on the columns."""
        return self if axis == 0 else dataclasses.replace(self, transposed=not self.transposed)

    def matrix_of(self, G: Elements) -> Elements:
        """Return the g for which the matrix G stands on the side."""
        G = G.T if self.transposed else G
        return G if self.sign == 1 else verbs.inverse(G)


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

    @functools.cached_property
    def orthogonal(self) -> frozenset[Space]:
        """The spaces whose matrices are orthogonal, but for numbers; beside one that is, those that keep the vector of
        ones are.
        """
        found = {space for one in self.constraints if isinstance(one, Vanishing) for space, _ in one.action.terms}
        if found:
            found |= {
                space
                for one in self.constraints
                if isinstance(one, Intertwining) and isinstance(one.constant, Ones)
                for space, _ in one.left.terms
            }
        return frozenset(found)


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
        The matrices by which tensors in standard position move, by tensor and side (0 for rows).
    acting : dict of (str, int) to MatrixSide
        Those that act, which may lead out of it.
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
    acting: Mapping[Side, MatrixSide]
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

    def factors(self, side: Side, numbers: Sequence[Elements]) -> Elements | None:
        """Return the products of powers of numbers that multiply coordinates on a side, as a column; None for ones."""
        if not self.exponents[side].any():
            return None
        one = Elements.of(numbers[0].field, [[1]])
        products = [product_of_powers(one, numbers, row).raw[0, 0] for row in self.exponents[side].tolist()]
        return Elements(one.field, np.array(products).reshape(-1, 1).astype(one.raw.dtype))

    @functools.cached_property
    def cache(self) -> dict[str, tuple[list[tuple[int, ...]], np.ndarray]]:
        """The patterns that were asked for."""
        return {}

    def sides_of(self, matrices: Mapping[Space, Elements]) -> dict[str, Sides]:
        """Return the tensors that the matrices of spaces move, each with the matrices on its sides."""
        inverses = {space: verbs.inverse(g) for space, g in matrices.items()}
        found: dict[str, list[Elements | None]] = {}
        for (name, axis), side in self.matrices.items():
            if side.space in matrices:
                g = (matrices if side.sign == 1 else inverses)[side.space]
                found.setdefault(name, [None, None])[axis] = g.T if side.transposed else g
        return {name: Sides(name, *pair) for name, pair in found.items()}

    @functools.cached_property
    def block_of(self) -> dict[Space, int]:
        """The number of the block of each space."""
        return {space: number for number, block in enumerate(self.blocks) for space in block.spaces}


@functools.lru_cache(maxsize=64)
def motions_of(arch: Architecture) -> Motions:
    """Return how a subgroup of the group of an architecture moves its tensors: where means are subtracted, matrices
    keep the vector of ones.

    What else they do to that vector is not seen, or passed on by arrows, wherever what writes into a space and what
    reads it are in standard position. Where some tensors are in it and others are not, as they are read before means
    are subtracted, the first move by what is left of the matrices then.
    """
    summed = summed_sides(arch)
    shapes = {name: ((1, 1) + tuple(shape))[-2:] for name, shape in verbs.coordinates(arch).items()}
    weights: list[dict[tuple[str, int, int], int]] = []  # for each number, its exponents by tensor, side and row
    positive: list[int] = []
    scalars: dict[Scalar, int] = {}
    blocks: list[Block] = []
    matrices: dict[Side, MatrixSide] = {}
    acting: dict[Side, MatrixSide] = {}
    unsolved: list[str] = []
    owners: list[str] = []
    diagonal: list[int] = []
    for moving in spaces_of(arch):
        if moving.solution.diagonal:
            start = len(weights)
            weights += diagonal_weights(moving.solution)
            diagonal += range(start, len(weights))
            positive += range(start, len(weights)) if moving.solution.positive else ()
        else:
            moving = dataclasses.replace(moving, solution=aligned(moving.solution))
            solution, seen = with_summed_sides(moving.solution, summed)
            if moves_means_only(solution) and not seen:
                continue
            straight = straightened(solution, seen)
            found, whole = (sides_of_block(straightened(one, seen)) for one in (solution, moving.solution))
            if found is None or whole is None:
                unsolved.append(moving.name)
                continue
            matrices.update(found)
            acting.update(whole)
            moving = dataclasses.replace(moving, solution=straight)
            scale = len(weights)
            weights += block_weights(moving, found, shapes, scalars, scale)
            if moving.solution.positive:
                positive += range(scale + 1, len(weights))
            component = moving.solution.component
            blocks.append(Block(component.spaces, component.constraints, scale, moving))
        owners += [moving.name] * (len(weights) - len(owners))
    diagonal = [number for number in diagonal if number not in positive]
    for number, entries in zip(diagonal, with_roots([weights[number] for number in diagonal]), strict=True):
        weights[number] = entries
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
        acting=acting,
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


def with_roots(fields: list[dict[tuple[str, int, int], int]]) -> list[dict[tuple[str, int, int], int]]:
    """Return the exponents of numbers that multiply by all that others do, and of which these are products of powers:
    a square of g that types find may be that of a number.
    """
    places = list(dict.fromkeys(place for field in fields for place in field))
    basis = saturated(np.array([[field.get(place, 0) for place in places] for field in fields], dtype=np.int64))
    return [{place: value for place, value in zip(places, row, strict=True) if value} for row in basis]


def saturated(rows: np.ndarray) -> list[list[int]]:
    """Return a basis of all integer vectors that are combinations, over Q, of independent ones."""
    import flint

    alone = np.count_nonzero(rows, axis=0) == 1
    if np.all((np.abs(rows[:, alone]) == 1).any(axis=1)):
        found: list[list[int]] = rows.tolist()
        return found
    form = flint.fmpz_mat(np.unique(rows, axis=1).T.tolist()).hnf()
    count = len(rows)
    triangle = flint.fmpz_mat([[form[i, j] for i in range(count)] for j in range(count)])
    product = flint.fmpq_mat(triangle).inv() * flint.fmpq_mat(flint.fmpz_mat(rows.tolist()))
    return [[int(entry.p) for entry in row] for row in product.tolist()]


def beside_permutations(blocks: Iterable[Block]) -> set[Space]:
    """Return the spaces whose matrices do not permute coordinates: they change means alone, permutations the rest."""
    return {space for block in blocks if moves_means_only(block.moving.solution) for space in block.spaces}


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
