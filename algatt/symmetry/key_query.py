"""The key-query gauge: only K^T Q matters (HMK Lemma 3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from algatt.symmetry.named.place import Move, Place
from algatt.symmetry.named.spaces import NamedSpaces

__all__ = ["KeyQuery"]


@dataclass(frozen=True)
class KeyQuery(NamedSpaces):
    r"""The product of the GL(a_i), acting by :math:`K_i \to C K_i`, :math:`Q_i \to C^{-T} Q_i` (HMK Lemma 3.1).

    Its dimension is a^2 for each layer if a <= d; where a > d an element that fixes K and Q is left over: 2 a d - d^2.
    """

    @property
    def name(self) -> str:
        return "key-query"

    @staticmethod
    def places_of(dims: Sequence[int], ranks: Sequence[int]) -> tuple[Place, ...]:
        return tuple(
            Place(a, (Move(f"K_{i}", "rows"), Move(f"Q_{i}", "rows", -1, transposed=True)))
            for i, a in enumerate(ranks, start=1)
        )
