"""The rescaling: a factor moves between the scores and the values of a layer (HMK Eq 13)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from algatt.symmetry.named.place import Move, Place
from algatt.symmetry.named.spaces import NamedSpaces

__all__ = ["Rescaling"]


@dataclass(frozen=True)
class Rescaling(NamedSpaces):
    r"""The torus :math:`(K^*)^l`, acting by :math:`A_i \to s A_i`, :math:`V_i \to V_i / s`; on the weights s is put on
    Q_i (HMK Eq 13). Virtual weights :math:`M_i` are multiplied by :math:`s_i / (s_1 \cdots s_{i-1})^2`.
    """

    @property
    def name(self) -> str:
        return "rescaling"

    @staticmethod
    def places_of(dims: Sequence[int], ranks: Sequence[int]) -> tuple[Place, ...]:
        return tuple(
            Place(1, (Move(f"Q_{i}", "rows"), Move(f"V_{i}", "rows", -1)), number=True)
            for i in range(1, len(ranks) + 1)
        )
