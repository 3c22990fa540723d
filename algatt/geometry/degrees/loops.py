"""The weights of a slice that are mapped into a linear section, found by loops of its right-hand side from one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from algatt.errors import DegreeUndecided
from algatt.geometry.degrees.homotopy import System, follow, refine
from algatt.geometry.degrees.slices import Section, random_complex

SAME = 1e-6
"""Points that differ by less, beside one and the size of the largest, are one."""

LOOPS = 60
"""Maximum number of loops."""

TOLERANCE = 1e-7
"""A sum of points moves linearly if it differs by less from a linear motion, beside how far it moves."""

Key = Callable[[np.ndarray], np.ndarray]
"""What tells points of the slice apart: the functions at them, or they themselves."""


def between(section: Section, one: np.ndarray, other: np.ndarray) -> System:
    """Return the system whose right-hand side moves from one vector to another."""

    def system(u: np.ndarray, t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        values, slopes = section.linearized(u)
        return values - one - t[:, None] * (other - one), slopes, np.broadcast_to(one - other, values.shape)

    return system


def new_points(points: np.ndarray, known: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return for each point which known one it is, new ones having numbers after these, and the places of new ones."""
    from scipy.spatial import cKDTree

    everything = np.concatenate([known, points])
    size = 1 + np.abs(everything).max(initial=0)
    split = np.concatenate([everything.real, everything.imag], axis=1) / size
    names = np.arange(len(everything))
    for one, other in sorted(cKDTree(split).query_pairs(SAME)):
        names[other] = min(names[one], names[other])
    of_points = names[len(known) :]
    first = np.array(sorted({int(name) for name in of_points if name >= len(known)}), dtype=int)
    number = {int(name): len(known) + place for place, name in enumerate(first)}
    return np.array([number.get(int(name), int(name)) for name in of_points], dtype=int), first - len(known)


def gather(
    section: Section, key: Key, seed: int, most: int, done: Callable[[np.ndarray, int], bool]
) -> tuple[np.ndarray, int]:
    """Return points of the slice with the right-hand side of u = 0, told apart by a key, and the number of loops.

    The right-hand side runs around random triangles, until `done`, which is given the points and how many loops in a
    row found nothing new, says that it is enough.

    Raises
    ------
    DegreeUndecided
        If it is not enough after 60 loops, or there are more than `most` points.
    """
    u = np.zeros((1, section.directions.shape[1]), dtype=complex)
    corner = section.evaluate(u)[0]
    idle = 0
    for loop in range(LOOPS):
        if done(u, idle):
            return u, loop
        first, second = np.abs(corner).max() * random_complex(seed, f"loop/{loop}", 2, len(corner))
        ends = u
        for one, other in ((corner, first), (first, second), (second, corner)):
            ends, reached = follow(between(section, one, other), ends)
            ends = ends[reached]
        ends = refine(between(section, corner, corner), ends, 0.0)
        _, fresh = new_points(key(ends), key(u))
        u = np.concatenate([u, ends[fresh]])
        idle = 0 if len(fresh) else idle + 1
        if len(u) > most:
            raise DegreeUndecided(f"there are more than {most} points", len(u), float("inf"))
    raise DegreeUndecided(f"the points are not known to be all after {LOOPS} loops", len(u), float("inf"))
