"""Unknowns of a Gauss-Newton step: the tangents of an orbit, block by block, without a matrix of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from algatt.errors import DivisionByZero
from algatt.fields import Elements, Reals
from algatt.geometry.alignment.problem import Frame, OrbitPoint, multipliers
from algatt.geometry.alignment.scalings import Scaling
from algatt.geometry.equality.large.balanced_form import matrices_of
from algatt.geometry.equality.large.balancing import matrix_of
from algatt.geometry.equality.large.change import Pair
from algatt.geometry.equality.large.motions import Coordinates, Factors, MatrixSpace, MovingSide
from algatt.programs.interpret import Results
from algatt.symmetry import GainSymmetry, GroupElement, NormBiasSymmetry, ShiftSymmetry, UnseenSymmetry
from algatt.symmetry.motions.shift import row_beside
from algatt.symmetry.quotients.gains import FoldedTensors

Arrays = Mapping[str, np.ndarray]


class UnknownBlock(ABC):
    """Some unknowns, and what they change.

    Attributes
    ----------
    size : int
        The number of unknowns.
    """

    size: int

    @abstractmethod
    def add(self, p: np.ndarray, changes: dict[str, np.ndarray]) -> None:
        """Add what unknowns change to the changes of tensors."""

    @abstractmethod
    def adjoint(self, changes: Arrays) -> np.ndarray:
        """Return the products of changes of tensors with the tangents of the unknowns."""


@dataclass(eq=False)
class SpaceBlock(UnknownBlock):
    """The Lie algebra of the matrices of a space.

    Parameters
    ----------
    space : MatrixSpace
        The space.
    frame : Frame
        The point.
    """

    space: MatrixSpace
    frame: Frame

    def __post_init__(self) -> None:
        self.axes = self.space.axes
        free = self.axes.shape[1]
        self.upper = np.triu_indices(free, 1)
        self.isometric = self.space.rigid
        self.pairs = len(self.space.speeds)
        rest = free - 2 * self.pairs
        self.size = len(self.upper[0]) if self.isometric else 2 * self.pairs + rest * rest

    def matrix(self, p: np.ndarray) -> np.ndarray:
        """Return the element of the Lie algebra."""
        free, turned = self.axes.shape[1], 2 * self.pairs
        if self.isometric:
            xi = np.zeros((free, free))
            xi[self.upper] = p
            skew: np.ndarray = self.axes @ (xi - xi.T) @ self.axes.T
            return skew
        numbers = p[: self.pairs] + 1j * p[self.pairs : turned]
        return self.space.turning(numbers, p[turned:].reshape(free - turned, free - turned))

    def coefficients(self, G: np.ndarray) -> np.ndarray:
        """Return the products of a matrix with the basis of the Lie algebra."""
        if self.isometric:
            inner = self.axes.T @ G @ self.axes
            return inner[self.upper] - inner.T[self.upper]
        turned = 2 * self.pairs
        even = np.arange(0, turned, 2)
        sizes, turns = G[even, even] + G[even + 1, even + 1], G[even + 1, even] - G[even, even + 1]
        return np.concatenate([sizes, turns, G[turned:, turned:].ravel()])

    def add(self, p: np.ndarray, changes: dict[str, np.ndarray]) -> None:
        xi = self.matrix(p)
        for side in self.space.sides:
            X = side.rows(self.frame.tensors[side.tensor])
            moved = -xi.T @ X if side.inverse else xi @ X
            place(side, changes[side.tensor], moved * side.rows(self.frame.weights[side.tensor]))

    def adjoint(self, changes: Arrays) -> np.ndarray:
        G = np.zeros((self.space.size, self.space.size))
        for side in self.space.sides:
            X, w, D = (side.rows(one[side.tensor]) for one in (self.frame.tensors, self.frame.weights, changes))
            product = (D * w) @ X.T
            G += -product.T if side.inverse else product
        return self.coefficients(G)

    def pair(self, p: np.ndarray) -> Pair:
        """Return the matrix of unknowns, and its inverse."""
        from scipy.linalg import expm

        xi = self.matrix(p)
        return matrix_of(self.space, expm(xi), expm(-xi))


@dataclass(eq=False)
class NumberBlock(UnknownBlock):
    """The logarithms of numbers that multiply coordinates.

    Parameters
    ----------
    coordinates : Coordinates
        What they multiply.
    factors : Factors
        The numbers.
    tensors : dict of str to ndarray
        The tensors, before gains are folded.
    gain : GainSymmetry or None
        The family, if they multiply a gain.
    """

    coordinates: Coordinates
    factors: Factors
    tensors: Arrays
    gain: GainSymmetry | None = None

    def __post_init__(self) -> None:
        places = np.arange(self.coordinates.size)
        for listed in self.factors.equal:
            places[list(listed)] = listed[0]
        self.places = np.unique(places, return_inverse=True)[1]
        self.size = int(self.places.max()) + 1

    def numbers(self, p: np.ndarray) -> np.ndarray:
        """Return the numbers of unknowns."""
        return np.exp(p)[self.places]

    def add(self, p: np.ndarray, changes: dict[str, np.ndarray]) -> None:
        s = p[self.places]
        for (name, axis), power in self.factors.exponents.items():
            changes[name] += power * self.tensors[name] * (s[:, None] if axis == 0 else s)

    def adjoint(self, changes: Arrays) -> np.ndarray:
        total = np.zeros(self.coordinates.size)
        for (name, axis), power in self.factors.exponents.items():
            total += power * np.sum(self.tensors[name] * changes[name], axis=1 - axis)
        return np.bincount(self.places, total, self.size)


@dataclass(eq=False)
class ScalingBlock(UnknownBlock):
    """The logarithm of a number that multiplies whole tensors.

    Parameters
    ----------
    scaling : Scaling
        The number.
    tensors : dict of str to ndarray
        The tensors.
    """

    scaling: Scaling
    tensors: Arrays

    def __post_init__(self) -> None:
        self.size = 1

    def add(self, p: np.ndarray, changes: dict[str, np.ndarray]) -> None:
        for name, power in self.scaling.exponents.items():
            changes[name] += power * p[0] * self.tensors[name]

    def adjoint(self, changes: Arrays) -> np.ndarray:
        powers = self.scaling.exponents.items()
        return np.array([sum(power * float(np.vdot(self.tensors[name], changes[name])) for name, power in powers)])


@dataclass(frozen=True, eq=False)
class Spread:
    """A matrix M of which M v is added to all rows or all columns of a tensor, times weights.

    Parameters
    ----------
    name : str
        The tensor.
    axis : int
        0 if M v is added to each column, so that it has an entry for each row; 1 if to each row.
    matrix : ndarray
        M.
    weights : ndarray
        The weights.
    """

    name: str
    axis: int
    matrix: np.ndarray
    weights: np.ndarray


@dataclass(eq=False)
class VectorBlock(UnknownBlock):
    """The vectors of a family of translations.

    Parameters
    ----------
    family : ShiftSymmetry or NormBiasSymmetry
        The family.
    basis : ndarray
        The vectors that it admits, as columns.
    spreads : list of Spread
        What they change.
    """

    family: ShiftSymmetry | NormBiasSymmetry
    basis: np.ndarray
    spreads: list[Spread]

    def __post_init__(self) -> None:
        self.size = self.basis.shape[1]

    def add(self, p: np.ndarray, changes: dict[str, np.ndarray]) -> None:
        for one in self.spreads:
            v = one.matrix @ p
            changes[one.name] += one.weights * (v[:, None] if one.axis == 0 else v)

    def adjoint(self, changes: Arrays) -> np.ndarray:
        total = np.zeros(self.size)
        for one in self.spreads:
            total += one.matrix.T @ np.sum(one.weights * changes[one.name], axis=1 - one.axis)
        return total

    def element(self, p: np.ndarray) -> GroupElement:
        """Return the translation of unknowns."""
        return self.family.element_of(Elements(Reals(), (self.basis @ p)[:, None]))


@dataclass(eq=False)
class EntryBlock(UnknownBlock):
    """Entries that no value depends on.

    Parameters
    ----------
    family : UnseenSymmetry
        The family.
    """

    family: UnseenSymmetry

    def __post_init__(self) -> None:
        self.size = self.family.dimension
        self.places = list(self.family.unseen.rows), list(self.family.unseen.columns)

    def add(self, p: np.ndarray, changes: dict[str, np.ndarray]) -> None:
        changes[self.family.unseen.tensor][tuple(self.places)] += p

    def adjoint(self, changes: Arrays) -> np.ndarray:
        found: np.ndarray = changes[self.family.unseen.tensor][tuple(self.places)]
        return found

    def element(self, p: np.ndarray) -> GroupElement:
        """Return the translation of unknowns."""
        return self.family.element_of(Elements(Reals(), p[:, None]))


def place(side: MovingSide, W: np.ndarray, rows: np.ndarray) -> None:
    """Add rows to a tensor where a matrix moves it."""
    X = W if side.axis == 0 else W.T
    if side.part is None:
        X += rows
    else:
        X[list(side.part)] += rows


def blocks_of(position: OrbitPoint, frame: Frame) -> Iterator[UnknownBlock]:
    """Iterate over all unknowns at a point."""
    problem, tensors = position.problem, matrices_of(position.theta)
    for space in problem.spaces:
        yield SpaceBlock(space, frame)
    for one in problem.coordinates:
        for factors in one.factors:
            if not factors.signs:
                yield NumberBlock(one, factors, tensors)
    for gain in problem.gains:
        yield NumberBlock(gain.coordinates, gain.factors, tensors, gain.family)
    for scaling in problem.scalings:
        yield ScalingBlock(scaling, tensors)
    for family in problem.vectors:
        if isinstance(family, UnseenSymmetry):
            yield EntryBlock(family)
        else:
            yield from translations(family, position)


def translations(family: ShiftSymmetry | NormBiasSymmetry, position: OrbitPoint) -> Iterator[VectorBlock]:
    """Iterate over the unknowns of a family of translations: none where it has none at a point."""
    try:
        tensors = FoldedTensors(family.fold, position.theta)
        weights = multipliers(family.fold, position.theta)
        if isinstance(family, NormBiasSymmetry):
            total = float(tensors[family.bias.name].raw.sum())
            if total == 0:
                return
            basis = np.eye(family.dimension)
            moved = [(family.bias.name, 0, basis, 1.0)]
            moved += [(name, 0, -tensors[name].raw / total, 1.0) for name in family.bias.matrices]
        else:
            vectors = family.shift.vectors(tensors)
            basis = vectors.raw
            results = Results(family.shift.program, vectors.field, tensors)
            moved = [
                (one.tensor, int(one.kind == "rows"), M.raw, row_beside(one.row, results).raw if one.row else 1.0)
                for one, M in family.shift.columns(tensors, vectors)
            ]
    except DivisionByZero:
        return
    if basis.shape[1]:
        spreads = [Spread(name, axis, M, weights[name] * row) for name, axis, M, row in moved]
        yield VectorBlock(family, basis, spreads)
