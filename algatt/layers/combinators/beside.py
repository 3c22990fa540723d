"""Layers side by side: their sum, their product, their rows below each other."""

from __future__ import annotations

import functools
import operator
from abc import ABC
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from algatt import verbs
from algatt.errors import InvalidArgument, WidthError
from algatt.fields import Elements, concatenate
from algatt.layers.base import Combinator, Layer, Tensors, checked_layers
from algatt.layers.linear import Linear


@dataclass(frozen=True, repr=False, init=False)
class Beside(Combinator, ABC):
    """At least two layers that read the same input."""

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


@dataclass(frozen=True, repr=False, init=False)
class Parallel(Beside):
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

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((cls(Linear(3), Linear(3)), (4, 2)),)


@verbs.apply.method
def apply_parallel(layer: Parallel, w: Tensors, X: Elements) -> Elements:
    return functools.reduce(operator.add, values(layer, w, X))


@dataclass(frozen=True, repr=False, init=False)
class Product(Beside):
    r"""The product :math:`X \mapsto f(X) * g(X)`, entry by entry, of a layer and its gate (Dauphin et al., arXiv
    1612.08083), as ``Linear(8) >> Sigmoid()``.

    Behind heads without output projection it is gated attention (Qiu et al., arXiv 2505.06708).

    Parameters
    ----------
    *layers : Layer
        The layers; their values have one shape.

    Raises
    ------
    InvalidArgument
        If they are not layers; and, when a network is built, if their values differ in shape.
    """

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((cls(Linear(3), Linear(3)), (4, 2)),)


@verbs.apply.method
def apply_product(layer: Product, w: Tensors, X: Elements) -> Elements:
    return functools.reduce(operator.mul, values(layer, w, X))


@dataclass(frozen=True, repr=False, init=False)
class Concatenate(Beside):
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

    axis: int = 0

    def __init__(self, *layers: Layer, axis: int = 0) -> None:
        super().__init__(*layers)
        if isinstance(axis, bool) or axis not in (0, 1):
            raise InvalidArgument("axis", repr(axis), "0 for values below each other or 1 for values side by side")
        object.__setattr__(self, "axis", axis)

    @classmethod
    def of_fields(cls, values: dict[str, Any]) -> Concatenate:
        return cls(*checked_layers("layers", values["layers"], 2), axis=values.get("axis", 0))

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
