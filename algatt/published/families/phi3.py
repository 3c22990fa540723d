"""Phi 3: Llama, whose matrices are stored in one piece."""

from __future__ import annotations

from algatt.layers import Layer, Reading
from algatt.published.base import Family, register
from algatt.published.families.llama import SIZES, decoder, gated
from algatt.published.fields import Fields
from algatt.published.parts import key_heads

__all__ = ["phi3"]


def phi3(fields: Fields, reading: Reading) -> Layer:
    """Return the layers of Phi 3 (arXiv 2404.14219)."""
    fields.only("attention_bias", False)
    groups = key_heads(fields, "num_attention_heads", "num_key_value_heads")
    windows = [fields.optional("sliding_window")] * fields.whole("num_hidden_layers")
    return decoder(fields, reading, groups, gated(fields), windows)


register(Family(("phi3",), phi3, SIZES))
