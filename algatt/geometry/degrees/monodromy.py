"""All points of a generic linear section of the closure of a neuromanifold, gathered by monodromy."""

from __future__ import annotations

import numpy as np

from algatt.geometry.degrees.homotopy import follow, refine
from algatt.geometry.degrees.loops import TOLERANCE, between, gather, new_points
from algatt.geometry.degrees.slices import Section, random_complex, random_section
from algatt.geometry.implicit.expansion import Expansion

STEP = 0.25
"""How far right-hand sides move in the trace test, beside their size."""


def section_by_monodromy(expansion: Expansion, dimension: int, seed: int, most: int) -> tuple[int, float]:
    """Return the number of points of a random linear section, and the residual of their trace test.

    They are found from one by following them along random loops of sections. A loop permutes the points; since the
    closure is irreducible, loops lead from each point to each other. The points are all there where the trace test
    holds: their sum moves linearly with the section (Sommese, Verschelde and Wampler, 2002), as the sum of no proper
    part of them does.

    Raises
    ------
    DegreeUndecided
        If there are more than `most` points, or the trace test does not hold after 60 loops.
    """
    section = random_section(expansion, dimension, seed)
    residual = float("inf")

    def is_complete(u: np.ndarray, idle: int) -> bool:
        """Return whether the trace test holds, once a loop has found nothing new."""
        nonlocal residual
        if idle:
            residual = residual_of_trace(section, u, seed + idle)
        return residual < TOLERANCE

    points, _ = gather(section, section.images, seed, most, is_complete)
    return len(points), residual


def residual_of_trace(section: Section, u: np.ndarray, seed: int) -> float:
    """Return how far the sum of the functions of points is from being linear while the right-hand side moves along a
    line, relative to how far it moves; infinity if a path is lost or two paths end in one function.
    """
    corner = section.evaluate(u[:1])[0]
    step = STEP * np.abs(corner).max() * random_complex(seed, "trace", len(corner))
    sums = [section.images(u).sum(axis=0)]
    for other in (corner + step, corner - step):
        ends, reached = follow(between(section, corner, other), u)
        images = section.images(refine(between(section, other, other), ends, 0.0))
        if not reached.all() or len(new_points(images, images[:0])[1]) < len(images):
            return float("inf")
        sums.append(images.sum(axis=0))
    change = max(np.abs(sums[1] - sums[0]).max(), np.abs(sums[2] - sums[0]).max())
    return float(np.abs(sums[1] + sums[2] - 2 * sums[0]).max() / change)
