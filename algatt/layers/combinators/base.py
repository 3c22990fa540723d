"""What layers that are made of layers share."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from algatt import verbs
from algatt.arguments import instance
from algatt.errors import InvalidArgument
from algatt.layers.base import Layer, TensorShape

__all__ = ["Combinator", "checked_layers", "factor"]


@dataclass(frozen=True, repr=False)
class Combinator(Layer, ABC):
    """A layer without tensors of its own, which is made of others."""


@verbs.tensors.method
def no_tensors(layer: Combinator, shape: tuple) -> dict[str, TensorShape]:
    return {}


def checked_layers(argument: str, layers: Any, least: int = 1) -> tuple[Layer, ...]:
    """Return layers as a tuple, or raise `InvalidArgument`."""
    should = f"a sequence of at least {least} layer{'s' if least > 1 else ''}"
    if isinstance(layers, Layer) or not isinstance(layers, Iterable):
        raise InvalidArgument(argument, repr(layers), should)
    layers = tuple(layers)
    for number, layer in enumerate(layers):
        instance(f"{argument}[{number}]", layer, Layer, "a layer")
    if len(layers) < least:
        raise InvalidArgument(argument, f"{len(layers)} layers", should)
    return layers


def factor(layer: Layer) -> str:
    """Return a layer as it is written as a factor: chains and stacks in brackets."""
    text = repr(layer)
    return text if text.startswith(type(layer).__name__) else f"({text})"


@verbs.vocabulary.method
def no_vocabulary(layer: Layer) -> int | None:
    """A layer reads vectors unless a method says otherwise."""
    return None


@verbs.vocabulary.method
def vocabulary_of_first_part(layer: Combinator) -> int | None:
    """A network reads what its first part reads."""
    read: int | None = verbs.vocabulary(next(iter(layer.parts.values())))
    return read


@verbs.source.method
def no_source(layer: Layer, tokens: int) -> tuple[int, int] | None:
    """A layer reads no numbers beside tokens unless a method says otherwise."""
    return None


@verbs.source.method
def source_of_first_part(layer: Combinator, tokens: int) -> tuple[int, int] | None:
    """A network reads what its first part reads."""
    read: tuple[int, int] | None = verbs.source(next(iter(layer.parts.values())), tokens)
    return read
