"""The reduced row echelon form as a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, eq=False)
class Echelon:
    """A reduced row echelon form over GF(p).

    Parameters
    ----------
    matrix : array
        Shape (rank, columns): the rows that are not zero; raw residues inside the package, a galois array from
        `algatt.linalg.echelon`.
    pivots : tuple of int
        The pivot columns, increasing.
    """

    matrix: Any
    pivots: tuple[int, ...]

    @property
    def rank(self) -> int:
        """The rank."""
        return len(self.pivots)
