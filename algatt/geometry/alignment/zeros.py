"""Entries of gains and of what they multiply, where the product of both is zero: one of them may be anything."""

from __future__ import annotations

import numpy as np

from algatt.fields import Elements, Reals
from algatt.geometry.alignment.problem import OrbitPoint, Problem
from algatt.geometry.equality.large.balanced_form import matrices_of
from algatt.geometry.equality.networks.standard import shifts_beside, translation
from algatt.symmetry import GroupElement

NEGLIGIBLE = 1e-12
"""Largest product of a gain and what it multiplies, beside the largest of its other entries, that is taken for zero."""


def beside(position: OrbitPoint, problem: Problem) -> OrbitPoint:
    """Return a point as one that is to come near to the target of a problem, with entries of gains and of what they
    multiply as the target has them, where a product of both is zero: the gain, or all that it multiplies, of which the
    other is zero then, whichever is nearer.
    """
    found = OrbitPoint(problem, position.theta, position.elements)
    for gain in problem.fold.gains:
        tensors, goal = matrices_of(found.theta), problem.goal
        multiplied = {**dict.fromkeys(gain.columns, 1), **dict.fromkeys(gain.rows, 0)}
        sizes = np.sqrt(sum(np.sum(tensors[name] ** 2, axis=1 - axis) for name, axis in multiplied.items()))
        sizes = sizes * np.abs(tensors[gain.name].ravel())
        zero = sizes <= NEGLIGIBLE * sizes.max()
        if not zero.any():
            continue
        shown = sum(np.sum(goal[name] ** 2, axis=1 - axis) for name, axis in multiplied.items())
        hides = zero & (shown > goal[gain.name].ravel() ** 2)
        wanted = {name: (axis, hides) for name, axis in multiplied.items()}
        wanted |= dict.fromkeys((gain.name, *gain.divided), (0, zero & ~hides))
        elements: list[GroupElement] = []
        for name, (axis, taken) in wanted.items():
            places, near = (np.broadcast_to(np.expand_dims(one, 1 - axis), goal[name].shape) for one in (zero, taken))
            change = Elements(Reals(), (goal[name] * near - tensors[name]).reshape(found.theta.tensors[name].shape))
            elements.append(translation(problem.arch, name, places, change))
        moved = found.moved(elements)
        for bias, shift in shifts_beside(problem.quotients, moved.theta, gain):
            there = moved.moved([shift(Elements(Reals(), goal[bias] * hides[:, None]))])
            moved = there if there.distance < moved.distance else moved
        found = moved if moved.distance < found.distance else found
    return found
