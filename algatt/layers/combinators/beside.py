"""What layers that read the same input share."""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass
from typing import Any, ClassVar

from algatt.errors import WidthError
from algatt.fields import Elements
from algatt.layers.base import Layer, Tensors
from algatt.layers.combinators.composition import Combinator, checked_layers

__all__ = ["Beside", "values"]


@dataclass(frozen=True, repr=False, init=False)
class Beside(Combinator, ABC):
    """At least two layers that read the same input, and whose values have one shape."""

    hoisted: ClassVar[bool] = True

    layers: tuple[Layer, ...]

    def __init__(self, *layers: Layer) -> None:
        object.__setattr__(self, "layers", checked_layers("layers", layers, 2))

    @classmethod
    def of_fields(cls, values: dict[str, Any]) -> Beside:
        return cls(*checked_layers("layers", values["layers"], 2))

    @property
    def parts(self) -> dict[str, Layer]:
        return {str(number): layer for number, layer in enumerate(self.layers, start=1)}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self.layers))})"


def values(layer: Beside, w: Tensors, X: Elements) -> list[Elements]:
    """Return the values of the layers, or raise `WidthError` if one has another shape than the first."""
    found = [function(X) for function in w.parts]
    for part, value in zip(layer.layers, found, strict=True):
        if value.shape[-2:] != found[0].shape[-2:]:
            given, asked = value.shape[-2:], found[0].shape[-2:]
            raise WidthError(
                part, f"a value of shape {given}", f"of shape {asked}, the shape of the value of {layer.layers[0]!r}"
            )
    return found
