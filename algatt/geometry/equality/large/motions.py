"""How the group of a network moves its tensors, as nouns: matrices, orders and numbers, and where they act."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from algatt.fields import Elements
from algatt.fields.motions import Constant
from algatt.symmetry.discrete.symmetry import Side

Matrix = TypeVar("Matrix", np.ndarray, Elements)


@dataclass(frozen=True)
class MovingSide:
    """Where a matrix g acts on a tensor.

    Parameters
    ----------
    tensor : str
        The name of the tensor.
    axis : int
        0 if it multiplies the rows, from the left; 1 if the columns, from the right.
    inverse, transposed : bool
        Whether it is the inverse of g, and whether its transpose.
    part : tuple of int or None
        The rows, or columns, that it multiplies; None for all.
    """

    tensor: str
    axis: int
    inverse: bool
    transposed: bool
    part: tuple[int, ...] | None = None

    @property
    def side(self) -> Side:
        """The tensor and the axis."""
        return self.tensor, self.axis

    @property
    def sign(self) -> int:
        """The exponent of g."""
        return -1 if self.inverse else 1

    @property
    def turned(self) -> bool:
        """Whether the matrix stands transposed on the rows that it multiplies, those of the transposed tensor if these
        are columns.
        """
        return self.transposed != (self.axis == 1)

    def rows(self, W: Matrix) -> Matrix:
        """Return the rows of a tensor, or of its transpose, that the matrix multiplies from the left."""
        X = W if self.axis == 0 else W.T
        return X if self.part is None else X[list(self.part)]

    def within(self, chosen: tuple[int, ...], flipped: bool, factor: int) -> MovingSide:
        """Return the side of another matrix, that acts on some rows, transposed or not, and inverse for a factor -1."""
        return MovingSide(self.tensor, self.axis, self.inverse != (factor == -1), self.transposed != flipped, chosen)


@dataclass(frozen=True, eq=False)
class MatrixSpace:
    """A space in which matrices act.

    Parameters
    ----------
    size : int
        Their number of rows.
    group : str
        ``general``: all invertible ones; ``orthogonal``: those with g g^T = 1; ``centred``: those of them that keep
        the vector of ones; ``turns``: those that commute with turns of pairs of rows, 2 f with 2 f + 1, of different
        speeds; ``commutant``: those that commute with some constants; ``means``:
        those that change nothing but means which are subtracted later.
    sides : tuple of MovingSide
        Where they act.
    speeds : tuple of int
        How fast each pair is turned, for ``turns``.
    constants : tuple of (Constant, bool)
        What matrices of a ``commutant`` commute with, each with whether it is its transpose.
    before_means : tuple of tuple of MovingSide
        For ``centred`` and ``means``, the sides on which a matrix h acts that moves what means are subtracted from
        later, for each h, as those of h with C h = k C, for the centring matrix C and the matrix k of the space, or 1;
        none if h C = C k holds as well.
    """

    size: int
    group: str
    sides: tuple[MovingSide, ...]
    speeds: tuple[int, ...] = ()
    before_means: tuple[tuple[MovingSide, ...], ...] = ()
    constants: tuple[tuple[Constant, bool], ...] = ()

    @property
    def rigid(self) -> bool:
        """Whether its matrices are orthogonal."""
        return self.group in ("orthogonal", "centred")

    @functools.cached_property
    def axes(self) -> np.ndarray:
        """Orthonormal vectors, as columns, of what its matrices move: all, or for ``centred`` those with sums zero."""
        if self.group != "centred":
            return np.eye(self.size)
        columns = np.arange(1, self.size)
        found = 1.0 * (np.arange(self.size)[:, None] < columns)
        found[columns, columns - 1] = -columns
        return found / np.sqrt(columns * (columns + 1))

    def on_axes(self, M: np.ndarray) -> np.ndarray:
        """Return what a matrix does to the axes, between them."""
        return M if self.group != "centred" else self.axes.T @ M @ self.axes

    def isometry(self, inner: np.ndarray) -> np.ndarray:
        """Return the matrix of the space that is a given orthogonal one between the axes."""
        return inner if self.group != "centred" else self.axes @ inner @ self.axes.T + 1 / self.size

    def turning(self, numbers: np.ndarray, rest: np.ndarray | None) -> np.ndarray:
        """Return the matrix that multiplies pairs of rows by complex numbers, and the other rows by a matrix."""
        found, even = np.eye(self.size), np.arange(0, 2 * len(numbers), 2)
        found[even, even] = found[even + 1, even + 1] = numbers.real
        found[even + 1, even], found[even, even + 1] = numbers.imag, -numbers.imag
        if rest is not None:
            found[2 * len(numbers) :, 2 * len(numbers) :] = rest
        return found

    @property
    def name(self) -> str:
        """The space by the first tensor that it moves."""
        first = self.sides[0]
        return f"{'rows' if first.axis == 0 else 'columns'} of {first.tensor}"


@dataclass(frozen=True, eq=False)
class Factors:
    """Numbers, one for each coordinate, whose powers multiply rows and columns of tensors.

    Parameters
    ----------
    exponents : dict of (str, int) to int
        The powers by side.
    signs, positive : bool
        Whether the numbers have to be 1 or -1, and whether they have to be positive.
    equal : tuple of tuple of int
        Coordinates that have the same number.
    """

    exponents: Mapping[Side, int]
    signs: bool = False
    positive: bool = False
    equal: tuple[tuple[int, ...], ...] = ()

    def admitted(self, numbers: np.ndarray) -> np.ndarray:
        """Return the numbers of the group that are nearest to some that were measured, 1 where none was."""
        if self.signs:
            return 1.0 - 2.0 * (numbers < 0)
        numbers = np.abs(numbers) if self.positive else numbers.copy()
        for places in self.equal:
            some = numbers[list(places)]
            numbers[list(places)] = some[np.isfinite(some)].mean() if np.isfinite(some).any() else 1.0
        numbers[~np.isfinite(numbers)] = 1.0
        return numbers


@dataclass(frozen=True, eq=False)
class Coordinates:
    """Rows and columns of tensors that are in one order, and may be permuted and multiplied by numbers.

    Parameters
    ----------
    size : int
        How many there are.
    sides : tuple of (str, int)
        The rows (0) and columns (1) of tensors.
    permuted : bool
        Whether they may be permuted.
    factors : tuple of Factors
        By what they may be multiplied.
    """

    size: int
    sides: tuple[Side, ...]
    permuted: bool
    factors: tuple[Factors, ...] = ()

    @property
    def name(self) -> str:
        """The coordinates by the first tensor that has them."""
        tensor, axis = self.sides[0]
        return f"{'rows' if axis == 0 else 'columns'} of {tensor}"


@dataclass(frozen=True, eq=False)
class LargeMotions:
    """How the group of a network moves its tensors in standard position.

    Parameters
    ----------
    spaces : tuple of MatrixSpace
        Where matrices act.
    coordinates : tuple of Coordinates
        What is permuted, and multiplied by numbers.
    passing : tuple of MatrixSpace
        Those of ``means``, which nothing sees in standard position but what reads a stream before means are subtracted.
    commutants : tuple of MatrixSpace
        Those of ``commutant``, for whose matrices exact points are solved; of floats they are among the unruled ones.
    multiplied : tuple of str
        Tensors that numbers multiply as a whole, which are taken not to move.
    unruled : tuple of (str, int)
        Sides of spaces whose groups no rule tells, so that they are taken not to move.
    """

    spaces: tuple[MatrixSpace, ...]
    coordinates: tuple[Coordinates, ...]
    passing: tuple[MatrixSpace, ...]
    commutants: tuple[MatrixSpace, ...]
    multiplied: tuple[str, ...]
    unruled: tuple[Side, ...]

    @property
    def unsolved(self) -> tuple[str, ...]:
        """The tensors that may move in ways that are not looked for."""
        return tuple(dict.fromkeys((*self.multiplied, *(name for name, _ in self.unruled))))

    @functools.cached_property
    def spaces_by_side(self) -> dict[Side, list[tuple[MatrixSpace, MovingSide]]]:
        """The spaces whose matrices act on each side of a tensor."""
        return by_side(self.spaces)

    @functools.cached_property
    def coordinates_by_side(self) -> dict[Side, Coordinates]:
        """The coordinates of each side of a tensor that has such."""
        return {side: one for one in self.coordinates for side in one.sides}


def by_side(spaces: Iterable[MatrixSpace]) -> dict[Side, list[tuple[MatrixSpace, MovingSide]]]:
    """Return the spaces whose matrices act on each side of a tensor."""
    found: dict[Side, list[tuple[MatrixSpace, MovingSide]]] = {}
    for space in spaces:
        for side in space.sides:
            found.setdefault(side.side, []).append((space, side))
    return found
