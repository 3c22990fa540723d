"""Networks of one layer that a test writes as a function of its tensors and the input."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import algatt
from algatt import Network, verbs
from algatt.fields import Elements
from algatt.layers import Layer, Tensors

Shapes = tuple[tuple[str, tuple[int, ...]], ...]


@dataclass(frozen=True, repr=False)
class Text(Layer):
    """A layer X -> text(tensors, X)."""

    shapes: Shapes
    text: Callable[[Tensors, Elements], Elements]

    @property
    def name(self) -> str:
        return ""


@verbs.tensors.method
def tensors_of_written(layer: Text, shape: tuple) -> dict[str, tuple[int, ...]]:
    return dict(layer.shapes)


@verbs.apply.method
def apply_written(layer: Text, w: Tensors, X: Elements) -> Elements:
    return layer.text(w, X)


def written(text: Callable[[Any, Elements], Elements], width: int, tokens: int, **shapes: tuple[int, ...]) -> Network:
    """Return the network of a function of tensors of given shapes and an input."""
    return algatt.Network(Text(tuple(shapes.items()), text), tokens=tokens, width=width)
