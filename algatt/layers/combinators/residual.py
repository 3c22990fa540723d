"""The skip connection."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from algatt import verbs
from algatt.arguments import instance
from algatt.errors import WidthError
from algatt.fields import Elements
from algatt.layers.base import Layer, Tensors
from algatt.layers.combinators.base import Combinator
from algatt.layers.linear import Linear

__all__ = ["Residual"]


@dataclass(frozen=True, repr=False)
class Residual(Combinator):
    r"""The layer :math:`X \mapsto X + f(X)` (He et al., arXiv 1512.03385).

    Parameters
    ----------
    layer : Layer
        The layer f, whose value is as wide as its input.

    Raises
    ------
    InvalidArgument
        If it is not a layer; and, when a network is built, if its value has another shape than its input.
    """

    hoisted: ClassVar[bool] = True

    layer: Layer

    def __post_init__(self) -> None:
        instance("layer", self.layer, Layer, "a layer")

    @property
    def parts(self) -> dict[str, Layer]:
        return {"layer": self.layer}

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((cls(Linear(3)), (3, 2)),)


@verbs.apply.method
def apply_residual(layer: Residual, w: Tensors, X: Elements) -> Elements:
    value = w.layer(X)
    if value.shape[-2:] != X.shape[-2:]:
        given, asked = value.shape[-2:], X.shape[-2:]
        raise WidthError(
            layer.layer, f"a value of shape {given}", f"of shape {asked}, the shape of what it is added to"
        )
    return X + value
