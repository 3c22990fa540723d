"""The matrices and permutations that may carry the tensors of one point to those of another, found space by space.

A tensor of which all but one side is known gives linear equations for the matrix on that side: W' = c g W H becomes
g (W H) = c^-1 W', with one unknown number for each way in which entries are multiplied. Coordinates that are permuted
and multiplied are matched by the lines that the rows of these tensors span.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import SingularMatrix
from algatt.fields import Elements, Reals
from algatt.geometry.equality.large.motions import MatrixSpace, MovingSide
from algatt.geometry.equality.networks.closeness import are_units, vanishes
from algatt.geometry.equality.networks.linear_system import LinearSystem
from algatt.geometry.equality.networks.matching import are_apart, lines, matched
from algatt.geometry.equality.networks.motions import GroupMotions
from algatt.symmetry.discrete.moves import Order, TensorMove
from algatt.symmetry.discrete.symmetry import Side

Comparison = tuple[list[tuple[int, ...]], Elements, Elements]
"""Exponents of numbers, and for each an entry of one point and the entry of the other."""

CHOICES = 16
"""Number of matrices that are drawn where the tensors leave a choice."""


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
    reached : dict of MatrixSpace to int
        The number of coordinates of spaces on which matrices act; in the others, the last ones, all is zero.

    Attributes
    ----------
    matrices, inverses : dict of MatrixSpace to Elements
        The matrices of spaces, up to their scales.
    units : dict of MatrixSpace to Elements
        What the matrices that have to keep the vector of ones multiply it by.
    orders : dict of int to Order
        The permutations, by the numbers of their classes.
    numbers : dict of int to Elements
        The numbers that are known.
    images : dict of str to Elements
        The images, but for numbers, of tensors of which both sides are known.
    comparisons : dict of str to tuple
        For these what `compared` returns.
    """

    motions: GroupMotions
    one: Mapping[str, Elements]
    two: Mapping[str, Elements]
    moves: dict[str, TensorMove]
    reached: Mapping[MatrixSpace, int] = field(default_factory=dict)
    matrices: dict[MatrixSpace, Elements] = field(default_factory=dict)
    inverses: dict[MatrixSpace, Elements] = field(default_factory=dict)
    units: dict[MatrixSpace, Elements] = field(default_factory=dict)
    orders: dict[int, Order] = field(default_factory=dict)
    numbers: dict[int, Elements] = field(default_factory=dict)
    images: dict[str, Elements] = field(default_factory=dict)
    comparisons: dict[str, Comparison | None] = field(default_factory=dict)

    def extended(self, moves: Mapping[str, TensorMove]) -> Resolution:
        """Return one that looks at more tensors and knows what this one knows."""
        names = ("matrices", "inverses", "units", "orders", "numbers")
        known: dict[str, Any] = {name: dict(getattr(self, name)) for name in names}
        for of_tensors in ("images", "comparisons"):
            kept = getattr(self, of_tensors).items()
            known[of_tensors] = {name: one for name, one in kept if moves.get(name) in (None, self.moves[name])}
        return dataclasses.replace(self, moves={**self.moves, **moves}, **known)

    def run(self, whole: bool) -> bool:
        """Find what can be found, and return false if nothing can carry the tensors; `whole` asks for all matrices, at
        random where the tensors leave a choice.
        """
        while True:
            progress = self.match_classes(alike=False)
            if progress is None:
                return False
            progress = self.find_numbers() or progress
            for space in self.motions.leading:
                if space not in self.matrices:
                    found = self.solve(space, choose=False)
                    if found is False:
                        return False
                    progress = progress or found is True
            if not progress and whole:
                progress = self.match_classes(alike=True)
                if progress is None:
                    return False
            if not progress and whole:
                left = [space for space in self.motions.leading if space not in self.matrices]
                progress = any(self.solve(space, choose=True) for space in left[:1])
                if left and not progress:
                    return False
            if not progress:
                return self.fits()

    def match_classes(self, alike: bool) -> bool | None:
        """Match the coordinates of the classes that are open, and return whether one was matched; None if one cannot
        be.
        """
        found = False
        for number in range(len(self.motions.classes)):
            if number not in self.orders:
                order = self.match(number, alike)
                if isinstance(order, bool):
                    return None
                if order is not None:
                    self.orders[number] = order
                    found = True
        return found

    def find_numbers(self) -> bool:
        """Find the numbers that the rows, or columns, of single tensors tell: those of which each multiplies one, and
        nothing else that is not known does; return whether there are any.
        """
        before = len(self.numbers)
        for name in self.moves:
            if self.known((name, 0)) and self.known((name, 1)):
                for axis in (0, 1):
                    own, other = (self.exponents((name, place)) for place in (axis, 1 - axis))
                    if own.any() and not other.any():
                        rows, images = self.scaled(name), self.two[name]
                        self.measure(own, *((rows, images) if axis == 0 else (rows.T, images.T)))
        return len(self.numbers) > before

    def measure(self, exponents: np.ndarray, rows: Elements, images: Elements) -> None:
        """Enter the numbers that multiply rows alone, given the images of these."""
        one = Elements.of(rows.field, [[1]])
        sizes = np.abs(rows.raw) if isinstance(rows.field, Reals) else rows.raw != 0
        for row, column in enumerate(np.argmax(sizes, axis=1).tolist()):
            numbers = np.flatnonzero(exponents[row]).tolist()
            entry, image = rows.raw[row, column], images.raw[row, column]
            if len(numbers) != 1 or numbers[0] in self.numbers or entry == 0 or image == 0:
                continue
            if abs(exponents[row, numbers[0]]) == 1:
                value = images[[row], [column]] * rows[[row], [column]].reciprocal()
                if numbers[0] in self.motions.signs:
                    value = one if vanishes(value - one, one) else -one
                self.numbers[numbers[0]] = value ** int(exponents[row, numbers[0]])

    def exponents(self, side: Side) -> np.ndarray:
        """Return the exponents of the numbers on a side of a tensor, but of those that are known."""
        exponents = self.motions.exponents[side].copy()
        exponents[:, list(self.numbers)] = 0
        return exponents

    def scaled(self, name: str, but: int | None = None) -> Elements:
        """Return what is known of the image of a tensor, with the numbers that are known."""
        W = self.moved(name, but)
        one = Elements.of(W.field, [[1]])
        numbers = [self.numbers.get(number, one) for number in range(self.motions.numbers)]
        for axis in (0, 1) if self.numbers else ():
            factors = self.motions.factors((name, axis), numbers)
            if factors is not None:
                W = W * (factors if axis == 0 else factors.T)
        return W

    def known(self, side: Side) -> bool:
        """Return whether it is known, but for numbers, how a side of a tensor moves."""
        number = self.motions.class_of.get(side)
        whole = all(space in self.matrices for space, _ in self.motions.by_side.get(side, ()))
        return whole and (number is None or number in self.orders)

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
        return self.motions.on_side(side, self.matrices, self.inverses)

    def moved(self, name: str, but: int | None = None) -> Elements:
        """Return what is known of the image of a tensor: multiplied by all matrices but that on one side."""
        if but is None and name in self.images:
            return self.images[name]
        W = self.ordered(name)
        left = None if but == 0 else self.matrix((name, 0))
        right = None if but == 1 else self.matrix((name, 1))
        W = W if left is None else left @ W
        W = W if right is None else W @ right
        if but is None and self.known((name, 0)) and self.known((name, 1)):
            self.images[name] = W
        return W

    def match(self, number: int, alike: bool) -> Order | bool | None:
        """Return the order of the coordinates of a class; None if it is not known yet, and False if there is none.

        Unless those may be `alike`, coordinates that what is known does not tell apart are left to what will be known.
        """
        alike_moved: dict[tuple[bool, bytes, bytes], list[tuple[np.ndarray, np.ndarray]]] = defaultdict(list)
        for name, axis in self.motions.classes[number]:
            if name not in self.moves or (name, axis) in self.motions.by_side or not self.known((name, 1 - axis)):
                continue
            own, other = self.exponents((name, axis)), self.exponents((name, 1 - axis))
            if (other != other[:1]).any():
                continue
            pair = (self.scaled(name).raw, self.two[name].raw)
            key = bool(own.any() or other.any()), own.tobytes(), other[0].tobytes()
            alike_moved[key].append(pair if axis == 0 else (pair[0].T, pair[1].T))
        if not alike_moved:
            return None
        a_field = next(iter(self.one.values())).field
        keys = [
            [lines(Elements(a_field, np.hstack(parts)), free) for parts in zip(*pairs, strict=True)]
            for (free, _, _), pairs in alike_moved.items()
        ]
        first, second = (np.hstack([pair[place] for pair in keys]) for place in (0, 1))
        if not alike and not are_apart(second, a_field):
            return None
        order = matched(first, second, a_field)
        return False if order is None else order

    def solve(self, space: MatrixSpace, choose: bool) -> bool | None:
        """Solve for the matrix of a space: true if it is found, None if the tensors leave a choice that is not to be
        made, false if there is none.
        """
        a_tensor = next(iter(self.one.values()))
        second = self.motions.before_means.get(space)
        system = LinearSystem(a_tensor.field, space, tuple([0] * self.motions.numbers), second)
        for one in (space,) if second is None else (space, second):
            for side in one.sides:
                name, axis = side.side
                ordered = self.motions.class_of.get((name, axis)) in (None, *self.orders)
                if name in self.moves and ordered and self.known((name, 1 - axis)):
                    self.add_equations(system, side, one)
        reached = self.reached.get(space)
        if not system.products and not choose and reached != 0:
            return None
        system.add_group()
        if reached is not None:
            system.add_idle(reached)
        kernel = system.kernel()
        if not kernel.shape[1]:
            return False
        if kernel.shape[1] > 1 and not choose:
            return None
        if kernel.shape[1] == 1:
            return self.enter(system, kernel)
        for seed in range(CHOICES):  # over a small field few of them are invertible
            drawn = verbs.draw_array(kernel.field, shape=(kernel.shape[1], 1), seed=seed, label="choice")
            if self.enter(system, kernel @ Elements(kernel.field, drawn)):
                return True
        return False

    def enter(self, system: LinearSystem, solution: Elements) -> bool:
        """Enter the matrix of a solution, and return whether it is invertible."""
        units = solution.raw[: len(system.numbers), 0]
        if len(units) and not are_units(solution.field, units):
            return False
        matrices = {system.space: system.matrix(solution)}
        if system.second is not None:
            matrices[system.second] = system.matrix(solution, other=True)
        try:
            inverses = {space: verbs.inverse(g) for space, g in matrices.items()}
        except SingularMatrix:
            return False
        self.matrices.update(matrices)
        self.inverses.update(inverses)
        place = system.numbers.get(system.unit)
        if place is not None:
            unit = Elements(solution.field, units[place : place + 1].reshape(1, 1))
            self.units.update(dict.fromkeys(matrices, unit))
        return True

    def add_equations(self, system: LinearSystem, side: MovingSide, space: MatrixSpace) -> None:
        """Add the equations that a tensor gives for the matrix on one of its sides."""
        name, axis = side.side
        source, image = side.rows(self.scaled(name, but=axis)), side.rows(self.two[name])
        own, other = self.exponents((name, axis)), self.exponents((name, 1 - axis))
        own = own if side.part is None else own[list(side.part)]
        if (own != own[:1]).any():
            return
        A, B, sign = (image, source, 1) if side.inverse else (source, image, -1)
        patterns = sign * (own[:1] + other)
        patterns[:, self.motions.spaces[space]] = 0
        second = space is system.second
        system.add(side.turned, A, B, list(map(tuple, patterns.tolist())), other=second)
        if space.rigid:  # g^-1 is a multiple of g^T
            inverse = [tuple(int(-e) for e in row) for row in patterns]
            system.add(not side.turned, B, A, [("inverse", *row) for row in inverse], other=second)

    def fits(self) -> bool:
        """Return whether numbers may explain what is left where both sides are known: entries that are multiplied by
        the same product are.
        """
        return all(
            self.compared(name) is not None for name in self.moves if self.known((name, 0)) and self.known((name, 1))
        )

    def compared(self, name: str) -> Comparison | None:
        """Return the exponents that occur in a tensor of which both sides are known, and for each an entry of what is
        known of its image and the entry of the other point; None if no numbers take all entries to those of the other
        point.
        """
        if name not in self.comparisons:
            self.comparisons[name] = self.compare(name)
        return self.comparisons[name]

    def compare(self, name: str) -> Comparison | None:
        """Compute what `compared` returns."""
        W, image = self.moved(name), self.two[name]
        keys, groups = self.motions.patterns(name)
        first, second, places = W.raw.ravel(), image.raw.ravel(), groups.ravel()
        pivots = np.full(len(keys), -1)
        order = np.argsort(np.abs(first), kind="stable") if isinstance(W.field, Reals) else np.arange(len(first))
        order = order[first[order] != 0]
        pivots[places[order]] = order  # the last one of each group
        if np.any(second[pivots[places] < 0] != 0):
            return None
        seen = np.flatnonzero(pivots >= 0)
        x, y = (Elements(W.field, entries[pivots[seen]][None]) for entries in (first, second))
        if np.any(y.raw == 0):
            return None
        back = np.full(len(keys), 0)
        back[seen] = np.arange(len(seen))
        inside = slice(None) if len(seen) == len(keys) else np.flatnonzero(pivots[places] >= 0)
        a, b = (Elements(W.field, entries[inside][None]) for entries in (first, second))
        x_of, y_of = (Elements(W.field, one.raw[:, back[places[inside]]]) for one in (x, y))
        if not vanishes(a * y_of - b * x_of, x_of * y_of):
            return None
        return [keys[number] for number in seen], x, y

    def ratios(self, name: str) -> dict[tuple[int, ...], Elements] | None:
        """Return what entries of the same exponents are multiplied by, or None if that differs among them."""
        found = self.compared(name)
        if found is None:
            return None
        keys, x, y = found
        quotients = y * x.reciprocal()
        return {key: Elements(x.field, quotients.raw[:, place : place + 1]) for place, key in enumerate(keys)}
