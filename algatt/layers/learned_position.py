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
        The number of positions that have a vector; the number of tokens unless given.

    Raises
    ------
    InvalidArgument
        If it is no integer >= 1; in a network of more tokens, when that is built.

    Notes
    -----
    The tensor is ``P`` (context, d), a row for each position. In a network it is called ``position``.
    """

    context: int | None = None

    def __post_init__(self) -> None:
        if self.context is not None:
            object.__setattr__(self, "context", whole("context", self.context))

    @property
    def name(self) -> str:
        return "position"

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((cls(), (3, 2)), (cls(5), (2, 3)))


@verbs.tensors.method
def tensors_of_learned_position(layer: LearnedPosition, shape: tuple) -> dict[str, TensorShape]:
    width, tokens = shape
    context = tokens if layer.context is None else layer.context
    if context < tokens:
        raise WidthError(layer, f"given {tokens} tokens", f"given at most {context}")
    return {"P": (context, width)}


@verbs.apply.method
def apply_learned_position(layer: LearnedPosition, w: Tensors, X: Elements) -> Elements:
    return X + w.P[: X.shape[-1]].T
