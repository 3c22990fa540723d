"""Gemma 2: norms before and behind each layer of a block, caps of scores and of logits, windows in every second
block.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterator

from algatt.layers import (
    Capped,
    Embedding,
    Exponential,
    Feedforward,
    Heads,
    Layer,
    Reading,
    Residual,
    RMSNorm,
    Rotary,
    SoftCap,
    Unembedding,
)
from algatt.published.base import ModelFamily, register
from algatt.published.families.llama import GATED, SIZES, stored_attention, stored_ends
from algatt.published.fields import Fields
from algatt.published.parts import ANGLES, activation, key_heads, layer_kinds, mask, rotary, stacked, tied
from algatt.published.stored import Stored, parts


def gemma2(fields: Fields, reading: Reading) -> Layer:
    """Return the layers of Gemma 2 (arXiv 2408.00118)."""
    fields.only("use_bidirectional_attention", False)
    usual = ["full" if number % 2 else "sliding" for number in range(fields.whole("num_hidden_layers"))]
    position = rotary(fields, fields.whole("head_dim", 256))
    blocks = [(kind, position) for kind in layer_kinds(fields, usual)]
    score_cap, logit_cap = cap(fields, "attn_logit_softcapping", 50.0), cap(fields, "final_logit_softcapping", 30.0)
    return sandwich(fields, reading, blocks, score_cap, logit_cap)


def cap(fields: Fields, name: str, usual: float | None = None) -> float | None:
    """Return where scores or logits are capped, None if they are not; a field that is null says so."""
    if usual is None or name in fields.values:
        return None if fields.values.get(name) is None else fields.positive(name)
    return usual


def sandwich(
    fields: Fields,
    reading: Reading,
    blocks: list[tuple[str, Rotary]],
    score_cap: float | None,
    logit_cap: float | None,
    head_norm: Layer | None = None,
) -> Layer:
    """Return blocks whose two layers have a norm before and one behind them, between a scaled embedding and an
    unembedding; of each block, whether it has a window and its rotary positions are given.
    """
    width, vocabulary = fields.whole("hidden_size"), fields.whole("vocab_size")
    norm = RMSNorm(fields.not_negative("rms_norm_eps", 1e-6))
    softmax = Exponential(math.sqrt(fields.positive("query_pre_attn_scalar", 256)))
    score = softmax if score_cap is None else SoftCap(score_cap, softmax)
    gate = activation(fields, "hidden_activation", "gelu_pytorch_tanh")
    feedforward = Feedforward(fields.whole("intermediate_size"), gate, gated=True)
    window = fields.whole("sliding_window", 4096)

    def block(kind: str, position: Rotary) -> Layer:
        heads = Heads(
            fields.whole("num_attention_heads"),
            key_heads=key_heads(fields, "num_attention_heads", "num_key_value_heads", 4),
            width=fields.whole("head_dim", 256),
            score=score,
            mask=mask(window if kind == "sliding" else None),
            position=position,
            norm=head_norm,
            biases="QKVO" if fields.truth("attention_bias", False) else "",
        )
        made: Layer = Residual(norm >> heads >> norm) >> Residual(norm >> feedforward >> norm)
        return made

    layers = (
        Embedding(vocabulary, width, scale=math.sqrt(width))
        >> stacked([block(kind, position) for kind, position in blocks])
        >> norm
        >> Unembedding(vocabulary, reading=reading if logit_cap is None else Capped(logit_cap, reading))
    )
    return tied(layers, fields.truth("tie_word_embeddings", True))


def stored(fields: Fields, tensors: Container[str]) -> Iterator[Stored]:
    """Iterate over the tensors of checkpoints, whose gains are less one."""
    yield from stored_ends(offset=1)
    for number in range(fields.whole("num_hidden_layers")):
        there, here = f"model.layers.{number}", f"{number + 1}"
        yield from stored_attention(tensors, there, here, offset=1)
        behind = "pre_feedforward_layernorm=norm_3 post_feedforward_layernorm=norm_4"
        yield from parts(tensors, there, here, f"{behind} {GATED}", offset=1)


KEYS = (
    *("attention_bias", "attn_logit_softcapping", "final_logit_softcapping", "hidden_activation", "layer_types"),
    *("query_pre_attn_scalar", "rms_norm_eps", "sliding_window", "tie_word_embeddings", "use_bidirectional_attention"),
    *ANGLES,
    *("hidden_act", "sliding_window_size"),  # which the library does not read
)
"""What these configs say besides sizes."""

register(ModelFamily(("gemma2",), gemma2, SIZES, stored, keys=KEYS))
