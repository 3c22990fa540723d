"""Transforms that are followed from far above the real line, where iteration finds them, down to a point."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

LEAST_HEIGHT = 1e-4
"""Of the last point of a path above the real line, in parts of the point."""

SETTLED, ROUNDED = 1e-3, 1e-13
"""Steps of a solver end here, in parts of each unknown: on the way, and at the point."""

STEPS_ON_THE_WAY, LAST_STEPS = 8, 14
"""Of Newton's method at most: at the ends of the support it converges slowly, to the root of rounding."""

STEPS_OF_A_PATH = (1.0, 2.0, 5.0)
"""For each halving of the height: more where fewer do not lead to the solution."""

MOST_GROWTH = 4.0
"""By which an unknown may change between two points of a path, to be continued in this ratio."""

Begin = Callable[[np.ndarray], np.ndarray]

ReadOff = Callable[[np.ndarray, np.ndarray], np.ndarray]

Solve = Callable[[np.ndarray, np.ndarray, float, int], tuple[np.ndarray, np.ndarray]]


def follow(begin: Begin, solve: Solve, read_off: ReadOff, targets: np.ndarray, radius: float) -> np.ndarray:
    """Return Cauchy transforms at points w != 0 of the closed upper right quarter, from above on the real line.

    Parameters
    ----------
    begin : callable
        Of points far above the real line: the unknowns there, a row for each.
    solve : callable
        Of points, a guess of the unknowns, a precision and how many steps are allowed: the unknowns, and at which
        points they were found.
    read_off : callable
        Of points and unknowns: the transform.
    targets : numpy.ndarray
        The points.
    radius : float
        A height from which `begin` works.

    Points at which a step of the path failed, or the sign of the imaginary part is wrong at its end, are followed again
    in smaller steps.
    """
    w = targets.astype(complex)
    values = np.zeros(len(w), complex)
    left = np.arange(len(w))
    for steps in STEPS_OF_A_PATH:
        if len(left):
            unknowns, good = followed(begin, solve, w[left], radius, steps)
            found = read_off(w[left], unknowns)
            values[left] = found
            left = left[~(good & (found.imag <= ROUNDED * np.abs(found)))]
    return values


def followed(begin: Begin, solve: Solve, w: np.ndarray, radius: float, steps: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the unknowns at the ends of paths of so many steps for each halving of the height, and say at which points
    they were found all along.
    """
    height = 2 * radius + np.abs(w.real)
    last = LEAST_HEIGHT * np.abs(w)
    count = int(np.ceil(steps * np.log2((height / last).max())))
    values = begin(w + 1j * height)
    before, good = None, np.ones(len(w), dtype=bool)
    for number in range(count + 1):
        guess = values
        if before is not None:  # unknowns change by powers of the height
            ratio = np.divide(values, before, out=np.ones_like(values), where=before != 0)
            size = np.abs(ratio)
            guess = values * np.choose((size < MOST_GROWTH) & (size > 1 / MOST_GROWTH), [1.0, ratio])
        path = w + 1j * height * (last / height) ** (number / count)
        before, (values, found) = values, solve(path, guess, SETTLED, STEPS_ON_THE_WAY)
        good &= found
    return solve(w, values, ROUNDED, LAST_STEPS)[0], good
