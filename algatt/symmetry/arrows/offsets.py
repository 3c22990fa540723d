"""Constants that are added to tensors."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

__all__ = ["Offset"]


@dataclass(frozen=True)
class Offset:
    """A constant that is added to a tensor.

    Parameters
    ----------
    tensor : str
        The tensor.
    entries : tuple of tuple of Fraction
        The constant, row by row.
    """

    tensor: str
    entries: tuple[tuple[Fraction, ...], ...]

    @property
    def array(self) -> np.ndarray:
        """The constant as an array of fractions."""
        return np.array(self.entries, dtype=object)
