"""Phi 3: Llama, whose matrices are stored in one piece."""

from __future__ import annotations

from collections.abc import Container, Iterator

from algatt.layers import Layer, Reading
from algatt.published.base import Family, register
from algatt.published.families.llama import SIZES, decoder, gated, stored_attention, stored_ends
from algatt.published.fields import Fields
from algatt.published.parts import key_heads
from algatt.published.stored import Stored, numbered

__all__ = ["phi3"]


def phi3(fields: Fields, reading: Reading) -> Layer:
    """Return the layers of Phi 3 (arXiv 2404.14219)."""
    fields.only("attention_bias", False)
    groups = key_heads(fields, "num_attention_heads", "num_key_value_heads")
    windows = [fields.optional("sliding_window")] * fields.whole("num_hidden_layers")
    return decoder(fields, reading, groups, gated(fields), windows)


def stored(fields: Fields, tensors: Container[str]) -> Iterator[Stored]:
    """Iterate over the tensors of checkpoints, where queries, keys and values are one, and gates and neurons are."""
    yield from stored_ends()
    for number in range(fields.whole("num_hidden_layers")):
        there, here = f"model.layers.{number}", f"{number + 1}"
        yield from stored_attention(tensors, there, here)
        heads = [name for one in "QKV" for name in numbered(tensors, f"{here}.heads.{one}")]
        yield Stored(f"{there}.self_attn.qkv_proj.weight", tuple(heads))
        yield Stored(f"{there}.mlp.gate_up_proj.weight", (f"{here}.feedforward.gate", f"{here}.feedforward.up"))
        yield Stored(f"{there}.mlp.down_proj.weight", (f"{here}.feedforward.down",))


register(Family(("phi3",), phi3, SIZES, stored))
