"""Changes of coordinates of all spaces of a network at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from algatt import verbs
from algatt.errors import InvalidArgument
from algatt.fields import Elements, Field, Reals
from algatt.geometry.equality.large.arrays import as_matrix, entered
from algatt.geometry.equality.large.motions import Coordinates, Factors, LargeMotions, MatrixSpace, MovingSide
from algatt.parameters import Weights
from algatt.symmetry.base import InvertibleElement
from algatt.symmetry.discrete.symmetry import Side

Pair = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True, eq=False)
class CoordinateChange(InvertibleElement):
    """Matrices, orders and numbers for the spaces of a network, and tensors that change places, over the reals.

    What is not given stays: it acts on weights in standard position, or in any if the gains of the network are not
    among its spaces.

    Parameters
    ----------
    motions : LargeMotions
        How tensors move.
    sources : dict of str to str
        For each tensor the one that takes its place; those that are not here stay.
    matrices : dict of MatrixSpace to (ndarray, ndarray)
        Matrices with their inverses.
    orders : dict of Coordinates to ndarray
        Coordinate i becomes that of number ``order[i]``.
    numbers : dict of Factors to ndarray
        By what coordinates are multiplied then.
    rows : dict of str to ndarray
        The orders of the rows of tensors that exchanged ones take with them, as experts those of a router.
    """

    motions: LargeMotions
    sources: Mapping[str, str] = field(default_factory=dict)
    matrices: Mapping[MatrixSpace, Pair] = field(default_factory=dict)
    orders: Mapping[Coordinates, np.ndarray] = field(default_factory=dict)
    numbers: Mapping[Factors, np.ndarray] = field(default_factory=dict)
    rows: Mapping[str, np.ndarray] = field(default_factory=dict)

    @property
    def field(self) -> Field:
        return Reals()

    def __repr__(self) -> str:
        parts = len(self.matrices), len(self.orders), len(self.numbers)
        return "CoordinateChange({} matrices, {} orders, {} families of numbers)".format(*parts)

    @property
    def permutes(self) -> bool:
        """Whether tensors change places, or coordinates their order."""
        return bool(self.sources) or not all(map(is_in_order, self.orders.values()))

    def image(self, name: str, W: np.ndarray, but: Side | None = None) -> np.ndarray:
        """Return what becomes of a tensor that takes the place of another one, but for the matrices on one side."""
        W = W[self.rows[name]] if name in self.rows else W
        for axis in (0, 1):
            one = self.motions.coordinates_by_side.get((name, axis))
            if one is not None:
                order = self.orders.get(one)
                W = W if order is None or is_in_order(order) else np.take(W, order, axis=axis, mode="clip")
                for factors in one.factors:
                    power = factors.exponents.get((name, axis), 0)
                    if power and factors in self.numbers and np.any(self.numbers[factors] != 1):
                        numbers = self.numbers[factors] ** power
                        W = W * (numbers[:, None] if axis == 0 else numbers[None])
        for axis in (0, 1):
            for space, side in self.motions.spaces_by_side.get((name, axis), ()):
                if (name, axis) != but and space in self.matrices:
                    g = matrix_on(side, self.matrices[space])
                    W = W if is_one(g) else acted(W, side, g)
        return W

    def move(self, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        moved = {}
        for name, one in tensors.items():
            source = tensors[self.sources.get(name, name)]
            raw = self.image(name, as_matrix(source.raw))
            moved[name] = entered(one, raw)
        return moved

    def inverted(self) -> CoordinateChange:
        """Return the inverse."""
        motions, sources = self.motions, self.sources
        matrices, orders, numbers = {}, {}, {}
        for space, (g, inverse) in self.matrices.items():
            first = space.sides[0]
            beside = motions.spaces_by_side[sources.get(first.tensor, first.tensor), first.axis]
            matrices[beside[motions.spaces_by_side[first.tensor, first.axis].index((space, first))][0]] = inverse, g
        for one, order in self.orders.items():
            name, axis = one.sides[0]
            back = np.argsort(order)
            other = motions.coordinates_by_side[sources.get(name, name), axis]
            orders[other] = back
            for factors, its in zip(one.factors, other.factors, strict=True):
                if factors in self.numbers:
                    numbers[its] = 1 / self.numbers[factors][back]
        rows = {name: np.argsort(order) for name, order in self.rows.items()}
        back_to = {source: name for name, source in sources.items()}
        return CoordinateChange(motions, back_to, matrices, orders, numbers, rows)


def matrix_on(side: MovingSide, pair: Pair) -> np.ndarray:
    """Return the matrix that acts on a side, of that of its space and its inverse."""
    g = pair[1] if side.inverse else pair[0]
    return g.T if side.transposed else g


def is_in_order(order: np.ndarray) -> bool:
    """Return whether an order leaves all in place; of most others the first entry tells."""
    return bool(order[0] == 0) and np.array_equal(order, np.arange(len(order)))


def is_one(g: np.ndarray) -> bool:
    """Return whether a matrix is the identity; of most others the first entry tells."""
    return bool(g[0, 0] == 1) and np.array_equal(g, np.eye(len(g)))


def acted(W: np.ndarray, side: MovingSide, g: np.ndarray) -> np.ndarray:
    """Return a tensor after a matrix acted on one of its sides."""
    if side.part is None:
        return g @ W if side.axis == 0 else W @ g
    part, result = list(side.part), W.copy()
    if side.axis == 0:
        result[part] = g @ W[part]
    else:
        result[:, part] = W[:, part] @ g
    return result


@verbs.act.method
def act_by_change(element: CoordinateChange, theta: Weights) -> Weights:
    if not isinstance(theta.field, Reals):
        raise InvalidArgument("theta", f"over {theta.field}", "over Reals()")
    return theta.replace(list(element.move(theta.tensors).values()))
