"""Steps of an alignment: the matrix of one space, or the order and the numbers of some coordinates, all else fixed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from algatt.errors import NoNormalForm
from algatt.geometry.alignment.closed_forms import (
    Squares,
    assign,
    nearest_numbers,
    nearest_turns,
    polar,
    sign_of_sums,
    together,
)
from algatt.geometry.alignment.problem import Frame
from algatt.geometry.equality.large.balancing import balanced, is_transposed, matrix_of
from algatt.geometry.equality.large.change import CoordinateChange, Pair
from algatt.geometry.equality.large.motions import Coordinates, Factors, LargeMotions, MatrixSpace, MovingSide
from algatt.symmetry.discrete.symmetry import Side

PASSES = 4
"""Number of times that an order is improved while the other sides of its tensors have the same coordinates."""

Unit = MatrixSpace | Coordinates
"""What is solved for in one step."""

Rows = tuple[np.ndarray, np.ndarray]
"""Rows of a point and of the target, side by side for several tensors."""


def tensors_of(unit: Unit) -> tuple[str, ...]:
    """Return the tensors that a unit moves."""
    sides = [side.tensor for side in unit.sides] if isinstance(unit, MatrixSpace) else [name for name, _ in unit.sides]
    return tuple(dict.fromkeys(sides))


@dataclass(eq=False)
class Round:
    """A frame that is moved step by step, with the change that led there.

    Parameters
    ----------
    motions : LargeMotions
        How tensors move.
    frame : Frame
        The point and the target.
    matrices, orders, numbers : dict
        The change so far, as in `CoordinateChange`.
    """

    motions: LargeMotions
    frame: Frame
    matrices: dict[MatrixSpace, Pair] = field(default_factory=dict)
    orders: dict[Coordinates, np.ndarray] = field(default_factory=dict)
    numbers: dict[Factors, np.ndarray] = field(default_factory=dict)

    @property
    def change(self) -> CoordinateChange:
        """The change so far."""
        return CoordinateChange(self.motions, {}, self.matrices, self.orders, self.numbers)

    def step(self, unit: Unit) -> bool:
        """Solve for a unit; return whether the point was moved."""
        if isinstance(unit, MatrixSpace):
            changes = [CoordinateChange(self.motions, {}, {unit: pair}) for pair in candidates(unit, self.frame)]
        else:
            changes = list(self.orders_of(unit))
        names = [name for name in tensors_of(unit) if name in self.frame.tensors]
        before = sum(self.frame.square(name) for name in names)
        best: tuple[float, CoordinateChange | None, dict[str, np.ndarray]] = (before, None, {})
        for change in changes:
            moved = {name: change.image(name, self.frame.tensors[name]) for name in names}
            after = sum(self.frame.square(name, W) for name, W in moved.items())
            if after < best[0]:
                best = after, change, moved
        if best[1] is None:
            return False
        self.frame.tensors.update(best[2])
        self.record(best[1])
        return True

    def record(self, change: CoordinateChange) -> None:
        """Add a change to those so far."""
        for space, (g, inverse) in change.matrices.items():
            h, back = self.matrices.get(space, (np.eye(space.size), np.eye(space.size)))
            self.matrices[space] = (h @ g, inverse @ back) if is_transposed(space) else (g @ h, back @ inverse)
        for one in {**dict.fromkeys(change.orders), **dict.fromkeys(self.coordinates_with(change.numbers))}:
            order = change.orders.get(one, np.arange(one.size))
            self.orders[one] = self.orders.get(one, np.arange(one.size))[order]
            for factors in one.factors:
                if factors in change.numbers or factors in self.numbers:
                    before_numbers = self.numbers.get(factors, np.ones(one.size))[order]
                    self.numbers[factors] = before_numbers * change.numbers.get(factors, np.ones(one.size))

    def coordinates_with(self, numbers: Mapping[Factors, np.ndarray]) -> Iterator[Coordinates]:
        """Iterate over the coordinates that some numbers multiply."""
        for one in self.motions.coordinates:
            if any(factors in numbers for factors in one.factors):
                yield one

    def orders_of(self, one: Coordinates) -> Iterator[CoordinateChange]:
        """Iterate over orders of coordinates with the numbers that fit them."""
        chosen = [side for side in one.sides if side[0] in self.frame.tensors]
        if not chosen:
            return
        if not one.permuted:
            yield CoordinateChange(self.motions, {}, {}, {}, nearest_factors(one, chosen, self.frame))
            return
        both = {name for name, axis in chosen if (name, 1 - axis) in chosen}
        tensors = dict(self.frame.tensors)
        order = np.arange(one.size)
        for _ in range(PASSES if both else 1):
            counted = [side for side in chosen if side[1] == 0 or side[0] not in both]
            costs = costs_of(one, counted, self.frame, tensors)
            further = assign(costs)
            if np.array_equal(further, order):
                break
            order = further
            for name in both:
                tensors[name] = np.take(self.frame.tensors[name], order, axis=1)
        turned = Frame({**self.frame.tensors, **dict(self.images(order, chosen))}, self.frame.goal, self.frame.weights)
        yield CoordinateChange(self.motions, {}, {}, {one: order}, nearest_factors(one, chosen, turned))

    def images(self, order: np.ndarray, sides: Iterable[Side]) -> Iterator[tuple[str, np.ndarray]]:
        """Iterate over tensors with their coordinates in another order."""
        moved: dict[str, np.ndarray] = {}
        for name, axis in sides:
            moved[name] = np.take(moved.get(name, self.frame.tensors[name]), order, axis=axis)
        yield from moved.items()


def squares_of(
    factors: Factors, sides: Iterable[Side], frame: Frame, *, pairs: Mapping[str, np.ndarray] | None = None
) -> dict[int, tuple[np.ndarray, np.ndarray]]:
    """Return the coefficients of the sums of squares in the numbers of some factors: one for each place; or one for
    each place and each row that may come there, if the tensors of these are given.
    """
    found: dict[int, tuple[np.ndarray, np.ndarray]] = {}
    for name, axis in sides:
        power = factors.exponents.get((name, axis), 0)
        X, T, w = oriented(name, axis, frame, pairs)
        if pairs is None:
            P, R = np.sum((w * X) ** 2, axis=1), np.sum(w**2 * X * T, axis=1)
        else:
            P, R = w**2 @ (X**2).T, (w**2 * T) @ X.T
        before = found.get(power)
        found[power] = (P, R) if before is None else (before[0] + P, before[1] + R)
    return found


def oriented(
    name: str, axis: int, frame: Frame, tensors: Mapping[str, np.ndarray] | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the rows, or columns, of a tensor, of the target, and of the weights, as rows."""
    X = (frame.tensors if tensors is None else tensors)[name]
    arrays = X, frame.goal[name], frame.weights[name]
    return arrays if axis == 0 else (arrays[0].T, arrays[1].T, arrays[2].T)


