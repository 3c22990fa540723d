"""When numbers over the reals are taken for zero while an element is looked for; over other fields zero alone is."""

from __future__ import annotations

import numpy as np

from algatt.fields import Elements, Field, Reals

__all__ = ["CLOSE", "are_units", "vanishes"]

CLOSE = 1e-6
"""Lines over the reals within this distance are taken for one; what is found is checked in the end."""

SMALLEST = 1e-9
"""Numbers over the reals that are smaller than this beside others are taken for zero."""


def vanishes(difference: Elements, beside: Elements) -> bool:
    """Return whether a difference is zero, over the reals beside the size of what it is made of, entry by entry or
    beside all of it.
    """
    if isinstance(difference.field, Reals):
        size = np.abs(beside.raw) if beside.shape == difference.shape else np.abs(beside.raw).max()
        return bool(np.all(np.abs(difference.raw) <= CLOSE * size))
    return not np.any(difference.raw != 0)


def are_units(field: Field, numbers: np.ndarray) -> bool:
    """Return whether all numbers are units; over the reals none may be by far the smallest."""
    if isinstance(field, Reals):
        return bool(np.all(np.abs(numbers) > SMALLEST * np.abs(numbers).max(initial=0.0)))
    return bool(np.all(numbers != 0))
