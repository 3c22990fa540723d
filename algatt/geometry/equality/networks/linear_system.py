"""Linear equations for the matrices of spaces that constraints join: those of their group, and those of tensors."""

from __future__ import annotations

import functools
import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from algatt import verbs
from algatt.fields import Elements, Field, Rationals, Reals
from algatt.fields.motions import Action, Constraint, Diagonal, Intertwining, Space
from algatt.geometry.equality.networks.echelon import independent_columns
from algatt.geometry.equality.networks.motions import Block, action_side

__all__ = ["LinearSystem", "embedded", "keeps_its_group"]


Rows = tuple[int, list[tuple[Any, Any, Any]], list[tuple[Any, Any, Any]]]
"""A number of equations, and their entries as arrays of rows, columns and values: those of matrices and of numbers."""


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

    def part(self, number: int) -> Product:
        """Return those for the columns with one number."""
        columns = np.flatnonzero(self.numbers == number).tolist()
        return Product(self.space, self.transposed, self.A[:, columns], self.B[:, columns], self.numbers[columns])


class LinearSystem:
    """Homogeneous linear equations for the entries of the matrices of a block, and for numbers.

    Parameters
    ----------
    field : Field
        The field of the points.
    block : Block
        The block.
    unit : hashable
        The pattern of the number that stands for 1.
    """

    def __init__(self, field: Field, block: Block, unit: Hashable) -> None:
        self.field = field
        self.starts: dict[Space, int] = {}
        self.width = 0
        for space in block.spaces:
            self.starts[space] = self.width
            self.width += space.size**2
        self.numbers: dict[Hashable, int] = {}
        self.products: list[Product] = []
        self.blocks: list[Rows] = []
        self.unit = unit

    def add(self, space: Space, transposed: bool, A: Elements, B: Elements, patterns: Iterable[Hashable]) -> None:
        """Add g A = B diag(m), or g^T A = B diag(m), with the number of its pattern for each column."""
        numbers = np.array([self.numbers.setdefault(pattern, len(self.numbers)) for pattern in patterns])
        self.products.append(Product(space, transposed, A, B, numbers))

    @property
    def is_of_one_matrix(self) -> bool:
        """Whether all equations are g A = B diag(m) or g^T A = B diag(m) with one matrix g."""
        return len(self.starts) == 1 and bool(self.products) and not self.blocks

    def solve_for_matrix(self) -> Elements | None:
        """Return g with m behind its entries as a column, up to a factor, or no column if only zero solves the
        equations; None if the columns with one number on one side do not tell. Cost: that of matrices of the size of g.

        Over the reals these columns are all that g is found by.
        """
        (space,) = self.starts
        for turned in (False, True):
            for number in self.numbers.values():
                mine = [one.part(number) for one in self.products if one.transposed == turned]
                if sum(one.A.shape[1] for one in mine) < space.size:
                    continue
                A, B = (Elements(self.field, np.hstack([getattr(one, side).raw for one in mine])) for side in "AB")
                columns = independent_columns(A)
                if len(columns) == space.size:
                    g = B[:, columns] @ verbs.inverse(A[:, columns])
                    return self.with_numbers(g.T if turned else g)
        return None

    def with_numbers(self, g: Elements) -> Elements | None:
        """Return a matrix, with the numbers m that it needs behind its entries, as a column; no column if there are no
        such numbers; None if one of them may be any.
        """
        found = []
        for number in self.numbers.values():
            parts = [one.part(number) for one in self.products]
            images = [((g.T if one.transposed else g) @ one.A).raw.ravel() for one in parts]
            image, B = np.concatenate(images), np.concatenate([one.B.raw.ravel() for one in parts])
            if not B.any():
                return self.nothing if self.field.exact and image.any() else None
            place = np.abs(B).argmax() if isinstance(self.field, Reals) else np.flatnonzero(B)[0]
            one, other = (Elements(self.field, values[[place]].reshape(1, 1)) for values in (image, B))
            m = one * other.reciprocal()
            if self.field.exact and (Elements(self.field, image[None]) - Elements(self.field, B[None]) * m).raw.any():
                return self.nothing
            found.append(m.raw)
        return Elements(self.field, np.concatenate([g.raw.reshape(-1, 1), *found]))

    @property
    def nothing(self) -> Elements:
        """No solution."""
        zeros = np.zeros((self.width + len(self.numbers), 0), dtype=np.int64)
        return Elements.of(self.field, zeros)

    def rows_of(self, product: Product) -> Rows:
        """Return the equations of a product, entry by entry."""
        space, transposed, numbers = product.space, product.transposed, product.numbers
        a, b, size, columns = product.A.raw, (-product.B).raw, space.size, product.A.shape[1]
        rows = np.arange(size * columns).reshape(size, columns)
        entries, extra = [], []
        for k in range(size):
            places = [self.starts[space] + (k * size + i if transposed else i * size + k) for i in range(size)]
            entries += [(rows[i], np.full(columns, places[i]), a[k]) for i in range(size)]
        extra += [(rows[i], numbers, b[i]) for i in range(size)]
        return size * columns, entries, extra

    def add_idle(self, space: Space, reached: int) -> None:
        """Add that g is diag(h, m 1) with h of a size, for some number m."""
        start, size = self.starts[space], space.size
        idle = [(i, j) for i in range(size) for j in range(size) if max(i, j) >= reached]
        number = next(iter(self.numbers.values())) if self.numbers else self.numbers.setdefault(self.unit, 0)
        entries = {(row, start + i * size + j): 1 for row, (i, j) in enumerate(idle)}
        extra = {(row, number): -1 for row, (i, j) in enumerate(idle) if i == j}
        self.blocks.append((len(idle), as_arrays(self.field, entries), as_arrays(self.field, extra)))

    def add_constraint(self, constraint: Constraint) -> None:
        """Add what a constraint says of the elements of the group."""
        if isinstance(constraint, Diagonal):
            side = action_side(constraint.action)
            size = side.space.size
            places = [self.starts[side.space] + i * size + j for i in range(size) for j in range(size) if i != j]
            self.blocks.append((len(places), as_arrays(self.field, dict.fromkeys(enumerate(places), 1)), []))
        if isinstance(constraint, Intertwining):
            self.add_intertwining(constraint)

    def add_intertwining(self, constraint: Intertwining) -> None:
        """Add g C = C h, where an identity is a number times the identity, the one that stands for 1."""
        C = constraint.constant.array
        height, width = C.shape
        total: dict[tuple[int, int], Any] = defaultdict(int)
        units: dict[tuple[int, int], Any] = defaultdict(int)
        for sign, action in ((1, constraint.left), (-1, constraint.right)):
            for i in range(height):
                for j in range(width):
                    row = i * width + j
                    if action.terms:
                        for place, value in self.entries_of_product(action, C, sign, i, j):
                            total[row, place] += value
                    elif C[i, j]:
                        units[row, self.numbers.setdefault(self.unit, len(self.numbers))] += sign * C[i, j]
        self.blocks.append((height * width, *(as_arrays(self.field, entries) for entries in (total, units))))

    def entries_of_product(self, action: Action, C: np.ndarray, sign: int, i: int, j: int) -> Iterable[tuple[int, Any]]:
        """Return the places and coefficients of entry (i, j) of g C for sign 1, of - C g for sign -1."""
        side = action_side(action)
        size, start = side.space.size, self.starts[side.space]
        for k in range(size):
            value, (row, column) = (C[k, j], (i, k)) if sign == 1 else (-C[i, k], (k, j))
            if value:
                row, column = (column, row) if side.transposed else (row, column)
                yield start + row * size + column, value

    def matrix(self) -> Elements:
        """Return the matrix of the equations."""
        blocks = [*map(self.rows_of, self.products), *self.blocks]
        height = sum(rows for rows, _, _ in blocks)
        zero = Elements.of(self.field, [[0]]).raw
        raw = np.full((max(height, 1), self.width + len(self.numbers)), zero[0, 0], dtype=zero.dtype)
        top = 0
        for rows, entries, extra in blocks:
            for shift, listed in ((0, entries), (self.width, extra)):
                for row, column, values in listed:
                    raw[top + row, shift + column] = values
            top += rows
        return Elements(self.field, raw)


