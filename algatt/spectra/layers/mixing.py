"""Fixed points of many small systems at once, by Anderson's mixing."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

DEPTH = 6
"""Earlier iterates that are mixed."""

RIDGE = 1e-12
"""Of the least squares, in parts of their matrix."""

Step = Callable[[np.ndarray, np.ndarray], np.ndarray]


def mixed_fixed_point(step: Step, start: np.ndarray, precision: float, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the fixed points of systems, a row for each, and say which were found.

    Parameters
    ----------
    step : callable
        Of unknowns and the numbers of the systems that they belong to: the right sides. It maps numbers of the lower
        half plane to such ones, and mixing that leaves it is not used.
    start : numpy.ndarray
        A guess.
    precision : float
        Of each unknown, in parts of it.
    most : int
        Steps.
    """
    result = start.copy()
    found = np.zeros(len(start), dtype=bool)
    left, points = np.arange(len(start)), start
    history: list[tuple[np.ndarray, np.ndarray]] = []
    for _ in range(most):
        image = step(points, left)
        rest = image - points
        result[left] = image
        done = (np.abs(rest) <= precision * np.abs(image)).all(axis=1)
        found[left[done]] = True
        if done.all():
            break
        more = ~done
        left, points, rest = left[more], points[more], rest[more]
        history = [(x[more], r[more]) for x, r in history[-DEPTH:]] + [(points, rest)]
        damped = points + rest / 2
        points = damped
        if len(history) > 1:
            moves = np.stack([history[i + 1][0] - history[i][0] for i in range(len(history) - 1)], axis=-1)
            changes = np.stack([history[i + 1][1] - history[i][1] for i in range(len(history) - 1)], axis=-1)
            adjoint = changes.conj().transpose(0, 2, 1)
            normal = adjoint @ changes
            size = np.trace(normal, axis1=1, axis2=2).real[:, None, None] + 1e-300
            parts = np.linalg.solve(normal + RIDGE * size * np.eye(normal.shape[1]), adjoint @ rest[..., None])
            mixed = damped - ((moves + changes / 2) @ parts)[..., 0]
            kept = (mixed.imag < 0).all(axis=1) & np.isfinite(mixed).all(axis=1)
            points = np.choose(kept[:, None], [damped, mixed])
    return result, found
