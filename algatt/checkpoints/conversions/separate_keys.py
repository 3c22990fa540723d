"""Keys and values for each head."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from typing import Any

from algatt import published, verbs
from algatt.checkpoints.checkpoint import Checkpoint
from algatt.checkpoints.conversions.base import Conversion, replaced
from algatt.checkpoints.conversions.heads import has_latent_heads, heads_in
from algatt.errors import InvalidArgument
from algatt.layers import Heads
from algatt.layers.heads import AcrossHeads
from algatt.layers.rewriting import rewritten
from algatt.published.base import opened


@dataclass(frozen=True)
class SeparateKeys(Conversion):
    """Heads that share keys and values get keys and values of their own, equal to those: an isomorphism onto a part of
    another network, which has more parameters, and the same function.

    Refused if no heads share any, as where keys are read off latent vectors, or keys of all heads are normalised
    together.
    """


@verbs.rewrite.method
def separate_keys(conversion: SeparateKeys, checkpoint: Checkpoint) -> Checkpoint:
    net = checkpoint.network
    shared = {path: layer for path, layer in heads_in(net) if layer.groups < layer.heads}
    if not shared and has_latent_heads(net):
        should = "one whose heads share keys: here each has its own, and below these R_K, which all share"
        raise InvalidArgument("network", "with heads that read latent vectors", should)
    if not shared:
        raise InvalidArgument("network", "with keys and values for each head", "one whose heads share them")
    for path, layer in shared.items():
        if isinstance(layer.norm, AcrossHeads):
            raise InvalidArgument("network", f"with {path}key_norm.g across heads", "one without a norm across heads")

    def change(noun: Any) -> Any:
        return dataclasses.replace(noun, key_heads=noun.heads) if isinstance(noun, Heads) else noun

    new, config = dataclasses.replace(net, layers=rewritten(net.layers, change)), dict(checkpoint.config)
    if config:
        fields, family = opened(config)
        sizes = family.sizes
        if "key_heads" not in sizes:
            raise InvalidArgument("model_type", repr(config["model_type"]), "one whose config has the number of keys")
        config[sizes["key_heads"]] = fields.whole(sizes["heads"])
        if "multi_query" in config:
            config["multi_query"] = False
        # as it was written, whether or not the number is given
        new = published.read(config, tokens=net.tokens) if net.vocabulary is not None else new
    arrays = {name: element.raw for name, element in checkpoint.weights.tensors.items()}
    for name in verbs.coordinates(new):
        match = re.fullmatch(r"(.*heads\.)((?:b_)?[KV])_(\d+)", name)
        if match and match[1] in shared:
            layer = shared[match[1]]
            group = (int(match[3]) - 1) // (layer.heads // layer.groups) + 1
            arrays[name] = checkpoint.weights.tensors[f"{match[1]}{match[2]}_{group}"].raw
    return replaced(checkpoint, arrays, new, config)
