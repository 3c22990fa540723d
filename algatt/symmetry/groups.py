"""Groups of invertible matrices that are cut out by linear equations, as nouns."""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from algatt import verbs
from algatt.arguments import whole
from algatt.fields.motions import Diagonal, Intertwining, Vanishing

Matrix = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class MatrixGroup(ABC):
    """A Lie group of invertible n x n matrices.

    Parameters
    ----------
    size : int
        The number n.
    """

    letter: ClassVar[str] = "G"
    """What it is called before its size."""

    meaning: ClassVar[str] = "invertible n x n matrices that satisfy some linear equations"
    """What a legend says of the letter."""

    size: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", whole("size", self.size))

    @property
    @abstractmethod
    def dimension(self) -> int:
        """Its dimension."""

    def __str__(self) -> str:
        return f"{self.letter}({self.size})"


@dataclass(frozen=True)
class GeneralLinear(MatrixGroup):
    """The group GL(n) of all invertible matrices."""

    letter: ClassVar[str] = "GL"
    meaning: ClassVar[str] = "all invertible n x n matrices"

    @property
    def dimension(self) -> int:
        return self.size**2


@dataclass(frozen=True)
class Orthogonal(MatrixGroup):
    r"""The group O(n) of the g with :math:`g g^T = 1`."""

    letter: ClassVar[str] = "O"
    meaning: ClassVar[str] = "orthogonal n x n matrices"

    @property
    def dimension(self) -> int:
        return self.size * (self.size - 1) // 2


@dataclass(frozen=True)
class Torus(MatrixGroup):
    """The group of the invertible diagonal matrices."""

    letter: ClassVar[str] = "T"
    meaning: ClassVar[str] = "diagonal n x n matrices without zeros"

    @property
    def dimension(self) -> int:
        return self.size


@dataclass(frozen=True)
class PositiveTorus(MatrixGroup):
    """The group of the diagonal matrices with positive entries."""

    letter: ClassVar[str] = "T+"
    meaning: ClassVar[str] = "diagonal n x n matrices with positive entries"

    @property
    def dimension(self) -> int:
        return self.size


@dataclass(frozen=True)
class Trivial(MatrixGroup):
    """The group of the identity, or a finite one: its dimension is 0."""

    @property
    def dimension(self) -> int:
        return 0

    def __str__(self) -> str:
        return "1"


@dataclass(frozen=True)
class Commutant(MatrixGroup):
    """The group of the g with g C = C g.

    Parameters
    ----------
    size : int
        The number n.
    matrix : tuple of tuple of int
        The constant matrix C, row by row.
    """

    letter: ClassVar[str] = "C"
    meaning: ClassVar[str] = "invertible n x n matrices that commute with a constant matrix of the code"

    matrix: Matrix

    @property
    def dimension(self) -> int:
        return dimension_of_commutant(self.matrix)


@dataclass(frozen=True)
class Stabilizer(MatrixGroup):
    """The group of the g with g C = C.

    Parameters
    ----------
    size : int
        The number n.
    matrix : tuple of tuple of int
        The constant matrix C, row by row.
    """

    letter: ClassVar[str] = "S"
    meaning: ClassVar[str] = "invertible n x n matrices g with g C = C for a constant matrix C of the code"

    matrix: Matrix

    @property
    def dimension(self) -> int:
        return self.size * (self.size - rank_over_rationals(np.array(self.matrix, dtype=object)))


@dataclass(frozen=True)
class LinearGroup(MatrixGroup):
    """A group that is cut out by linear equations and has no other name here.

    Parameters
    ----------
    size : int
        The number n.
    dimensions : int
        Its dimension.
    """

    dimensions: int

    @property
    def dimension(self) -> int:
        return self.dimensions


@functools.lru_cache(maxsize=64)
def dimension_of_commutant(matrix: Matrix) -> int:
    """Return the dimension of the matrices that commute with one."""
    C = np.array(matrix, dtype=object)
    identity = np.eye(len(C), dtype=np.int64)
    return len(C) ** 2 - rank_over_rationals(np.kron(identity, C.T) - np.kron(C, identity))


def rank_over_rationals(matrix: np.ndarray) -> int:
    """Return the rank of a matrix of integers and fractions."""
    import flint

    rows, columns = matrix.shape
    return int(flint.fmpq_mat(rows, columns, [flint.fmpq(*entry.as_integer_ratio()) for entry in matrix.flat]).rank())


@verbs.group_of.method
def group_of_equation(constraint: Vanishing) -> MatrixGroup | None:
    """S + S^T = 0 is the Lie algebra of the orthogonal group."""
    factors = tuple(constraint.action.terms.values())
    return Orthogonal(constraint.action.size) if len(factors) == 2 and factors[0] == factors[1] else None


@verbs.group_of.method
def group_of_diagonal(constraint: Diagonal) -> MatrixGroup | None:
    return Torus(constraint.action.size)


@verbs.group_of.method
def group_of_intertwining(constraint: Intertwining) -> MatrixGroup | None:
    """S C = C S, or S C = 0, for the space itself."""
    left, right, constant = constraint.left, constraint.right, constraint.constant.array
    if len(left.terms) != 1 or left.scalars or right.scalars or any(entry != int(entry) for entry in constant.flat):
        return None
    (_, transposed), *_ = left.terms
    if right.zero:
        return None if transposed else Stabilizer(left.size, matrix_of(constant))
    if dict(left.terms) != dict(right.terms):
        return None
    return Commutant(left.size, matrix_of(constant.T if transposed else constant))


def matrix_of(constant: np.ndarray) -> Matrix:
    """Return a matrix of integers as a tuple of rows, the first entry that is not zero being positive."""
    sign = next((1 if entry > 0 else -1 for entry in constant.flat if entry), 1)
    return tuple(tuple(sign * int(entry) for entry in row) for row in constant.tolist())
