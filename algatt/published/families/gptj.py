"""GPT-J: both branches of a block read one norm, and pairs of neighbouring rows of queries and keys are turned."""

from __future__ import annotations

from collections.abc import Container, Iterator

from algatt.errors import InvalidArgument
from algatt.layers import (
    Embedding,
    Feedforward,
    Heads,
    Layer,
    LayerNorm,
    Parallel,
    Reading,
    Residual,
    Rotary,
    Unembedding,
)
from algatt.published.base import ModelFamily, register
from algatt.published.families.gpt2 import ALIASES, KEYS
from algatt.published.fields import Fields
from algatt.published.parts import activation, head_width, mask, stacked, tied
from algatt.published.stored import Stored, parts


def gptj(fields: Fields, reading: Reading) -> Layer:
    """Return the layers of GPT-J (Wang and Komatsuzaki, 2021)."""
    width, vocabulary = fields.whole("n_embd"), fields.whole("vocab_size")
    head, turned = head_width(fields, "n_embd", "n_head"), fields.whole("rotary_dim", 64)
    if turned % 2 or turned > head:
        raise InvalidArgument("rotary_dim", repr(turned), f"even, and at most the {head} rows of a head")
    heads = Heads(
        fields.whole("n_head"),
        width=head,
        mask=mask(None),
        position=Rotary(width=turned if turned < head else None),
    )
    hidden = fields.optional("n_inner") or 4 * width
    feedforward = Feedforward(hidden, activation(fields, "activation_function", "gelu_new"), bias=True)
    norm = LayerNorm(fields.not_negative("layer_norm_epsilon", 1e-5))
    block: Layer = Residual(norm >> Parallel(heads, feedforward))
    layers = (
        Embedding(vocabulary, width)
        >> stacked([block] * fields.whole("n_layer"))
        >> norm
        >> Unembedding(vocabulary, bias=True, reading=reading)
    )
    return tied(layers, fields.truth("tie_word_embeddings", False))


def stored(fields: Fields, tensors: Container[str]) -> Iterator[Stored]:
    """Iterate over the tensors of checkpoints."""
    yield from parts(tensors, "transformer", "", "wte=embedding.E ln_f=norm")
    yield from parts(tensors, "", "", "lm_head=unembedding.U")
    of_block = "ln_1=norm attn.q_proj=heads.Q attn.k_proj=heads.K attn.v_proj=heads.V attn.out_proj=heads.O "
    of_block += "mlp.fc_in=feedforward.up mlp.fc_out=feedforward.down"
    for number in range(fields.whole("n_layer")):
        yield from parts(tensors, f"transformer.h.{number}", f"{number + 1}", of_block)


SIZES = {
    "width": "n_embd",
    "layers": "n_layer",
    "heads": "n_head",
    "hidden": "n_inner",
    "vocabulary": "vocab_size",
    "turned": "rotary_dim",
}

register(ModelFamily(("gptj",), gptj, SIZES, stored, keys=(*KEYS, "n_positions", "rotary"), aliases=ALIASES))
