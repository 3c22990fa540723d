"""The permutation that takes the rows of one matrix to those of another, as they are or as lines through zero."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable

import numpy as np

from algatt import verbs
from algatt.fields import Elements, Reals
from algatt.geometry.equality.networks.closeness import CLOSE
from algatt.symmetry.discrete.moves import Order

__all__ = ["are_apart", "are_distinct", "lines", "matched_closely", "matched_exactly", "signs_between"]


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


def are_distinct(rows: np.ndarray) -> bool:
    """Return whether no two rows are equal."""
    return len({tuple(map(str, row)) for row in rows.tolist()}) == len(rows)


def are_apart(rows: np.ndarray) -> bool:
    """Return whether no two rows over the reals are close to each other: so far apart that matching cannot mix them."""
    distances = np.abs(rows[:, None] - rows[None]).max(axis=2)
    sizes = np.maximum(1.0, np.abs(rows).max(axis=1))
    close = distances <= 2 * CLOSE * sizes[:, None]
    return int(close.sum()) == len(rows)  # each to itself


def matched_exactly(first: np.ndarray, second: np.ndarray) -> Order | None:
    """Return for each row of the second array the number of a row of the first that is equal."""
    places: dict[Hashable, list[int]] = defaultdict(list)
    for number, row in enumerate(first.tolist()):
        places[tuple(map(str, row))].append(number)
    order = []
    for row in second.tolist():
        left = places[tuple(map(str, row))]
        if not left:
            return None
        order.append(left.pop(0))
    return tuple(order)


def matched_closely(first: np.ndarray, second: np.ndarray) -> Order | None:
    """Return for each row of the second array the number of the row of the first that is closest."""
    left = list(range(len(first)))
    order = []
    for row in second:
        distances = np.abs(first[left] - row).max(axis=1)
        nearest = int(np.argmin(distances))
        if distances[nearest] > CLOSE * max(1.0, float(np.abs(row).max())):
            return None
        order.append(left.pop(nearest))
    return tuple(order)


def signs_between(rows: Elements, images: Elements) -> Elements:
    """Return for each row 1 or -1, as a column: -1 where its image is nearer to, or is, its negative."""
    if isinstance(rows.field, Reals):
        negative = np.sum(rows.raw * images.raw, axis=1) < 0
    else:
        negative = np.any(rows.raw != images.raw, axis=1)
    return Elements(rows.field, verbs.embed(rows.field, 1 - 2 * negative.astype(np.int64)[:, None]))
