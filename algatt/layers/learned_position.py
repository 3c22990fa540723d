"""Learned positions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from algatt import verbs
from algatt.arguments import whole
from algatt.errors import WidthError
from algatt.fields import Elements
from algatt.layers.base import Layer, Tensors, TensorShape

__all__ = ["LearnedPosition"]


@dataclass(frozen=True, repr=False)
class LearnedPosition(Layer):
    r"""The layer :math:`x_i \mapsto x_i + p_i`, with learned vectors p (Gehring et al., arXiv 1705.03122).

    Parameters
    ----------
    context : int, optional
        The number of positions that have a vector; as many as are needed unless given.
    first : int, optional
        The position of the first token, 0 unless given. In OPT (arXiv 2205.01068) it is 2: the two vectors before that
        are there, but nothing reads them.

    Raises
    ------
    InvalidArgument
        If a number is no integer in its range; in a network of more tokens, when that is built.

    Notes
    -----
    The tensor is ``P`` (context, d), a row for each position. In a network it is called ``position``.
    """

    context: int | None = None
    first: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "first", whole("first", self.first, 0))
        if self.context is not None:
            object.__setattr__(self, "context", whole("context", self.context))

    @property
    def name(self) -> str:
        return "position"

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((cls(), (3, 2)), (cls(5), (2, 3)), (cls(5, first=2), (2, 3)))


@verbs.tensors.method
def tensors_of_learned_position(layer: LearnedPosition, shape: tuple) -> dict[str, TensorShape]:
    width, tokens = shape
    needed = layer.first + tokens
    context = needed if layer.context is None else layer.context
    if context < needed:
        raise WidthError(layer, f"given {tokens} tokens", f"given at most {context - layer.first}")
    return {"P": (context, width)}


@verbs.apply.method
def apply_learned_position(layer: LearnedPosition, w: Tensors, X: Elements) -> Elements:
    return X + w.P[layer.first : layer.first + X.shape[-1]].T
