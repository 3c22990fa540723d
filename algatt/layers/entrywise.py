"""An activation by itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from algatt import verbs
from algatt.arguments import instance
from algatt.fields import Elements
from algatt.layers.activations import Activation, Power, Tanh
from algatt.layers.base import Layer, Tensors


@dataclass(frozen=True, repr=False)
class Entrywise(Layer):
    r"""The layer :math:`x \mapsto S(x)`, entry by entry, for an activation S.

    Parameters
    ----------
    activation : Activation
        The function S, as ``Tanh()``.

    Raises
    ------
    InvalidArgument
        If it is none.
    """

    activation: Activation

    def __post_init__(self) -> None:
        instance("activation", self.activation, Activation, "an activation, such as algatt.layers.Tanh()")

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((cls(Power(2)), (3, 2)), (cls(Tanh()), (2, 2)))


@verbs.apply.method
def apply_entrywise(layer: Entrywise, w: Tensors, X: Elements) -> Elements:
    value: Elements = verbs.activate(layer.activation, X)
    return value
