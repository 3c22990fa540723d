"""The standard position of a point, of any size, with respect to what does not act on spaces."""

from __future__ import annotations

import contextlib

from algatt import verbs
from algatt.architectures import Architecture
from algatt.errors import DivisionByZero
from algatt.parameters import Weights
from algatt.symmetry import GainSymmetry, GroupElement, NormBiasSymmetry, ShiftSymmetry, UnseenSymmetry

__all__ = ["ARROWS", "to_standard_position"]

ARROWS = (GainSymmetry, NormBiasSymmetry, ShiftSymmetry, UnseenSymmetry)
"""The families of which a point is brought into standard position; see docs/theory/elements.md."""

PASSES = 2
"""What one tensor takes up may have to be passed on by another."""


def to_standard_position(arch: Architecture, theta: Weights) -> tuple[tuple[GroupElement, ...], Weights]:
    """Return the elements that bring a point into standard position, the last of which acts first, and what it is
    there.
    """
    factors: list[GroupElement] = []
    for _ in range(PASSES):
        for kind in ARROWS:
            for family in verbs.members(kind, arch):
                with contextlib.suppress(DivisionByZero):
                    element = verbs.standard_element(family, theta)
                    if element is not None:
                        theta = verbs.act(element, theta)
                        factors.insert(0, element)
    return tuple(factors), theta
