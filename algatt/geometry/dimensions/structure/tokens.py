r"""Transformers that read tokens, cut into equal parts of stream, heads, neurons and vocabulary.

**Parts.** Every coordinate of the stream, head, neuron and token is in one part, and weights are zero between different
parts. For tokens of a set S of parts the stream is zero outside of S, and to first order its rows in S change with the
entries alone whose row and column are in S. So the Jacobian is block triangular: a block for each part, and one for
each pair of parts.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from algatt import verbs
from algatt.architectures import Network
from algatt.fields import Elements, PrimeField, Reals
from algatt.geometry.dimensions.structure.blocks import leaves
from algatt.geometry.dimensions.structure.cut import Labels, Sides
from algatt.layers import (
    Causal,
    Chain,
    Embedding,
    Feedforward,
    Heads,
    Layer,
    Residual,
    RMSNorm,
    Rotary,
    SiLU,
    Stack,
    Unembedding,
)
from algatt.parameters import Weights

__all__ = ["TokenCut", "largest_length", "number_of_parts", "why_no_token_parts"]

MOST_VARIABLES = 5
"""Sequences are at most so long: a jet has 2^n numbers."""


def why_no_token_parts(net: Network) -> str | None:
    """Say why a network is not cut into parts as one that reads tokens, or return None."""
    chain = net.layers.layers if type(net.layers) is Chain else ()
    if len(chain) < 3 or not (type(chain[0]) is Embedding and chain[0].scale == 1 and is_plain_end(chain[-1])):
        return "does not begin with an embedding and end with an unembedding without a bias"
    inner = [layer for part in chain[1:-1] for layer in leaves(part)]
    for layer in inner:
        if not (is_plain_norm(layer) or is_plain_heads(layer) or is_silent(layer)):
            return f"has {layer}"
    if len({layer.eps for layer in inner if isinstance(layer, RMSNorm)}) != 1:
        return "has no norm, or norms with several eps"
    if not any(isinstance(layer, Heads) for layer in leaves(chain[1])):
        return "has no heads before its first neurons"
    if number_of_parts(net) is None:
        return "has a width, heads, neurons or a vocabulary that are no multiples of its first heads, or shares keys"
    return None


def number_of_parts(net: Network) -> int | None:
    """Return the number of heads of the first layer, if all sizes are multiples of it; each has keys of its own there.

    Jets see the scores of the first layer to first order, since each token comes once, and two heads in one part as one
    sum.
    """
    inner = leaves(net.layers)
    heads = [layer for layer in inner if isinstance(layer, Heads)]
    parts: int = heads[0].heads
    sizes = [layer.key_heads or layer.heads for layer in heads]
    sizes += [width_of(net), *(layer.hidden for layer in inner if isinstance(layer, Feedforward))]
    fits = sizes[0] == parts and not any(size % parts for size in sizes)
    return parts if fits and TokenCut(net, parts).tokens >= TokenCut(net, parts).width // parts else None


def is_plain_end(layer: Layer) -> bool:
    """Return whether a layer is an unembedding of numbers without a bias."""
    return type(layer) is Unembedding and layer == Unembedding(layer.vocabulary)


def is_plain_norm(layer: Layer) -> bool:
    """Return whether a layer is a root mean square norm with gains."""
    return type(layer) is RMSNorm and layer.gain and layer.eps > 0


def is_plain_heads(layer: Layer) -> bool:
    """Return whether heads are causal softmax heads without biases and norms, with rotary positions or none."""
    return type(layer) is Heads and layer == Heads(
        layer.heads,
        key_heads=layer.key_heads,
        width=layer.width,
        value_width=layer.value_width,
        mask=Causal(),
        position=layer.position if type(layer.position) is Rotary else None,
    )


def is_silent(layer: Layer) -> bool:
    """Return whether neurons that read zeros say nothing."""
    return type(layer) is Feedforward and layer == Feedforward(layer.hidden, SiLU(), gated=layer.gated)


@dataclass(frozen=True)
class TokenCut:
    """A transformer that reads tokens, in equal parts.

    Parameters
    ----------
    arch : Network
        The network.
    count : int
        The number of parts.
    """

    arch: Network
    count: int

    @property
    def width(self) -> int:
        """The width of the stream."""
        return width_of(self.arch)

    @property
    def tokens(self) -> int:
        """How many tokens of the vocabulary are in each part; those beyond are fillers."""
        return min((self.arch.vocabulary or 0) - 1, self.width + 2 * self.count) // self.count

    @property
    def fillers(self) -> int:
        """The number of fillers."""
        return (self.arch.vocabulary or 0) - self.count * self.tokens

    def network(self, parts: int, eps: float | Fraction = 1) -> Network:
        """Return the network of some parts and one filler, which is token number 0."""
        return Network(self.part(self.arch.layers, parts, eps), tokens=largest_length(self.arch))

    def part(self, layer: Layer, parts: int, eps: float | Fraction) -> Layer:
        """Return a layer of that network."""
        if isinstance(layer, Chain):
            return Chain(tuple(self.part(one, parts, eps) for one in layer.layers))
        if isinstance(layer, Stack):
            return Stack(tuple(self.part(one, parts, eps) for one in layer.blocks))
        if isinstance(layer, Residual):
            return Residual(self.part(layer.layer, parts, eps))
        if isinstance(layer, RMSNorm):
            return dataclasses.replace(layer, eps=eps)
        if isinstance(layer, Heads):
            keys, values = layer.widths((self.width, self.arch.tokens))
            heads, key_heads = (
                number * parts // self.count for number in (layer.heads, layer.key_heads or layer.heads)
            )
            return dataclasses.replace(layer, heads=heads, key_heads=key_heads, width=keys, value_width=values)
        if isinstance(layer, Feedforward):
            return dataclasses.replace(layer, hidden=layer.hidden * parts // self.count)
        vocabulary = parts * self.tokens + 1
        if isinstance(layer, Embedding):
            return Embedding(vocabulary, self.width * parts // self.count)
        return Unembedding(vocabulary)

    def sides(self, net: Network, parts: int) -> dict[str, Sides]:
        """Return for each tensor in which part, 1, 2, ..., each row and column is; fillers are in part 0."""
        members = np.repeat(np.arange(1, parts + 1), self.tokens)
        vocabulary = np.append(np.zeros(net.input_shape[0] - len(members), dtype=int), members)
        stream = equal_parts(self.width * parts // self.count, parts)
        tensors = verbs.coordinates(net)
        numbers = heads_of(tensors)
        found: dict[str, Sides] = {}
        for name, (rows, columns) in tensors.items():
            layer, _, tensor = name.rpartition(".")
            letter, _, number = tensor.partition("_")
            if letter in ("E", "U"):
                found[name] = vocabulary, stream
            elif letter == "g":
                found[name] = stream, None
            elif letter in ("Q", "K", "V"):
                found[name] = of_head(number, numbers[layer, letter], parts, rows), stream
            elif letter == "O":
                found[name] = stream, of_head(number, numbers[layer, letter], parts, columns)
            elif letter == "down":
                found[name] = stream, equal_parts(columns, parts)
            else:
                found[name] = equal_parts(rows, parts), stream
        return found

    def weights(self, net: Network, parts: int, field: PrimeField | Reals, seed: int) -> Weights:
        """Return random weights of a network of some parts, zero between different parts and where fillers are."""
        drawn = verbs.sample(net, Weights, field=field, seed=seed)
        elements = []
        for element, (rows, columns) in zip(drawn.elements, self.sides(net, parts).values(), strict=True):
            raw = element.raw if columns is None else element.raw * (rows[:, None] == columns[None])
            elements.append(Elements(field, raw))
        return drawn.replace(elements)


def width_of(net: Network) -> int:
    """Return the width of the stream, which is that of the embeddings."""
    return next(columns for rows, columns in verbs.coordinates(net).values())


def largest_length(net: Network) -> int:
    """Return the length of the sequences that are looked at, which are the first tokens of longer ones."""
    return min(net.tokens, MOST_VARIABLES)


def equal_parts(size: int, parts: int) -> Labels:
    """Return in which of equal parts each coordinate of a space is."""
    return np.repeat(np.arange(1, parts + 1), size // parts)


def heads_of(tensors: dict[str, tuple[int, int]]) -> dict[tuple[str, str], int]:
    """Return how many tensors with a letter a layer has, one for each head."""
    found: dict[tuple[str, str], int] = {}
    for name in tensors:
        layer, _, tensor = name.rpartition(".")
        key = layer, tensor.partition("_")[0]
        found[key] = found.get(key, 0) + 1
    return found


def of_head(number: str, heads: int, parts: int, size: int) -> Labels:
    """Return the part of a head, for each of its coordinates."""
    return np.full(size, (int(number or 1) - 1) * parts // heads + 1)
