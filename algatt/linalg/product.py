"""Matrix products over the fields, batched, exact modulo p."""

from __future__ import annotations

import numpy as np

from algatt import verbs
from algatt.errors import InvalidArgument
from algatt.fields import PrimeField, Reals
from algatt.fields.prime import canonical, reduce_floats

__all__ = ["LIMB", "SINGLE_LIMB", "centre", "exact_length", "matrix_product", "product_balanced"]

EXACT = 2**53
"""float64 holds every integer up to here."""

SINGLE_LIMB = 2**24
"""Below this, at least 128 products of balanced residues add up exactly; above, one factor is cut into two limbs."""

LIMB = 2.0**15


def matrix_product(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Multiply like `numpy.matmul`, but as few and as large matrix products as the batch axes allow.

    A batch axis that only one factor has becomes more rows of the left or more columns of the right factor. numpy would run one small product
    for each index instead.
    """
    if left.ndim == 2 and right.ndim == 2:
        return np.asarray(left @ right)
    depth = max(left.ndim, right.ndim) - 2
    left = left.reshape((1,) * (depth + 2 - left.ndim) + left.shape)
    right = right.reshape((1,) * (depth + 2 - right.ndim) + right.shape)
    shared = [axis for axis in range(depth) if left.shape[axis] != 1 and right.shape[axis] != 1]
    only_left = [axis for axis in range(depth) if right.shape[axis] == 1]
    only_right = [axis for axis in range(depth) if left.shape[axis] == 1 and right.shape[axis] != 1]
    sizes = [tuple(left.shape[axis] if right.shape[axis] == 1 else right.shape[axis] for axis in axes) for axes in (shared, only_left, only_right)]
    m, n, r = left.shape[-2], left.shape[-1], right.shape[-1]
    tall = left.transpose(*shared, *only_left, depth, depth + 1, *only_right)
    tall = tall.reshape(*sizes[0], int(np.prod(sizes[1], dtype=int)) * m, n)
    wide = right.transpose(*shared, depth, *only_right, depth + 1, *only_left)
    wide = wide.reshape(*sizes[0], n, int(np.prod(sizes[2], dtype=int)) * r)
    out = (tall @ wide).reshape(*sizes[0], *sizes[1], m, *sizes[2], r)
    order = [*shared, *only_left, depth, *only_right, depth + 1]
    return np.asarray(out.transpose(np.argsort(order)))


def centre(x: np.ndarray, p: int) -> np.ndarray:
    """Return the balanced residues of residues 0..p-1."""
    return reduce_floats(x.copy(), p)


def product_balanced(left: np.ndarray, right: np.ndarray, p: int) -> np.ndarray:
    """Multiply float64 matrices of balanced residues modulo p < 2^31; the result is balanced again (see `reduce_floats`)."""
    if p >= SINGLE_LIMB:
        high = np.rint(left * (1.0 / LIMB))
        low = left - high * LIMB
        upper = product_in_blocks(high, right, p, 2**31 // int(LIMB) // 2 + 1)
        upper *= LIMB
        upper += product_in_blocks(low, right, p, int(LIMB) // 2 + 1)
        return reduce_floats(upper, p)
    return product_in_blocks(left, right, p, p // 2 + 2)


def exact_length(p: int, bound: int) -> int:
    """Return how many products of integers up to `bound` with balanced residues add up exactly, and still do so with a residue added."""
    return min((EXACT - p) // (bound * (p // 2 + 2)), 2**20)


def product_in_blocks(left: np.ndarray, right: np.ndarray, p: int, bound: int) -> np.ndarray:
    """Multiply with reductions after as many terms as stay exact, the entries of `left` being at most `bound` and those of `right` balanced."""
    length = left.shape[-1]
    step = exact_length(p, bound)
    total = reduce_floats(matrix_product(left[..., :step], right[..., :step, :]), p)
    for start in range(step, length, step):
        total += reduce_floats(matrix_product(left[..., start : start + step], right[..., start : start + step, :]), p)
    return reduce_floats(total, p) if length > step else total


def check_factors(left: np.ndarray, right: np.ndarray) -> None:
    """Raise `InvalidArgument` unless the matrices can be multiplied."""
    if min(left.ndim, right.ndim) < 2 or left.shape[-1] != right.shape[-2]:
        raise InvalidArgument("factors", f"of shapes {left.shape} and {right.shape}", "matrices that can be multiplied")


@verbs.product.method
def product_residues(field: PrimeField, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    check_factors(left, right)
    if field.dtype is object:
        return np.asarray(matrix_product(left, right) % field.p)
    if left.shape[-1] * (field.p - 1) ** 2 < 2**51:  # short enough without balancing
        return canonical(matrix_product(left, right), field.p)
    return canonical(product_balanced(centre(left, field.p), centre(right, field.p), field.p), field.p)


@verbs.product.method
def product_reals(field: Reals, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    check_factors(left, right)
    return matrix_product(left, right)
