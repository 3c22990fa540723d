"""The linear map of tokens."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from algatt import verbs
from algatt.arguments import truth, whole
from algatt.fields import Elements
from algatt.layers.base import Layer, Tensors, TensorShape


@dataclass(frozen=True, repr=False)
class Linear(Layer):
    r"""The layer :math:`x \mapsto W x + b`, for each token x of width d.

    Parameters
    ----------
    width : int
        The width of the value.
    bias : bool, optional
        Whether there is a bias b; false unless given.

    Raises
    ------
    InvalidArgument
        If the width is not an integer >= 1.

    Notes
    -----
    The tensors are ``W`` (width, d), and with a bias ``b`` (width, 1).
    """

    width: int
    bias: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "width", whole("width", self.width))
        object.__setattr__(self, "bias", truth("bias", self.bias))

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((cls(2), (3, 2)), (cls(3, bias=True), (2, 2)))


@verbs.tensors.method
def tensors_of_linear(layer: Linear, shape: tuple) -> dict[str, TensorShape]:
    W: dict[str, TensorShape] = {"W": (layer.width, shape[0])}
    return {**W, "b": (layer.width, 1)} if layer.bias else W


@verbs.apply.method
def apply_linear(layer: Linear, w: Tensors, X: Elements) -> Elements:
    return w.W @ X + w.b if layer.bias else w.W @ X
