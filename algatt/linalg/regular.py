"""Whether all real matrices in a matrix of balls are regular, and what an elimination of a regular one leaves."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from algatt import verbs
from algatt.errors import DivisionByZero
from algatt.fields import Balls, Elements, FloatBalls
from algatt.fields.float_ball import SLACK, TINY, UNIT, balls_around, float_balls

STEPS = 20
"""So many times a vector is multiplied, so that all of its entries shrink alike."""

CERTAIN = 0.99
"""A quotient below this is below one, whatever was rounded when it was computed."""


@verbs.is_regular.method
def is_regular_in_floats(field: FloatBalls, raw: np.ndarray) -> bool:
    r"""Return whether an approximate inverse proves it.

    Let B be an approximate inverse, and E a matrix without negative entries that bounds those of 1 - B M. If
    :math:`E x < x` for a vector x > 0, then the spectral radius of 1 - B M is below one (Perron and Frobenius), so that
    B M is regular, and M is. With the midpoint m and the radius r of M that is so for
    :math:`E = |1 - B m| + |B| (r + \gamma_n |m|)`, where :math:`\gamma_n` is for what is rounded in B m.

    Cost: an inverse and a product of matrices of floats.
    """
    if not len(raw):
        return True
    raw = scaled(raw)
    mid, rad = np.ascontiguousarray(raw["mid"]), np.ascontiguousarray(raw["rad"])  # copies
    if not (np.isfinite(mid).all() and np.isfinite(rad).all()):
        return False
    try:
        inverse = np.linalg.inv(mid)
    except np.linalg.LinAlgError:
        return False
    n = len(mid)
    gamma = (n + 4) * UNIT * SLACK
    with np.errstate(all="ignore"):
        off = inverse @ mid
        off[np.diag_indices(n)] -= 1
        off, inverse, rad = np.abs(off, out=off), np.abs(inverse, out=inverse), rad + gamma * np.abs(mid, out=mid)
        return shrinks(n, lambda x: (off @ x * SLACK + inverse @ (rad @ x) + n * TINY * x.sum()) * (1 + 4 * gamma))


def shrinks(size: int, multiply: Callable[[np.ndarray], np.ndarray]) -> bool:
    """Return whether E x < x for a vector x > 0 that is tried, for a matrix E without negative entries that multiplies
    vectors.
    """
    x = np.ones(size)
    for _ in range(STEPS):
        x = multiply(x)
        x = x / x.max() + UNIT
    return bool(np.all(multiply(x) < CERTAIN * x))


def scaled(raw: np.ndarray) -> np.ndarray:
    """Multiply rows, then columns, by powers of two, so that their largest midpoints are about one."""
    mid, rad = raw["mid"], raw["rad"]
    for axis in (1, 0):
        _, exponents = np.frexp(np.abs(mid).max(axis=axis, keepdims=True))
        mid, rad = np.ldexp(mid, -exponents), np.ldexp(rad, -exponents) + TINY  # numbers may become subnormal
    return balls_around(mid, rad)


@verbs.is_regular.method
def is_regular_by_balls(field: Balls, raw: np.ndarray) -> bool:
    """By an approximate inverse in floats, else by the determinant. Cost of that: an elimination over balls."""
    import flint

    size = len(raw)
    if not size or verbs.is_regular(FloatBalls(), field.compute(float_balls, raw)):
        return True
    determinant = field.compute(flint.arb_mat(size, size, [flint.arb(entry) for entry in raw.flat]).det)
    return bool(determinant.is_finite() and 0 not in determinant)


def schur_complement(A: np.ndarray, B: np.ndarray, C: np.ndarray, D: np.ndarray) -> np.ndarray:
    r"""Return :math:`D - C A^{-1} B` of balls in floats.

    Let R be an approximate inverse of A, and :math:`\lVert A R - 1 \rVert_\infty \le \delta < 1`. Then
    :math:`A^{-1} = R\, (1 + F)` with :math:`\lVert F \rVert_\infty \le \delta / (1 - \delta)`, so
    :math:`C A^{-1}` is Z = C R as floats plus :math:`(C - Z A)\, R\, (1 + F)`.

    Raises
    ------
    DivisionByZero
        If A is not told from a singular matrix.
    """
    if not len(A):
        return D
    field = FloatBalls()
    a, b, c, d = (Elements(field, raw) for raw in (A, B, C, D))
    try:
        inverse = np.linalg.inv(A["mid"])
    except np.linalg.LinAlgError:
        raise DivisionByZero("a matrix is singular in float64") from None
    R, Z = Elements.of(field, inverse), C["mid"] @ inverse
    delta = 2 * magnitudes((a @ R - Elements.of(field, np.eye(len(A)))).raw).sum(axis=1).max()
    if not delta < 1:
        raise DivisionByZero("a matrix is not told from a singular one in float64")
    off = magnitudes(((c - Elements.of(field, Z) @ a) @ R).raw)
    off += 2 * off.sum(axis=1, keepdims=True) * delta / (1 - delta)
    complement: np.ndarray = (d - Elements(field, balls_around(Z, off * (1 + 2.0**-20))) @ b).raw
    return complement


def magnitudes(raw: np.ndarray) -> np.ndarray:
    """Return bounds of the absolute values in balls."""
    bounds: np.ndarray = (np.abs(raw["mid"]) + raw["rad"]) * SLACK
    return bounds
