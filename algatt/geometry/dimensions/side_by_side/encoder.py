"""An encoder as BERT: its stream is normalised after each layer, and a layer and a norm stand before its tied
unembedding.
"""

from __future__ import annotations

from dataclasses import dataclass

from algatt.architectures import Network
from algatt.geometry.dimensions.side_by_side.transformer import (
    TIED,
    NotCovered,
    Reader,
    Transformer,
    in_turn,
    transformer_of,
)
from algatt.layers import (
    GELU,
    Entrywise,
    Feedforward,
    Heads,
    Layer,
    LayerNorm,
    LearnedPosition,
    Linear,
    Logits,
    Named,
    Residual,
    SiLU,
    TanhGELU,
    Tie,
    TypedEmbedding,
    Unembedding,
)

SMOOTH = (GELU, TanhGELU, SiLU)


@dataclass(frozen=True)
class Encoder:
    """An encoder whose stream is normalised after each layer.

    Parameters
    ----------
    embedding : TypedEmbedding
        Where tokens become vectors.
    readers : tuple of Reader
        The heads and networks of neurons, in order, each with the norm before it, which is part of the stream.
    tokens : int
        The length of the sequences, which is the number of positions.
    """

    embedding: TypedEmbedding
    readers: tuple[Reader, ...]
    tokens: int

    @property
    def width(self) -> int:
        """The number of coordinates of the stream that norms see: they take means off."""
        return self.embedding.width - 1

    @property
    def blocks(self) -> tuple[tuple[Reader, ...], ...]:
        """What is added to the stream, in order, as in `Transformer`."""
        return tuple((reader,) for reader in self.readers)


def model_of(net: Network) -> Transformer | Encoder:
    """Return a network as a transformer or an encoder.

    Raises
    ------
    NotCovered
        If it is neither.
    """
    return encoder_of(net) or transformer_of(net)


def encoder_of(net: Network) -> Encoder | None:
    """Return a network as an encoder, or None if it does not begin as one, with tied types, positions and a norm.

    Raises
    ------
    NotCovered
        If it begins as one, and the theorem does not have its kinds.
    """
    if not isinstance(net.layers, Tie) or net.layers.ties != TIED:
        return None
    embedding, *rest = in_turn(net.layers.layer)
    if not isinstance(embedding, TypedEmbedding) or len(rest) < 4:
        return None
    position, norm, *body, head, last = rest
    if not isinstance(norm, LayerNorm):
        return None
    plain = Unembedding(embedding.vocabulary, bias=True, reading=Logits())
    if not isinstance(position, LearnedPosition) or last != plain:
        raise NotCovered("for an encoder without learned positions, or whose logits are not affine and read as such")
    if not (norm.gain and norm.bias and norm.eps) or not is_head(head, norm):
        raise NotCovered(f"for an encoder that has {norm} in its stream, and {head} before its logits")
    if len(body) % 2 or any(one != norm for one in body[1::2]):
        raise NotCovered("for an encoder that has a layer without a norm behind it")
    return Encoder(embedding, tuple(reader_of(layer, norm) for layer in body[::2]), net.tokens)


def is_head(layer: Layer, norm: LayerNorm) -> bool:
    """Return whether a layer is an affine map, a smooth activation and a norm."""
    if not isinstance(layer, Named):
        return False
    linear, *rest = in_turn(layer.layer)
    smooth = len(rest) == 2 and isinstance(rest[0], Entrywise) and isinstance(rest[0].activation, SMOOTH)
    return isinstance(linear, Linear) and linear.bias and smooth and rest[1] == norm


def reader_of(layer: Layer, norm: LayerNorm) -> Reader:
    """Return what a residual layer adds to the stream, if the theorem has its kind."""
    inner = layer.layer if isinstance(layer, Residual) else layer
    plain: Layer | None = None
    if isinstance(inner, Heads):
        width, value_width = inner.width, inner.value_width
        plain = Heads(inner.heads, inner.key_heads, width=width, value_width=value_width, biases="QKVO")
    elif isinstance(inner, Feedforward) and isinstance(inner.activation, SMOOTH):
        plain = Feedforward(inner.hidden, inner.activation, bias=True)
    if layer is inner or not isinstance(inner, Heads | Feedforward) or inner != plain:
        raise NotCovered(f"for an encoder that has {layer}")
    return Reader(norm, inner)
