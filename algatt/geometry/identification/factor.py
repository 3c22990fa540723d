"""Factors of quadratic forms over GF(p): a form as a product of two linear forms, and a tuple as (a_k . x)(v_m . x)."""

from __future__ import annotations

import numpy as np

from algatt.errors import NoSolution
from algatt.fields import Elements, PrimeField
from algatt.geometry.identification.quadratic_forms import QuadraticForms, products_of_linear_forms
from algatt.linalg.row_form import row_form, row_rank
from algatt.linalg.systems import solve

Factors = tuple[Elements, Elements]


def solution(matrix: Elements, right: Elements) -> Elements | None:
    """Return an X with ``matrix @ X == right``, or None if there is none."""
    try:
        return Elements.of(matrix.field, solve(matrix.public(), right.public()))
    except NoSolution:
        return None


def proportional(one: Elements, two: Elements) -> bool:
    """Return whether two non-zero arrays are multiples of each other."""
    return row_rank(Elements(one.field, np.stack([one.raw.ravel(), two.raw.ravel()]))) == 1


def square_root(field: PrimeField, square: int) -> int | None:
    """Return a square root modulo an odd p, or None if there is none: FLINT factors x^2 - square, for p below 2^63."""
    import flint

    _, factors = flint.nmod_poly([-square % field.p, 0, 1], field.p).factor()
    factor = factors[0][0]
    return int(-factor[0]) if factor.degree() == 1 else None


def exact_factors(field: PrimeField, coefficients: np.ndarray) -> Factors | None:
    r"""Return columns (alpha, beta), of shape (d, 1), with q = (alpha . x)(beta . x), or None if there are none.

    The form q is not zero, and p is odd. A product has a symmetric matrix S of rank at most two. In the coordinates
    u, v of its row space, in which it is a, b; b, c, completing the square gives :math:`a q = (a u + b v)^2 - (b^2 -
    a c) v^2`, which splits if and only if :math:`b^2 - a c` is a square.
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


def quotients(forms: Elements, factor: Elements) -> Elements | None:
    """Divide forms, of shape (count, d, d), by a column: rows v_m with q_m = (factor . x)(v_m . x), or None."""
    d = factor.shape[0]
    identity = Elements(factor.field, np.eye(d, dtype=factor.raw.dtype))
    multiplication = products_of_linear_forms(factor, identity)
    found = solution(
        Elements(factor.field, multiplication.raw.reshape(d, d * d).T),
        Elements(factor.field, forms.raw.reshape(-1, d * d).T),
    )
    return None if found is None else found.T


def extend(forms: QuadraticForms, k: int, m: int, alpha: Elements) -> Factors | None:
    """Return the (A, V) of all forms in which column k of A is alpha, or None if some division leaves a remainder."""
    elements = forms.elements
    V = quotients(Elements(forms.field, elements.raw[k]), alpha)
    if V is None:
        return None
    rows = quotients(Elements(forms.field, elements.raw[:, m]), Elements(forms.field, V.raw[m][:, None]))
    return None if rows is None else (rows.T, V)


def factors_of_forms(field: PrimeField, forms: QuadraticForms) -> list[Factors]:
    """Return all (A, V) with q_{k,m} = (a_k . x)(v_m . x), up to scale: none, one, or two that are swapped.

    See HMK Theorem 3.2; not all forms are zero. One form that is not zero is a product in at most one way, up to
    order and scale, and each order determines A and V by divisions; p is odd.
    """
    k, m = np.argwhere((forms.elements.raw != 0).any(axis=(2, 3)))[0]
    split = exact_factors(field, forms.elements.raw[k, m])
    if split is None:
        return []
    found = [extend(forms, k, m, alpha) for alpha in (split[:1] if proportional(*split) else split)]
    pairs = [pair for pair in found if pair is not None]
    return [pair for pair in pairs if np.array_equal(products_of_linear_forms(*pair).raw, forms.elements.raw)]
