"""Embedding and unembedding made two tensors."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from algatt import published, verbs
from algatt.checkpoints.checkpoint import Checkpoint
from algatt.checkpoints.conversions.base import Conversion, replaced
from algatt.errors import InvalidArgument
from algatt.layers import Tie


@dataclass(frozen=True)
class Untie(Conversion):
    """The unembedding becomes a tensor of its own, equal to the embedding: an isomorphism onto a part of another
    network, which has more parameters, and the same function.

    Refused if they are not tied.
    """


def is_tied(checkpoint: Checkpoint) -> bool:
    """Return whether the unembedding is that of another name."""
    layers = checkpoint.network.layers
    return isinstance(layers, Tie) and any(name.endswith("unembedding.U") for name, _ in dict(layers.ties).items())


def untied(checkpoint: Checkpoint) -> Checkpoint:
    """Return a checkpoint whose unembedding is a tensor of its own."""
    return verbs.rewrite(Untie(), checkpoint) if is_tied(checkpoint) else checkpoint


@verbs.rewrite.method
def untie(conversion: Untie, checkpoint: Checkpoint) -> Checkpoint:
    layers = checkpoint.network.layers
    if not isinstance(layers, Tie) or not is_tied(checkpoint):
        raise InvalidArgument("network", "with an unembedding of its own", "one whose unembedding is its embedding")
    rest = {left: right for left, right in dict(layers.ties).items() if not left.endswith("unembedding.U")}
    net = dataclasses.replace(checkpoint.network, layers=Tie(layers.layer, rest) if rest else layers.layer)
    config = {**checkpoint.config, "tie_word_embeddings": False} if checkpoint.config else {}
    tokens = net.tokens if net.vocabulary is not None else None
    if config and published.read(config, tokens=tokens) != net:
        was = f"{config.get('model_type')!r}, whose unembedding is another layer where it is not tied"
        raise InvalidArgument("model_type", was, "one where it is the same layer")
    theta = checkpoint.weights.tensors
    arrays = {name: theta[layers.resolve(name) if name not in theta else name].raw for name in verbs.coordinates(net)}
    return replaced(checkpoint, arrays, net, config)
