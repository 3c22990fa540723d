"""The rectifier."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from algatt import verbs
from algatt.fields import Elements, Positive
from algatt.layers.activations.base import Activation

__all__ = ["ReLU"]


@dataclass(frozen=True, repr=False)
class ReLU(Activation):
    r"""The activation :math:`\max(x, 0)` (Nair and Hinton, 2010, Rectified linear units)."""

    @classmethod
    def examples(cls) -> Iterable[tuple[Activation, tuple[int, int]]]:
        return ((cls(), (2, 2)),)


@verbs.activate.method
def activate_relu(activation: ReLU, x: Elements) -> Elements:
    return x * x.entrywise(Positive())
