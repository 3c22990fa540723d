"""Relative position biases."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.arguments import truth, whole
from algatt.errors import InvalidArgument
from algatt.fields import concatenate
from algatt.layers.base import TensorShape
from algatt.layers.positions.base import Position

__all__ = ["RelativeBias"]


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
