"""GPT-2."""

from __future__ import annotations

from algatt.layers import (
    Embedding,
    Feedforward,
    Heads,
    Layer,
    LayerNorm,
    LearnedPosition,
    Reading,
    Residual,
    Unembedding,
)
from algatt.published.base import Family, register
from algatt.published.fields import Fields
from algatt.published.parts import activation, head_width, mask, stacked, tied

__all__ = ["gpt2"]


def gpt2(fields: Fields, reading: Reading) -> Layer:
    """Return the layers of GPT-2 (Radford et al., 2019, Language models are unsupervised multitask learners)."""
    for name, value in (
        ("scale_attn_weights", True),
        ("scale_attn_by_inverse_layer_idx", False),
        ("add_cross_attention", False),
    ):
        fields.only(name, value)
    width, vocabulary = fields.whole("n_embd"), fields.whole("vocab_size")
    norm = LayerNorm(fields.not_negative("layer_norm_epsilon", 1e-5))
    heads = Heads(fields.whole("n_head"), width=head_width(fields, "n_embd", "n_head"), mask=mask(None), biases="QKVO")
    hidden = fields.whole("n_inner", 4 * width)
    feedforward = Feedforward(hidden, activation(fields, "activation_function", "gelu_new"), bias=True)
    block: Layer = Residual(norm >> heads) >> Residual(norm >> feedforward)
    layers = (
        Embedding(vocabulary, width)
        >> LearnedPosition(fields.whole("n_positions"))
        >> stacked([block] * fields.whole("n_layer"))
        >> norm
        >> Unembedding(vocabulary, reading=reading)
    )
    return tied(layers, fields.truth("tie_word_embeddings", True))


SIZES = {
    "width": "n_embd",
    "layers": "n_layer",
    "heads": "n_head",
    "hidden": "n_inner",
    "vocabulary": "vocab_size",
    "context": "n_positions",
}

register(Family(("gpt2",), gpt2, SIZES))
