"""The matrix product over the fields, in float64 batched, and exact modulo p < 2^31."""

from __future__ import annotations

import operator
from collections.abc import Callable
from math import prod

import numpy as np

from algatt import verbs
from algatt.errors import InvalidArgument
from algatt.fields import Balls, Polynomials, PrimeField, RationalFunctions, Reals, ScalarField
from algatt.fields.float_ball import SLACK, TINY, UNIT, FloatBalls, balls_around, is_zero
from algatt.fields.polynomial import check_products
from algatt.fields.prime import canonical, reduce_floats

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


LIMIT = 2**51
"""Below this integers in float64 are brought to 0..p-1 exactly, see `canonical`."""

FEW = 16
"""A factor of so few rows or columns makes a product that is no dearer than a pass over the other one."""

LARGE = 2**16
"""From this many multiplications on, a product of two matrices of balls is worth the conversion to a matrix of Arb."""


def check_factors(left: np.ndarray, right: np.ndarray) -> None:
    """Raise `InvalidArgument` unless the matrices can be multiplied."""
    if min(left.ndim, right.ndim) < 2 or left.shape[-1] != right.shape[-2]:
        raise InvalidArgument("factors", f"of shapes {left.shape} and {right.shape}", "matrices that can be multiplied")


@verbs.product.method
def product_residues(field: PrimeField, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    from algatt.linalg.arithmetic import CompiledFloats, arithmetic

    check_factors(left, right)
    if field.dtype is object:
        return np.asarray(matrix_product(left, right) % field.p)
    length = left.shape[-1]
    if length * (field.p - 1) ** 2 < LIMIT:  # short enough without balancing
        return canonical(matrix_product(left, right), field.p)
    tall, wide, restore = folded(left, right)
    calculus = arithmetic(field, tall.size * wide.shape[-1])
    if isinstance(calculus, CompiledFloats) and tall.ndim == 2 and min(tall.shape[0], wide.shape[1]) > FEW:
        return restore(calculus.leave(calculus.product(calculus.enter(tall), calculus.enter(wide))))
    if field.p < SINGLE_LIMB:
        return restore(product_half_balanced(tall, wide, field.p))
    return canonical(product_balanced(centre(left, field.p), centre(right, field.p), field.p), field.p)


def product_half_balanced(left: np.ndarray, right: np.ndarray, p: int) -> np.ndarray:
    """Multiply residues 0..p-1, the smaller factor being balanced and the larger one, which may be long, as it is."""
    if left.size <= right.size:
        left = centre(left, p)
    else:
        right = centre(right, p)
    step = LIMIT // ((p - 1) * (p // 2 + 2))
    total = canonical(left[..., :step] @ right[..., :step, :], p)
    for start in range(step, left.shape[-1], step):
        total += canonical(left[..., start : start + step] @ right[..., start : start + step, :], p)
    return canonical(total, p) if left.shape[-1] > step else total


@verbs.product.method
def product_reals(field: Reals, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    check_factors(left, right)
    return matrix_product(left, right)


@verbs.product.method
def product_balls(field: Balls, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    check_factors(left, right)
    tall, wide, restore = folded(left, right)
    if tall.ndim == 2 and tall.size * wide.shape[-1] >= LARGE:
        return restore(field.compute(product_by_arb, tall, wide))
    return np.asarray(field.compute(operator.matmul, left, right), dtype=object)


def product_by_arb(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Multiply two matrices of balls in Arb, at its present precision, after a conversion of their entries."""
    import flint

    (height, width), columns = left.shape, right.shape[1]
    first = flint.arb_mat(height, width, left.ravel().tolist())
    second = flint.arb_mat(width, columns, right.ravel().tolist())
    entries = np.empty(height * columns, dtype=object)
    entries[:] = (first * second).entries()
    return entries.reshape(height, columns)


@verbs.product.method
def product_float_balls(field: FloatBalls, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    check_factors(left, right)
    tall, wide, restore = folded(left, right)
    (one, other), length = (np.abs(factor["mid"]) for factor in (tall, wide)), tall.shape[-1]
    there, here = ~is_zero(tall), ~is_zero(wide)
    terms = min(np.count_nonzero(part, axis=axis).max(initial=0) for part, axis in ((there, -1), (here, -2)))
    gamma = (int(terms) + 4) * UNIT * SLACK  # sums with zeros are not rounded
    with np.errstate(over="ignore", invalid="ignore"):
        mid = tall["mid"] @ wide["mid"]
        rad = one @ (wide["rad"] + gamma * other)
        if tall["rad"].any():
            rad += tall["rad"] @ (other + wide["rad"])
        rad *= 1 + 2 * gamma  # each product of the radii was rounded as often
    vanishing = rad == 0
    if vanishing.any():  # exactly, or below the least number
        met = there.astype(np.float64) @ here.astype(np.float64)
        vanishing &= met == 0
    rad += np.where(vanishing, 0.0, length * TINY)
    return restore(balls_around(mid, rad))


@verbs.product.method
def product_scalars(field: ScalarField, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    check_factors(left, right)
    return np.asarray(matrix_product(left, right), dtype=object)


@verbs.product.method
def product_polynomials(field: Polynomials | RationalFunctions, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    check_factors(left, right)
    check_products(np.matmul, left, right)
    return np.asarray(matrix_product(left, right), dtype=object)
