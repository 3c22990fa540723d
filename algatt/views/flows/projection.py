"""The states of a flow as points of space, turned so that the end of the run is in front."""

from __future__ import annotations

import math

import numpy as np

from algatt.dynamics import Trajectory


def evenly(count: int, most: int) -> np.ndarray:
    """Return at most so many of the numbers 0 to count - 1, evenly chosen, the first and the last among them."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(int))


def positions(trajectory: Trajectory) -> tuple[np.ndarray, str]:
    """Return the states as points of space, of shape (T, 3, n), seen from in front of where the tokens end, and how
    they were projected.

    Tokens of more than three dimensions are projected to the three principal axes of all states; fewer dimensions are
    filled up with zeros. The third coordinate points to the viewer.
    """
    points, projection = in_space(trajectory.states)
    return points if trajectory.dimension < 3 else rotation(points) @ points, projection


def in_space(states: np.ndarray) -> tuple[np.ndarray, str]:
    """Return states in three dimensions, not yet turned, and how they were projected."""
    T, d, n = states.shape
    if d > 3:
        from scipy.linalg import eigh

        everything = np.moveaxis(states, 1, 0).reshape(d, T * n)
        _, axes = eigh(
            everything @ everything.T, subset_by_index=(d - 3, d - 1)
        )  # in thousands of dimensions three are much faster than all
        return axes[:, ::-1].T @ states, f"3 principal axes of {d} dimensions"
    if d < 3:
        return np.concatenate([states, np.zeros((T, 3 - d, n))], axis=1), ""
    return states, ""


def axes_of(trajectory: Trajectory) -> list[tuple[str, list[float]]]:
    """Return the names of the coordinates with their directions, seen as `positions` does."""
    flat = trajectory.dimension < 3
    turned = np.eye(3)[:, : trajectory.dimension] if flat else rotation(in_space(trajectory.states)[0])
    names = ("x", "y", "z") if trajectory.dimension <= 3 else ("1st", "2nd", "3rd")
    return [(name, column.round(4).tolist()) for name, column in zip(names, turned.T, strict=False)]


def rotation(points: np.ndarray) -> np.ndarray:
    """Return the rotation that brings the mean of the last state of points to the front, to the right and above of the
    middle.
    """
    mean = points[-1].mean(axis=1)
    size = np.linalg.norm(mean)
    front = mean / size if size > 1e-6 else np.array([1.0, 0.0, 0.0])
    helper = np.eye(3)[int(np.abs(front).argmin())]
    right = np.cross(helper, front)
    right /= np.linalg.norm(right)
    up = np.cross(front, right)
    a, b = math.radians(20.0), math.radians(15.0)
    tilt = np.array([[math.cos(a), 0, math.sin(a)], [0, 1, 0], [-math.sin(a), 0, math.cos(a)]])
    tilt = np.array([[1, 0, 0], [0, math.cos(b), math.sin(b)], [0, -math.sin(b), math.cos(b)]]) @ tilt
    return tilt @ np.stack([right, up, front])
