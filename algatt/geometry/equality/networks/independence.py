"""Which columns of a matrix are independent of those before them."""

from __future__ import annotations

import numpy as np

from algatt import verbs
from algatt.fields import Elements, Reals
from algatt.linalg import Auto

__all__ = ["completed", "independent_columns"]

SMALL = 1e-8
"""A column over the reals depends on others if it is so small beside what it was, once these are subtracted."""


def independent_columns(matrix: Elements) -> list[int]:
    """Return the first columns that span those of a matrix; over the reals up to rounding."""
    if not isinstance(matrix.field, Reals):
        return list(verbs.row_reduce(Auto(), matrix.field, matrix.raw).pivots)
    rest, pivots = matrix.raw.copy(), []
    sizes = np.linalg.norm(rest, axis=0)
    for number in range(rest.shape[1]):
        length = np.linalg.norm(rest[:, number])
        if length > SMALL * sizes[number]:
            pivots.append(number)
            direction = rest[:, number] / length
            rest -= np.outer(direction, direction @ rest)
    return pivots


def completed(columns: Elements) -> Elements:
    """Return an invertible matrix that begins with independent columns, and goes on with unit vectors."""
    height = columns.shape[0]
    rows = independent_columns(columns.T)
    units = np.delete(np.eye(height, dtype=np.int64), rows, axis=1)
    return Elements(columns.field, np.hstack([columns.raw, Elements.of(columns.field, units).raw]))
