"""Parts that the configs of several families say in the same fields."""

from __future__ import annotations

from algatt.errors import InvalidArgument, in_words
from algatt.layers import (
    GELU,
    Activation,
    Causal,
    Chain,
    Layer,
    Logits,
    Mask,
    Reading,
    ReLU,
    Rotary,
    SiLU,
    Stack,
    Tanh,
    TanhGELU,
    Tie,
    Window,
)
from algatt.published.fields import Fields

__all__ = ["activation", "head_width", "key_heads", "mask", "only_logits", "rotary", "stacked", "tied"]

ACTIVATIONS: dict[str, Activation] = {
    "gelu": GELU(),
    "gelu_new": TanhGELU(),
    "gelu_pytorch_tanh": TanhGELU(),
    "relu": ReLU(),
    "silu": SiLU(),
    "swish": SiLU(),
    "tanh": Tanh(),
}
"""The activations by the names that transformers has for them, where they are exactly these."""


def activation(fields: Fields, name: str, default: str | None = None) -> Activation:
    """Return the activation that a field names."""
    known = f"one of {', '.join(ACTIVATIONS)}"
    given = fields.get(name, known, default)
    if not isinstance(given, str) or given not in ACTIVATIONS:
        raise InvalidArgument(name, in_words(given), known)
    return ACTIVATIONS[given]


def head_width(fields: Fields, width: str, heads: str, own: str | None = None) -> int:
    """Return the width of queries and keys: that of a field of its own, or the width of the stream by the heads."""
    given = None if own is None else fields.optional(own)
    if given is not None:
        return given
    d, h = fields.whole(width), fields.whole(heads)
    if d % h:
        raise InvalidArgument(heads, repr(h), f"a divisor of {width}, which is {d}")
    return d // h


def key_heads(fields: Fields, heads: str, name: str, default: int | None = None) -> int:
    """Return the number of heads of keys and values; that of queries unless it is given or has a default."""
    h = fields.whole(heads)
    k = fields.whole(name, h if default is None else default)
    if h % k:
        raise InvalidArgument(name, repr(k), f"a divisor of {heads}, which is {h}")
    return k


def rotary(fields: Fields, width: int, base: str = "rope_theta", share: str = "partial_rotary_factor") -> Rotary:
    """Return rotary positions for queries of a width; older configs have the fields at the top, newer ones in
    ``rope_parameters``.
    """
    for name in ("rope_parameters", "rope_scaling"):
        part = fields.part(name)
        for kind in ("rope_type", "type"):
            given = part.values.get(kind)
            if given not in (None, "default"):
                raise InvalidArgument(f"{name}.{kind}", in_words(given), "'default': angles are not scaled")
    new = fields.part("rope_parameters")
    theta = new.positive("rope_theta", fields.positive(base, 10000.0))
    factor = new.positive("partial_rotary_factor", fields.positive(share, 1.0))
    turned = int(width * factor)
    if turned % 2 or not 2 <= turned <= width:
        raise InvalidArgument(share, f"{factor!r}, which turns {turned} of {width} rows of a head", "of pairs of rows")
    return Rotary(theta, width=turned if turned < width else None, layout="halves")


def mask(window: int | None) -> Mask:
    """Return the mask of a decoder that sees a window, or all that is before."""
    return Causal() if window is None else Window(window)


def stacked(blocks: list[Layer]) -> Stack:
    """Return blocks in their order."""
    return Stack(tuple(blocks))


def tied(layers: Chain, tie: bool) -> Layer:
    """Return a network whose unembedding is its embedding, if it is."""
    return Tie(layers, {"unembedding.U": "embedding.E"}) if tie else layers


def only_logits(reading: Reading) -> None:
    """Raise `InvalidArgument` if the value of a model without logits is to be read in another way than as it is."""
    if reading != Logits():
        raise InvalidArgument("reading", repr(reading), "not given, as a model without a head has no logits")
