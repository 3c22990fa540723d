"""The standard position of a point, of any size, with respect to what does not act on spaces."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.errors import DivisionByZero
from algatt.parameters import Weights
from algatt.symmetry import GainSymmetry, GroupElement, NormBiasSymmetry, ShiftSymmetry, UnseenSymmetry

__all__ = ["ARROWS", "Rest", "to_standard_position"]

ARROWS = (GainSymmetry, NormBiasSymmetry, ShiftSymmetry, UnseenSymmetry)
"""The families of which a point is brought into standard position; see docs/theory/elements.md."""

PASSES = 2
"""What one tensor takes up may have to be passed on by another."""


@dataclass(frozen=True, eq=False)
class Rest:
    """A point in standard position.

    Parameters
    ----------
    elements : tuple of GroupElement
        What brought it there, the last of which acted first.
    theta : Weights
        The point.
    peaks : dict of str to float
        The largest entry that a tensor had since gains were folded: what rounding of it is relative to.
    """

    elements: tuple[GroupElement, ...]
    theta: Weights
    peaks: Mapping[str, float]


def to_standard_position(arch: Architecture, theta: Weights) -> Rest:
    """Return a point in standard position."""
    factors: list[GroupElement] = []
    peaks: dict[str, float] = {}
    for kind in ARROWS * PASSES:
        for family in verbs.members(kind, arch):
            with contextlib.suppress(DivisionByZero):
                element = verbs.standard_element(family, theta)
                if element is not None:
                    before = theta.tensors
                    theta = verbs.act(element, theta)
                    factors.insert(0, element)
                    if kind is not GainSymmetry:
                        after = theta.tensors
                        changed = [name for name in after if after[name].raw is not before[name].raw]
                        peaks |= {name: max(peaks.get(name, 0.0), largest(before[name].raw)) for name in changed}
    sizes = {name: largest(one.raw) for name, one in theta.tensors.items()}
    return Rest(tuple(factors), theta, {name: max(size, peaks.get(name, 0.0)) for name, size in sizes.items()})


def largest(raw: np.ndarray) -> float:
    """Return the size of the largest entry."""
    return float(max(raw.max(), -raw.min()))
