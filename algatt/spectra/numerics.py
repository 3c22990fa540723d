"""Vectorised root finding: polynomials by companion matrices, increasing functions by Newton's method
within brackets.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

Function = Callable[[np.ndarray], np.ndarray]

STEPS = 200
"""More than enough: every step halves the one before, or the bracket."""

PRECISION = 1e-14
"""A step smaller than this part of the whole range is the last one."""


def polynomial_roots(lower: Sequence[np.ndarray]) -> np.ndarray:
    r"""Return the roots of monic polynomials :math:`y^n + c_{n-1} y^{n-1} + \dots + c_0`, an array with the roots along
    its last axis.

    Parameters
    ----------
    lower : sequence of numpy.ndarray
        The arrays of :math:`c_{n-1}, \dots, c_0`, of equal shape.

    Eigenvalues of companion matrices, so that of a real polynomial complex roots come in conjugate pairs, exactly.
    """
    coefficients = np.stack(lower, axis=-1)
    degree = coefficients.shape[-1]
    companion = np.zeros((*coefficients.shape, degree), dtype=coefficients.dtype)
    companion[..., 0, :] = -coefficients
    companion[..., np.arange(1, degree), np.arange(degree - 1)] = 1.0
    return np.linalg.eigvals(companion)


def increasing_inverse(
    function: Function, derivative: Function, values: np.ndarray, low: np.ndarray, high: np.ndarray
) -> np.ndarray:
    """Return the points between `low` and `high` at which an increasing function has given values: arrays of one axis.

    Newton's method, entry by entry; a step that leaves its bracket, or is not half as long as the one before, is
    replaced by a bisection.
    """
    found = (low + high) / 2
    tolerance = PRECISION * np.max(np.maximum(np.abs(low), np.abs(high)), initial=0.0)
    left = np.arange(len(found))  # the entries that are not found yet
    points, before = found.copy(), high - low
    for _ in range(STEPS):
        excess = function(points) - values[left]
        high, low = np.choose(excess >= 0, [high, points]), np.choose(excess < 0, [low, points])
        with np.errstate(divide="ignore", invalid="ignore"):
            newton = points - excess / derivative(points)
        good = (newton >= low) & (newton <= high) & (np.abs(newton - points) <= before / 2)
        moved = np.choose(good, [(low + high) / 2, newton])
        found[left] = moved
        step = np.abs(moved - points)
        more = step > tolerance
        left, low, high, points, before = left[more], low[more], high[more], moved[more], step[more]
        if not len(left):
            break
    return found
