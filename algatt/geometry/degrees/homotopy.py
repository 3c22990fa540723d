"""Solutions of a section, followed while its right-hand side moves along a segment."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

__all__ = ["System", "follow", "refine"]

System = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray, np.ndarray]]
"""Returns the values H(u, t) of a system at points and times, and its derivatives by u and by t."""

CLOSE = 1e-9
"""A step is taken if a second Newton correction is smaller than this, beside one and the size of the point."""

SHORTEST = 1e-7
"""A path whose steps are shorter is given up."""

FIRST = 0.05
"""The first step."""

EASY = 4
"""After so many steps without a failure steps are doubled."""


def follow(system: System, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Follow solutions from t = 0 to t = 1, each with steps of its own; return the ends, and which were reached.

    A step is one of Runge and Kutta of order four for the equation of Davidenko, H_u u' = - H_t, and Newton's method
    after it.
    """
    u = u.copy()
    count = len(u)
    t, step, good = np.zeros(count), np.full(count, FIRST), np.zeros(count, dtype=int)
    running = np.arange(count)
    while len(running):
        now, h = t[running], np.minimum(step[running], 1 - t[running])
        ahead, fits = corrected(system, predicted(system, u[running], now, h), now + h)
        done = running[fits]
        u[done], t[done] = ahead[fits], (now + h)[fits]
        good[done] += 1
        faster = done[good[done] % EASY == 0]
        step[faster] *= 2
        failed = running[~fits]
        step[failed] /= 2
        good[failed] = 0
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
    """Return points after two corrections by Newton's method, and for which the last one was small."""
    size = np.zeros(len(u))
    for _ in range(2):
        values, by_u, _ = system(u, t)
        change = solved(by_u, -values)
        u = u + change
        size = np.abs(change).max(axis=1)
    return u, size < CLOSE * (1 + np.abs(u).max(axis=1))


def refine(system: System, u: np.ndarray, t: float) -> np.ndarray:
    """Return solutions to rounding, given ones that are near."""
    for _ in range(2):
        u, _ = corrected(system, u, np.full(len(u), t))
    return u


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
