"""Which rows of queries and keys are turned together."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import published, verbs
from algatt.architectures import Network
from algatt.checkpoints.checkpoint import Checkpoint
from algatt.checkpoints.conversions.base import Conversion, replaced
from algatt.checkpoints.conversions.heads import meetings_in
from algatt.checkpoints.rotary import to_halves, to_interleaved
from algatt.errors import InvalidArgument
from algatt.layers import Rotary
from algatt.layers.rewriting import rewritten
from algatt.published.base import opened


@dataclass(frozen=True)
class RotaryLayout(Conversion):
    """Rows of queries and keys in the other order, for a network whose positions turn the others: an isomorphism, by
    `to_interleaved` or `to_halves`.

    Where all models of a type have one layout, the config of the other one has it behind the type, as in
    ``llama:interleaved``: a type that `algatt.published.read` knows, and other libraries refuse.

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
    turned = {
        name: (one.position, len(arrays[one.keys[0]]))
        for one in meetings_in(net)
        if one.keys[0] in arrays and isinstance(one.position, Rotary) and one.position.layout != conversion.layout
        for name in (*one.keys, *one.queries, *one.norms)
        if name in arrays
    }
    if not turned:
        other = "halves" if conversion.layout == "interleaved" else "interleaved"
        raise InvalidArgument("network", f"without heads whose rotary positions are {other}", "one with them")
    for name, (position, width) in turned.items():
        rows = width if position.width is None else position.width
        parts = np.split(arrays[name], len(arrays[name]) // width)  # a gain across heads has those of each
        exchanged = [np.concatenate([exchange(part[:rows], 1), part[rows:]]) for part in parts]
        arrays[name] = np.concatenate(exchanged)

    def change(noun: Any) -> Any:
        return dataclasses.replace(noun, layout=conversion.layout) if isinstance(noun, Rotary) else noun

    new = dataclasses.replace(net, layers=rewritten(net.layers, change))
    return replaced(checkpoint, arrays, new, config_of(new, checkpoint.config, conversion.layout))


def config_of(net: Network, config: Mapping[str, Any], layout: str) -> Mapping[str, Any]:
    """Return the config of a network in another layout: that of its type, with the field that some types have for it,
    or with the layout behind the type, which no other library takes for a type of its own.
    """
    if not config:
        return config
    kind = str(config["model_type"]).partition(":")[0]
    name = "rope_interleave"
    own = [{name: layout == "interleaved"}] if name in (opened(config)[1].keys or ()) else []
    changes: list[dict[str, Any]] = [{}, *own, {"model_type": f"{kind}:{layout}"}]
    for change in changes:
        found = {**config, "model_type": kind, **change}
        if published.read(found, tokens=None if net.vocabulary is None else net.tokens) == net:
            return found
    return config
