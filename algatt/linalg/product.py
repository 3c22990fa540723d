"""Matrix products in float64: batched, and exact modulo p < 2^31."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

import numpy as np

from algatt.fields.prime import reduce_floats

EXACT = 2**53
"""float64 holds every integer up to here."""

EXACT_32 = 2**24
"""float32 does up to here."""

SINGLE_LIMB = 2**24
"""Below this, at least 128 products of balanced residues add up exactly; above, one factor is cut into two limbs."""

LIMB = 2.0**15


def folded(left: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray, Callable[[np.ndarray], np.ndarray]]:
    """Return factors of as few and as large matrix products as the batch axes allow, and what turns their product into
    the one asked for.

    A batch axis that only one factor has becomes more rows of the left or more columns of the right factor; the axes of
    both remain.
    """
    batch = left.shape[:-2]
    if batch == right.shape[:-2]:
        if 1 not in batch:
            return left, right, np.asarray
        if prod(batch) == 1:
            whole = (*batch, left.shape[-2], right.shape[-1])
            return (
                left.reshape(left.shape[-2:]),
                right.reshape(right.shape[-2:]),
                lambda product: product.reshape(whole),
            )
    depth = max(left.ndim, right.ndim) - 2
    left = left.reshape((1,) * (depth + 2 - left.ndim) + left.shape)
    right = right.reshape((1,) * (depth + 2 - right.ndim) + right.shape)
    shared = [axis for axis in range(depth) if left.shape[axis] != 1 and right.shape[axis] != 1]
    only_left = [axis for axis in range(depth) if right.shape[axis] == 1]
    only_right = [axis for axis in range(depth) if left.shape[axis] == 1 and right.shape[axis] != 1]
    sizes = [
        tuple(left.shape[axis] if right.shape[axis] == 1 else right.shape[axis] for axis in axes)
        for axes in (shared, only_left, only_right)
    ]
    m, n, r = left.shape[-2], left.shape[-1], right.shape[-1]
    tall = left.transpose(*shared, *only_left, depth, depth + 1, *only_right)
    tall = tall.reshape(*sizes[0], prod(sizes[1]) * m, n)
    wide = right.transpose(*shared, depth, *only_right, depth + 1, *only_left)
    wide = wide.reshape(*sizes[0], n, prod(sizes[2]) * r)
    axes = [*shared, *only_left, depth, *only_right, depth + 1]
    order = sorted(range(depth + 2), key=axes.__getitem__)
    shape = (*sizes[0], *sizes[1], m, *sizes[2], r)
    return tall, wide, lambda product: product.reshape(shape).transpose(order)


def matrix_product(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Multiply like `numpy.matmul`, but with few and large products: numpy would run a small one for each index of a
    batch axis.
    """
    left, right, restore = folded(left, right)
    return restore(left @ right)


def centre(x: np.ndarray, p: int) -> np.ndarray:
    """Return the balanced residues of residues 0..p-1."""
    return reduce_floats(x.copy(), p)


def product_balanced(left: np.ndarray, right: np.ndarray, p: int) -> np.ndarray:
    """Multiply float64 matrices of balanced residues modulo p < 2^31; the result is balanced again (see
    `reduce_floats`).
    """
    if p >= SINGLE_LIMB:
        high = np.rint(left * (1.0 / LIMB))
        low = left - high * LIMB
        upper = product_in_blocks(high, right, p, 2**31 // int(LIMB) // 2 + 1)
        upper *= LIMB
        upper += product_in_blocks(low, right, p, int(LIMB) // 2 + 1)
        return reduce_floats(upper, p)
    return product_in_blocks(left, right, p, p // 2 + 2)


def exact_length(p: int, bound: int, exact: int = EXACT) -> int:
    """Return how many products of integers up to `bound` with balanced residues add up exactly, and still do so with a
    residue added, where every integer up to `exact` is held.
    """
    return min((exact - p) // (bound * (p // 2 + 2)), 2**20)


def product_in_blocks(left: np.ndarray, right: np.ndarray, p: int, bound: int) -> np.ndarray:
    """Multiply with reductions after as many terms as stay exact, the entries of `left` being at most `bound` and those
    of `right` balanced.
    """
    length = left.shape[-1]
    step = exact_length(p, bound)
    total = reduce_floats(matrix_product(left[..., :step], right[..., :step, :]), p)
    for start in range(step, length, step):
        total += reduce_floats(matrix_product(left[..., start : start + step], right[..., start : start + step, :]), p)
    return reduce_floats(total, p) if length > step else total
