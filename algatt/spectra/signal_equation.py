r"""The equation of the laws of signal plus noise: its critical points, its roots, and which of them is the transform.

In units in which the mean is 1 it is :math:`s = y + a / y + b y / (y^2 - k)`, with y the inverse of the Cauchy
transform of the singular values with both signs; see `algatt.spectra.linear_law` for the numbers a, b and k.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from algatt.spectra.numerics import polynomial_roots

if TYPE_CHECKING:
    from algatt.spectra.linear_law import SignalPlusNoise

REAL = 1e-8
"""Roots whose imaginary parts are a smaller part of them than this are real, away from the support."""

LEAST_NOISE = 1e-24
"""A share of the noise, and squares of s, below which two roots of the quartic are far from the two others."""

NARROW = 1e-3
"""Where k is nearer to 1 than this, they are not."""


def singular_value(law: SignalPlusNoise, y: np.ndarray) -> np.ndarray:
    """Return s of y, for the law of mean 1."""
    a, b, k = law.shares
    return y + a / y + b * y / (y * y - k)


def slope(law: SignalPlusNoise, y: np.ndarray) -> np.ndarray:
    """Return the derivative of `singular_value`."""
    a, b, k = law.shares
    return 1 - a / y**2 - b * (y**2 + k) / (y**2 - k) ** 2


def critical_values(law: SignalPlusNoise) -> tuple[float, ...]:
    """Return the values of s, decreasing, at which s(y) is critical for y > 0: the ends of the support, zero apart."""
    return tuple(float(singular_value(law, np.sqrt(v))) for v in critical_squares(law))


@lru_cache(maxsize=128)  # every value of a density or a distribution function asks for them
def critical_squares(law: SignalPlusNoise) -> tuple[float, ...]:
    """Return the squares v of the y > 0 at which s(y) is critical, decreasing.

    With v = y^2 the condition is v^3 - (1 + 2 k) v^2 + k (k + 2 a - b) v - a k^2 = 0. One root is above k, and between
    0 and k there are two or none. For k <= 1 there are none: with v = k w the left side is k^2 times (1 - w)^2 (k w -
    1) + b (1 - 3 w), which is negative for 0 < w < 1, since (1 - w)^2 (1 - k w) >= (1 - w)^3 > 1 - 3 w. Where b is tiny
    they are complex and nearly equal to k, which rounding would take for a gap.
    """
    a, b, k = law.shares
    polynomial = np.array([1.0, -1 - 2 * k, k * (k + 2 * a - b), -a * k**2])
    roots = np.roots(polynomial)
    for _ in range(4):  # a root much smaller than the largest has few right digits
        slopes = np.polyval(np.polyder(polynomial), roots)
        roots = roots - np.divide(np.polyval(polynomial, roots), slopes, out=np.zeros_like(roots), where=slopes != 0)
    real = sorted((root.real for root in roots if abs(root.imag) <= REAL * abs(root) and root.real > 0), reverse=True)
    below = [v for v in real[1:] if v < k] if k > 1 else []
    if len(below) == 1 and a > 0:  # a double root that rounding has split is no gap
        below = []
    return (real[0], *below)


def transform(law: SignalPlusNoise, s: np.ndarray, within: np.ndarray) -> np.ndarray:
    """Return y of s in the closed upper half plane, for the law of mean 1; `within` says which s are inside the
    support.
    """
    roots = quartic_roots(law, s)
    highest = roots.imag.argmax(-1)[..., None]
    # at the ends of the support rounding may split its double root into two real ones, and then all four are real
    flat = np.take_along_axis(roots.imag <= np.choose(within, [REAL, 0.0])[..., None] * np.abs(roots), highest, -1)[
        ..., 0
    ]
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        rising = np.nan_to_num(slope(law, roots.real), nan=-np.inf, posinf=-np.inf).argmax(-1)[..., None]
    chosen = np.choose(flat[..., None], [highest, rising])
    y = np.take_along_axis(roots, chosen, -1)[..., 0]
    y = polish(law, s, np.choose(flat & (s.imag == 0), [y, y.real + 0j]))
    return y.real + 1j * (np.maximum(y.imag, 0.0) + 0.0)  # logarithms would be those from below for a negative zero


def quartic_roots(law: SignalPlusNoise, s: np.ndarray) -> np.ndarray:
    """Return the roots y of s, along the last axis; of real s they are real or in conjugate pairs, exactly."""
    a, _, k = law.shares
    roots = np.empty((*s.shape, 4), complex)
    real = s.imag == 0
    for places, some in ((real, s[real].real), (~real, s[~real])):
        roots[places] = polynomial_roots([-some, np.full_like(some, 1 - k), k * some, np.full_like(some, -a * k)])
    if 0 < a < LEAST_NOISE and abs(k - 1) > NARROW:
        places = np.abs(s) ** 2 < LEAST_NOISE
        roots[places] = roots_near_zero(a, k, s[places])
    return roots


def roots_near_zero(a: float, k: float, s: np.ndarray) -> np.ndarray:
    """Return the roots y of small s for little noise: two of the order 1, and those of (1 - k) y^2 + k s y - a k = 0,
    which are so small that eigenvalues have lost them.
    """
    linear = k * s + 0j
    larger = -(linear + np.sqrt(linear**2 + 4 * (1 - k) * a * k)) / 2  # no difference: Re(s) >= 0
    far = np.sqrt(np.full_like(linear, k - 1))
    near = np.stack([larger / (1 - k), -a * k / larger], axis=-1)
    if k > 1:  # of real s a conjugate pair, exactly
        pair = (s.imag == 0) & (near.imag[..., 0] != 0)
        near[pair, 1] = near[pair, 0].conj()
    return np.concatenate([near, np.stack([far, -far], axis=-1)], axis=-1)


def polish(law: SignalPlusNoise, s: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return roots after two of Newton's steps on the quartic, which are not taken where they would go far: at double
    roots.
    """
    a, _, k = law.shares
    for _ in range(2):
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            value = (((y - s) * y + (1 - k)) * y + k * s) * y - a * k
            derivative = ((4 * y - 3 * s) * y + 2 * (1 - k)) * y + k * s
            step = value / derivative
        y = np.choose(np.abs(step) < 1e-6 * np.abs(y), [y, y - step])
    return y
