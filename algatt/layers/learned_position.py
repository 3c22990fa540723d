"""Learned positions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from algatt import verbs
from algatt.arguments import whole
from algatt.errors import WidthError
from algatt.fields import Elements
from algatt.layers.base import Layer, Tensors, TensorShape


@dataclass(frozen=True, repr=False)
class LearnedPosition(Layer):
    r"""The layer :math:`x_i \mapsto x_i + p_i`, with learned vectors p (Gehring et al., arXiv 1705.03122).

    Parameters
    ----------
    context : int, optional
        The number of positions that have a vector; as many as the tokens need unless given.
    first : int, optional
        The row for the first token, as 2 in RoBERTa and OPT; nothing reads the rows before it. 0 unless given.

    Raises
    ------
    InvalidArgument
        If the context is no integer >= 1, or the first no integer >= 0; in a network of more tokens, when that is
        built.

    Notes
    -----
    The tensor is ``P`` (context, d), a row for each position. In a network it is called ``position``.
    """

    context: int | None = None
    first: int = 0

    def __post_init__(self) -> None:
        if self.context is not None:
            object.__setattr__(self, "context", whole("context", self.context))
        object.__setattr__(self, "first", whole("first", self.first, 0))

    @property
    def name(self) -> str:
        return "position"

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((cls(), (3, 2)), (cls(5), (2, 3)), (cls(5, first=2), (2, 2)))


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
