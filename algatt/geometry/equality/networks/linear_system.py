"""Linear equations for the matrices of spaces that constraints join: those of their group, and those of tensors."""

from __future__ import annotations

import functools
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.fields import Elements, Field, Rationals, Reals
from algatt.fields.motions import Constraint, Diagonal, Intertwining, Space
from algatt.geometry.equality.networks.closeness import CLOSE
from algatt.geometry.equality.networks.echelon import completed, independent_columns
from algatt.geometry.equality.networks.motions import Block, action_side

__all__ = ["LinearSystem", "keeps_its_group"]

INDEPENDENT = 1e-12
"""Singular values of floats that are larger than this beside the largest one are those of independent columns."""

NEGLIGIBLE = 1e-17
"""Singular values below this are zero where ratios of them are compared."""


@dataclass(frozen=True, eq=False)
class Product:
    """The equations g A = B diag(m), or g^T A = B diag(m), for the matrix g of a space and numbers m, of which there is
    one for each column, given by its place.
    """

    space: Space
    transposed: bool
    A: Elements
    B: Elements
    numbers: np.ndarray


class LinearSystem:
    r"""Homogeneous linear equations for the matrices of spaces, and for numbers.

    Columns A of g A = B diag(m) that are independent leave

    .. math:: g = (B \operatorname{diag}(m), Z) (A, E)^{-1}

    with unit vectors E that complete them. So the unknowns are the numbers m and the columns of Z, of which there are
    none where the columns of A span the space; all other equations are linear in these.

    Parameters
    ----------
    field : Field
        The field of the points.
    spaces : iterable of Space
        The spaces.
    unit : hashable
        The pattern of the number that stands for 1.
    """

    def __init__(self, field: Field, spaces: Iterable[Space], unit: Hashable = None) -> None:
        self.field = field
        self.spaces = tuple(spaces)
        self.unit = unit
        self.numbers: dict[Hashable, int] = {}
        self.products: list[Product] = []
        self.constraints: list[Constraint] = []
        self.idle: dict[Space, tuple[int, int]] = {}

    def add(self, space: Space, transposed: bool, A: Elements, B: Elements, patterns: Iterable[Hashable]) -> None:
        """Add g A = B diag(m), or g^T A = B diag(m), with the number of its pattern for each column."""
        numbers = np.array([self.number(pattern) for pattern in patterns], dtype=np.int64)
        self.products.append(Product(space, transposed, A, B, numbers))

    def add_constraint(self, constraint: Constraint) -> None:
        """Add what a constraint says of the elements of the group, where 1 is the number of the unit."""
        if isinstance(constraint, Intertwining) and not all(action.terms for action in constraint.actions):
            self.number(self.unit)
        if isinstance(constraint, Diagonal | Intertwining):
            self.constraints.append(constraint)

    def add_idle(self, space: Space, reached: int) -> None:
        """Add that g is diag(h, m 1) with h of a size, for some number m."""
        self.idle[space] = reached, next(iter(self.numbers.values())) if self.numbers else self.number(self.unit)

    def number(self, pattern: Hashable) -> int:
        """Return the place of the number of a pattern."""
        return self.numbers.setdefault(pattern, len(self.numbers))

    @functools.cached_property
    def bases(self) -> dict[Space, np.ndarray]:
        """For each space the matrices that its own is a combination of, one for each unknown."""
        known = {space: self.independent(space) for space in self.spaces}
        count = len(self.numbers) + sum(space.size * (space.size - B.shape[1]) for space, (_, B, _, _) in known.items())
        zero, bases, first = Elements.of(self.field, [[0]]).raw, {}, len(self.numbers)
        for space, (turned, B, numbers, inverse) in known.items():
            size, rank = space.size, B.shape[1]
            basis = np.full((count, size, size), zero[0, 0], dtype=zero.dtype)
            for number in np.unique(numbers).tolist():
                mine = np.flatnonzero(numbers == number).tolist()
                basis[number] = (B[:, mine] @ inverse[mine]).raw
            for row in range(size):
                basis[first : first + size - rank, row] = inverse.raw[rank:]
                first += size - rank
            bases[space] = basis.swapaxes(1, 2) if turned else basis
        return bases

    def independent(self, space: Space) -> tuple[bool, Elements, np.ndarray, Elements]:
        """Return whether g or its transpose is known best; B and the places of the numbers for independent columns A;
        and the inverse of the matrix that begins with these.
        """
        empty = Elements.of(self.field, np.zeros((space.size, 0), dtype=np.int64))
        best: tuple[bool, Elements, Elements, np.ndarray] = False, empty, empty, np.zeros(0, dtype=np.int64)
        for turned in (False, True):
            mine = [one for one in self.products if one.space is space and one.transposed == turned]
            if mine and best[1].shape[1] < space.size:
                A, B = (Elements(self.field, np.hstack([getattr(one, side).raw for one in mine])) for side in "AB")
                columns = independent_columns(self.weighed(mine, A), INDEPENDENT)
                if len(columns) > best[1].shape[1]:
                    numbers = np.concatenate([one.numbers for one in mine])[columns]
                    best = turned, A[:, columns], B[:, columns], numbers
        turned, A, B, numbers = best
        return turned, B, numbers, verbs.inverse(completed(A))

    def weighed(self, products: Iterable[Product], A: Elements) -> Elements:
        """Return columns, over the reals beside the size of what they have to become."""
        if not isinstance(self.field, Reals):
            return A
        sizes = [np.full(one.A.shape[1], np.abs(one.B.raw).max(initial=0.0) or 1.0) for one in products]
        return Elements(self.field, A.raw / np.concatenate(sizes))

    def equations(self) -> Elements:
        """Return the matrix of the equations, with a column for each unknown; those of floats relative to the size of
        what they are about.
        """
        count = len(next(iter(self.bases.values())))
        zero = Elements.of(self.field, [[0]]).raw
        blocks = [np.full((count, 1), zero[0, 0], dtype=zero.dtype)]
        for made, given in self.sides():
            one, other = (part.reshape(count, -1) for part in (made, given))
            block = (Elements(self.field, one) - Elements(self.field, other)).raw
            if isinstance(self.field, Reals):
                block = block / (max(np.abs(one).max(initial=0.0), np.abs(other).max(initial=0.0)) or 1.0)
            blocks.append(block)
        return Elements(self.field, np.hstack(blocks)).T

    def sides(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Iterate over the left and the right sides of all equations, a matrix for each unknown."""
        for one in self.products:
            made = self.times(one.space, one.transposed, one.A)
            given = np.full_like(made, Elements.of(self.field, [[0]]).raw[0, 0])
            given[one.numbers, :, np.arange(len(one.numbers))] = one.B.raw.T
            yield made, given
        for constraint in self.constraints:
            if isinstance(constraint, Diagonal):
                basis = self.bases[action_side(constraint.action).space]
                outside = basis[:, ~np.eye(basis.shape[1], dtype=bool)]
                yield outside, np.full_like(outside, Elements.of(self.field, [[0]]).raw[0, 0])
            elif isinstance(constraint, Intertwining):
                C = Elements(self.field, verbs.embed(self.field, constraint.constant.array))
                left, right = (action_side(action) if action.terms else None for action in constraint.actions)
                yield (
                    self.unit_times(C) if left is None else self.times(left.space, left.transposed, C),
                    self.unit_times(C)
                    if right is None
                    else self.times(right.space, not right.transposed, C.T).swapaxes(1, 2),
                )
        for space, (reached, number) in self.idle.items():
            basis, places = self.bases[space], np.arange(space.size)
            idle = np.maximum(places[:, None], places) >= reached
            identity = np.full_like(basis, Elements.of(self.field, [[0]]).raw[0, 0])
            identity[number] = Elements.of(self.field, np.eye(space.size, dtype=np.int64)).raw
            yield basis[:, idle], identity[:, idle]

    def times(self, space: Space, transposed: bool, A: Elements) -> np.ndarray:
        """Return the products of the matrices of a basis, or of their transposes, with a matrix."""
        basis = self.bases[space].swapaxes(1, 2) if transposed else self.bases[space]
        product = Elements(self.field, basis.reshape(-1, space.size)) @ A
        made: np.ndarray = product.raw.reshape(len(basis), space.size, A.shape[1])
        return made

    def unit_times(self, C: Elements) -> np.ndarray:
        """Return the multiples of a matrix by the number of the unit."""
        count = len(next(iter(self.bases.values())))
        made = np.full((count, *C.shape), Elements.of(self.field, [[0]]).raw[0, 0], dtype=C.raw.dtype)
        made[self.numbers[self.unit]] = C.raw
        return made

    def kernel(self) -> Elements:
        """Return a basis of the solutions, as columns: the numbers, and what else is unknown."""
        equations = self.equations()
        if not isinstance(self.field, Reals):
            return verbs.kernel(equations)
        _, sizes, vectors = np.linalg.svd(np.linalg.qr(equations.raw, mode="r"), full_matrices=True)
        sizes = np.concatenate([[1.0], np.pad(sizes, (0, len(vectors) - len(sizes)))])
        steps = sizes[:-1] / np.maximum(sizes[1:], NEGLIGIBLE) * (sizes[1:] <= CLOSE)
        rank = int(np.argmax(steps)) if steps.any() else len(vectors)
        return Elements(self.field, vectors[rank:].T)

    def matrices(self, solution: Elements) -> dict[Space, Elements]:
        """Return the matrices of a solution, given as a column."""
        found = {}
        for space, basis in self.bases.items():
            entries = Elements(self.field, basis.reshape(len(basis), -1)).T @ solution
            found[space] = Elements(self.field, entries.raw.reshape(space.size, space.size))
        return found


@functools.lru_cache(maxsize=256)
def keeps_its_group(field: Field, block: Block) -> bool:
    """Return whether the constraints of a block have as many solutions over a field as over Q: a group that is larger
    modulo p than what it is the reduction of is none of the network.
    """
    if not any(isinstance(constraint, Intertwining) for constraint in block.constraints):
        return True
    systems = []
    for one in (field, Rationals()):
        system = LinearSystem(one, block.spaces)
        for constraint in block.constraints:
            system.add_constraint(constraint)
        systems.append(system.equations())
    over_field, over_rationals = systems
    return bool(verbs.rank(over_field) == verbs.rank(over_rationals))
