"""All points of a generic linear section of the closure of a neuromanifold, gathered by monodromy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from algatt.errors import DegreeUndecided
from algatt.geometry.degrees.paths import Coordinates, Projection, random_complex
from algatt.geometry.implicit.expansion import Expansion

__all__ = ["Section", "section_by_monodromy"]

TOLERANCE = 1e-7
"""Largest residual of the trace test, relative to the sum of the sizes of the points."""

APART = 1e-6
"""Relative distance above which two points of the section are different."""

LOOPS = 60
"""Largest number of loops."""


@dataclass(frozen=True, eq=False)
class Section:
    """The points that the closure of a neuromanifold has in common with a linear space of complementary dimension.

    Parameters
    ----------
    points : ndarray
        Weights over the complex numbers, a row for each point of the section.
    residual : float
        That of the trace test.
    loops : int
        Number of loops that were followed.
    """

    points: np.ndarray
    residual: float
    loops: int


def section_by_monodromy(expansion: Expansion, dimension: int, seed: int, most: int) -> Section:
    """Return the points of a random linear section, found from one by following them along random loops of sections.

    A loop permutes the points; since the closure is irreducible, loops lead from each point to each other. The points
    are all there where the trace test holds: their sum moves linearly with the section (Sommese, Verschelde and
    Wampler, 2002), as the sum of no proper part of them does.

    Raises
    ------
    DegreeUndecided
        If there are more than `most` points, or the trace test does not hold after 60 loops.
    """
    coordinates = Coordinates(expansion)
    start = random_complex(seed, "start", 1, expansion.arch.parameters)
    matrix = random_complex(seed, "matrix", dimension, len(expansion.polynomials))
    matrix = matrix / np.maximum(np.abs(coordinates.values(start)[0]), 1e-3)  # of like size in every row
    projection = Projection(coordinates, matrix)
    base = projection.values(start)[0]
    points, residual, quiet = start, np.inf, 0
    for loop in range(1, LOOPS + 1):
        first, second = (
            random_complex(seed, f"loop/{loop}/{side}", dimension) * np.abs(base).max() * 1.5 for side in "ab"
        )
        moved = points
        for corner in (first, second, base):
            moved, alive = projection.follow(moved, corner)
            moved = moved[alive]
            if not len(moved):
                break
        before = len(points)
        points = join(coordinates, points, moved)
        if len(points) > most:
            raise DegreeUndecided(f"the section has more than {most} points", len(points), residual)
        quiet = quiet + 1 if len(points) == before else 0
        if quiet in (1, 3, 6) or quiet >= 10:
            residual = trace_residual(projection, points, base, seed, 1.0 if quiet == 1 else 0.2)
            if residual < TOLERANCE:
                return Section(points, residual, loop)
    raise DegreeUndecided(f"the trace test does not hold after {LOOPS} loops", len(points), residual)


def join(coordinates: Coordinates, points: np.ndarray, new: np.ndarray) -> np.ndarray:
    """Return weights with those of new weights whose functions are different from all others."""
    if not len(new):
        return points
    kept = [*points]
    known = coordinates.values(points)
    for weights, function in zip(new, coordinates.values(new), strict=True):
        distances = np.abs(known - function).max(axis=1)
        if distances.min() > APART * np.abs(function).max():
            kept.append(weights)
            known = np.vstack([known, function])
    return np.array(kept)


def trace_residual(projection: Projection, points: np.ndarray, base: np.ndarray, seed: int, scale: float) -> float:
    """Return how far the sum of the points is from moving linearly, relative to the sizes of the points."""
    velocity = random_complex(seed, "trace", len(base)) * np.abs(base).max()
    here = projection.coordinates.values(points)
    sums, size = [], float(np.abs(here).sum(axis=0).max())
    for sign in (1, -1):
        moved, alive = projection.follow(points, base + sign * velocity, scale)
        there = projection.coordinates.values(moved)
        if not alive.all() or len(join(projection.coordinates, moved[:1], moved[1:])) < len(moved):
            return float("inf")
        sums.append(there.sum(axis=0))
        size = max(size, float(np.abs(there).sum(axis=0).max()))
    return float(np.abs(sums[0] + sums[1] - 2 * here.sum(axis=0)).max()) / size
