"""Weights with one function, followed while the slice in which they are moves."""

from __future__ import annotations

import numpy as np

from algatt.geometry.degrees.homotopy import System, follow
from algatt.geometry.degrees.slices import Section, random_complex

STEP = 0.25
"""How far the slice moves in the trace test."""

Slice = tuple[np.ndarray, np.ndarray]
"""The origin and the directions of a slice."""


def between_slices(section: Section, point: np.ndarray, one: Slice, other: Slice) -> System:
    """Return the system whose slice moves from one to another, while the function stays that of a point."""
    fixed = section.evaluate(point)[0]

    def system(u: np.ndarray, t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        times = t[:, None, None]
        directions = one[1] + times * (other[1] - one[1])
        turn = other[0] - one[0] + u @ (other[1] - one[1]).T
        theta = one[0] + t[:, None] * (other[0] - one[0]) + (directions @ u[:, :, None])[:, :, 0]
        values, slopes = section.monomials.derivatives(theta, np.concatenate([directions, turn[:, :, None]], axis=2))
        slopes = section.forms @ slopes
        return values @ section.forms.T - fixed, slopes[:, :, :-1], slopes[:, :, -1]

    return system


def residual_of_slice(section: Section, points: np.ndarray, seed: int) -> float:
    """Return how far the sum of weights is from being linear while the slice moves along a line; infinity if a path is
    lost.
    """
    step = STEP * random_complex(seed, "slice/trace", len(section.origin))
    here = (section.origin, section.directions)
    sums = [section.weights(points).sum(axis=0)]
    for origin in (section.origin + step, section.origin - step):
        there = (origin, section.directions)
        ends, reached = follow(between_slices(section, points[:1], here, there), points)
        if not reached.all():
            return float("inf")
        sums.append(section.moved(origin).weights(ends).sum(axis=0))
    change = max(np.abs(sums[1] - sums[0]).max(), np.abs(sums[2] - sums[0]).max())
    return float(np.abs(sums[1] + sums[2] - 2 * sums[0]).max() / change)
