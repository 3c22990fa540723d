"""Constant matrices that the rules of types multiply with, as nouns: their entries are made only when these are asked
for.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

MOST_ENTRIES = 2**12
"""Constants with more entries are not multiplied with each other."""


@dataclass(frozen=True)
class Constant(ABC):
    """A constant matrix."""

    @property
    @abstractmethod
    def shape(self) -> tuple[int, int]:
        """Its shape."""

    @property
    @abstractmethod
    def array(self) -> np.ndarray:
        """Its entries, integers or fractions."""

    @property
    def T(self) -> Constant:
        """The transpose."""
        return Entries.of(self.array.T)


@dataclass(frozen=True)
class Entries(Constant):
    """A matrix that is given by its entries.

    Parameters
    ----------
    rows : tuple of tuple
        The entries, integers or fractions, row by row.
    """

    rows: tuple[tuple[Any, ...], ...]

    @classmethod
    def of(cls, array: np.ndarray) -> Entries:
        """Return an array of at most two axes as a constant matrix."""
        return cls(tuple(map(tuple, np.atleast_2d(array).tolist())))

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.rows[0])

    @property
    def array(self) -> np.ndarray:
        return np.array(self.rows, dtype=object)


@dataclass(frozen=True)
class Ones(Constant):
    """A matrix of ones.

    Parameters
    ----------
    height, width : int
        Its shape.
    """

    height: int
    width: int

    @property
    def shape(self) -> tuple[int, int]:
        return self.height, self.width

    @property
    def array(self) -> np.ndarray:
        return np.ones(self.shape, dtype=np.int64)

    @property
    def T(self) -> Ones:
        return Ones(self.width, self.height)


@dataclass(frozen=True)
class Selection(Constant):
    """The matrix that takes rows out of others; transposed, the one that puts them back, between zeros.

    Parameters
    ----------
    count : int
        Out of so many rows.
    chosen : tuple of int
        The rows.
    transposed : bool
        Whether it is transposed.
    """

    count: int
    chosen: tuple[int, ...]
    transposed: bool = False

    @property
    def shape(self) -> tuple[int, int]:
        return (self.count, len(self.chosen)) if self.transposed else (len(self.chosen), self.count)

    @property
    def array(self) -> np.ndarray:
        rows = np.zeros((len(self.chosen), self.count), dtype=np.int64)
        rows[np.arange(len(self.chosen)), list(self.chosen)] = 1
        return rows.T if self.transposed else rows

    @property
    def T(self) -> Selection:
        return Selection(self.count, self.chosen, not self.transposed)


@dataclass(frozen=True)
class Centring(Constant):
    r"""The matrix :math:`n I - \mathbb 1 \mathbb 1^T`, a multiple of the projection that subtracts the mean.

    Parameters
    ----------
    size : int
        The number n.
    """

    size: int

    @property
    def shape(self) -> tuple[int, int]:
        return self.size, self.size

    @property
    def array(self) -> np.ndarray:
        return self.size * np.eye(self.size, dtype=np.int64) - 1

    @property
    def T(self) -> Centring:
        return self


@dataclass(frozen=True)
class Turns(Constant):
    """The generator of turns of pairs of rows, row 2 f with row 2 f + 1; the other rows stay.

    Parameters
    ----------
    size : int
        The number of rows.
    speeds : tuple of int
        How fast each pair is turned.
    """

    size: int
    speeds: tuple[int, ...]

    @property
    def shape(self) -> tuple[int, int]:
        return self.size, self.size

    @property
    def array(self) -> np.ndarray:
        generator = np.zeros(self.shape, dtype=np.int64)
        for pair, speed in enumerate(self.speeds):
            generator[2 * pair, 2 * pair + 1], generator[2 * pair + 1, 2 * pair] = -speed, speed
        return generator


def multiplied(one: Constant, other: Constant) -> tuple[int, Constant | None] | None:
    """Return a product as a number and a matrix, None standing for the identity; None if it is left as it is."""
    match one, other:
        case Ones(height, width), Ones(_, columns):
            return width, Ones(height, columns)
        case (Centring(), Ones()) | (Ones(), Centring()):
            return 0, None
        case Centring(size), Centring():
            return size, one
        case Selection(_, chosen, False), Ones(_, columns):
            return 1, Ones(len(chosen), columns)
        case Selection(_, chosen, False), Selection(count, below, False):
            return 1, chosen_of(count, [below[place] for place in chosen], transposed=False)
        case Selection(count, chosen, True), Selection(_, below, True):
            return 1, chosen_of(count, [chosen[place] for place in below], transposed=True)
        case Selection(_, chosen, False), Selection(_, below, True) if set(chosen) <= set(below):
            return 1, chosen_of(len(below), [below.index(place) for place in chosen], transposed=False)
        case Selection(_, chosen, False), Selection(_, below, True) if set(chosen).isdisjoint(below):
            return 0, None
    if isinstance(one, Ones) and one.width == 1:  # so that it is seen that all rows are equal
        return None
    if max(math.prod(one.shape), math.prod(other.shape)) > MOST_ENTRIES or Centring in (type(one), type(other)):
        return None
    return named(one.array.astype(object) @ other.array.astype(object))


def chosen_of(count: int, chosen: list[int], *, transposed: bool) -> Constant | None:
    """Return the matrix that takes some rows; None if it takes all in their order."""
    return None if chosen == list(range(count)) else Selection(count, tuple(chosen), transposed)


def named(array: np.ndarray) -> tuple[int, Constant | None]:
    """Return a matrix as a number and a noun, None standing for the identity."""
    if not array.any():
        return 0, None
    if array.shape[0] == array.shape[1] and (array == np.eye(len(array), dtype=np.int64)).all():
        return 1, None
    return 1, Ones(*array.shape) if (array == 1).all() else Entries.of(array)
