"""How discrete symmetries move the components of a generic fibre."""

from __future__ import annotations

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture, unflatten
from algatt.errors import DegreeUndecided
from algatt.fields import Reals
from algatt.geometry.degrees.homotopy import follow, refine
from algatt.geometry.degrees.loops import between, new_points
from algatt.geometry.degrees.moving_slices import between_slices
from algatt.geometry.degrees.slices import Section
from algatt.parameters import Weights, flatten
from algatt.symmetry.base import GroupElement


def joined_by_symmetries(arch: Architecture, section: Section, points: np.ndarray, names: np.ndarray) -> int:
    """Return the number of orbits of the discrete symmetries of a network on the components of a fibre.

    A symmetry moves weights of each component out of the slice; they are led back to it while the slice moves and the
    function stays.

    Parameters
    ----------
    arch : Architecture
        The network.
    section : Section
        The slice, and the function.
    points : ndarray
        All points of the slice with this function, a row for each.
    names : ndarray of int
        The component of each.

    Raises
    ------
    DegreeUndecided
        If a path is lost.
    """
    orbits = {int(name): int(name) for name in np.unique(names)}
    representatives = {name: points[np.flatnonzero(names == name)[0]][None] for name in orbits}
    fixed = section.evaluate(points[:1])[0]
    for symmetry in verbs.discrete_symmetries(arch):
        for element in symmetry.elements(Reals()):
            for name, u in representatives.items():
                theta = moved(arch, element, section.weights(u)[0])
                there = (theta, section.directions)
                path = between_slices(section, points[:1], there, (section.origin, section.directions))
                ends, reached = follow(path, np.zeros_like(u))
                ends = refine(between(section, fixed, fixed), ends, 0.0)
                numbers, fresh = new_points(ends, points)
                if not reached.all() or len(fresh):
                    raise DegreeUndecided(
                        f"a path from weights that {symmetry.name} moved is lost", len(points), np.inf
                    )
                one, other = orbits[name], orbits[int(names[numbers[0]])]
                orbits = {key: one if value == other else value for key, value in orbits.items()}
    return len(set(orbits.values()))


def moved(arch: Architecture, element: GroupElement, theta: np.ndarray) -> np.ndarray:
    """Return complex weights that a linear symmetry moved: their real and imaginary parts are moved."""
    parts = [unflatten(arch, Weights, np.ascontiguousarray(part)) for part in (theta.real, theta.imag)]
    real, imaginary = (flatten(verbs.act(element, part)) for part in parts)
    found: np.ndarray = real + 1j * imaginary
    return found
