"""Rows of keys and queries of equal norms."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.checkpoints.checkpoint import Checkpoint
from algatt.checkpoints.conversions.base import Conversion, replaced
from algatt.checkpoints.conversions.heads import heads_in, meetings_in
from algatt.errors import InvalidArgument
from algatt.layers import Rotary
from algatt.layers.positions import ALiBi, RelativeBias
from algatt.layers.scores import Position
from algatt.layers.weightings import FeatureMap


@dataclass(frozen=True)
class Balance(Conversion):
    """Each row of the keys, with its bias, gets the norm of the same rows of all queries that it meets; of rows that
    rotary positions turn together, both: an element of the group, a positive number for each row or pair.

    Of heads that read latent vectors, these are the keys of each head, and the one that all share. A row whose queries
    or keys are zero stays. Refused where keys are normalised, or are not multiplied with queries.
    """


@verbs.rewrite.method
def balance(conversion: Balance, checkpoint: Checkpoint) -> Checkpoint:
    net = checkpoint.network
    arrays = {name: element.raw for name, element in checkpoint.weights.tensors.items()}
    meetings = dict.fromkeys(one for one in meetings_in(net) if one.keys[0] in arrays)  # others are tied to these
    if not meetings:
        raise InvalidArgument("network", "without heads", "one with keys and queries")
    for path, layer in heads_in(net):
        if layer.norm is not None:
            raise InvalidArgument("network", f"with {path}key_norm", "one whose keys and queries are not normalised")
        if isinstance(layer.score, FeatureMap):
            raise InvalidArgument("network", f"with {layer!r}", "one whose scores are made of products")
    for one in meetings:
        if not isinstance(one.position, Rotary | ALiBi | RelativeBias | None):
            raise InvalidArgument("network", f"with {one.position!r}", "one whose positions are known to turn pairs")
        keys, queries = ([name for name in names if name in arrays] for names in (one.keys, one.queries))
        of_keys, of_queries = (squares(one.position, [arrays[name] for name in names]) for names in (keys, queries))
        factors = np.ones_like(of_keys)
        seen = (of_keys > 0) & (of_queries > 0)
        factors[seen] = (of_queries[seen] / of_keys[seen]) ** 0.25
        for name in keys:
            arrays[name] = arrays[name] * factors
        for name in queries:
            arrays[name] = arrays[name] / factors
    return replaced(checkpoint, arrays)


def squares(position: Position | None, parts: list[np.ndarray]) -> np.ndarray:
    """Return the sum of the squares of each row, as a column, and of both rows of a pair for each of them."""
    rows = np.concatenate(parts, axis=1) ** 2 @ np.ones((sum(part.shape[1] for part in parts), 1))
    if isinstance(position, Rotary):
        width = len(rows) if position.width is None else position.width
        turned = rows[:width]
        if position.layout == "halves":
            both = turned[: width // 2] + turned[width // 2 :]
            turned = np.concatenate([both, both])
        else:
            turned = np.repeat(turned[::2] + turned[1::2], 2, axis=0)
        rows = np.concatenate([turned, rows[width:]])
    return rows
