"""GPT-NeoX, and Pythia."""

from __future__ import annotations

from collections.abc import Container, Iterator

from algatt.layers import Embedding, Feedforward, Heads, Layer, LayerNorm, Parallel, Reading, Residual, Unembedding
from algatt.published.base import ModelFamily, register
from algatt.published.fields import Fields
from algatt.published.parts import ANGLES, activation, head_width, mask, rotary, stacked, tied
from algatt.published.stored import Stored, numbered, parts


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
        position=rotary(fields, head, "rotary_emb_base", "rotary_pct", usual_share=0.25, partial=True),
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


def stored(fields: Fields, tensors: Container[str]) -> Iterator[Stored]:
    """Iterate over the tensors of checkpoints, where query, key and value of a head follow each other."""
    yield from parts(tensors, "gpt_neox", "", "embed_in=embedding.E final_layer_norm=norm")
    yield from parts(tensors, "", "", "embed_out=unembedding.U lm_head=unembedding.U")  # an older name, and a newer one
    of_block = "attention.dense=heads.O mlp.dense_h_to_4h=feedforward.up mlp.dense_4h_to_h=feedforward.down "
    of_block += "input_layernorm=norm_1 post_attention_layernorm=norm_2"
    for number in range(fields.whole("num_hidden_layers")):
        there, here = f"gpt_neox.layers.{number}", f"{number + 1}"
        for kind, prefix in (("weight", ""), ("bias", "b_")):
            by_letter = [numbered(tensors, f"{here}.heads.{prefix}{one}") for one in "QKV"]
            by_head = [name for head in zip(*by_letter, strict=True) for name in head]
            yield Stored(f"{there}.attention.query_key_value.{kind}", tuple(by_head))
        yield from parts(tensors, there, here, of_block)


SIZES = {
    "width": "hidden_size",
    "layers": "num_hidden_layers",
    "heads": "num_attention_heads",
    "hidden": "intermediate_size",
    "vocabulary": "vocab_size",
    "share": "rotary_pct",
}

KEYS = (
    *(one for one in ANGLES if one != "rope_theta"),
    *("attention_bias", "hidden_act", "layer_norm_eps", "rotary_emb_base", "tie_word_embeddings"),
    "use_parallel_residual",
)

register(ModelFamily(("gpt_neox",), gpt_neox, SIZES, stored, keys=KEYS))
