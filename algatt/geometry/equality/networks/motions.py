r"""How the group of a network moves its tensors: unknown matrices on their sides, and unknown numbers in their entries.

A tensor W becomes :math:`G\, W H` with :math:`G = g^{\pm 1}` or its transpose, for the matrix g of a space, times
numbers: entry (i, j) is multiplied by :math:`\prod_k c_k^{e_{ik} + f_{jk}}`. Spaces in which only diagonal matrices
act are numbers alone.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.fields import Elements
from algatt.geometry.equality.large.motions import MatrixSpace, MovingSide, by_side
from algatt.geometry.equality.large.spaces import large_motions
from algatt.geometry.equality.networks.monomials import product_of_powers
from algatt.symmetry import ShiftSymmetry
from algatt.symmetry.discrete.symmetry import Side, free_coordinates, free_signs
from algatt.symmetry.motions.solution import Solution
from algatt.symmetry.spaces import spaces_of
from algatt.symmetry.tensors_element import Sides


@dataclass(frozen=True, eq=False)
class GroupMotions:
    """How the group of a network moves its tensors.

    Parameters
    ----------
    numbers : int
        How many unknown numbers there are.
    positive : tuple of int
        Those that have to be positive.
    signs : frozenset of int
        Those that have to be 1 or -1.
    spaces : dict of MatrixSpace to int
        Where matrices act that are not diagonal, each with the number by which they may be multiplied.
    before_means : dict of MatrixSpace to MatrixSpace or None
        For the spaces of matrices h that are seen before means are subtracted, the space of k with C h = k C for the
        centring matrix C; None if k is a number.
    passed : dict of (str, int) to (MatrixSpace, MovingSide)
        Where they act on tensors that they lead out of standard position: in it these move by k.
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
    signs: frozenset[int]
    spaces: Mapping[MatrixSpace, int]
    before_means: Mapping[MatrixSpace, MatrixSpace | None]
    passed: Mapping[Side, tuple[MatrixSpace, MovingSide]]
    exponents: Mapping[Side, np.ndarray]
    classes: tuple[tuple[Side, ...], ...]
    unsolved: tuple[str, ...]
    owners: tuple[str, ...]

    @functools.cached_property
    def class_of(self) -> dict[Side, int]:
        """The number of the class of each side that has one."""
        return {side: number for number, sides in enumerate(self.classes) for side in sides}

    @functools.cached_property
    def by_side(self) -> dict[Side, list[tuple[MatrixSpace, MovingSide]]]:
        """The spaces whose matrices act on each side of a tensor."""
        return by_side(self.spaces)

    def on_side(
        self, side: Side, matrices: Mapping[MatrixSpace, Elements], inverses: Mapping[MatrixSpace, Elements]
    ) -> Elements | None:
        """Return the matrix that a side of a tensor is multiplied by, of the spaces that are known; None for the
        identity.
        """
        found = None
        for space, one in self.by_side.get(side, ()):
            if space in matrices:
                g = (inverses if one.inverse else matrices)[space]
                g = g.T if one.transposed else g
                if one.part is None:
                    return g
                size = len(self.exponents[side])
                raw = Elements.of(g.field, np.eye(size, dtype=np.int64)).raw.copy() if found is None else found.raw
                raw[np.ix_(one.part, one.part)] = g.raw
                found = Elements(g.field, raw)
        return found

    @property
    def leading(self) -> list[MatrixSpace]:
        """The spaces that are solved for, each with the one that belongs to it."""
        return [space for space in self.spaces if space not in self.before_means.values()]

    def name(self, space: MatrixSpace) -> str:
        """Return the name of a space."""
        return self.owners[self.spaces[space]]

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
        rows, places = self.different_rows[side]
        products = [product_of_powers(one, numbers, row).raw[0, 0] for row in rows]
        return Elements(one.field, np.array(products).astype(one.raw.dtype)[places])

    @functools.cached_property
    def different_rows(self) -> dict[Side, tuple[list[list[int]], np.ndarray]]:
        """The different exponents of the rows, or columns, of each side, and which of them each has, as a column."""
        found = {}
        for side, exponents in self.exponents.items():
            rows, places = np.unique(exponents, axis=0, return_inverse=True)
            found[side] = rows.tolist(), places.reshape(-1, 1)
        return found

    @functools.cached_property
    def cache(self) -> dict[str, tuple[list[tuple[int, ...]], np.ndarray]]:
        """The patterns that were asked for."""
        return {}

    def sides_of(self, matrices: Mapping[MatrixSpace, Elements]) -> dict[str, Sides]:
        """Return the tensors that the matrices of spaces move, each with the matrices on its sides."""
        inverses = {space: verbs.inverse(g) for space, g in matrices.items()}
        names = dict.fromkeys(side.tensor for space in matrices for side in space.sides)
        return {
            name: Sides(name, *(self.on_side((name, axis), matrices, inverses) for axis in (0, 1))) for name in names
        }


