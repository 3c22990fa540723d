"""Phi 1 and 2: both branches of a block read one norm, and some rows of queries and keys are turned."""

from __future__ import annotations

from collections.abc import Container, Iterator

from algatt.layers import Embedding, Feedforward, Heads, Layer, LayerNorm, Parallel, Reading, Residual, Unembedding
from algatt.published.base import Family, register
from algatt.published.families.llama import SIZES
from algatt.published.fields import Fields
from algatt.published.parts import ANGLES, activation, head_width, key_heads, mask, rotary, stacked, tied
from algatt.published.stored import Stored, numbered

__all__ = ["phi"]


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
    yield Stored("model.embed_tokens.weight", ("embedding.E",))
    for kind, gain, matrix, prefix in (("weight", "g", "U", ""), ("bias", "b", "b", "b_")):
        yield Stored(f"model.final_layernorm.{kind}", (f"norm.{gain}",))
        yield Stored(f"lm_head.{kind}", (f"unembedding.{matrix}",))
        for number in range(fields.whole("num_hidden_layers")):
            there, here = f"model.layers.{number}", f"{number + 1}"
            yield Stored(f"{there}.input_layernorm.{kind}", (f"{here}.norm.{gain}",))
            for one in "QKV":
                names = numbered(tensors, f"{here}.heads.{prefix}{one}")
                yield Stored(f"{there}.self_attn.{one.lower()}_proj.{kind}", names)
            for one, name in (("q", "query"), ("k", "key")):
                yield Stored(f"{there}.self_attn.{one}_layernorm.{kind}", (f"{here}.heads.{name}_norm.{gain}",))
            yield Stored(f"{there}.mlp.fc1.{kind}", (f"{here}.feedforward.{prefix}up",))
            yield Stored(f"{there}.mlp.fc2.{kind}", (f"{here}.feedforward.{prefix}down",))
    for number in range(fields.whole("num_hidden_layers")):
        there, here = f"model.layers.{number}.self_attn.dense", f"{number + 1}.heads"
        yield Stored(f"{there}.weight", numbered(tensors, f"{here}.O"), axis=1)
        yield Stored(f"{there}.bias", (f"{here}.b_O",))


register(
    Family(
        ("phi",),
        phi,
        {size: name for size, name in SIZES.items() if size != "head_width"},
        stored,
        keys=(*ANGLES, "hidden_act", "layer_norm_eps", "qk_layernorm", "tie_word_embeddings"),
    )
)