def nearest_factors(one: Coordinates, sides: Iterable[Side], frame: Frame) -> dict[Factors, np.ndarray]:
    """Return the numbers, all of a family at once and one family after the other, that bring tensors nearest."""
    numbers: dict[Factors, np.ndarray] = {}
    listed = list(sides)
    for _ in range(1 if len(one.factors) == 1 else PASSES):
        for factors in one.factors:
            change = {other: its for other, its in numbers.items() if other is not factors}
            multiplied = {name: multiply(frame.tensors[name], name, change) for name, _ in listed}
            squares = squares_of(factors, listed, Frame(multiplied, frame.goal, frame.weights))
            if any(squares):
                numbers[factors] = of_squares(factors, squares)
    return numbers


def multiply(W: np.ndarray, name: str, numbers: Mapping[Factors, np.ndarray]) -> np.ndarray:
    """Return a tensor with its rows and columns multiplied by powers of numbers."""
    for factors, its in numbers.items():
        for axis in (0, 1):
            power = factors.exponents.get((name, axis), 0)
            if power:
                W = W * (its[:, None] if axis == 0 else its) ** power
    return W


def of_squares(factors: Factors, squares: Squares) -> np.ndarray:
    """Return the numbers of a group at which sums of squares are least."""
    summed = {k: (together(P, factors.equal), together(R, factors.equal)) for k, (P, R) in squares.items()}
    return sign_of_sums(summed) if factors.signs else nearest_numbers(summed, positive=factors.positive)


