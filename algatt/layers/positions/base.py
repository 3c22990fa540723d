"""What a position encoding is."""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass
from typing import Any

from algatt import verbs
from algatt.fields import Elements
from algatt.layers.base import Noun, TensorShape

__all__ = ["Position"]


@dataclass(frozen=True, repr=False)
class Position(Noun, ABC):
    """How attention sees where tokens are.

    A concrete position encoding is a frozen dataclass with methods of `algatt.verbs.tensors`, `turn` or `bias_scores`
    where it differs from none.
    """


@verbs.tensors.method
def no_tensors(layer: Position, shape: tuple) -> dict[str, TensorShape]:
    return {}


@verbs.turn.method
def no_turn(position: Position | None, X: Elements) -> Elements:
    return X


@verbs.bias_scores.method
def no_bias(position: Position | None, w: object, head: int, heads: int, tokens: int) -> Any:
    return None
