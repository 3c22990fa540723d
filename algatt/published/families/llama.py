"""Llama and what is built as it is: Mistral with a window, Qwen 2 with biases, Qwen 3 with norms of heads."""

from __future__ import annotations

from collections.abc import Container, Iterator

from algatt.errors import InvalidArgument
from algatt.layers import Embedding, Feedforward, Heads, Layer, Reading, Residual, RMSNorm, Unembedding
from algatt.published.base import ModelFamily, register
from algatt.published.fields import Fields
from algatt.published.parts import ANGLES, activation, head_width, key_heads, layer_kinds, mask, rotary, stacked, tied
from algatt.published.stored import Stored, parts

SIZES = {
    "width": "hidden_size",
    "layers": "num_hidden_layers",
    "heads": "num_attention_heads",
    "key_heads": "num_key_value_heads",
    "head_width": "head_dim",
    "hidden": "intermediate_size",
    "vocabulary": "vocab_size",
    "share": "partial_rotary_factor",
}
"""What the sizes are called in these configs."""


def llama(fields: Fields, reading: Reading) -> Layer:
    """Return the layers of Llama (arXiv 2302.13971, 2307.09288)."""
    biases = "QKVO" if fields.truth("attention_bias", False) else ""
    groups = key_heads(fields, "num_attention_heads", "num_key_value_heads")
    feedforward = gated(fields, bias=fields.truth("mlp_bias", False))
    return decoder(fields, reading, groups, feedforward, [None] * fields.whole("num_hidden_layers"), biases)


def mistral(fields: Fields, reading: Reading) -> Layer:
    """Return the layers of Mistral (arXiv 2310.06825)."""
    groups = key_heads(fields, "num_attention_heads", "num_key_value_heads", 8)
    window = fields.optional("sliding_window") if "sliding_window" in fields.values else 4096
    return decoder(fields, reading, groups, gated(fields), [window] * fields.whole("num_hidden_layers"))


def qwen2(fields: Fields, reading: Reading) -> Layer:
    """Return the layers of Qwen 2 (arXiv 2407.10671)."""
    groups = key_heads(fields, "num_attention_heads", "num_key_value_heads", 32)
    return decoder(fields, reading, groups, gated(fields), windows(fields), "QKV")


def qwen3(fields: Fields, reading: Reading) -> Layer:
    """Return the layers of Qwen 3 (arXiv 2505.09388)."""
    biases = "QKVO" if fields.truth("attention_bias", False) else ""
    groups = key_heads(fields, "num_attention_heads", "num_key_value_heads", 32)
    norm = RMSNorm(fields.not_negative("rms_norm_eps", 1e-6))
    width = fields.whole("head_dim", 128)
    return decoder(fields, reading, groups, gated(fields), windows(fields), biases, norm, width)


def windows(fields: Fields) -> list[int | None]:
    """Return the window of each layer, or None where there is none."""
    layers, window = fields.whole("num_hidden_layers"), window_of(fields)
    first = fields.whole("max_window_layers", 28, least=0)
    kinds = layer_kinds(fields, ["sliding" if window and number >= first else "full" for number in range(layers)])
    if window is None and "sliding" in kinds:
        raise InvalidArgument("layer_types", "with 'sliding_attention'", "without, as the config has no window")
    return [window if kind == "sliding" else None for kind in kinds]


def window_of(fields: Fields) -> int | None:
    """Return the window of models that have one if they say so, or None."""
    if not fields.truth("use_sliding_window", False):
        return None
    return fields.optional("sliding_window") if "sliding_window" in fields.values else 4096


def gated(fields: Fields, *, bias: bool = False) -> Feedforward:
    """Return the gated network of a block."""
    return Feedforward(fields.whole("intermediate_size"), activation(fields, "hidden_act", "silu"), True, bias)


def decoder(
    fields: Fields,
    reading: Reading,
    groups: int,
    feedforward: Layer,
    windows: list[int | None],
    biases: str = "",
    head_norm: Layer | None = None,
    width: int | None = None,
    *,
    usual: float = 10000.0,
    partial: bool = False,
    eps: float = 1e-6,
) -> Layer:
    """Return blocks of attention and a second layer, each behind an RMSNorm, between embedding and unembedding; the
    next to last two options are those of `rotary`, the last one is the epsilon of norms unless the config has one.
    """
    if width is None:
        width = head_width(fields, "hidden_size", "num_attention_heads", "head_dim")
    norm = RMSNorm(fields.not_negative("rms_norm_eps", eps))
    position = rotary(fields, width, usual=usual, partial=partial)

    def block(window: int | None) -> Layer:
        heads = Heads(
            fields.whole("num_attention_heads"),
            key_heads=groups,
            width=width,
            mask=mask(window),
            position=position,
            norm=head_norm,
            biases=biases,
        )
        made: Layer = Residual(norm >> heads) >> Residual(norm >> feedforward)
        return made

    vocabulary = fields.whole("vocab_size")
    layers = (
        Embedding(vocabulary, fields.whole("hidden_size"))
        >> stacked([block(window) for window in windows])
        >> norm
        >> Unembedding(vocabulary, reading=reading)
    )
    return tied(layers, fields.truth("tie_word_embeddings", False))


def stored(fields: Fields, tensors: Container[str], offset: float = 0) -> Iterator[Stored]:
    """Iterate over the tensors of checkpoints; an offset is added to gains."""
    yield from stored_ends(offset)
    for number in range(fields.whole("num_hidden_layers")):
        there, here = f"model.layers.{number}", f"{number + 1}"
        yield from stored_attention(tensors, there, here, offset)
        yield from parts(tensors, there, here, GATED)


GATED = "mlp.up_proj=feedforward.up mlp.gate_proj=feedforward.gate mlp.down_proj=feedforward.down"
"""The tensors of a perceptron with a gate."""


def stored_ends(offset: float = 0) -> Iterator[Stored]:
    """Iterate over the tensors before and behind the blocks; an offset is added to the gain."""
    yield from parts((), "", "", "model.embed_tokens=embedding.E model.norm=norm lm_head=unembedding.U", offset=offset)


def stored_attention(tensors: Container[str], there: str, here: str, offset: float = 0) -> Iterator[Stored]:
    """Iterate over the tensors of the heads of a block, and of the norms before both of its layers."""
    of_block = "self_attn.q_proj=heads.Q self_attn.k_proj=heads.K self_attn.v_proj=heads.V "
    of_block += "self_attn.o_proj=heads.O self_attn.q_norm=heads.query_norm self_attn.k_norm=heads.key_norm "
    of_block += "input_layernorm=norm_1 post_attention_layernorm=norm_2"
    yield from parts(tensors, there, here, of_block, offset=offset)


KEYS = (*ANGLES, "hidden_act", "rms_norm_eps", "tie_word_embeddings")
"""What these configs say besides sizes."""

WINDOWS = ("layer_types", "max_window_layers", "sliding_window", "use_sliding_window")

for name, layers, others in (
    ("llama", llama, ("attention_bias", "mlp_bias")),
    ("mistral", mistral, ("sliding_window",)),
    ("qwen2", qwen2, WINDOWS),
    ("qwen3", qwen3, ("attention_bias", *WINDOWS)),
):
    register(ModelFamily((name,), layers, SIZES, stored, keys=(*KEYS, *others)))
