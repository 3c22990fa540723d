"""Weights that are moved by exponentials of symmetric motions, the gradients of conservation laws of degree two."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from algatt.geometry.training.law import ConservationLaw

UNIT = 2.0**-54
"""Relative size of what rounds away."""


@dataclass(frozen=True, eq=False)
class SymmetricMotions:
    """The matrices A of some laws, sparse.

    Parameters
    ----------
    count : int
        The number of laws.
    numbers : ndarray of int
        For each entry that is not zero which law it is of.
    rows, columns : ndarray of int
        Its place.
    values : ndarray
        The entry.
    """

    count: int
    numbers: np.ndarray
    rows: np.ndarray
    columns: np.ndarray
    values: np.ndarray

    @classmethod
    def of(cls, laws: Sequence[ConservationLaw]) -> SymmetricMotions:
        """Return the matrices of laws."""
        products = np.concatenate([np.zeros((0, 3), dtype=np.int64), *(law.products for law in laws)])
        numbers = np.repeat(np.arange(len(laws)), [len(law.products) for law in laws])
        i, j, values = products.T
        both = [np.concatenate(pair) for pair in ((numbers, numbers), (i, j), (j, i), (values, values))]
        return cls(len(laws), both[0], both[1], both[2], both[3].astype(np.float64))

    def forms(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the bilinear form of each matrix at two vectors of weights."""
        found: np.ndarray = np.bincount(self.numbers, self.values * x[self.rows] * y[self.columns], self.count)
        return found

    def columns_at(self, x: np.ndarray) -> np.ndarray:
        """Return A x for each matrix A, as columns."""
        found = np.zeros((len(x), self.count))
        np.add.at(found, (self.rows, self.numbers), self.values * x[self.columns])
        return found

    def move(self, exponents: np.ndarray, x: np.ndarray) -> np.ndarray:
        """Return the exponential of a combination of the matrices, applied to weights: by steps of norm at most one, in
        each of which Taylor's series is summed until it rounds away.
        """
        entries = self.values * exponents[self.numbers]
        steps = math.ceil(np.bincount(self.rows, np.abs(entries), len(x)).max(initial=1.0))
        for _ in range(steps):
            term, order = x, 0
            while np.abs(term).max(initial=0.0) > UNIT * np.abs(x).max(initial=0.0):
                order += 1
                term = np.bincount(self.rows, entries * term[self.columns], len(x)) / (order * steps)
                x = x + term
        return x
