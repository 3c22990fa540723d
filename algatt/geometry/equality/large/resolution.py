"""The matrices, permutations and numbers that carry the tensors of one point to those of another best.

They are found space by space, as in docs/theory/elements.md: a tensor of which all but one side is known tells what
acts on that side. Where tensors contradict each other, what most of them say is taken.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from algatt.geometry.equality.large.arrays import Matrices, largest, largest_difference
from algatt.geometry.equality.large.change import CoordinateChange
from algatt.geometry.equality.large.fitting import (
    MatrixEquation,
    fit_matrix,
    fit_matrix_to_most,
    fit_numbers,
    match_rows,
)
from algatt.geometry.equality.large.motions import Coordinates, Factors, LargeMotions, MatrixSpace
from algatt.symmetry.discrete.symmetry import Side

MOST_MATCHED = 4
"""Rows are matched by so many tensors at most, the largest."""

MANY = 9
"""What half of so many tensors or more are met by is taken for what acts on all of them."""


@dataclass
class LargeResolution:
    """What is known so far of an element that carries one point to another.

    Parameters
    ----------
    motions : LargeMotions
        How tensors move.
    one, two : Matrices
        The tensors of both points, in standard position.
    sources : dict of str to str
        For each tensor that is looked at, the one that takes its place.
    unit : float
        What rounding changes numbers by, relative to them.
    sizes, floors : dict of str to (float, float)
        For each tensor of the two points, the size of its largest entry, and that up to which its entries may be
        nothing but rounding.
    unseen : dict of str to list of (index, index)
        The rows and columns of entries that nothing sees, as numpy takes them.

    Attributes
    ----------
    matrices : dict of MatrixSpace to (ndarray, ndarray)
        The matrices that are known, with their inverses.
    orders : dict of Coordinates to ndarray
        The orders of rows and columns.
    numbers : dict of Factors to ndarray
        The numbers by which they are multiplied.
    contested : bool
        Whether equations may contradict each other, so that those of most columns are met; if not, least squares do.
    rows : dict of str to ndarray
        The orders of rows that experts take with them, as those of routers, by tensor.
    """

    motions: LargeMotions
    one: Matrices
    two: Matrices
    sources: dict[str, str]
    unit: float
    sizes: Mapping[str, tuple[float, float]]
    floors: Mapping[str, tuple[float, float]]
    unseen: Mapping[str, list[tuple[Any, Any]]]
    matrices: dict[MatrixSpace, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    orders: dict[Coordinates, np.ndarray] = field(default_factory=dict)
    numbers: dict[Factors, np.ndarray] = field(default_factory=dict)
    contested: bool = True
    rows: dict[str, np.ndarray] = field(default_factory=dict)

    def extended(self, sources: Mapping[str, str]) -> LargeResolution:
        """Return one that looks at more tensors and knows what this one knows."""
        known: dict[str, Any] = {name: dict(getattr(self, name)) for name in ("matrices", "orders", "numbers")}
        return dataclasses.replace(self, sources={**self.sources, **sources}, **known, rows={})

    def run(self, tensors: Iterable[str] | None = None) -> None:
        """Find what can be found; if some tensors are given, of what acts on these."""
        spaces, coordinates = self.about(tensors)
        progress = True
        while progress:
            progress = False
            for one in coordinates:
                progress = self.solve_coordinates(one) or progress
            for space in spaces:
                if space not in self.matrices and self.solve_space(space):
                    progress = True

    def refine(self, beyond: Iterable[str], unmet: Collection[str]) -> None:
        """Solve for the matrices and numbers that act on some tensors again, from all tensors; but for those on which
        many agree.
        """
        spaces, coordinates = self.about(beyond)
        for one in coordinates:
            for factors in () if agree({name for name, _ in one.sides}, unmet) else one.factors:
                before = self.numbers.pop(factors, None)
                self.find_numbers(one, factors)
                if before is not None:
                    self.numbers.setdefault(factors, before)
        for space in spaces:
            if space in self.matrices and not agree({side.tensor for side in space.sides}, unmet):
                self.solve_space(space)

    def agreed(self, unmet: Collection[str]) -> LargeResolution:
        """Return one that looks at no tensors, and knows of this one what many of them agree on."""
        known = LargeResolution(self.motions, self.one, self.two, {}, self.unit, self.sizes, self.floors, self.unseen)
        for space, pair in self.matrices.items():
            if agree({side.tensor for side in space.sides}, unmet):
                known.matrices[space] = pair
        for one, order in self.orders.items():
            if agree({name for name, _ in one.sides}, unmet):
                known.orders[one] = order
                known.numbers.update({factors: self.numbers[factors] for factors in one.factors})
        return known

    def about(self, tensors: Iterable[str] | None) -> tuple[list[MatrixSpace], list[Coordinates]]:
        """Return the spaces and coordinates that act on tensors; all of them if no tensors are given."""
        if tensors is None:
            return list(self.motions.spaces), list(self.motions.coordinates)
        spaces: dict[MatrixSpace, None] = {}
        coordinates: dict[Coordinates, None] = {}
        for tensor in tensors:
            for axis in (0, 1):
                spaces.update(dict.fromkeys(space for space, _ in self.motions.spaces_by_side.get((tensor, axis), ())))
                if (tensor, axis) in self.motions.coordinates_by_side:
                    coordinates[self.motions.coordinates_by_side[tensor, axis]] = None
        return list(spaces), list(coordinates)

    def known(self, side: Side) -> bool:
        """Return whether it is known how a side of a tensor moves."""
        found = self.motions.coordinates_by_side.get(side)
        whole = all(space in self.matrices for space, _ in self.motions.spaces_by_side.get(side, ()))
        if found is None or not whole:
            return whole
        return found in self.orders and all(one in self.numbers or side not in one.exponents for one in found.factors)

    def moved(self, name: str, *, matrices_but: Side | None = None) -> np.ndarray:
        """Return what is known of the image of a tensor, but for the matrices on one of its sides."""
        change = CoordinateChange(self.motions, self.sources, self.matrices, self.orders, self.numbers, self.rows)
        return change.image(name, self.one[self.sources[name]], matrices_but)

    def solve_coordinates(self, one: Coordinates) -> bool:
        """Find the order of coordinates, and the numbers that multiply them; return whether anything was found."""
        before = one in self.orders, sum(factors in self.numbers for factors in one.factors)
        if one not in self.orders:
            if one.permuted:
                self.match(one)
            else:
                self.orders[one] = np.arange(one.size)
        if one in self.orders:
            for factors in one.factors:
                if factors not in self.numbers:
                    self.find_numbers(one, factors)
        return before != (one in self.orders, sum(factors in self.numbers for factors in one.factors))

    def usable(self, one: Coordinates) -> list[tuple[str, int]]:
        """Return the sides of coordinates on the other side of which all is known, the largest tensors first."""
        sides = [
            (name, axis)
            for name, axis in one.sides
            if self.tells(name) and self.known((name, 1 - axis)) and not self.motions.spaces_by_side.get((name, axis))
        ]
        return sorted(sides, key=lambda side: -math.prod(self.one.shapes[side[0]]))

    def match(self, one: Coordinates) -> None:
        """Match rows of tensors; those that are not multiplied by numbers if there are such."""
        usable = self.usable(one)
        scaled = {side for factors in one.factors for side in factors.exponents}
        plain = [side for side in usable if side not in scaled and self.one.shapes[side[0]][1 - side[1]] > 1]
        pairs = []
        for name, axis in (plain or usable)[:MOST_MATCHED]:
            kind = "lines" if (name, axis) in scaled else "equal"
            first, second = self.moved(name), self.two[name]
            pairs.append((first, second, kind) if axis == 0 else (first.T, second.T, kind))
        order = match_rows(pairs) if pairs else None
        if order is not None:
            self.orders[one] = order

    def find_numbers(self, one: Coordinates, factors: Factors) -> None:
        """Find the numbers that multiply coordinates, from the largest tensor that they multiply once; those of rows
        that are zero in it from the others, and 1 if they are zero in all.
        """
        found: np.ndarray | None = None
        for name, axis in self.usable(one):
            side, power = (name, axis), factors.exponents.get((name, axis), 0)
            others = (other for other in one.factors if other is not factors and side in other.exponents)
            alone = all(other in self.numbers for other in others)
            if abs(power) == 1 and alone:
                first, second = self.moved(name), self.two[name]
                first, second = (first, second) if axis == 0 else (first.T, second.T)
                floors = self.floors[self.sources[name]][0], self.floors[name][1]
                numbers = fit_numbers(first, second, self.unit, floors) ** power
                if found is None:
                    found = numbers
                unknown = ~np.isfinite(found)
                found[unknown] = numbers[unknown]
                if not unknown.any():
                    break
        if found is not None:
            self.numbers[factors] = factors.admitted(found)

    def equations(self, space: MatrixSpace) -> list[MatrixEquation]:
        """Return the equations that tensors give for the matrix of a space."""
        found = []
        for side in space.sides:
            name, axis = side.tensor, side.axis
            if self.tells(name) and self.known((name, 1 - axis)) and self.in_order((name, axis)):
                A, B = self.moved(name, matrices_but=(name, axis)), self.two[name]
                if side.part is not None:
                    A, B = (np.take(M, side.part, axis=axis) for M in (A, B))
                    if largest(B) <= self.floors[name][1]:
                        continue
                if side.inverse:
                    A, B = B, A
                left = (axis == 0) != side.transposed
                if side.transposed:
                    A, B = A.T, B.T
                found.append(MatrixEquation(A, B, left))
        return found

    def tells(self, name: str) -> bool:
        """Return whether the equations of a tensor are used: it is looked at, and more than rounding."""
        if name not in self.sources or name in self.unseen:
            return False
        source = self.sources[name]
        return self.sizes[source][0] > self.floors[source][0] and self.sizes[name][1] > self.floors[name][1]

    def in_order(self, side: Side) -> bool:
        """Return whether the order of the coordinates on a side is known."""
        one = self.motions.coordinates_by_side.get(side)
        return one is None or one in self.orders

    def solve_space(self, space: MatrixSpace) -> bool:
        """Solve for the matrix of a space, and return whether it was found."""
        equations = self.equations(space)
        if not equations:
            return False
        found = fit_matrix_to_most(equations, space, self.unit) if self.contested else fit_matrix(equations, space)
        if found is None:
            return False
        self.matrices[space] = found
        return True

    def distances(self, name: str) -> np.ndarray:
        """Return how far entries of the image of a tensor are from what they should be; 0 where nothing sees them."""
        return self.distances_between(name, self.moved(name), self.two[name])

    def distances_between(self, name: str, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Return how far entries of two arrays in the place of a tensor are apart; 0 where nothing sees them."""
        distances: np.ndarray = first - second
        np.abs(distances, out=distances)
        for places in self.unseen.get(name, ()):
            distances[places] = 0
        return distances

    def residual(self, name: str) -> float:
        """Return how far the image of a tensor is from what it should be, relative to that: the largest entry."""
        hidden = name in self.unseen
        apart = self.distances(name).max() if hidden else largest_difference(self.moved(name), self.two[name])
        return float(apart / (self.sizes[name][1] or 1.0))


def agree(names: Collection[str], unmet: Collection[str]) -> bool:
    """Return whether tensors are many, and most are met."""
    return len(names) >= MANY and 2 * sum(name in unmet for name in names) <= len(names)
