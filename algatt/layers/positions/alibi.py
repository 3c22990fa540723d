"""Attention with linear biases."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from algatt import verbs
from algatt.layers.positions.base import Position

__all__ = ["ALiBi"]


@dataclass(frozen=True, repr=False)
class ALiBi(Position):
    r"""Scores less a slope times the distance of the tokens (Press, Smith and Lewis, arXiv 2108.12409).

    For a power of two of heads, the slopes are :math:`2^{-8 h / H}`, h = 1, ..., H; for others those of the next power
    of two below, and between them every second one of the next power above, as in BLOOM. The distance is taken from the
    products as softmax has divided them by its temperature.
    """


def slopes(heads: int) -> list[float]:
    """Return the slope of each head."""
    below = 2 ** math.floor(math.log2(heads))
    first = [2.0 ** (-8 * (head + 1) / below) for head in range(below)]
    between = [2.0 ** (-4 * (2 * head + 1) / below) for head in range(heads - below)]
    return first + between


@verbs.bias_scores.method
def linear_biases(position: ALiBi, w: object, head: int, heads: int, tokens: int) -> np.ndarray:
    slope = Fraction(slopes(heads)[head])
    return np.array([[-slope * abs(query - key) for query in range(tokens)] for key in range(tokens)], dtype=object)
