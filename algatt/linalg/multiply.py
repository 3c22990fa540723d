"""The matrix product over the fields."""

from __future__ import annotations

import operator

import numpy as np

from algatt import verbs
from algatt.errors import InvalidArgument
from algatt.fields import Balls, Polynomials, PrimeField, RationalFunctions, Reals, ScalarField
from algatt.fields.float_ball import SLACK, TINY, UNIT, FloatBalls, balls_around, is_zero
from algatt.fields.polynomial import check_products
from algatt.fields.prime import canonical
from algatt.linalg.arithmetic import CompiledFloats, arithmetic
from algatt.linalg.product import SINGLE_LIMB, centre, folded, matrix_product, product_balanced

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
