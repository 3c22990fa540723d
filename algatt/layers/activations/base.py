"""What an activation is."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterable
from dataclasses import dataclass

from algatt import verbs
from algatt.fields import Elements
from algatt.layers.base import Layer, Tensors, TensorShape

__all__ = ["Activation"]


@dataclass(frozen=True, repr=False)
class Activation(Layer, ABC):
    """A function S of one variable, applied to arrays entry by entry.

    It stands in a slot of another layer, as in ``Feedforward(16, Tanh())``, and is a layer without tensors itself, as
    in ``Linear(16) >> Tanh() >> Linear(4)``. A concrete activation is a frozen dataclass with a method of
    `algatt.layers.activate`.
    """

    @classmethod
    def examples(cls) -> Iterable[tuple[Activation, tuple[int, int]]]:
        """Return instances on which the conformance tests run, each with the shape of an input."""
        return ()


@verbs.tensors.method
def tensors_of_activation(layer: Activation, shape: tuple) -> dict[str, TensorShape]:
    return {}


@verbs.apply.method
def apply_activation(layer: Activation, w: Tensors, X: Elements) -> Elements:
    values: Elements = verbs.activate(layer, X)
    return values
