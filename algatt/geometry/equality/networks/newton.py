"""Elements over the reals that carry one point close to another, improved by Newton's method."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.fields import Reals
from algatt.geometry.equality.networks.closeness import lines_beside, relative_difference
from algatt.parameters import Weights
from algatt.symmetry import SpaceSymmetry
from algatt.symmetry.base import stack_tangents
from algatt.symmetry.spaces import spaces_of
from algatt.symmetry.tensors_element import TensorsElement

MOST_PARAMETERS = 2000
"""Maximum number of parameters: the steps are dense least-squares problems."""

STEPS = 4
"""Maximum number of steps."""

SETTLED = 2.0**-45
"""Relative difference of two points that is rounding of sums, which no step makes smaller."""


def improved(arch: Architecture, element: TensorsElement, one: Weights, two: Weights) -> TensorsElement:
    """Return an element near another one that carries one point closer to the other; over exact fields, the same."""
    families = spaces_of(arch)
    size = sum(part.raw.size for part in one.elements)
    if not isinstance(one.field, Reals) or size > MOST_PARAMETERS or any(one.fold.gains for one in families):
        return element
    moved = verbs.act(element, one)
    difference = relative_difference(moved, two)
    for _ in range(STEPS if difference > SETTLED else 0):
        after: Any = element
        for step in steps_between(families, moved, two):
            after = verbs.compose(step, after)
        moved = verbs.act(after, one)
        closer = relative_difference(moved, two)
        if not closer < difference:
            break
        element, difference = after, closer
    return element


def steps_between(families: Sequence[SpaceSymmetry], one: Weights, two: Weights) -> list[Any]:
    """Return elements near the identity whose product carries one point towards another close one, by least squares
    along the orbit. Each entry counts as its difference is measured.
    """
    beside = np.concatenate([lines_beside(part.raw).ravel() for part in two.elements])
    weights = np.divide(1.0, beside, out=np.zeros_like(beside), where=beside > 0)
    gap = np.concatenate([(b.raw - a.raw).ravel() for a, b in zip(one.elements, two.elements, strict=True)])
    tangents = [stack_tangents(one, family.tangent_parts(one)).raw for family in families]
    if not tangents:
        return []
    solution = np.linalg.lstsq((np.vstack(tangents) * weights).T, gap * weights, rcond=None)[0]
    blocks = np.split(solution, np.cumsum([len(block) for block in tangents])[:-1])
    return [verbs.exponential(family, block) for family, block in zip(families, blocks, strict=True)]