def matrix_from(side: MovingSide, G: Elements) -> Elements:
    """Return the g for which the matrix G stands on the rows of a side."""
    G = G.T if side.turned else G
    return verbs.inverse(G) if side.inverse else G


@functools.lru_cache(maxsize=64)
def motions_of(arch: Architecture) -> GroupMotions:
    """Return how a subgroup of the group of an architecture moves its tensors: where means are subtracted, matrices
    keep the vector of ones.

    What else they do to that vector is not seen, or passed on by quotients, wherever what writes into a space and what
    reads it are in standard position: their sums are zero. Where some tensors are in it and others are not, as they are
    read before means are subtracted, the first move by what is left of the matrices then.
    """
    large = large_motions(arch)
    summed = summed_sides(arch)
    shapes = {name: ((1, 1) + tuple(shape))[-2:] for name, shape in verbs.coordinates(arch).items()}
    weights: list[dict[tuple[str, int, int], int]] = []  # for each number, its exponents by tensor, side and row
    positive: list[int] = []
    spaces: dict[MatrixSpace, int] = {}
    before: dict[MatrixSpace, MatrixSpace | None] = {}
    passed: dict[Side, tuple[MatrixSpace, MovingSide]] = {}
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
            own = {(name, int(side == "columns")) for name, side in moving.solution.sides}
            every = (one for one in (*large.spaces, *large.passing, *large.commutants) if one not in spaces)
            found = [one for one in every if own.issuperset(side.side for side in one.sides)]
            own -= {side.side for space in found for side in space.sides}
            if not own <= summed or any(
                () in space.before_means or len(seen_means(space, summed)) > 1 for space in found
            ):
                unsolved.append(moving.name)
                continue
            for space in found:
                k = space if space.group != "means" else None
                together = [space] if k else []
                for raw in seen_means(space, summed):
                    h = MatrixSpace(space.size, "before means", tuple(one for one in raw if one.side not in summed))
                    passed |= {one.side: (h, one) for one in raw if one.side in summed}
                    seen = {one.side for one in h.sides}
                    k = k and dataclasses.replace(k, sides=tuple(one for one in k.sides if one.side not in seen))
                    before[h] = k
                    together = [h, k] if k else [h]
                for one in together:
                    spaces[one] = len(weights)
                if together:
                    weights.append(scale_weights([side for one in together for side in one.sides], shapes))
        owners += [moving.name] * (len(weights) - len(owners))
    diagonal = [number for number in diagonal if number not in positive]
    for number, entries in zip(diagonal, with_roots([weights[number] for number in diagonal]), strict=True):
        weights[number] = entries
    odd = [{place for place, value in weights[number].items() if value % 2} for number in diagonal]
    signs: list[int] = []
    for sides, size in free_signs(arch):
        units = [{(*side, i): 1 for side in sides} for i in range(size)]
        if not all(unit.keys() in odd for unit in units):  # others are among the numbers
            signs += range(len(weights), len(weights) + size)
            weights += units
            owners += [sides[0][0]] * size
    exponents = {
        (name, axis): np.zeros((size, len(weights)), dtype=np.int64)
        for name, shape in shapes.items()
        for axis, size in enumerate(shape)
    }
    for number, entries in enumerate(weights):
        for (name, axis, place), value in entries.items():
            exponents[name, axis][place, number] += value
    inside = {side.side for space in spaces for side in space.sides if before.get(space, space) is not None}
    classes = tuple(sides for sides, _ in free_coordinates(arch) if inside.isdisjoint(sides))
    return GroupMotions(
        len(weights),
        tuple(positive),
        frozenset(signs),
        spaces,
        before,
        passed,
        exponents,
        classes,
        tuple(unsolved),
        tuple(owners),
    )


def seen_means(space: MatrixSpace, summed: set[Side]) -> list[tuple[MovingSide, ...]]:
    """Return the sides of matrices that move means which are subtracted later, of those whose means are seen."""
    return [raw for raw in space.before_means if not summed.issuperset(one.side for one in raw)]


def scale_weights(sides: list[MovingSide], shapes: Mapping[str, tuple[int, ...]]) -> dict[tuple[str, int, int], int]:
    """Return the exponents of the number by which the matrices on some sides may be multiplied."""
    return {(*one.side, i): one.sign for one in sides for i in one.part or range(shapes[one.tensor][one.axis])}


def summed_sides(arch: Architecture) -> set[Side]:
    """Return the sides of tensors to which anything may be added alike: in standard position they add up to zero."""
    return {
        (family.shift.tensor, int(family.shift.kind == "columns"))
        for family in verbs.members(ShiftSymmetry, arch)
        if not family.shift.conditions and family.shift.gain is None
    }


def diagonal_weights(solution: Solution) -> list[dict[tuple[str, int, int], int]]:
    """Return the exponents of the number of each vector field of a solution."""
    found: list[dict[tuple[str, int, int], int]] = [{} for _ in range(len(solution))]
    for (name, side), one in solution.entries.items():
        for number, i, _, value in zip(*(array.tolist() for array in one.arrays), strict=True):
            found[number][name, int(side == "columns"), i] = value
    return found


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
