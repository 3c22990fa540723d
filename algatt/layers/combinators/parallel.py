"""Layers side by side."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from algatt import verbs
from algatt.errors import WidthError
from algatt.fields import Elements
from algatt.layers.base import Layer, Tensors
from algatt.layers.combinators.base import Combinator, checked_layers
from algatt.layers.linear import Linear

__all__ = ["Parallel"]


@dataclass(frozen=True, repr=False, init=False)
class Parallel(Combinator):
    r"""The sum :math:`X \mapsto f(X) + g(X)`, as in the blocks of PaLM (Chowdhery et al., arXiv 2204.02311).

    Parameters
    ----------
    *layers : Layer
        The layers; their values have one shape.

    Raises
    ------
    InvalidArgument
        If they are not layers; and, when a network is built, if their values differ in shape.
    """

    hoisted: ClassVar[bool] = True

    layers: tuple[Layer, ...]

    def __init__(self, *layers: Layer) -> None:
        object.__setattr__(self, "layers", checked_layers("layers", layers, 2))

    @classmethod
    def of_fields(cls, values: dict[str, Any]) -> Parallel:
        return cls(*checked_layers("layers", values["layers"], 2))

    @property
    def parts(self) -> dict[str, Layer]:
        return {str(number): layer for number, layer in enumerate(self.layers, start=1)}

    def __repr__(self) -> str:
        return f"Parallel({', '.join(map(repr, self.layers))})"

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((cls(Linear(3), Linear(3)), (4, 2)),)


@verbs.apply.method
def apply_parallel(layer: Parallel, w: Tensors, X: Elements) -> Elements:
    first, *others = (function(X) for function in w.parts)
    total = first
    for part, value in zip(layer.layers[1:], others, strict=True):
        if value.shape[-2:] != first.shape[-2:]:
            given, asked = value.shape[-2:], first.shape[-2:]
            raise WidthError(
                part, f"a value of shape {given}", f"of shape {asked}, the shape of the value of {layer.layers[0]!r}"
            )
        total = total + value
    return total
