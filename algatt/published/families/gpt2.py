"""GPT-2."""

from __future__ import annotations

from collections.abc import Container, Iterator

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
from algatt.published.base import ModelFamily, register
from algatt.published.fields import Fields
from algatt.published.parts import activation, head_width, mask, stacked, tied
from algatt.published.stored import Stored, numbered, parts


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
    hidden = fields.optional("n_inner") or 4 * width
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


def stored(fields: Fields, tensors: Container[str]) -> Iterator[Stored]:
    """Iterate over the tensors of checkpoints, whose matrices are the transposes of ours but for the embeddings."""
    yield from parts(tensors, "transformer", "", "wte=embedding.E wpe=position.P ln_f=norm")
    yield from parts(tensors, "", "", "lm_head=unembedding.U")
    matrices = "attn.c_proj=heads.O mlp.c_fc=feedforward.up mlp.c_proj=feedforward.down"
    for number in range(fields.whole("n_layer")):
        there, here = f"transformer.h.{number}", f"{number + 1}"
        for kind, prefix, transposed in (("weight", "", True), ("bias", "b_", False)):
            names = [name for one in "QKV" for name in numbered(tensors, f"{here}.heads.{prefix}{one}")]
            yield Stored(f"{there}.attn.c_attn.{kind}", tuple(names), transposed=transposed)
        yield from parts(tensors, there, here, matrices, transposed=True)
        yield from parts(tensors, there, here, "ln_1=norm_1 ln_2=norm_2")


SIZES = {
    "width": "n_embd",
    "layers": "n_layer",
    "heads": "n_head",
    "hidden": "n_inner",
    "vocabulary": "vocab_size",
    "context": "n_positions",
}

KEYS = (
    *("activation_function", "add_cross_attention", "layer_norm_epsilon", "tie_word_embeddings"),
    *("scale_attn_by_inverse_layer_idx", "scale_attn_weights"),
    *("n_ctx", "reorder_and_upcast_attn"),  # of memory, and of the order of sums
    *(f"summary_{name}" for name in ("activation", "first_dropout", "proj_to_labels", "type", "use_proj")),
)
"""What these configs say besides sizes; of summaries, which are another head."""

ALIASES = {
    "hidden_size": "n_embd",
    "max_position_embeddings": "n_positions",
    "num_attention_heads": "n_head",
    "num_hidden_layers": "n_layer",
}

register(ModelFamily(("gpt2",), gpt2, SIZES, stored, keys=KEYS, aliases=ALIASES))
