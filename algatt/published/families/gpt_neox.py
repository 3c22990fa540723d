"""GPT-NeoX, and Pythia."""

from __future__ import annotations

from collections.abc import Container, Iterator

from algatt.layers import Embedding, Feedforward, Heads, Layer, LayerNorm, Parallel, Reading, Residual, Unembedding
from algatt.published.base import Family, register
from algatt.published.fields import Fields
from algatt.published.parts import ANGLES, activation, head_width, mask, rotary, stacked, tied
from algatt.published.stored import Stored, numbered

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
    yield Stored("gpt_neox.embed_in.weight", ("embedding.E",))
    for name in ("embed_out.weight", "lm_head.weight"):  # an older name, and a newer one
        yield Stored(name, ("unembedding.U",))
    yield from stored_norm("gpt_neox.final_layer_norm", "norm")
    for number in range(fields.whole("num_hidden_layers")):
        there, here = f"gpt_neox.layers.{number}", f"{number + 1}"
        for kind, prefix in (("weight", ""), ("bias", "b_")):
            by_letter = [numbered(tensors, f"{here}.heads.{prefix}{one}") for one in "QKV"]
            by_head = [name for head in zip(*by_letter, strict=True) for name in head]
            yield Stored(f"{there}.attention.query_key_value.{kind}", tuple(by_head))
            yield Stored(f"{there}.mlp.dense_h_to_4h.{kind}", (f"{here}.feedforward.{prefix}up",))
            yield Stored(f"{there}.mlp.dense_4h_to_h.{kind}", (f"{here}.feedforward.{prefix}down",))
        yield Stored(f"{there}.attention.dense.weight", numbered(tensors, f"{here}.heads.O"), axis=1)
        yield Stored(f"{there}.attention.dense.bias", (f"{here}.heads.b_O",))
        yield from stored_norm(f"{there}.input_layernorm", f"{here}.norm_1")
        yield from stored_norm(f"{there}.post_attention_layernorm", f"{here}.norm_2")


def stored_norm(there: str, here: str) -> Iterator[Stored]:
    """Iterate over the tensors of a norm."""
    yield Stored(f"{there}.weight", (f"{here}.g",))
    yield Stored(f"{there}.bias", (f"{here}.b",))


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

register(Family(("gpt_neox",), gpt_neox, SIZES, stored, keys=KEYS))
