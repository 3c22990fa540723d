"""The reduced row echelon form as a value."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

__all__ = ["Echelon"]


@dataclass(frozen=True, eq=False)
class Echelon:
    """A reduced row echelon form over GF(p).

    Parameters
    ----------
    matrix : ndarray
        Raw residues, shape (rank, columns): the non-zero rows.
    pivots : tuple of int
        The pivot columns, increasing.
    """

    matrix: np.ndarray
    pivots: tuple[int, ...]

    @property
    def rank(self) -> int:
        """The rank."""
        return len(self.pivots)

    def kernel(self, p: int) -> np.ndarray:
        """Return the basis of the right null space, as columns, whose entries in the non-pivot columns are the identity."""
        columns = self.matrix.shape[1]
        free = np.setdiff1d(np.arange(columns), self.pivots)
        basis = np.zeros((columns, len(free)), dtype=self.matrix.dtype)
        tail = self.matrix[:, free]
        basis[list(self.pivots)] = np.multiply(tail != 0, p) - tail
        basis[free, np.arange(len(free))] = 1
        return basis
