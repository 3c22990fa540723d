r"""Translations of several tensors at once that no output sees (derived, see docs/theory/motions.md)."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from algatt.symmetry.base import rank_of_tangents
from algatt.symmetry.quotients.shifts import Translations


@dataclass(frozen=True, repr=False)
class JointShiftSymmetry(Translations):
    r"""The translations of several tensors at once, by vectors of which conditions ask that sums vanish: as
    :math:`\sum_h O_h v_h = 0` for the values of all heads (derived, see docs/theory/motions.md).

    Parameters
    ----------
    arch : Architecture
        The network.
    shift : Shift
        What may be added, after gains are folded: parts of one vector.
    fold : Fold
        The quotient that folds them.
    """

    @property
    def name(self) -> str:
        return f"{self.shift.name} with others"

    @functools.cached_property
    def dimension(self) -> int:
        """The rank of the tangents at random weights, those of shifts by each vector alone among them."""
        return rank_of_tangents(self)
