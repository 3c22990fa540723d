"""Which rows of queries and keys are turned together."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.checkpoints.checkpoint import Checkpoint
from algatt.checkpoints.conversions.base import Conversion, replaced
from algatt.checkpoints.conversions.heads import heads_in
from algatt.checkpoints.conversions.nouns import with_layers
from algatt.checkpoints.rotary import to_halves, to_interleaved
from algatt.errors import InvalidArgument
from algatt.layers import Rotary

__all__ = ["RotaryLayout"]


@dataclass(frozen=True)
class RotaryLayout(Conversion):
    """Rows of queries and keys in the other order, for a network whose positions turn the others: an isomorphism, by
    `to_interleaved` or `to_halves`.

    Refused if there are no heads with rotary positions of the other layout.

    Parameters
    ----------
    layout : str
        ``interleaved`` or ``halves``.
    """

    layout: str

    def __post_init__(self) -> None:
        Rotary(layout=self.layout)  # which refuses others


@verbs.rewrite.method
def lay_out(conversion: RotaryLayout, checkpoint: Checkpoint) -> Checkpoint:
    net = checkpoint.network
    arrays = {name: element.raw for name, element in checkpoint.weights.tensors.items()}
    exchange = to_interleaved if conversion.layout == "interleaved" else to_halves
    turned = False
    for path, layer in heads_in(net):
        position = layer.position
        if not isinstance(position, Rotary) or position.layout == conversion.layout:
            continue
        turned = True
        width = arrays[f"{path}Q_1"].shape[0]
        rows = width if position.width is None else position.width
        own = [
            f"{path}{prefix}{letter}_{n}" for letter in "QK" for prefix in ("", "b_") for n in range(1, layer.heads + 1)
        ]
        for name in (*own, f"{path}query_norm.g", f"{path}key_norm.g"):
            if name in arrays:
                parts = np.split(arrays[name], len(arrays[name]) // width)  # a gain across heads has those of each
                exchanged = [np.concatenate([exchange(part[:rows], 1), part[rows:]]) for part in parts]
                arrays[name] = np.concatenate(exchanged)
    if not turned:
        other = "halves" if conversion.layout == "interleaved" else "interleaved"
        raise InvalidArgument("network", f"without heads whose rotary positions are {other}", "one with them")

    def change(noun: Any) -> Any:
        return dataclasses.replace(noun, layout=conversion.layout) if isinstance(noun, Rotary) else noun

    return replaced(checkpoint, arrays, with_layers(net, change))
