"""The smooth rectifier."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from algatt import verbs
from algatt.fields import Elements, Log
from algatt.layers.activations.base import Activation

__all__ = ["Softplus"]


@dataclass(frozen=True, repr=False)
class Softplus(Activation):
    r"""The activation :math:`\log(1 + e^x)` (Dugas et al., 2000, Incorporating second-order functional knowledge)."""

    @classmethod
    def examples(cls) -> Iterable[tuple[Activation, tuple[int, int]]]:
        return ((cls(), (2, 2)),)


@verbs.activate.method
def activate_softplus(activation: Softplus, x: Elements) -> Elements:
    return (x.exp() + 1).entrywise(Log())
