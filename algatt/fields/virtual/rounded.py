"""Numbers known within rounding, so that virtual forms of floats can be compared."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.errors import NoValue
from algatt.fields.ball import Balls, entrywise, midpoints
from algatt.fields.base import Elements, Field

UNITS = 2.0**4
"""Error of an entry of a tensor, in units of its last place as the source has it."""


@dataclass(frozen=True)
class Rounded(Balls):
    """Real balls of numbers that were rounded: what may be zero is zero, and what may be equal is equal. Nothing that
    is decided so is a proof.

    Parameters
    ----------
    bits : int, optional
        The precision of midpoints in bits, at least 2.
    tolerance : float, optional
        Largest relative error of a denominator, and largest difference of equal numbers beside the largest of their
        matrix.
    """

    bits: int = 64
    tolerance: float = 1e-8

    __homes__ = ("algatt.linalg.rounded",)

    def __str__(self) -> str:
        return f"RR within rounding (balls of {self.bits} bits)"

    @classmethod
    def examples(cls) -> Iterable[Field]:
        """None: the laws of a field hold up to rounding."""
        return ()


@dataclass(frozen=True, eq=False)
class Near:
    """A matrix of rounded numbers, which is equal to each that it may be, up to the tolerance. That is not transitive.

    Parameters
    ----------
    field : Rounded
        Where it lives.
    raw : array
        The matrix.
    """

    field: Rounded
    raw: np.ndarray

    def __hash__(self) -> int:
        return hash(self.raw.shape)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Near) or self.raw.shape != other.raw.shape:
            return False
        one, two = self.raw, other.raw
        if not (np.any(one != 0) or np.any(two != 0)):
            return True
        first, second = midpoints(one), midpoints(two)
        largest = max(np.abs(first).max(initial=0.0), np.abs(second).max(initial=0.0))
        if np.any(np.abs(first - second) > self.field.tolerance * largest):
            return False
        return all(a.overlaps(b) for a, b in zip(one.flat, two.flat, strict=True))


def within_rounding(field: Rounded, raw: np.ndarray, precision: int) -> Elements:
    """Return floats of which some bits are known as balls around them: rounding moves an entry by a part of itself,
    and, where entries were added up, by a part of the others: of those in its row, or in its column if they are
    smaller, so that a matrix may have small rows.
    """
    matrix = np.atleast_2d(np.abs(raw))
    means = (np.sqrt(np.square(matrix).mean(axis=axis, keepdims=True)) for axis in (-1, -2))
    beside = (np.maximum if 1 in matrix.shape else np.minimum)(*means)
    errors = UNITS * 2.0 ** (1 - precision) * (matrix + beside)
    return Elements(field, balls(raw, errors.reshape(raw.shape)))


def balls(middles: np.ndarray, radii: np.ndarray) -> np.ndarray:
    """Return balls of given midpoints and radii."""
    import flint

    pairs = zip(middles.ravel().tolist(), radii.ravel().tolist(), strict=True)
    return np.array([flint.arb(*pair) for pair in pairs], dtype=object).reshape(middles.shape)


@verbs.reciprocal.method
def reciprocal_of_rounded(field: Rounded, raw: np.ndarray) -> np.ndarray:
    """Refuse numbers that may be zero, and those of which too little is known."""
    if not all(entry.rad() < field.tolerance * entry.abs_lower() for entry in raw.flat):
        raise NoValue(f"a denominator is not known up to {field.tolerance:g} of it")
    return field.compute(entrywise, lambda entry: 1 / entry, raw)
