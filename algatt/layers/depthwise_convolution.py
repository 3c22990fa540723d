"""DepthwiseConvolution along the tokens."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.arguments import truth, whole
from algatt.fields import Elements
from algatt.layers.base import Layer, Tensors, TensorShape


@dataclass(frozen=True, repr=False)
class DepthwiseConvolution(Layer):
    r"""The layer :math:`x_t \mapsto \sum_j w_j * x_{t - j} + b`, causal and each row by itself, as in Mamba (Gu and
    Dao, arXiv 2312.00752).

    Parameters
    ----------
    size : int
        How many tokens a token sees, itself and those before it: j = 0, ..., size - 1.
    bias : bool, optional
        Whether there is a bias b; true unless given.

    Raises
    ------
    InvalidArgument
        If the size is no integer >= 1.

    Notes
    -----
    The tensors are ``W`` (d, size), whose last column is w_0, and with a bias ``b`` (d, 1). Columns for tokens before
    the first of all have no effect.
    """

    size: int
    bias: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", whole("size", self.size))
        object.__setattr__(self, "bias", truth("bias", self.bias))

    @property
    def name(self) -> str:
        return "convolution"

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((cls(2), (2, 3)), (cls(4, bias=False), (2, 3)))


@verbs.tensors.method
def tensors_of_convolution(layer: DepthwiseConvolution, shape: tuple) -> dict[str, TensorShape]:
    W: dict[str, TensorShape] = {"W": (shape[0], layer.size)}
    return {**W, "b": (shape[0], 1)} if layer.bias else W


@verbs.apply.method
def apply_convolution(layer: DepthwiseConvolution, w: Tensors, X: Elements) -> Elements:
    tokens = X.shape[-1]
    value = w.W[:, [layer.size - 1]] * X
    for j in range(1, min(layer.size, tokens)):
        later = np.eye(tokens, k=j, dtype=np.int64)  # x_{t - j} in column t
        value = value + w.W[:, [layer.size - 1 - j]] * (X @ later)
    return value + w.b if layer.bias else value