def costs_of(one: Coordinates, sides: Iterable[Side], frame: Frame, tensors: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return for each place and each row that may come there the least sum of squares of what they differ by."""
    listed = list(sides)
    total = sum(
        np.sum((w * T) ** 2, axis=1)[:, None] for _, T, w in (oriented(*side, frame, tensors) for side in listed)
    )
    free = [factors for factors in one.factors if not factors.equal]
    squares = squares_of(Factors({}), listed, frame, pairs=tensors)
    if not free:
        P, R = squares[0]
        costs: np.ndarray = total + P - 2 * R
        return costs
    # of several families each is used in turn
    pieces = {side: squares_of(Factors({}), [side], frame, pairs=tensors)[0] for side in listed}
    for factors in free:
        grouped: dict[int, Rows] = {}
        for side, (P, R) in pieces.items():
            power = factors.exponents.get(side, 0)
            if power:
                before = grouped.get(power)
                grouped[power] = (P, R) if before is None else (before[0] + P, before[1] + R)
        if grouped:
            t = of_squares(Factors(factors.exponents, factors.signs, factors.positive), grouped)
            for side in listed:
                power = factors.exponents.get(side, 0)
                P, R = pieces[side]
                pieces[side] = P * t ** (2 * power), R * t**power
    for P, R in pieces.values():
        total = total + P - 2 * R
    return total


def candidates(space: MatrixSpace, frame: Frame) -> Iterator[Pair]:
    """Iterate over matrices of a space that bring its tensors near to the target, with their inverses."""
    used = [side for side in space.sides if side.tensor in frame.tensors]
    if not used:
        return
    kinds = [[side for side in used if side.inverse == kind] for kind in (False, True)]
    for squared in (False, True):  # weights on the rows themselves have no closed form: without, and to first order
        plain, inverse = (side_by_side(space, listed, frame, squared) for listed in kinds)
        with contextlib.suppress(np.linalg.LinAlgError):
            h = nearest_matrix(space, plain, inverse)
            if h is not None and np.all(np.isfinite(h)):
                yield matrix_of(space, h, h.T if space.rigid else np.linalg.inv(h))
        if all(np.ptp(side.rows(frame.weights[side.tensor]), axis=0).max(initial=0) == 0 for side in used):
            return


def side_by_side(space: MatrixSpace, sides: Iterable[MovingSide], frame: Frame, squared: bool) -> Rows:
    """Return the rows of a point and of the target that a space moves, side by side."""
    pairs = []
    for side in sides:
        X, T, w = (side.rows(one[side.tensor]) for one in (frame.tensors, frame.goal, frame.weights))
        mean = np.sqrt(np.mean(w**2, axis=0))
        pairs.append((X * mean, T * mean * ((w / mean) ** 2 if squared else 1.0)))
    empty = np.zeros((space.size, 0))
    first, second = ([pair[k] for pair in pairs] or [empty] for k in (0, 1))
    return np.concatenate(first, axis=1), np.concatenate(second, axis=1)


def nearest_matrix(space: MatrixSpace, plain: Rows, inverse: Rows) -> np.ndarray | None:
    """Return the h of a group that brings rows near to others, where some are multiplied by h and some by its inverse
    transpose; nearest for isometries and turns, and in balanced coordinates for general matrices.
    """
    (X, T), (Y, S) = plain, inverse
    if space.rigid:
        return space.isometry(polar(space.on_axes(T @ X.T + S @ Y.T)))
    turned = 2 * len(space.speeds)
    x, t, y, s = (M[:turned:2] + 1j * M[1:turned:2] for M in (X, T, Y, S))
    z = nearest_turns(np.sum(np.abs(x) ** 2, axis=1), crossed(t, x), np.sum(np.abs(y) ** 2, axis=1), crossed(s, y))
    if turned == space.size:
        return space.turning(z, None)
    rest = general_matrix(space.name, X[turned:], T[turned:], Y[turned:], S[turned:])
    return None if rest is None else space.turning(z, rest)


def crossed(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the sums of products of rows, of the conjugates of the second ones."""
    found: np.ndarray = np.sum(one * other.conj(), axis=1)
    return found


def general_matrix(name: str, X: np.ndarray, T: np.ndarray, Y: np.ndarray, S: np.ndarray) -> np.ndarray | None:
    """Return an invertible h for which h X is near T and h^-T Y near S: by least squares if there is only one of both,
    else the isometry between their balanced forms that is nearest.
    """
    size = len(X)
    if not Y.shape[1] or not X.shape[1]:
        A, B = (X, T) if X.shape[1] else (Y, S)
        h = np.linalg.lstsq(A.T, B.T, rcond=None)[0].T
        if np.linalg.cond(h) > 1e8:
            return None
        return h if X.shape[1] else np.linalg.inv(h).T
    with contextlib.suppress(NoNormalForm):
        from_x, _, _ = balanced(name, X, Y, 0)
        from_t, back, _ = balanced(name, T, S, 0)
        own, its = from_x @ X, np.linalg.solve(from_x.T, Y)
        goal, its_goal = from_t @ T, back.T @ S
        found: np.ndarray = back @ polar(goal @ own.T + its_goal @ its.T) @ from_x
        return found
    return polar(T @ X.T + S @ Y.T) if size else None
