"""Gemma: Llama with scaled embeddings, and an unembedding that is the embedding."""

from __future__ import annotations

import math
from functools import partial

from algatt.errors import InvalidArgument, in_words
from algatt.layers import Embedding, Feedforward, Heads, Layer, Reading, Residual, RMSNorm, TanhGELU, Unembedding
from algatt.published.base import ModelFamily, register
from algatt.published.families.llama import KEYS, SIZES, stored
from algatt.published.fields import Fields
from algatt.published.parts import activation, key_heads, mask, rotary, stacked, tied


def gemma(fields: Fields, reading: Reading) -> Layer:
    """Return the layers of Gemma (arXiv 2403.08295).

    Gains are stored less one, which is another name for the same numbers. What configs have as ``hidden_act`` was
    ``gelu`` by mistake; the models have the one by tanh, unless ``hidden_activation`` names another.
    """
    width, vocabulary = fields.whole("hidden_size"), fields.whole("vocab_size")
    head = fields.whole("head_dim", 256)
    norm = RMSNorm(fields.not_negative("rms_norm_eps", 1e-6))
    heads = Heads(
        fields.whole("num_attention_heads"),
        key_heads=key_heads(fields, "num_attention_heads", "num_key_value_heads", 16),
        width=head,
        mask=mask(None),
        position=rotary(fields, head),
        biases="QKVO" if fields.truth("attention_bias", False) else "",
    )
    named = fields.values.get("hidden_activation")
    gate = TanhGELU() if named is None else activation(fields, "hidden_activation")
    older = fields.values.get("hidden_act")
    if older not in (None, "gelu", named) and activation(fields, "hidden_act") != gate:
        raise InvalidArgument("hidden_act", in_words(older), f"the name of hidden_activation, which is {gate!r}")
    feedforward = Feedforward(fields.whole("intermediate_size"), gate, gated=True)
    block: Layer = Residual(norm >> heads) >> Residual(norm >> feedforward)
    layers = (
        Embedding(vocabulary, width, scale=math.sqrt(width))
        >> stacked([block] * fields.whole("num_hidden_layers"))
        >> norm
        >> Unembedding(vocabulary, reading=reading)
    )
    return tied(layers, fields.truth("tie_word_embeddings", True))


register(
    ModelFamily(
        ("gemma",), gemma, SIZES, partial(stored, offset=1), keys=(*KEYS, "attention_bias", "hidden_activation")
    )
)
