"""The sigmoid linear unit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from algatt import verbs
from algatt.fields import Elements, Sigmoid
from algatt.layers.activations.base import Activation

__all__ = ["SiLU"]


@dataclass(frozen=True, repr=False)
class SiLU(Activation):
    r"""The activation :math:`x / (1 + e^{-x})`, also called swish (Elfwing et al., arXiv 1702.03118)."""

    @classmethod
    def examples(cls) -> Iterable[tuple[Activation, tuple[int, int]]]:
        return ((cls(), (2, 2)),)


@verbs.activate.method
def activate_silu(activation: SiLU, x: Elements) -> Elements:
    return x * x.entrywise(Sigmoid())
