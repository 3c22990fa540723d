"""How many tokens stand for all, and where it is known that they do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from algatt.architectures import Network
from algatt.layers import (
    Activation,
    Causal,
    Chain,
    ClassToken,
    Concatenate,
    Convolution,
    CrossHeads,
    Embedding,
    EncoderDecoder,
    Entrywise,
    Experts,
    Exponential,
    Feedforward,
    Heads,
    LatentHeads,
    Layer,
    LayerNorm,
    LayerScale,
    LearnedPosition,
    Linear,
    MaskToken,
    MeanToken,
    Named,
    Parallel,
    ReadAs,
    RelativeBias,
    Repeat,
    Residual,
    RMSNorm,
    Rotary,
    SelectTokens,
    SinusoidalPosition,
    SoftCap,
    Stack,
    Tie,
    TypedEmbedding,
    Unembedding,
    Unnormalized,
    Window,
)
from algatt.layers.base import layout
from algatt.layers.heads import AcrossHeads

FEW_TOKENS = 2
"""All networks of so many tokens and of more have the same answer, but for tensors with a row for each token."""


@dataclass(frozen=True, repr=False)
class FewerBuckets(RelativeBias):
    """Relative positions with a bucket for each distance of two neighbours, which stand for all that are reached.

    Parameters
    ----------
    dead : int
        How many buckets no two tokens of the full network reach.
    copies : int
        In so many equal blocks there is such a table, unless they share it.
    """

    dead: int = 0
    copies: int = 1

    def __post_init__(self) -> None:
        """There may be an odd number of buckets."""

    def bucket(self, offset: int) -> int:
        """Return the bucket of a key: 0 of the query itself, the last one before it, and behind it 1 or 0."""
        return min(max(offset, -1), self.buckets - 2) % self.buckets


def fewest_tokens(arch: Network, nodes: Sequence[Layer]) -> int:
    """Return how many tokens stand for all; 0 if that is not known: so where a layer may see more or fewer tokens than
    the network, and it matters how many these are.
    """
    if any(map(changes_length, nodes)) and any(map(asks_for_length, nodes)):
        return 0
    if any(map(has_stride, nodes)) and any(map(has_buckets, nodes)):
        return 0
    pairs = [layer for layer in nodes if isinstance(layer, EncoderDecoder)]
    convolved = any(isinstance(layer, Convolution) for layer in nodes)
    if not pairs:
        return 0 if convolved else min(arch.tokens, FEW_TOKENS)
    encoder, decoder = (list(layout(part).walk()) for part in (pairs[0].encoder, pairs[0].decoder))
    unknown = any(isinstance(node.layer, LearnedPosition) for node in encoder)
    unknown |= any(isinstance(node.layer, Convolution) for node in decoder)
    unknown |= convolved and any(isinstance(getattr(layer, "position", None), RelativeBias) for layer in nodes)
    if len(pairs) > 1 or unknown:
        return 0
    source = pairs[0].columns(arch.tokens)
    return fewest_of_source(pairs[0], source) + min(arch.tokens - source, FEW_TOKENS)


def fewest_of_source(pair: EncoderDecoder, source: int) -> int:
    """Return how many columns of a source stand for all: so many that few are left behind convolutions, that these are
    longer than their kernels, and that as many are left over by their strides.
    """
    least, strides = FEW_TOKENS, 1
    for node in reversed(list(layout(pair.encoder).walk())):
        if isinstance(node.layer, Convolution):
            least = max(node.layer.stride * (least - 1) + 1, node.layer.kernel + 1)
            strides *= node.layer.stride
    return min(source, least + (source - least) % strides)


def changes_length(layer: Layer) -> bool:
    """Return whether a layer may return more or fewer tokens than it is given."""
    return isinstance(layer, ClassToken | SelectTokens | MeanToken) or (
        isinstance(layer, Concatenate) and layer.axis == 1
    )


def asks_for_length(layer: Layer) -> bool:
    """Return whether it is asked how many tokens a layer has in the full network: those of source and target, and
    which distances these reach.
    """
    return isinstance(layer, EncoderDecoder) or has_buckets(layer)


def has_buckets(layer: Layer) -> bool:
    """Return whether a layer has biases of relative positions."""
    return isinstance(getattr(layer, "position", None), RelativeBias)


def has_stride(layer: Layer) -> bool:
    """Return whether a layer leaves out tokens between others."""
    return isinstance(layer, Convolution) and layer.stride > 1


def reached(position: RelativeBias, tokens: int) -> set[int]:
    """Return the buckets of the distances between so many tokens."""
    return {position.bucket(offset) for offset in range(1 - tokens, tokens)}


def tokens_by_number(layers: Iterable[Layer]) -> int:
    """Return how many tokens at most layers take or leave out by their number."""
    return sum(layer.start if layer.stop is None else layer.stop for layer in layers if isinstance(layer, SelectTokens))


def is_unlike_by_number(layer: Layer) -> bool:
    """Return whether tokens that are taken by their number may see tokens behind a layer that are not named, and not
    all; or are taken more than once by it.
    """
    return isinstance(layer, Repeat) or (isinstance(layer, Heads) and isinstance(layer.mask, Window))


def has_plain_score(layer: Heads | CrossHeads | LatentHeads) -> bool:
    """Return whether scores become weights in the same way in all heads and for any number of tokens: not by decays,
    nor with tensors of their own; where positions have biases, by softmax.
    """
    score = layer.score
    if isinstance(getattr(layer, "position", None), RelativeBias):
        return score is None or isinstance(score, Exponential)
    return score is None or isinstance(score, Activation) or type(score) in (SoftCap, Unnormalized)


def is_same_for_all_tokens(layer: Layer) -> bool:
    """Return whether it is known that a layer treats any number of tokens alike, as far as rules go."""
    if isinstance(layer, Heads):
        if not has_plain_score(layer):
            return False
        if isinstance(layer.position, RelativeBias):  # the mask of both directions would hide buckets
            return layer.mask is None or (isinstance(layer.mask, Causal) and not layer.position.bidirectional)
        known = isinstance(layer.position, Rotary | None) and isinstance(layer.mask, Causal | Window | None)
        return known and not (isinstance(layer.mask, Window) and layer.mask.size < FEW_TOKENS)
    return type(layer) in ALIKE_FOR_ALL_TOKENS


ALIKE_FOR_ALL_TOKENS = {
    AcrossHeads,
    Chain,
    ClassToken,
    Concatenate,
    Convolution,
    CrossHeads,
    Embedding,
    EncoderDecoder,
    Entrywise,
    Experts,
    Feedforward,
    LayerNorm,
    LayerScale,
    LearnedPosition,
    Linear,
    MaskToken,
    MeanToken,
    Named,
    Parallel,
    RMSNorm,
    ReadAs,
    Repeat,
    Residual,
    SelectTokens,
    SinusoidalPosition,
    Stack,
    Tie,
    TypedEmbedding,
    Unembedding,
}
"""Layers that do the same to each token, but for some that they take by their number or put before all others."""
