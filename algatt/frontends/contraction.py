"""Sums of products of two arrays over common axes, as products of matrices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from algatt.frontends.arrays import Array, RecordedResults, is_spread
from algatt.frontends.layouts import move_along, orientation_of


def contract(
    results: RecordedResults, left: Array, right: Array, left_axes: Sequence[Sequence[int]], right_axes: Any
) -> Array:
    """Return a contraction: the sums of products over common axes.

    Parameters
    ----------
    left, right : Array
        The operands.
    left_axes, right_axes : pair of sequences of int
        The axes that are shared and stay, and those over which products are summed; of both operands in one order.
        The result has the shared axes, the other axes of the left one, and those of the right one.
    """
    (shared, summed), (others, along) = left_axes, right_axes
    free = [axis for axis in range(left.ndim) if axis not in (*shared, *summed)]
    across = [axis for axis in range(right.ndim) if axis not in (*others, *along)]
    batch = tuple(left.shape[axis] for axis in shared)
    count = math.prod(left.shape[axis] for axis in summed)
    one = left.transpose([*shared, *free, *summed]).entries.reshape(*batch, *(left.shape[axis] for axis in free), count)
    two = right.transpose([*others, *along, *across]).entries.reshape(
        *batch, count, *(right.shape[axis] for axis in across)
    )
    two = np.moveaxis(two, len(batch), -1)  # what is summed is last in both
    shape = (*batch, *one.shape[len(batch) : -1], *two.shape[len(batch) : -1])
    ends = [matrix_axis(results, entries, len(batch)) for entries in (one, two)]
    (one, kept, loops), (two, held, turns) = (
        in_cells(entries, len(batch), end) for entries, end in zip((one, two), ends, strict=True)
    )
    made = np.empty((*batch, *loops, *turns, one.shape[-2], two.shape[-2]), dtype=np.int64)
    for cell in np.ndindex(*batch):
        for outer in np.ndindex(*loops):
            for inner in np.ndindex(*turns):
                made[cell + outer + inner] = product(results, one[cell + outer], two[cell + inner].T)
    depth, first = len(batch), len(batch) + len(loops)
    made = np.moveaxis(made, -2, first)  # beside the other axes of the left one
    sizes = [(*loops, *kept), (*turns, *held)]
    made = made.reshape(*batch, *sizes[0], *sizes[1])
    orders = [order for _, order in ends]
    places = [[depth + place for place in np.argsort(orders[0])]]
    places.append([depth + len(orders[0]) + place for place in np.argsort(orders[1])])
    return Array(made.transpose([*range(depth), *places[0], *places[1]]).reshape(shape))


def matrix_axis(results: RecordedResults, entries: np.ndarray, depth: int) -> tuple[int, list[int]]:
    """Return how many of the axes between the shared ones and the last one become one axis of matrices, and these
    axes in the order in which those come last.
    """
    count = entries.ndim - depth - 1
    flat = entries[(0,) * depth].reshape(-1, entries.shape[-1])
    if sum(size > 1 for size in entries.shape[depth:-1]) < 2 or results.block_of(flat) is not None:
        return count, list(range(count))
    moves = [move_along(results, entries, depth + axis) for axis in range(count)]

    def key(axis: int) -> tuple[bool, int, int]:
        lines = np.moveaxis(entries, depth + axis, -2)
        is_block = results.block_of(lines.reshape(-1, *lines.shape[-2:])[0]) is not None
        return is_block, -moves[axis].pieces, entries.shape[depth + axis]

    best = max(range(count), key=key)
    return 1, [axis for axis in range(count) if axis != best] + [best]


def in_cells(
    entries: np.ndarray, depth: int, end: tuple[int, list[int]]
) -> tuple[np.ndarray, tuple[int, ...], tuple[int, ...]]:
    """Return references with matrices as the last two axes, the sizes of the axes that became one, and of those
    before it.
    """
    number, order = end
    entries = entries.transpose([*range(depth), *(depth + axis for axis in order), entries.ndim - 1])
    cut = entries.ndim - 1 - number
    kept, loops = entries.shape[cut:-1], entries.shape[depth:cut]
    return entries.reshape(*entries.shape[:cut], math.prod(kept), entries.shape[-1]), kept, loops


def product(results: RecordedResults, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the references of a product of two matrices of references, recorded in the way in which fewer of them
    are transposed.
    """
    left = left[:1] if is_spread(left, 0) else left
    right = right[:, :1] if is_spread(right, 1) else right
    ways = [orientation_of(results, one) for one in (left, right)]
    matrices = results.matrix_of
    if ways.count(-1) < ways.count(1):
        return results.entries_of(matrices(left) @ matrices(right)).entries
    return results.entries_of(matrices(right.T) @ matrices(left.T)).entries.T
