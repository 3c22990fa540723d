"""Constant matrices that the rules of types multiply with, as nouns: their entries are made only when these are asked
for.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["Centring", "Constant", "Entries", "Ones", "Selection", "Turns"]


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