def embedded(field: Field, constants: np.ndarray) -> Any:
    """Return rational constants over a field."""
    parts = [Fraction(entry) for entry in constants.ravel().tolist()]
    fractions = np.empty(constants.size, dtype=object)  # of Python's integers
    fractions[:] = [Fraction(int(part.numerator), int(part.denominator)) for part in parts]
    return verbs.embed(field, fractions.reshape(constants.shape))


def as_arrays(field: Field, entries: Mapping[tuple[int, int], Any]) -> list[tuple[Any, Any, Any]]:
    """Return single entries, which are rational numbers, as arrays of rows, columns and values of a field."""
    raw = embedded(field, np.array(list(entries.values()), dtype=object)) if entries else []
    return [(np.array([row]), np.array([place]), value) for (row, place), value in zip(entries, raw, strict=True)]


@functools.lru_cache(maxsize=256)
def keeps_its_group(field: Field, block: Block) -> bool:
    """Return whether the constraints of a block have as many solutions over a field as over Q: a group that is larger
    modulo p than what it is the reduction of is none of the network.
    """
    if not any(isinstance(constraint, Intertwining) for constraint in block.constraints):
        return True
    systems = []
    for one in (field, Rationals()):
        system = LinearSystem(one, block, None)
        for constraint in block.constraints:
            system.add_constraint(constraint)
        systems.append(system.matrix())
    over_field, over_rationals = systems
    return over_field.shape[1] - verbs.kernel(over_field).shape[1] == rank_over_rationals(over_rationals.raw)


def rank_over_rationals(matrix: np.ndarray) -> int:
    """Return the rank of a matrix of rational numbers of FLINT, most of them zero, by that of integers."""
    import flint

    places = np.flatnonzero(matrix != 0)
    values = matrix.ravel()[places].tolist()
    common = math.lcm(*(int(value.q) for value in values))
    entries = [0] * matrix.size
    for place, value in zip(places.tolist(), values, strict=True):
        entries[place] = int(value.p) * (common // int(value.q))
    height, width = matrix.shape
    return int(flint.fmpz_mat(height, width, entries).rank())
