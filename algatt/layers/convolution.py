"""The linear map of tokens and their neighbours."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.arguments import truth, whole
from algatt.errors import InvalidArgument
from algatt.fields import Elements
from algatt.layers.base import Layer, Tensors, TensorShape


@dataclass(frozen=True, repr=False)
class Convolution(Layer):
    r"""The layer :math:`y_i = \sum_j W_j x_{s i + j - (k + 1) / 2} + b` for tokens numbered from 0, j = 1, ..., k
    (Waibel et al., 1989, Phoneme recognition using time-delay neural networks).

    Tokens before the first and after the last are zero. There are as many values as steps s are in the tokens, rounded
    up.

    Parameters
    ----------
    width : int
        The width of the value.
    kernel : int, optional
        The number k of tokens that it sees at once, which is odd; 3 unless given.
    stride : int, optional
        The step s from one value to the next one; 1 unless given.
    bias : bool, optional
        Whether there is a bias b; false unless given.

    Raises
    ------
    InvalidArgument
        If a number is no integer >= 1, or the kernel is even.

    Notes
    -----
    The tensors are ``W_j`` (width, d), j = 1, ..., k, and with a bias ``b`` (width, 1).
    """

    width: int
    kernel: int = 3
    stride: int = 1
    bias: bool = False

    def __post_init__(self) -> None:
        for name in ("width", "kernel", "stride"):
            object.__setattr__(self, name, whole(name, getattr(self, name)))
        if self.kernel % 2 == 0:
            raise InvalidArgument("kernel", repr(self.kernel), "odd, as many tokens being before one as behind it")
        object.__setattr__(self, "bias", truth("bias", self.bias))

    def chosen(self, number: int, tokens: int) -> np.ndarray:
        """Return the 0/1 matrix that takes for each value the token that W_number is multiplied with, or none."""
        values = -(-tokens // self.stride)
        places = self.stride * np.arange(values) + number - (self.kernel + 1) // 2
        return (np.arange(tokens)[:, None] == places[None, :]).view(np.int8)

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((cls(2), (3, 4)), (cls(2, stride=2, bias=True), (2, 3)))


@verbs.tensors.method
def tensors_of_convolution(layer: Convolution, shape: tuple) -> dict[str, TensorShape]:
    W = {f"W_{number}": (layer.width, shape[0]) for number in range(1, layer.kernel + 1)}
    return {**W, "b": (layer.width, 1)} if layer.bias else dict(W)


@verbs.apply.method
def apply_convolution(layer: Convolution, w: Tensors, X: Elements) -> Elements:
    tokens = X.shape[-1]
    terms = ((number, layer.chosen(number, tokens)) for number in range(1, layer.kernel + 1))
    first, *others = (w[f"W_{number}"] @ (X @ chosen) for number, chosen in terms)
    total: Elements = sum(others, first)
    return total + w.b if layer.bias else total
