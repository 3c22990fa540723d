"""Phi 3: Llama, whose matrices are stored in one piece."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import replace

from algatt.layers import Layer, Reading
from algatt.published.base import ModelFamily, register
from algatt.published.families.llama import KEYS, SIZES, decoder, gated, stored_attention, stored_ends
from algatt.published.fields import Fields
from algatt.published.parts import CONTEXT, key_heads
from algatt.published.stored import Stored, numbered


def phi3(fields: Fields, reading: Reading) -> Layer:
    """Return the layers of Phi 3 (arXiv 2404.14219), and of Phi 4."""
    fields.only("attention_bias", False)
    fields = with_longrope(fields)
    groups = key_heads(fields, "num_attention_heads", "num_key_value_heads")
    windows = [fields.optional("sliding_window")] * fields.whole("num_hidden_layers")
    return decoder(fields, reading, groups, gated(fields), windows, partial=True, eps=1e-5)


def with_longrope(fields: Fields) -> Fields:
    """Return the fields with the name that the rule of angles has now: older configs have others for the same."""
    context = "original_max_position_embeddings"
    values = {**fields.values, context: fields.optional(context) or CONTEXT}
    for name in ("rope_scaling", "rope_parameters"):
        part = fields.part(name).values
        older = {kind: "longrope" for kind in ("type", "rope_type") if part.get(kind) in ("su", "yarn")}
        values[name] = {**part, **older}
    return replace(fields, values=values)


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


register(ModelFamily(("phi3",), phi3, SIZES, stored, keys=(*KEYS, "attention_bias", "sliding_window")))
