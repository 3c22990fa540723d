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
from algatt.published.angles import RULES, Unscaled
from algatt.published.fields import Fields

ANGLES = (
    *("max_position_embeddings", "original_max_position_embeddings", "partial_rotary_factor"),
    *("rope_parameters", "rope_scaling", "rope_theta"),
)
"""The fields of configs that say which angles rotary positions have."""

CONTEXT = 4096
"""The context before angles are scaled of a Phi 3 whose config names none."""

SCALING = (
    *("attention_factor", "beta_fast", "beta_slow", "factor", "high_freq_factor", "long_factor", "low_freq_factor"),
    *("mscale", "mscale_all_dim", "original_max_position_embeddings", "partial_rotary_factor", "rope_theta"),
    *("rope_type", "short_factor", "truncate", "type"),
)
"""The fields of their part about scaled angles."""

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
    """Return the number of heads of keys and values; that of queries if it is null, or missing without a default."""
    h = fields.whole(heads)
    usual = h if default is None or name in fields.values else default
    k = fields.optional(name) or usual
    if h % k:
        raise InvalidArgument(name, repr(k), f"a divisor of {heads}, which is {h}")
    return k


def rotary(
    fields: Fields,
    width: int,
    base: str = "rope_theta",
    share: str = "partial_rotary_factor",
    *,
    usual: float = 10000.0,
    usual_share: float = 1.0,
    partial: bool = False,
) -> Rotary:
    """Return rotary positions for queries of a width, whose angles may be scaled.

    Older configs have the fields at the top, newer ones in ``rope_parameters``; what is in ``rope_scaling`` comes
    first, as it does in the library. Where angles depend on the length of the input, they are those of inputs of as
    many tokens as the network reads. `usual` and `usual_share` are the base, and the share of rows that are turned, of
    a model whose config names none; `partial` says whether models of its type can turn some rows alone.
    """
    part = next((one for one in map(fields.part, ("rope_scaling", "rope_parameters")) if one.values), Fields({}))
    for name, value in part.values.items():
        if isinstance(value, dict):
            raise InvalidArgument(f"{part.path}{name}", in_words(value), "a number: all layers have the same angles")
    check_scaling(part)
    theta = part.positive("rope_theta", fields.positive(base, usual))
    factor = part.positive("partial_rotary_factor", fields.positive(share, usual_share))
    turned = int(width * factor)
    if turned % 2 or not 2 <= turned <= width:
        raise InvalidArgument(share, f"{factor!r}, which turns {turned} of {width} rows of a head", "of pairs of rows")
    if turned < width and not partial:
        raise InvalidArgument(share, repr(factor), "1.0: models of this type turn all rows")
    rows = turned if turned < width else None
    kind = "type" if part.values.get("rope_type") is None else "rope_type"
    known = f"one of default, {', '.join(RULES)}"
    rule = part.get(kind, known, "default")
    if rule == "default":
        return Rotary(theta, width=rows, layout="halves")
    if not isinstance(rule, str) or rule not in RULES:
        raise InvalidArgument(f"{part.path}{kind}", in_words(rule), known)
    angles, scale = RULES[rule](Unscaled(fields, part, theta, turned))
    return Rotary(width=rows, layout="halves", frequencies=angles, factor=scale)


def check_scaling(part: Fields) -> None:
    """Raise `InvalidArgument` unless some rule of angles reads each field of a part about them."""
    for name, value in part.values.items():
        if name not in SCALING and value is not None:
            raise InvalidArgument(f"{part.path}{name}", in_words(value), f"one of {', '.join(SCALING)}")


def layer_kinds(fields: Fields, usual: list[str]) -> list[str]:
    """Return which layers see all that is before, ``full``, and which a window, ``sliding``; `usual` unless given."""
    given = fields.values.get("layer_types")
    types = [f"{kind}_attention" for kind in usual] if given is None else given
    known = ("sliding_attention", "full_attention")
    if not isinstance(types, list) or len(types) != len(usual) or not all(one in known for one in types):
        should = f"{len(usual)} of 'sliding_attention' or 'full_attention', as num_hidden_layers says"
        raise InvalidArgument("layer_types", in_words(types), should)
    return [one.removesuffix("_attention") for one in types]


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
