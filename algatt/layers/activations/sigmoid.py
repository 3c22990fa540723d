"""The logistic function."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from algatt import fields, verbs
from algatt.fields import Elements
from algatt.layers.activations.base import Activation

__all__ = ["Sigmoid"]


@dataclass(frozen=True, repr=False)
class Sigmoid(Activation):
    r"""The activation :math:`1 / (1 + e^{-x})`, as of gates (Hochreiter and Schmidhuber, 1997, Long short-term
    memory).
    """

    @classmethod
    def examples(cls) -> Iterable[tuple[Activation, tuple[int, int]]]:
        return ((cls(), (2, 2)),)


@verbs.activate.method
def activate_sigmoid(activation: Sigmoid, x: Elements) -> Elements:
    return x.entrywise(fields.Sigmoid())
