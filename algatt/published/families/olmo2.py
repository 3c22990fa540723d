"""OLMo 2: norms behind the layers of a block, and of the queries and the keys of all heads together."""

from __future__ import annotations

from collections.abc import Container, Iterator

from algatt.layers import AcrossHeads, Embedding, Heads, Layer, Reading, Residual, RMSNorm, Unembedding
from algatt.published.base import ModelFamily, register
from algatt.published.families.llama import KEYS, SIZES, gated
from algatt.published.families.llama import stored as stored_as_llama
from algatt.published.fields import Fields
from algatt.published.parts import head_width, key_heads, mask, rotary, stacked, tied
from algatt.published.stored import Stored


def olmo2(fields: Fields, reading: Reading) -> Layer:
    """Return the layers of OLMo 2 (arXiv 2501.00656)."""
    vocabulary = fields.whole("vocab_size")
    head = head_width(fields, "hidden_size", "num_attention_heads", "head_dim")
    norm = RMSNorm(fields.not_negative("rms_norm_eps", 1e-5))
    heads = Heads(
        fields.whole("num_attention_heads"),
        key_heads=key_heads(fields, "num_attention_heads", "num_key_value_heads"),
        width=head,
        mask=mask(None),
        position=rotary(fields, head),
        norm=AcrossHeads(norm),
        biases="QKVO" if fields.truth("attention_bias", False) else "",
    )
    block: Layer = Residual(heads >> norm) >> Residual(gated(fields) >> norm)
    layers = (
        Embedding(vocabulary, fields.whole("hidden_size"))
        >> stacked([block] * fields.whole("num_hidden_layers"))
        >> norm
        >> Unembedding(vocabulary, reading=reading)
    )
    return tied(layers, fields.truth("tie_word_embeddings", False))


def stored(fields: Fields, tensors: Container[str]) -> Iterator[Stored]:
    """Iterate over the tensors of checkpoints: those of Llama, but for the norms of a block."""
    for one in stored_as_llama(fields, tensors):
        if "layernorm" not in one.name:
            yield one
    for number in range(fields.whole("num_hidden_layers")):
        for place, name in ((1, "attention"), (2, "feedforward")):
            yield Stored(f"model.layers.{number}.post_{name}_layernorm.weight", (f"{number + 1}.norm_{place}.g",))


register(
    ModelFamily(
        ("olmo2",),
        olmo2,
        {size: name for size, name in SIZES.items() if size != "head_width"},
        stored,
        keys=(*KEYS, "attention_bias", "head_dim"),
    )
)
