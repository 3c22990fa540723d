"""Values that stand below or beside each other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from algatt import verbs
from algatt.errors import InvalidArgument, WidthError
from algatt.fields import Elements, concatenate
from algatt.layers.base import Layer, Tensors
from algatt.layers.combinators.composition import Combinator, checked_layers
from algatt.layers.linear import Linear

__all__ = ["Concatenate"]


@dataclass(frozen=True, repr=False, init=False)
class Concatenate(Combinator):
    r"""The layer :math:`X \mapsto (f(X), g(X))`, with values below each other, or side by side as further tokens.

    Parameters
    ----------
    *layers : Layer
        At least two layers, of which all take the same input.
    axis : int, optional
        0, the default, if their values stand below each other; 1 if side by side.

    Raises
    ------
    InvalidArgument
        If they are not layers, or the axis is another; and, when a network is built, if the sizes of their values do
        not fit.
    """

    hoisted: ClassVar[bool] = True

    layers: tuple[Layer, ...]
    axis: int = 0

    def __init__(self, *layers: Layer, axis: int = 0) -> None:
        object.__setattr__(self, "layers", checked_layers("layers", layers, 2))
        if isinstance(axis, bool) or axis not in (0, 1):
            raise InvalidArgument("axis", repr(axis), "0 for values below each other or 1 for values side by side")
        object.__setattr__(self, "axis", axis)

    @classmethod
    def of_fields(cls, values: dict[str, Any]) -> Concatenate:
        return cls(*checked_layers("layers", values["layers"], 2), axis=values.get("axis", 0))

    @property
    def parts(self) -> dict[str, Layer]:
        return {str(number): layer for number, layer in enumerate(self.layers, start=1)}

    def __repr__(self) -> str:
        axis = f", axis={self.axis}" if self.axis else ""
        return f"Concatenate({', '.join(map(repr, self.layers))}{axis})"

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((cls(Linear(3), Linear(2)), (4, 2)), (cls(Linear(2), Linear(2), axis=1), (3, 2)))


@verbs.apply.method
def apply_concatenate(layer: Concatenate, w: Tensors, X: Elements) -> Elements:
    first, *others = (function(X) for function in w.parts)
    for part, value in zip(layer.layers[1:], others, strict=True):
        given, asked = value.shape[-2:], first.shape[-2:]
        if given[1 - layer.axis] != asked[1 - layer.axis]:
            kind = "columns" if layer.axis == 0 else "rows"
            should = f"of as many {kind} as {asked}, the shape of the value of {layer.layers[0]!r}"
            raise WidthError(part, f"a value of shape {given}", should)
    return concatenate([first, *others], axis=layer.axis)
