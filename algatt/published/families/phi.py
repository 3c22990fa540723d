"""Phi 1 and 2: both branches of a block read one norm, and some rows of queries and keys are turned."""

from __future__ import annotations

from collections.abc import Container, Iterator

from algatt.layers import Embedding, Feedforward, Heads, Layer, LayerNorm, Parallel, Reading, Residual, Unembedding
from algatt.published.base import ModelFamily, register
from algatt.published.families.llama import SIZES
from algatt.published.fields import Fields
from algatt.published.parts import ANGLES, activation, head_width, key_heads, mask, rotary, stacked, tied
from algatt.published.stored import Stored, parts


def phi(fields: Fields, reading: Reading) -> Layer:
    """Return the layers of Phi 1 and 2 (arXiv 2306.11644)."""
    vocabulary = fields.whole("vocab_size")
    head = head_width(fields, "hidden_size", "num_attention_heads")
    norm = LayerNorm(fields.not_negative("layer_norm_eps", 1e-5))
    heads = Heads(
        fields.whole("num_attention_heads"),
        key_heads=key_heads(fields, "num_attention_heads", "num_key_value_heads"),
        width=head,
        mask=mask(None),
        position=rotary(fields, head, usual_share=0.5, partial=True),
        norm=norm if fields.truth("qk_layernorm", False) else None,
        biases="QKVO",
    )
    feedforward = Feedforward(
        fields.whole("intermediate_size"), activation(fields, "hidden_act", "gelu_new"), bias=True
    )
    block: Layer = Residual(norm >> Parallel(heads, feedforward))
    layers = (
        Embedding(vocabulary, fields.whole("hidden_size"))
        >> stacked([block] * fields.whole("num_hidden_layers"))
        >> norm
        >> Unembedding(vocabulary, bias=True, reading=reading)
    )
    return tied(layers, fields.truth("tie_word_embeddings", False))


def stored(fields: Fields, tensors: Container[str]) -> Iterator[Stored]:
    """Iterate over the tensors of checkpoints."""
    yield from parts(tensors, "model", "", "embed_tokens=embedding.E final_layernorm=norm")
    yield from parts(tensors, "", "", "lm_head=unembedding.U")
    of_block = "input_layernorm=norm self_attn.q_proj=heads.Q self_attn.k_proj=heads.K self_attn.v_proj=heads.V "
    of_block += "self_attn.q_layernorm=heads.query_norm self_attn.k_layernorm=heads.key_norm self_attn.dense=heads.O "
    of_block += "mlp.fc1=feedforward.up mlp.fc2=feedforward.down"
    for number in range(fields.whole("num_hidden_layers")):
        yield from parts(tensors, f"model.layers.{number}", f"{number + 1}", of_block)


register(
    ModelFamily(
        ("phi",),
        phi,
        {size: name for size, name in SIZES.items() if size != "head_width"},
        stored,
        keys=(*ANGLES, "hidden_act", "layer_norm_eps", "qk_layernorm", "tie_word_embeddings"),
    )
)
