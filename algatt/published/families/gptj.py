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
from algatt.published.base import Family, register
from algatt.published.families.gpt2 import ALIASES, KEYS
from algatt.published.fields import Fields
from algatt.published.parts import activation, head_width, mask, stacked, tied
from algatt.published.stored import Stored, numbered

__all__ = ["gptj"]


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
    yield Stored("transformer.wte.weight", ("embedding.E",))
    yield Stored("lm_head.weight", ("unembedding.U",))
    yield Stored("lm_head.bias", ("unembedding.b",))
    yield from stored_norm("transformer.ln_f", "norm")
    for number in range(fields.whole("n_layer")):
        there, here = f"transformer.h.{number}", f"{number + 1}"
        yield from stored_norm(f"{there}.ln_1", f"{here}.norm")
        for one in "QKV":
            yield Stored(f"{there}.attn.{one.lower()}_proj.weight", numbered(tensors, f"{here}.heads.{one}"))
        yield Stored(f"{there}.attn.out_proj.weight", numbered(tensors, f"{here}.heads.O"), axis=1)
        for name, place in (("fc_in", "up"), ("fc_out", "down")):
            yield Stored(f"{there}.mlp.{name}.weight", (f"{here}.feedforward.{place}",))
            yield Stored(f"{there}.mlp.{name}.bias", (f"{here}.feedforward.b_{place}",))


def stored_norm(there: str, here: str) -> Iterator[Stored]:
    """Iterate over the tensors of a norm."""
    yield Stored(f"{there}.weight", (f"{here}.g",))
    yield Stored(f"{there}.bias", (f"{here}.b",))


SIZES = {
    "width": "n_embd",
    "layers": "n_layer",
    "heads": "n_head",
    "hidden": "n_inner",
    "vocabulary": "vocab_size",
    "turned": "rotary_dim",
}

register(Family(("gptj",), gptj, SIZES, stored, keys=(*KEYS, "n_positions", "rotary"), aliases=ALIASES))
