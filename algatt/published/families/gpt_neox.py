"""GPT-NeoX, and Pythia."""

from __future__ import annotations

from algatt.layers import Embedding, Feedforward, Heads, Layer, LayerNorm, Parallel, Reading, Residual, Unembedding
from algatt.published.base import Family, register
from algatt.published.fields import Fields
from algatt.published.parts import activation, head_width, mask, rotary, stacked, tied

__all__ = ["gpt_neox"]


def gpt_neox(fields: Fields, reading: Reading) -> Layer:
    """Return the layers of GPT-NeoX (arXiv 2204.06745): some rows of queries and keys are turned, and both branches of
    a block read the same stream, if they are parallel.
    """
    vocabulary, heads = fields.whole("vocab_size"), fields.whole("num_attention_heads")
    head = head_width(fields, "hidden_size", "num_attention_heads")
    attention = Heads(
        heads,
        width=head,
        mask=mask(None),
        position=rotary(with_default_share(fields), head, "rotary_emb_base", "rotary_pct"),
        biases="QKVO" if fields.truth("attention_bias", True) else "",
    )
    norm = LayerNorm(fields.not_negative("layer_norm_eps", 1e-5))
    hidden = fields.whole("intermediate_size")
    feedforward = Feedforward(hidden, activation(fields, "hidden_act", "gelu"), bias=True)
    block: Layer = (
        Residual(Parallel(norm >> attention, norm >> feedforward))
        if fields.truth("use_parallel_residual", True)
        else Residual(norm >> attention) >> Residual(norm >> feedforward)
    )
    layers = (
        Embedding(vocabulary, fields.whole("hidden_size"))
        >> stacked([block] * fields.whole("num_hidden_layers"))
        >> norm
        >> Unembedding(vocabulary, reading=reading)
    )
    return tied(layers, fields.truth("tie_word_embeddings", False))


def with_default_share(fields: Fields) -> Fields:
    """Return the fields with the share of rows that are turned: a quarter unless given."""
    return Fields({**fields.values, "rotary_pct": fields.positive("rotary_pct", 0.25)})


SIZES = {
    "width": "hidden_size",
    "layers": "num_hidden_layers",
    "heads": "num_attention_heads",
    "hidden": "intermediate_size",
    "vocabulary": "vocab_size",
    "share": "rotary_pct",
}

register(Family(("gpt_neox",), gpt_neox, SIZES))
