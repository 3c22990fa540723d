"""Solutions of a section, followed while its right-hand side moves along a segment."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

System = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray, np.ndarray]]
"""Returns the values H(u, t) of a system at points and times, and its derivatives by u and by t."""

CLOSE = 1e-10
"""A step is taken if the last Newton correction is smaller than this, beside one and the size of the point."""

NEAR = 1e-2
"""Largest first Newton correction, likewise: beyond it the point may come to rest at another solution."""

CORRECTIONS = 3
"""Number of Newton corrections after each step."""

SHORTEST = 1e-5
"""A path whose steps are shorter is given up."""

LARGEST = 0.1
"""The largest step."""


def follow(system: System, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Follow solutions from t = 0 to t = 1, each with steps of its own; return the ends, and which were reached.

    A step is one of Runge and Kutta of order four for the equation of Davidenko, H_u u' = - H_t, and Newton's method
    after it.
    """
    u = u.copy()
    t, step = np.zeros(len(u)), np.full(len(u), LARGEST / 4)
    running = np.arange(len(u))
    while len(running):
        now, h = t[running], np.minimum(step[running], 1 - t[running])
        with np.errstate(all="ignore"):
            ahead, fits = corrected(system, predicted(system, u[running], now, h), now + h)
        done = running[fits]
        u[done], t[done] = ahead[fits], (now + h)[fits]
        t[t > 1 - 1e-14] = 1
        step[running] = h / 2
        step[done] = np.minimum(1.6 * h[fits], LARGEST)
        running = running[(t[running] < 1) & (step[running] > SHORTEST)]
    return u, t >= 1


def predicted(system: System, u: np.ndarray, t: np.ndarray, h: np.ndarray) -> np.ndarray:
    """Return the step of Runge and Kutta."""

    def slope(at: np.ndarray, time: np.ndarray) -> np.ndarray:
        _, by_u, by_t = system(at, time)
        return solved(by_u, -by_t)

    column = h[:, None]
    first = slope(u, t)
    second = slope(u + column / 2 * first, t + h / 2)
    third = slope(u + column / 2 * second, t + h / 2)
    fourth = slope(u + column * third, t + h)
    return u + column / 6 * (first + 2 * second + 2 * third + fourth)


def corrected(system: System, u: np.ndarray, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return points after corrections by Newton's method, and which of them came to rest at once."""
    good, last = np.ones(len(u), dtype=bool), np.full(len(u), NEAR)
    for _ in range(CORRECTIONS):
        values, by_u, _ = system(u, t)
        change = solved(by_u, -values)
        u = u + change
        size = np.abs(change).max(axis=1) / (1 + np.abs(u).max(axis=1))
        good &= (size < last) | (size < CLOSE)
        last = size
    return u, good & (last < CLOSE)


def refine(system: System, u: np.ndarray, t: float) -> np.ndarray:
    """Return solutions to rounding, given ones that are near."""
    return corrected(system, u, np.full(len(u), t))[0]


def solved(matrices: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the solutions of systems of linear equations; not-a-number where a matrix is singular."""
    try:
        return np.linalg.solve(matrices, right[:, :, None])[:, :, 0]
    except np.linalg.LinAlgError:
        found = np.full(right.shape, np.nan, dtype=complex)
        for row, (matrix, one) in enumerate(zip(matrices, right, strict=True)):
            if np.linalg.cond(matrix) < 1 / np.finfo(float).eps:
                found[row] = np.linalg.solve(matrix, one)
        return found
