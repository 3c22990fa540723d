"""OPT."""

from __future__ import annotations

from collections.abc import Container, Iterator

from algatt.layers import (
    Embedding,
    Feedforward,
    Heads,
    Layer,
    LayerNorm,
    LearnedPosition,
    Linear,
    Named,
    Reading,
    Residual,
    Unembedding,
)
from algatt.published.base import ModelFamily, register
from algatt.published.fields import Fields
from algatt.published.parts import activation, head_width, mask, stacked, tied
from algatt.published.stored import Stored, parts


def opt(fields: Fields, reading: Reading) -> Layer:
    """Return the layers of OPT (arXiv 2205.01068).

    Norms stand before the layers of a block, or behind them as in OPT-350m, whose embedding is narrower than the stream
    too. The first token has position 2: two vectors of positions are never read.
    """
    width, vocabulary = fields.whole("hidden_size"), fields.whole("vocab_size")
    narrow = fields.optional("word_embed_proj_dim") or width
    bias, affine = fields.truth("enable_bias", True), fields.truth("layer_norm_elementwise_affine", True)
    before = fields.truth("do_layer_norm_before", True)
    norm = LayerNorm(1e-5, gain=affine, bias=affine)
    heads = Heads(
        fields.whole("num_attention_heads"),
        width=head_width(fields, "hidden_size", "num_attention_heads"),
        mask=mask(None),
        biases="QKVO" if bias else "",
    )
    feedforward = Feedforward(fields.whole("ffn_dim"), activation(fields, "activation_function", "relu"), bias=bias)
    block: Layer = (
        Residual(norm >> heads) >> Residual(norm >> feedforward)
        if before
        else Residual(heads) >> norm >> Residual(feedforward) >> norm
    )
    layers: Layer = Embedding(vocabulary, narrow)
    if narrow != width:
        layers = layers >> Named("project_in", Linear(width))
    layers = layers >> LearnedPosition(fields.whole("max_position_embeddings") + FIRST, FIRST)
    layers = layers >> stacked([block] * fields.whole("num_hidden_layers"))
    if before and not fields.truth("_remove_final_layer_norm", False):
        layers = layers >> norm
    if narrow != width:
        layers = layers >> Named("project_out", Linear(narrow))
    return tied(layers >> Unembedding(vocabulary, reading=reading), fields.truth("tie_word_embeddings", True))


FIRST = 2
"""The position of the first token."""


def stored(fields: Fields, tensors: Container[str]) -> Iterator[Stored]:
    """Iterate over the tensors of checkpoints."""
    ends = "embed_tokens=embedding.E embed_positions=position.P final_layer_norm=norm "
    ends += "project_in=project_in.linear.W project_out=project_out.linear.W"
    yield from parts(tensors, "model.decoder", "", ends)
    yield from parts(tensors, "", "", "lm_head=unembedding.U")
    of_block = "self_attn.q_proj=heads.Q self_attn.k_proj=heads.K self_attn.v_proj=heads.V "
    of_block += "self_attn.out_proj=heads.O fc1=feedforward.up fc2=feedforward.down "
    of_block += "self_attn_layer_norm=norm_1 final_layer_norm=norm_2"
    for number in range(fields.whole("num_hidden_layers")):
        yield from parts(tensors, f"model.decoder.layers.{number}", f"{number + 1}", of_block)


SIZES = {
    "width": "hidden_size",
    "layers": "num_hidden_layers",
    "heads": "num_attention_heads",
    "hidden": "ffn_dim",
    "vocabulary": "vocab_size",
    "context": "max_position_embeddings",
    "narrow": "word_embed_proj_dim",
}

KEYS = (
    *("_remove_final_layer_norm", "activation_function", "do_layer_norm_before", "enable_bias"),
    *("layer_norm_elementwise_affine", "tie_word_embeddings"),
)

register(ModelFamily(("opt",), opt, SIZES, stored, keys=KEYS))
