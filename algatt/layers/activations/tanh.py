"""The hyperbolic tangent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from algatt import verbs
from algatt.fields import Elements, Sigmoid
from algatt.layers.activations.base import Activation

__all__ = ["Tanh", "tanh"]


@dataclass(frozen=True, repr=False)
class Tanh(Activation):
    r"""The activation :math:`\tanh x = 2 \sigma(2 x) - 1` (LeCun et al., 1998, Efficient backprop)."""

    @classmethod
    def examples(cls) -> Iterable[tuple[Activation, tuple[int, int]]]:
        return ((cls(), (2, 2)),)


def tanh(x: Elements) -> Elements:
    """Return the hyperbolic tangents of the entries."""
    return 2 * (2 * x).entrywise(Sigmoid()) - 1


@verbs.activate.method
def activate_tanh(activation: Tanh, x: Elements) -> Elements:
    return tanh(x)
