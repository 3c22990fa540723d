"""Orders of rows that do not depend on the order in which they are given."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from algatt.errors import NoNormalForm
from algatt.fields import Elements, Field, Rationals, Reals

SAME = 9 / 16
"""Power of the unit of rounding: floats within this distance, beside the largest, are rounding of one number; 1e-9 for
float64, 9e-5 for float32.
"""

APART = 7 / 16
"""Power of the unit of rounding: floats at this distance are different, and between the two nothing is decided; 1e-7
for float64, 7e-4 for float32.
"""


def comparable(rows: Elements) -> list[tuple[Any, ...]]:
    """Return rows as tuples that can be compared."""
    if isinstance(rows.field, Rationals):
        from fractions import Fraction

        return [tuple(Fraction(int(entry.p), int(entry.q)) for entry in row) for row in rows.raw.tolist()]
    convert = float if isinstance(rows.field, Reals) else int
    return [tuple(map(convert, row)) for row in rows.raw.tolist()]


def beside_largest(rows: Elements) -> Elements:
    """Return floats divided by the size of the largest, beside which others are rounding; nothing else is changed."""
    if not isinstance(rows.field, Reals) or not rows.raw.any():
        return rows
    return Elements(rows.field, rows.raw / np.abs(rows.raw).max())


def compare(field: Field, one: Sequence[Any], other: Sequence[Any]) -> int:
    """Return -1, 0 or 1 for rows over a field in lexicographic order.

    Raises
    ------
    NoNormalForm
        If floats are too close to each other.
    """
    for a, b in zip(one, other, strict=True):
        if isinstance(field, Reals):
            distance, size = abs(a - b), max(1.0, abs(a), abs(b))
            if distance <= field.unit**SAME * size:
                continue
            if distance < field.unit**APART * size:
                raise NoNormalForm(f"floats do not decide an order: {a!r} and {b!r} may be one number")
        if a != b:
            return -1 if a < b else 1
    return 0


def sorted_order(rows: Elements) -> tuple[tuple[int, ...], bool]:
    """Return the order that sorts rows, and whether no two of them are equal."""
    keys = comparable(rows)

    def compared(i: int, j: int) -> int:
        return compare(rows.field, keys[i], keys[j])

    order = sorted(range(len(keys)), key=functools.cmp_to_key(compared))
    distinct = all(compared(i, j) for i, j in itertools.pairwise(order))
    return tuple(order), distinct
