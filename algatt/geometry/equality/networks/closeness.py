"""Numbers over the reals that are taken for zero while an element is looked for, and distances of points."""

from __future__ import annotations

import numpy as np

from algatt.fields import Elements, Field, Reals
from algatt.parameters import Parameters

CLOSE = 1e-6
"""Lines over the reals within this distance are taken for one; what is found is checked in the end."""

SMALLEST = 1e-9
"""Numbers over the reals that are smaller than this beside others are taken for zero."""

ZERO_LINES = 1e-6
"""A row that is zero is measured beside this part of the columns, and a column that is zero beside that of the rows."""


LAST_PLACES = 8.0
"""The same for numbers that were rounded to fewer bits than float32, in units of the last place."""


def close(field: Field) -> float:
    """Return the distance within which lines over the reals are taken for one."""
    return max(CLOSE, LAST_PLACES * 2.0**-field.precision) if isinstance(field, Reals) else CLOSE


def vanishes(difference: Elements, beside: Elements) -> bool:
    """Return whether a difference is zero, over the reals beside the size of what it is made of, entry by entry or
    beside all of it.
    """
    if isinstance(difference.field, Reals):
        size = np.abs(beside.raw) if beside.shape == difference.shape else np.abs(beside.raw).max()
        return bool(np.all(np.abs(difference.raw) <= close(difference.field) * size))
    return not np.any(difference.raw != 0)


def are_units(field: Field, numbers: np.ndarray) -> bool:
    """Return whether all numbers are units; over the reals none may be by far the smallest."""
    if isinstance(field, Reals):
        return bool(np.all(np.abs(numbers) > SMALLEST * np.abs(numbers).max(initial=0.0)))
    return bool(np.all(numbers != 0))


def relative_difference(one: Parameters, two: Parameters) -> float:
    """Return the largest relative difference of two points; over GF(p) and Q 0 or 1.

    An entry is measured beside its row and its column in the second point, by the smaller of their norms: large outputs
    or inputs say nothing of others. Beside a row or a column that is zero there is rounding of the other one.
    """
    if one.field.exact:
        return float(one != two)
    return max(
        (largest_ratio(a.raw, b.raw) for a, b in zip(one.elements, two.elements, strict=True) if a.raw.size), default=0
    )


def largest_ratio(one: np.ndarray, two: np.ndarray) -> float:
    """Return the largest difference of an entry of two arrays, beside its row and its column of the second one."""
    off, beside = np.abs(one - two), lines_beside(two)
    ratios = np.divide(off, beside, out=np.full_like(off, np.inf), where=beside > 0)
    return float(np.nan_to_num(ratios[off != 0], nan=np.inf, posinf=np.inf).max(initial=0.0))


def lines_beside(raw: np.ndarray) -> np.ndarray:
    """Return for each entry of an array the size beside which differences of it are measured."""
    sizes = np.abs(raw).reshape(((1, 1) + raw.shape)[-2:])
    rows, columns = (np.linalg.norm(sizes, axis=axis, keepdims=True) for axis in (1, 0))
    smaller, larger = np.minimum(rows, columns), np.maximum(rows, columns)
    found: np.ndarray = (smaller + (smaller == 0) * ZERO_LINES * larger).reshape(raw.shape)
    return found
