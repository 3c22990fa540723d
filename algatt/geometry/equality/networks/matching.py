"""The permutation that takes the rows of one matrix to those of another, as they are or as lines through zero."""

from __future__ import annotations

import numpy as np

from algatt import verbs
from algatt.fields import Elements, Field, Reals
from algatt.geometry.equality.networks.closeness import close
from algatt.symmetry.discrete.moves import Order


def lines(rows: Elements, free: bool) -> np.ndarray:
    """Return a vector on the line of each row, always the same one; the rows themselves if they are not free."""
    if not free:
        return rows.raw
    raw = rows.raw
    if isinstance(rows.field, Reals):
        sizes = np.abs(raw)
        pivots = np.argmax(sizes >= (1 - 1e-3) * sizes.max(axis=1, keepdims=True), axis=1)
        signs = np.sign(np.take_along_axis(raw, pivots[:, None], axis=1))
        norms = np.linalg.norm(raw, axis=1, keepdims=True)
        result: np.ndarray = np.divide(raw, signs * norms, out=np.zeros_like(raw), where=norms > 0)
        return result
    pivots = np.argmax(raw != 0, axis=1)
    leading = np.take_along_axis(raw, pivots[:, None], axis=1)
    leading[leading == 0] = verbs.encode(rows.field, np.ones((1, 1), dtype=np.int64))[0, 0]
    divided: np.ndarray = (rows * Elements(rows.field, leading).reciprocal()).raw
    return divided


def distances(rows: np.ndarray, row: np.ndarray, field: Field) -> np.ndarray:
    """Return how far rows are from one, beside what is taken for close: over exact fields 0 or infinity."""
    if isinstance(field, Reals):
        found: np.ndarray = np.abs(rows - row).max(axis=1) / (close(field) * max(1.0, float(np.abs(row).max())))
        return found
    found = np.full(len(rows), np.inf)
    found[(rows == row).all(axis=1)] = 0.0
    return found


def are_apart(rows: np.ndarray, field: Field) -> bool:
    """Return whether no two rows are equal, or over the reals so close to each other that matching may mix them."""
    return all(np.sum(distances(rows, row, field) <= 2) == 1 for row in rows)  # each is close to itself


def matched(first: np.ndarray, second: np.ndarray, field: Field) -> Order | None:
    """Return for each row of the second array the number of the row of the first that is equal, or over the reals
    closest; None if one has none.
    """
    left = list(range(len(first)))
    order = []
    for row in second:
        apart = distances(first[left], row, field)
        nearest = int(np.argmin(apart))
        if apart[nearest] > 1:
            return None
        order.append(left.pop(nearest))
    return tuple(order)
