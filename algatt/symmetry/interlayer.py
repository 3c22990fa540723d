"""The interlayer gauge: the basis of the space between two layers does not matter (HMK Eq 9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from algatt.symmetry.named.place import Move, Place
from algatt.symmetry.named.spaces import NamedSpaces

__all__ = ["Interlayer"]


@dataclass(frozen=True)
class Interlayer(NamedSpaces):
    r"""The product of the GL(d_i), 0 < i < l, acting by :math:`V_i \to C V_i` and by :math:`\cdot\, C^{-1}` on the next
    layer (HMK Eq 9).

    Its dimension is d_i^2 for each interior width, less what fixes generic V_i and the next layer.
    """

    @property
    def name(self) -> str:
        return "interlayer"

    @staticmethod
    def places_of(dims: Sequence[int], ranks: Sequence[int]) -> tuple[Place, ...]:
        return tuple(
            Place(d, (Move(f"V_{i}", "rows"), *(Move(f"{letter}_{i + 1}", "columns", -1) for letter in "QKV")))
            for i, d in enumerate(dims[1:-1], start=1)
        )
