"""Position encodings: how attention sees where tokens are."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from algatt import verbs
from algatt.arguments import entries, exact, finite_number, positive, truth, whole
from algatt.errors import InvalidArgument, WidthError
from algatt.fields import Elements, concatenate
from algatt.layers.base import TensorShape
from algatt.layers.scores import Position


@dataclass(frozen=True, repr=False)
class Rotary(Position):
    r"""Rotary positions: scores :math:`(R^j k_j)^T R^i q_i = k_j^T R^{i - j} q_i` (Su et al., arXiv 2104.09864).

    R turns pair number f of the rows of queries and keys by the angle :math:`\theta_f`. Floats stand for exactly what
    they are. Over GF(p) a random point of the circle stands for :math:`e^{i u}`, of whose angle u all :math:`\theta_f`
    are multiples (see `algatt.verbs.circle_points`).

    Parameters
    ----------
    base : float, optional
        The angle of pair number f is :math:`base^{-2 f / r}`, r being the number of rows that are turned. 10000 unless
        given.
    width : int, optional
        Only the first so many rows are turned; all unless given.
    layout : str, optional
        Which rows are pairs: ``interleaved`` (0 and 1, 2 and 3, ...) or ``halves`` (f and f + r / 2).
    frequencies : sequence of float, optional
        The angles themselves, in place of a base: one for each pair.
    factor : int, float or Fraction, optional
        The rows that are turned are multiplied by it, those of queries and of keys, so that their part of a product is
        by its square: the attention factor of YaRN (arXiv 2309.00071). 1 unless given.

    Raises
    ------
    InvalidArgument
        If a number is out of range, or the rows are not pairs; and, when a network is built, if queries have an odd
        number of rows or too few.
    """

    base: float = 10000.0
    width: int | None = None
    layout: str = "interleaved"
    frequencies: tuple[float, ...] | None = None
    factor: float | Fraction = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "base", positive("base", self.base))
        if self.width is not None and whole("width", self.width) % 2:
            raise InvalidArgument("width", repr(self.width), "even, as rows are turned in pairs")
        if self.layout not in ("interleaved", "halves"):
            raise InvalidArgument("layout", repr(self.layout), "'interleaved' or 'halves'")
        if self.frequencies is not None:
            numbers = entries("frequencies", self.frequencies, "a sequence of numbers")
            angles = tuple(finite_number(f"frequencies[{i}]", one) for i, one in enumerate(numbers))
            object.__setattr__(self, "frequencies", angles)
        object.__setattr__(self, "factor", positive("factor", self.factor))

    def angles(self, rows: int) -> tuple[float, ...]:
        """Return the angle of each pair for queries with a number of rows."""
        turned = rows if self.width is None else self.width
        if turned % 2 or turned > rows:
            was = f"given queries of {rows} rows, of which it turns {turned}"
            raise WidthError(self, was, "given queries of which it turns an even number of rows")
        if self.frequencies is not None:
            if len(self.frequencies) != turned // 2:
                should = f"given one for each of the {turned // 2} pairs of rows that it turns"
                raise WidthError(self, f"given {len(self.frequencies)} frequencies", should)
            return self.frequencies
        return tuple(float(self.base) ** (-2 * pair / turned) for pair in range(turned // 2))


@verbs.turn.method
def turn_pairs(position: Rotary, X: Elements) -> Elements:
    """The rows come out with pairs beside each other, in queries and keys alike, which no product of the two sees."""
    rows, tokens = X.shape[-2:]
    angles = position.angles(rows)
    turned = 2 * len(angles)
    pairs = X[:turned] if turned < rows else X
    if position.layout == "halves":
        pairs = pairs[[row + half for row in range(len(angles)) for half in (0, len(angles))]]
    pairs = pairs.rotate(angles, tuple(range(tokens)))
    pairs = pairs if position.factor == 1 else pairs * exact("factor", position.factor)
    return concatenate((pairs, X[turned:])) if turned < rows else pairs


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


@dataclass(frozen=True, repr=False)
class RelativeBias(Position):
    r"""Scores :math:`k_j^T q_i + b(B(j - i))` with learned numbers b (Raffel et al., arXiv 1910.10683, T5).

    Each head has a number for each bucket B of distances.
    Half of the buckets of a direction are single distances, the other half grow by powers up to `distance`, beyond
    which all share the last one.

    Parameters
    ----------
    buckets : int, optional
        The number of buckets; 32 unless given.
    distance : int, optional
        Where the last bucket begins; 128 unless given.
    bidirectional : bool, optional
        Whether keys after the query have buckets of their own, half of all; true unless given, false in decoders.

    Raises
    ------
    InvalidArgument
        If the numbers are too small.

    Notes
    -----
    The tensor is ``bias`` (buckets, heads), of the layer of heads.
    """

    buckets: int = 32
    distance: int = 128
    bidirectional: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "bidirectional", truth("bidirectional", self.bidirectional))
        object.__setattr__(self, "buckets", whole("buckets", self.buckets, 4 if self.bidirectional else 2))
        if self.buckets % 2:
            raise InvalidArgument("buckets", repr(self.buckets), "even")
        single = self.buckets // (4 if self.bidirectional else 2)
        object.__setattr__(self, "distance", whole("distance", self.distance, single + 1))

    def bucket(self, offset: int) -> int:
        """Return the bucket of a key that is `offset` tokens after the query."""
        count, start = self.buckets, 0
        if self.bidirectional:
            count //= 2
            start = count if offset > 0 else 0
            far = abs(offset)
        else:
            far = max(-offset, 0)
        single = count // 2
        if far < single:
            return start + far
        grown = single + int(math.log(far / single) / math.log(self.distance / single) * (count - single))
        return start + min(grown, count - 1)


@verbs.tensors.method
def tensors_of_relative_bias(layer: RelativeBias, shape: tuple) -> dict[str, TensorShape]:
    heads, _ = shape
    return {"bias": (layer.buckets, heads)}


@verbs.bias_scores.method
def relative_biases(position: RelativeBias, w: Any, head: int, heads: int, tokens: int) -> Any:
    """The matrix is built row by row of keys: a 0/1 matrix picks the buckets out of the column of the head."""
    column = w.bias[:, [head]].T
    rows = []
    for key in range(tokens):
        chosen = np.zeros((position.buckets, tokens), dtype=np.int64)
        chosen[[position.bucket(key - query) for query in range(tokens)], np.arange(tokens)] = 1
        rows.append(column @ chosen)
    return concatenate(rows)
