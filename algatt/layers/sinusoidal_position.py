"""Positions that are not learned."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from algatt import verbs
from algatt.arguments import positive
from algatt.errors import WidthError
from algatt.fields import Elements, Shapes
from algatt.layers.base import Layer, Tensors, TensorShape


@dataclass(frozen=True, repr=False)
class SinusoidalPosition(Layer):
    r"""The layer :math:`x_i \mapsto x_i + (\sin i \theta_f, \cos i \theta_f)` with fixed angles (Vaswani et al., arXiv
    1706.03762), all sines above all cosines, as in Whisper (arXiv 2212.04356).

    Of m sines the angle number f = 0, ..., m - 1 is :math:`base^{-f / (m - 1)}`. Sines and cosines are rounded to
    floats, which stand for exactly what they are.

    Parameters
    ----------
    base : float, optional
        The quotient of the first angle by the last; 10000 unless given.

    Raises
    ------
    InvalidArgument
        If it is no positive number; and, when a network is built, if the width of the input is odd, or 2.
    """

    base: float = 10000.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "base", positive("base", self.base))

    @property
    def name(self) -> str:
        return "position"

    def vectors(self, width: int, tokens: int) -> np.ndarray:
        """Return what is added to the tokens, each a column."""
        half = width // 2
        angles = float(self.base) ** (-np.arange(half) / (half - 1))
        turned = angles[:, None] * np.arange(tokens)[None, :]
        return np.vstack((np.sin(turned), np.cos(turned)))

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((cls(), (4, 2)),)


@verbs.tensors.method
def tensors_of_sinusoidal_position(layer: SinusoidalPosition, shape: tuple) -> dict[str, TensorShape]:
    if shape[0] % 2 or shape[0] < 4:
        raise WidthError(layer, f"given width {shape[0]}", "given an even width of at least 4")
    return {}


@verbs.apply.method
def apply_sinusoidal_position(layer: SinusoidalPosition, w: Tensors, X: Elements) -> Elements:
    rows, tokens = X.shape[-2:]
    if isinstance(X.field, Shapes):  # of many tokens there are millions of fractions, which no shape depends on
        return X
    return X + positions(layer, rows, tokens)


@functools.lru_cache(maxsize=16)
def positions(layer: SinusoidalPosition, width: int, tokens: int) -> np.ndarray:
    """Return what is added to the tokens, each a column of fractions."""
    entries = layer.vectors(width, tokens)
    found = np.array([[Fraction(entry) for entry in row] for row in entries.tolist()], dtype=object)
    found.setflags(write=False)
    return found
