"""The matrices and permutations that may carry the tensors of one point to those of another, found space by space.

A tensor of which all but one side is known gives linear equations for the matrix on that side: W' = c g W H becomes
g (W H) = c^-1 W', with one unknown number for each way in which entries are multiplied. Coordinates that are permuted
and multiplied are matched by the lines that the rows of these tensors span.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import SingularMatrix
from algatt.fields import Elements, Reals
from algatt.fields.types import Action, Constraint, Diagonal, Intertwining, Space, Vanishing
from algatt.geometry.equality.networks.motions import Block, MatrixSide, Motions, action_side
from algatt.symmetry.discrete import Move
from algatt.symmetry.discrete.moves import Order
from algatt.symmetry.discrete.symmetry import Side

__all__ = ["Resolution"]

CLOSE = 1e-6
"""Lines over the reals within this distance are taken for one; what is found is checked in the end."""


@dataclass
class Resolution:
    """What is known so far of an element that carries one point to another.

    Parameters
    ----------
    motions : Motions
        How tensors move.
    one, two : dict of str to Elements
        The tensors of both points, all as matrices.
    moves : dict of str to Move
        For each tensor that is looked at, the tensor that takes its place.

    Attributes
    ----------
    matrices, inverses : dict of Space to Elements
        The matrices of spaces, up to the scales of their blocks.
    orders : dict of int to Order
        The permutations, by the numbers of their classes.
    """

    motions: Motions
    one: Mapping[str, Elements]
    two: Mapping[str, Elements]
    moves: dict[str, Move]
    matrices: dict[Space, Elements] = field(default_factory=dict)
    inverses: dict[Space, Elements] = field(default_factory=dict)
    units: dict[int, Elements] = field(default_factory=dict)
    orders: dict[int, Order] = field(default_factory=dict)

    def extended(self, moves: Mapping[str, Move]) -> Resolution:
        """Return one that looks at more tensors and knows what this one knows."""
        return Resolution(
            self.motions,
            self.one,
            self.two,
            {**self.moves, **moves},
            dict(self.matrices),
            dict(self.inverses),
            dict(self.units),
            dict(self.orders),
        )

    def run(self, whole: bool) -> bool:
        """Find what can be found, and return false if nothing can carry the tensors; `whole` asks for all matrices, at
        random where the tensors leave a choice.
        """
        while True:
            progress = False
            for number in range(len(self.motions.classes)):
                if number not in self.orders:
                    order = self.match(number)
                    if order is False:
                        return False
                    if order is not None:
                        self.orders[number] = order
                        progress = True
            for number, block in enumerate(self.motions.blocks):
                if block.spaces[0] not in self.matrices:
                    found = self.solve_block(number, block, choose=False)
                    if found is False:
                        return False
                    progress = progress or found is True
            if not progress and whole:
                open_blocks = [
                    (number, block)
                    for number, block in enumerate(self.motions.blocks)
                    if block.spaces[0] not in self.matrices
                ]
                progress = any(self.solve_block(number, block, choose=True) for number, block in open_blocks[:1])
            if not progress:
                return self.fits()

    def known(self, side: Side) -> bool:
        """Return whether it is known, but for numbers, how a side of a tensor moves."""
        matrix = self.motions.matrices.get(side)
        number = self.motions.class_of.get(side)
        return (matrix is None or matrix.space in self.matrices) and (number is None or number in self.orders)

    def ordered(self, name: str) -> Elements:
        """Return the tensor that takes the place of another one, with its rows and columns in the order that is known
        so far.
        """
        move = self.moves[name]
        raw = self.one[move.source].raw
        for axis, order in enumerate((move.rows, move.columns)):
            number = self.motions.class_of.get((name, axis))
            known = order if number is None else self.orders.get(number)
            if known is not None:
                raw = np.take(raw, known, axis=axis)
        return Elements(self.one[name].field, raw)

    def matrix(self, side: Side) -> Elements | None:
        """Return the matrix that a side of a tensor is multiplied by, or None for the identity."""
        found = self.motions.matrices.get(side)
        if found is None or found.space not in self.matrices:
            return None
        g = (self.matrices if found.sign == 1 else self.inverses)[found.space]
        return g.T if found.transposed else g

    def moved(self, name: str, but: int | None = None) -> Elements:
        """Return what is known of the image of a tensor: multiplied by all matrices but that on one side."""
        W = self.ordered(name)
        left = None if but == 0 else self.matrix((name, 0))
        right = None if but == 1 else self.matrix((name, 1))
        W = W if left is None else left @ W
        return W if right is None else W @ right

    def exponents(self, name: str) -> np.ndarray:
        """Return the exponents of the unknown numbers in each entry of a tensor, of shape (rows, columns, numbers)."""
        of_side = self.motions.exponents
        total: np.ndarray = of_side[name, 0][:, None] + of_side[name, 1][None]
        return total

    def match(self, number: int) -> Order | None | bool:
        """Return the order of the coordinates of a class; None if it is not known yet, and False if there is none."""
        keys: list[list[np.ndarray]] = []
        for name, axis in self.motions.classes[number]:
            if name not in self.moves or not self.known((name, 1 - axis)):
                continue
            other = self.motions.exponents[name, 1 - axis]
            if (other != other[:1]).any():
                continue
            free = bool(self.motions.exponents[name, axis].any() or other.any())
            pair = [self.moved(name).raw, self.two[name].raw]
            keys.append([lines(Elements(self.one[name].field, raw if axis == 0 else raw.T), free) for raw in pair])
        if not keys:
            return None
        first, second = (np.hstack([pair[place] for pair in keys]) for place in (0, 1))
        exact = not isinstance(next(iter(self.one.values())).field, Reals)
        order = matched_exactly(first, second) if exact else matched_closely(first, second)
        return False if order is None else order

    def solve_block(self, number: int, block: Block, choose: bool) -> bool | None:
        """Solve for the matrices of a block: true if they are found, None if the tensors leave a choice that is not to
        be made, false if there are none.
        """
        unit = tuple([0] * self.motions.numbers)
        system = LinearSystem(block, unit)
        for (name, axis), side in self.motions.matrices.items():
            if side.space in block.spaces and name in self.moves and self.known((name, 1 - axis)):
                self.add_equations(system, block, name, axis, side)
        if not system.blocks and not choose:
            return None
        for constraint in block.constraints:
            system.add_constraint(constraint)
        a_tensor = next(iter(self.one.values()))
        kernel = verbs.kernel(system.matrix(a_tensor))
        if not kernel.shape[1]:
            return False
        if kernel.shape[1] > 1:
            if not choose:
                return None
            drawn = verbs.draw_array(kernel.field, shape=(kernel.shape[1], 1), seed=0, label="choice")
            kernel = kernel @ Elements(kernel.field, drawn)
        units = kernel.raw[system.width : system.width + len(system.numbers), 0]
        if len(units) and not np.all(far_from_zero(kernel.field, units)):
            return False
        for space in block.spaces:
            start = system.starts[space]
            g = Elements(kernel.field, kernel.raw[start : start + space.size**2, 0].reshape(space.size, space.size))
            try:
                self.matrices[space], self.inverses[space] = g, verbs.inverse(g)
            except SingularMatrix:
                for one in block.spaces:
                    self.matrices.pop(one, None)
                return False
        place = system.numbers.get(unit)
        if place is not None:
            self.units[number] = Elements(kernel.field, units[place : place + 1].reshape(1, 1))
        return True

    def add_equations(self, system: LinearSystem, block: Block, name: str, axis: int, side: MatrixSide) -> None:
        """Add the equations that a tensor gives for the matrix on one of its sides."""
        source, image = self.moved(name, but=axis), self.two[name]
        own, other = self.motions.exponents[name, axis], self.motions.exponents[name, 1 - axis]
        transposed = side.transposed
        if axis == 1:  # W' = W H is W'^T = H^T W^T
            source, image, transposed = source.T, image.T, not transposed
        if (own != own[:1]).any():
            return
        A, B = (source, image) if side.sign == 1 else (image, source)
        patterns = -side.sign * (own[:1] + other)
        patterns[:, block.scale] = 0
        system.add(side.space, transposed, A, B, [tuple(int(e) for e in row) for row in patterns])
        if any(isinstance(one, Vanishing) for one in block.constraints):  # g^-1 is a multiple of g^T
            inverse = [tuple(int(-e) for e in row) for row in patterns]
            system.add(side.space, not transposed, B, A, [("inverse", *row) for row in inverse])

    def fits(self) -> bool:
        """Return whether numbers may explain what is left where both sides are known: entries that are multiplied by
        the same product are.
        """
        return all(
            self.fits_tensor(name)
            for name in self.moves
            if self.known((name, 0)) and self.known((name, 1))
        )

    def fits_tensor(self, name: str) -> bool:
        """Return whether the entries of a tensor are those of the other one up to numbers."""
        return self.ratios(name) is not None

    def ratios(self, name: str) -> dict[tuple[int, ...], Elements] | None:
        """Return what entries of the same exponents are multiplied by, or None if that differs among them."""
        W, image = self.moved(name), self.two[name]
        exponents = self.exponents(name).reshape(W.raw.size, -1)
        first, second = W.raw.ravel(), image.raw.ravel()
        groups: dict[tuple[int, ...], list[int]] = defaultdict(list)
        for place, row in enumerate(exponents.tolist()):
            groups[tuple(row)].append(place)
        found = {}
        for key, places in groups.items():
            a, b = Elements(W.field, first[places][None]), Elements(W.field, second[places][None])
            pivot = int(np.argmax(np.abs(a.raw[0]))) if isinstance(W.field, Reals) else first_nonzero(a.raw[0])
            if pivot is None or a.raw[0, pivot] == 0:
                if np.any(b.raw != 0):
                    return None
                continue
            at = [slice(None), slice(pivot, pivot + 1)]
            x, y = Elements(W.field, a.raw[tuple(at)]), Elements(W.field, b.raw[tuple(at)])
            if y.raw[0, 0] == 0 or not vanishes(a * y - b * x, a, y):
                return None
            found[key] = y * x.reciprocal()
        return found


def first_nonzero(row: np.ndarray) -> int | None:
    """Return the place of the first entry that is not zero."""
    places = np.flatnonzero(row != 0)
    return int(places[0]) if len(places) else None


def vanishes(difference: Elements, one: Elements, other: Elements) -> bool:
    """Return whether a difference is zero, over the reals beside the products that it is made of."""
    if isinstance(difference.field, Reals):
        size = np.abs(one.raw).max() * np.abs(other.raw).max()
        return bool(np.abs(difference.raw).max() <= CLOSE * size)
    return not np.any(difference.raw != 0)


def far_from_zero(field: Any, numbers: np.ndarray) -> np.ndarray:
    """Return which numbers are not zero, over the reals not by far the smallest."""
    if isinstance(field, Reals):
        return np.asarray(np.abs(numbers) > 1e-9 * np.abs(numbers).max())
    return np.asarray(numbers != 0)


def lines(rows: Elements, free: bool) -> np.ndarray:
    """Return a vector on the line of each row, always the same one; the rows themselves if they are not free."""
    if not free:
        return rows.raw
    raw = rows.raw.copy()
    for i, row in enumerate(raw):
        if isinstance(rows.field, Reals):
            size = float(np.linalg.norm(row))
            largest = row[int(np.argmax(np.abs(row) >= (1 - 1e-3) * np.abs(row).max()))]
            raw[i] = row / (np.sign(largest) * size) if size else row
        elif (place := first_nonzero(row)) is not None:
            line = Elements(rows.field, row[None])
            raw[i] = (line * Elements(rows.field, row[None, place : place + 1]).reciprocal()).raw[0]
    return raw


def matched_exactly(first: np.ndarray, second: np.ndarray) -> Order | None:
    """Return for each row of the second array the number of a row of the first that is equal."""
    places: dict[Hashable, list[int]] = defaultdict(list)
    for number, row in enumerate(first.tolist()):
        places[tuple(map(str, row))].append(number)
    order = []
    for row in second.tolist():
        left = places[tuple(map(str, row))]
        if not left:
            return None
        order.append(left.pop(0))
    return tuple(order)


def matched_closely(first: np.ndarray, second: np.ndarray) -> Order | None:
    """Return for each row of the second array the number of the row of the first that is closest."""
    left = list(range(len(first)))
    order = []
    for row in second:
        distances = np.abs(first[left] - row).max(axis=1)
        nearest = int(np.argmin(distances))
        if distances[nearest] > CLOSE * max(1.0, float(np.abs(row).max())):
            return None
        order.append(left.pop(nearest))
    return tuple(order)


def as_arrays(entries: Mapping[tuple[int, int], Any]) -> list[tuple[Any, Any, Any]]:
    """Return single entries as arrays of rows, columns and values."""
    return [(np.array([row]), np.array([place]), np.array([value])) for (row, place), value in entries.items()]


class LinearSystem:
    """Homogeneous linear equations for the entries of the matrices of a block, and for numbers.

    Parameters
    ----------
    block : Block
        The block.
    unit : hashable
        The pattern of the number that stands for 1.
    """

    def __init__(self, block: Block, unit: Hashable) -> None:
        self.starts: dict[Space, int] = {}
        self.width = 0
        for space in block.spaces:
            self.starts[space] = self.width
            self.width += space.size**2
        self.numbers: dict[Hashable, int] = {}
        self.blocks: list[tuple[int, list[tuple[Any, Any, Any]], list[tuple[Any, Any, Any]]]] = []
        self.unit = unit

    def add(self, space: Space, transposed: bool, A: Elements, B: Elements, patterns: Iterable[Hashable]) -> None:
        """Add g A = B diag(m), or g^T A = B diag(m), with the number of its pattern for each column."""
        a, b, size, columns = A.raw, (-B).raw, space.size, A.shape[1]
        numbers = np.array([self.numbers.setdefault(pattern, len(self.numbers)) for pattern in patterns])
        rows = np.arange(size * columns).reshape(size, columns)
        entries, extra = [], []
        for k in range(size):
            places = [self.starts[space] + (k * size + i if transposed else i * size + k) for i in range(size)]
            entries += [(rows[i], np.full(columns, places[i]), a[k]) for i in range(size)]
        extra += [(rows[i], numbers, b[i]) for i in range(size)]
        self.blocks.append((size * columns, entries, extra))

    def add_constraint(self, constraint: Constraint) -> None:
        """Add what a constraint says of the elements of the group."""
        if isinstance(constraint, Diagonal):
            side = action_side(constraint.action)
            size = side.space.size
            places = [self.starts[side.space] + i * size + j for i in range(size) for j in range(size) if i != j]
            self.blocks.append((len(places), as_arrays({(row, place): 1 for row, place in enumerate(places)}), []))
        if isinstance(constraint, Intertwining):
            self.add_intertwining(constraint)

    def add_intertwining(self, constraint: Intertwining) -> None:
        """Add g C = C h, where an identity is a number times the identity, the one that stands for 1."""
        C = constraint.constant
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
        self.blocks.append((height * width, *(as_arrays(entries) for entries in (total, units))))

    def entries_of_product(
        self, action: Action, C: np.ndarray, sign: int, i: int, j: int
    ) -> Iterable[tuple[int, Any]]:
        """Return the places and coefficients of entry (i, j) of g C for sign 1, of - C g for sign -1."""
        side = action_side(action)
        size, start = side.space.size, self.starts[side.space]
        for k in range(size):
            value, (row, column) = (C[k, j], (i, k)) if sign == 1 else (-C[i, k], (k, j))
            if value:
                row, column = (column, row) if side.transposed else (row, column)
                yield start + row * size + column, value

    def matrix(self, like: Elements) -> Elements:
        """Return the matrix of the equations over the field of an array."""
        height = sum(rows for rows, _, _ in self.blocks)
        raw = Elements.of(like.field, np.zeros((max(height, 1), self.width + len(self.numbers)), dtype=np.int64)).raw
        raw = np.array(raw)
        top = 0
        for rows, entries, extra in self.blocks:
            for shift, listed in ((0, entries), (self.width, extra)):
                for row, column, values in listed:
                    encoded = values if values.dtype == raw.dtype else Elements.of(like.field, values).raw
                    raw[top + row, shift + column] = encoded
            top += rows
        return Elements(like.field, raw)
