"""Factors of quadratic forms: a form as a product of two linear forms, and a tuple of forms as the products (a_k . x)(v_m . x)."""

from __future__ import annotations

import math

import numpy as np

from algatt import verbs
from algatt.errors import NoSolution
from algatt.fields import Elements, Field, PrimeField
from algatt.geometry.quadratic_forms import QuadraticForms, products_of_linear_forms
from algatt.linalg.row_form import row_form

__all__ = ["Factors", "exact_factors", "factors_of_forms", "float_factors", "proportional", "relative_error", "solution"]

Factors = tuple[Elements, Elements]


def solution(matrix: Elements, right: Elements) -> Elements | None:
    """Return an X with ``matrix @ X == right``, or None if there is none; over the reals the least-squares one."""
    if not isinstance(matrix.field, PrimeField):
        return Elements(matrix.field, np.linalg.lstsq(matrix.raw, right.raw, rcond=None)[0])
    try:
        return Elements.of(matrix.field, verbs.solve(matrix.public(), right.public()))
    except NoSolution:
        return None


def relative_error(found: Elements, expected: Elements) -> float:
    """Return the relative difference of two arrays in Frobenius norm; over GF(p) 0 or infinity."""
    if isinstance(expected.field, PrimeField):
        return 0.0 if np.array_equal(found.raw, expected.raw) else math.inf
    off, size = np.linalg.norm(found.raw - expected.raw), np.linalg.norm(expected.raw)
    return float(off / size) if size else (0.0 if off == 0 else math.inf)


def proportional(one: Elements, two: Elements, tolerance: float) -> bool:
    """Say whether two non-zero arrays are multiples of each other."""
    stacked = np.stack([one.raw.ravel(), two.raw.ravel()])
    if isinstance(one.field, PrimeField):
        return row_form(Elements(one.field, stacked)).rank == 1
    values = np.linalg.svd(stacked / np.linalg.norm(stacked, axis=1, keepdims=True), compute_uv=False)
    return bool(values[1:].max(initial=0.0) <= tolerance * values[0])


def square_root(field: PrimeField, square: int) -> int | None:
    """Return a square root modulo an odd p, or None if there is none: FLINT factors x^2 - square, for every p below 2^63."""
    import flint

    _, factors = flint.nmod_poly([-square % field.p, 0, 1], field.p).factor()
    factor = factors[0][0]
    return int(-factor[0]) if factor.degree() == 1 else None


def exact_factors(field: PrimeField, coefficients: np.ndarray) -> Factors | None:
    r"""Return columns (alpha, beta), of shape (d, 1), with q = (alpha . x)(beta . x) over GF(p), p odd, or None if there are none; q is not zero.

    A product has a symmetric matrix S of rank at most two. In the coordinates u, v of its row space, in which it is a, b; b, c, completing the square
    gives :math:`a q = (a u + b v)^2 - (b^2 - a c) v^2`, which splits if and only if :math:`b^2 - a c` is a square.
    """
    form = Elements(field, coefficients)
    S = (form + form.T) * ((field.p + 1) // 2)
    rows = row_form(S)
    if rows.rank > 2:
        return None
    # The row form is the identity in the pivot columns, so S = rows^T G rows with G the entries of S there.
    G = [[int(S.raw[i, j]) for j in rows.pivots] for i in rows.pivots]
    columns = [Elements(field, row[:, None]) for row in rows.form.raw]
    if rows.rank == 1:
        return columns[0] * G[0][0], columns[0]
    (u, v), ((a, b), (_, c)) = columns, G
    if a == 0:
        return v, u * (2 * b) + v * c
    root = square_root(field, b * b - a * c)
    return None if root is None else (u * a + v * (b - root), u + v * ((b + root) * pow(a, -1, field.p)))


def float_factors(field: Field, coefficients: np.ndarray, tolerance: float) -> Factors:
    """Return columns (alpha, beta) whose product is near a form over the reals, if any product is.

    A product of rank two has one positive and one negative eigenvalue: it is lambda u^2 - mu w^2, a difference of two squares. If one of the two is
    smaller than the tolerance times the other, the form is taken for a square: square roots would make rounding large.
    """
    values, vectors = np.linalg.eigh((coefficients + coefficients.T) / 2)
    positive, negative = max(values[-1], 0.0), max(-values[0], 0.0)
    if min(positive, negative) <= tolerance * max(positive, negative):
        side = -1 if positive > negative else 0
        return Elements(field, values[side] * vectors[:, [side]]), Elements(field, vectors[:, [side]])
    first, second = math.sqrt(positive) * vectors[:, [-1]], math.sqrt(negative) * vectors[:, [0]]
    return Elements(field, first - second), Elements(field, first + second)


def chosen_form(forms: QuadraticForms, tolerance: float) -> tuple[int, int]:
    """Return the (k, m) of the form to be factored: over GF(p) any that is not zero; over the reals one far from a square, if there is one."""
    raw = forms.elements.raw
    if isinstance(forms.field, PrimeField):
        k, m = np.argwhere((raw != 0).any(axis=(2, 3)))[0]
        return int(k), int(m)
    values = np.sort(np.abs(np.linalg.eigvalsh((raw + np.swapaxes(raw, 2, 3)) / 2)), axis=2)
    second = values[..., -2] if values.shape[2] > 1 else values[..., -1]
    score = second if second.max() > tolerance * values.max() else values[..., -1]
    k, m = np.unravel_index(np.argmax(score), score.shape)
    return int(k), int(m)


def quotients(forms: Elements, factor: Elements) -> Elements | None:
    """Divide forms, of shape (count, d, d), by a linear form, a column: the rows v_m with q_m = (factor . x)(v_m . x), or None."""
    d = factor.shape[0]
    identity = Elements(factor.field, np.eye(d, dtype=factor.raw.dtype))
    multiplication = products_of_linear_forms(factor, identity)
    found = solution(Elements(factor.field, multiplication.raw.reshape(d, d * d).T), Elements(factor.field, forms.raw.reshape(-1, d * d).T))
    return None if found is None else found.T


def extended(forms: QuadraticForms, k: int, m: int, alpha: Elements) -> Factors | None:
    """Return the (A, V) of all forms in which column k of A is alpha, or None if some division leaves a remainder."""
    elements = forms.elements
    V = quotients(Elements(forms.field, elements.raw[k]), alpha)
    if V is None:
        return None
    rows = quotients(Elements(forms.field, elements.raw[:, m]), Elements(forms.field, V.raw[m][:, None]))
    return None if rows is None else (rows.T, V)


def factors_of_forms(forms: QuadraticForms, tolerance: float) -> list[Factors]:
    """Return all (A, V) with q_{k,m} = (a_k . x)(v_m . x), up to scale: none, one, or two that are swapped (HMK Theorem 3.2); not all forms are zero.

    One form that is not zero is a product in at most one way, up to order and scale, and each order determines A and V by divisions. Exact over
    GF(p), p odd; over the reals forms count as equal up to the square root of the tolerance, since values have the last word.
    """
    k, m = chosen_form(forms, tolerance)
    coefficients = forms.elements.raw[k, m]
    split = exact_factors(forms.field, coefficients) if isinstance(forms.field, PrimeField) else float_factors(forms.field, coefficients, tolerance)
    if split is None:
        return []
    loose = math.sqrt(tolerance)
    orders = split[:1] if proportional(*split, loose) else split
    found = [extended(forms, k, m, alpha) for alpha in orders]
    return [pair for pair in found if pair is not None and relative_error(products_of_linear_forms(*pair), forms.elements) <= loose]
