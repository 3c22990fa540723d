"""The rescaling of homogeneous scores: normalised weights do not change if all scores are multiplied by a number (HMK
Section 3.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from algatt.symmetry.named.place import Move, Place
from algatt.symmetry.named.spaces import NamedSpaces

__all__ = ["ScoreRescaling"]


@dataclass(frozen=True)
class ScoreRescaling(NamedSpaces):
    r"""The torus :math:`(K^*)^l`, acting by :math:`A_i \to s_i A_i` where the score is homogeneous; on the weights s is
    put on Q_i.
    """

    @property
    def name(self) -> str:
        return "score rescaling"

    @staticmethod
    def places_of(dims: Sequence[int], ranks: Sequence[int]) -> tuple[Place, ...]:
        return tuple(Place(1, (Move(f"Q_{i}", "rows"),), number=True) for i in range(1, len(ranks) + 1))
