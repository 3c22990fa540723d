"""A transformer that reads tokens, as what stands behind each of its norms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

from algatt.architectures import Network
from algatt.layers import (
    GELU,
    AcrossHeads,
    Capped,
    Causal,
    Chain,
    Embedding,
    Experts,
    Exponential,
    Feedforward,
    Heads,
    Layer,
    LayerNorm,
    LearnedPosition,
    Logits,
    Parallel,
    Probabilities,
    ReLU,
    Residual,
    RMSNorm,
    Rotary,
    SiLU,
    SoftCap,
    SoftmaxRouter,
    Stack,
    TanhGELU,
    Tie,
    Unembedding,
    Window,
)

TIED = (("unembedding.U", "embedding.E"),)

Norm = RMSNorm | LayerNorm
Inner = Heads | Feedforward | Experts
Kind = TypeVar("Kind", bound=Layer)


class NotCovered(Exception):
    """A network, or a question, to which the theorem does not apply: the words end a sentence that begins with it."""


@dataclass(frozen=True)
class Reader:
    """A layer that reads the stream through a norm.

    Parameters
    ----------
    norm : RMSNorm or LayerNorm
        The norm.
    layer : Heads or Feedforward or Experts
        The layer.
    after : RMSNorm or None
        A norm behind it.
    """

    norm: Norm
    layer: Inner
    after: RMSNorm | None = None

    @property
    def neurons(self) -> tuple[int, Feedforward] | None:
        """How many networks of neurons the layer has, and one of them; None of heads."""
        if isinstance(self.layer, Experts) and isinstance(self.layer.expert, Feedforward):
            return self.layer.count, self.layer.expert
        return (1, self.layer) if isinstance(self.layer, Feedforward) else None

    def is_affine(self, letter: str = "") -> bool:
        """Return whether a linear map of the layer, of heads with a letter, has a bias, be it that of the norm."""
        if isinstance(self.layer, Heads):
            return has_bias(self.norm) or bool(letter and letter in self.layer.biases)
        return has_bias(self.norm) or (isinstance(self.layer, Feedforward) and self.layer.bias)


@dataclass(frozen=True)
class Transformer:
    """A transformer that reads tokens: blocks that add to a stream what they make of it, each behind a norm.

    Parameters
    ----------
    embedding : Embedding
        Where tokens become vectors.
    position : LearnedPosition or None
        The learned positions that are added to these.
    blocks : tuple of tuple of Reader
        What is added to the stream, in order; readers of one block read the same stream.
    norm : RMSNorm or LayerNorm
        The last norm.
    unembedding : Unembedding
        Where the stream becomes numbers for tokens.
    tied : bool
        Whether the matrices of the embedding and the unembedding are one.
    tokens : int
        The length of the sequences.
    """

    embedding: Embedding
    position: LearnedPosition | None
    blocks: tuple[tuple[Reader, ...], ...]
    norm: Norm
    unembedding: Unembedding
    tied: bool
    tokens: int

    @property
    def width(self) -> int:
        """The number of coordinates of the stream that norms see, one less behind `LayerNorm`: it takes means off."""
        return self.embedding.width - isinstance(self.norm, LayerNorm)

    @property
    def of_differences(self) -> bool:
        """Whether only differences of the numbers for tokens are seen."""
        return isinstance(self.unembedding.reading, Probabilities)

    @property
    def readers(self) -> tuple[Reader, ...]:
        """All readers, in order."""
        return tuple(reader for block in self.blocks for reader in block)

    @property
    def heads(self) -> tuple[tuple[Heads, int, int], ...]:
        """All layers of heads, each with the widths of keys and of values."""
        shape = self.embedding.width, self.tokens
        layers = (reader.layer for reader in self.readers if isinstance(reader.layer, Heads))
        return tuple((layer, *layer.widths(shape)) for layer in layers)


def has_bias(norm: Norm) -> bool:
    """Return whether a norm adds a vector."""
    return isinstance(norm, LayerNorm) and norm.bias


def transformer_of(net: Network) -> Transformer:
    """Return a network as a transformer that reads tokens.

    Raises
    ------
    NotCovered
        If it is none.
    """
    tied = net.layers if isinstance(net.layers, Tie) else None
    if tied is not None and tied.ties != TIED:
        raise NotCovered("for a network that ties other tensors than the matrices of embedding and unembedding")
    first, *inner = in_turn(net.layers if tied is None else tied.layer)
    norm, last = inner[-2:] if len(inner) > 1 else (first, first)
    if not isinstance(first, Embedding) or not first.scale:
        raise NotCovered("for a network that does not begin with an embedding")
    if not isinstance(last, Unembedding) or not last.scale or not is_read_plainly(last):
        raise NotCovered("for a network that does not end with an unembedding whose numbers are read as such")
    if first.vocabulary != last.vocabulary:
        raise NotCovered("for a network with numbers for other tokens than those that it reads")
    if not isinstance(norm, Norm):
        raise NotCovered("for a network without a norm before its unembedding")
    position = inner[0] if isinstance(inner[0], LearnedPosition) else None
    blocks = tuple(tuple(readers_of(layer)) for layer in inner[position is not None : -2])
    norms: list[Norm] = [norm, *(reader.norm for block in blocks for reader in block)]
    if len({(type(one), one.eps) for one in norms}) > 1 or not norm.eps:
        raise NotCovered("for a network with norms of two kinds, or with different eps, or with eps = 0")
    return Transformer(first, position, blocks, norm, last, tied is not None, net.tokens)


def is_read_plainly(layer: Unembedding) -> bool:
    """Return whether the numbers of an unembedding, or their differences, are seen one by one."""
    reading = layer.reading
    return type(reading) in (Logits, Probabilities) or (isinstance(reading, Capped) and type(reading.reading) is Logits)


def in_turn(layer: Layer) -> list[Layer]:
    """Return the layers of chains and stacks, one after the other."""
    if type(layer) in (Chain, Stack):
        return [one for part in layer.parts.values() for one in in_turn(part)]
    return [layer]


def readers_of(layer: Layer) -> Iterator[Reader]:
    """Iterate over what a residual layer adds."""
    if not isinstance(layer, Residual):
        raise NotCovered(f"for a network that has {layer}, which is not residual")
    for branch in beside(layer.layer):
        norm, *rest = in_turn(branch)
        after = rest[1] if len(rest) == 2 else None
        if not isinstance(norm, Norm) or len(rest) not in (1, 2) or not isinstance(after, RMSNorm | None):
            raise NotCovered(f"for a network that has {branch}, which is not one layer behind a norm")
        if after is not None and not (is_known_slot(after) and len(beside(rest[0])) == 1):
            raise NotCovered(f"for a network that has {after} behind a layer")
        for one in beside(rest[0]):
            yield Reader(norm, checked(one), after)


def beside(layer: Layer) -> tuple[Layer, ...]:
    """Return the layers whose values are added."""
    return layer.layers if isinstance(layer, Parallel) else (layer,)


def checked(layer: Layer) -> Inner:
    """Return a layer if the theorem has its kind."""
    plain: Layer
    if isinstance(layer, Feedforward):
        plain = Feedforward(layer.hidden, layer.activation, layer.gated, layer.bias)
        if layer == plain and isinstance(layer.activation, SiLU | GELU | TanhGELU | ReLU):
            return layer
    elif isinstance(layer, Experts):
        router, expert = layer.router, checked(layer.expert)
        plain = Experts(layer.count, expert, SoftmaxRouter(router.top, router.renormalize, scale=router.scale))
        if layer == plain and isinstance(expert, Feedforward) and not expert.bias and (router.top or 0) > 1:
            return layer
    elif isinstance(layer, Heads):
        known = isinstance(layer.mask, Causal | Window) and layer.output
        if known and all(map(is_known_slot, (layer.score, layer.position, layer.norm))):
            return layer
    raise NotCovered(f"for a network that has {layer}")


def is_known_slot(value: object) -> bool:
    """Return whether the theorem has what is in a slot of heads."""
    if isinstance(value, AcrossHeads):
        return is_known_slot(value.layer)
    if isinstance(value, RMSNorm):
        return bool(value.gain and value.eps)
    return isinstance(value, Rotary | Exponential | SoftCap | None)
