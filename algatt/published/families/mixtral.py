"""Mixtral: Mistral whose second layers are mixtures of experts."""

from __future__ import annotations

from algatt.errors import InvalidArgument
from algatt.layers import Experts, Layer, Reading, SoftmaxRouter
from algatt.published.base import Family, register
from algatt.published.families.llama import SIZES, decoder, gated
from algatt.published.fields import Fields
from algatt.published.parts import key_heads

__all__ = ["mixtral"]


def mixtral(fields: Fields, reading: Reading) -> Layer:
    """Return the layers of Mixtral (arXiv 2401.04088): the shares of the experts that are kept add up to one."""
    groups = key_heads(fields, "num_attention_heads", "num_key_value_heads", 8)
    count, top = fields.whole("num_local_experts", 8), fields.whole("num_experts_per_tok", 2)
    if top > count:
        raise InvalidArgument("num_experts_per_tok", repr(top), f"at most num_local_experts, which is {count}")
    experts = Experts(count, gated(fields), SoftmaxRouter(top, renormalize=True))
    window = fields.optional("sliding_window")
    return decoder(fields, reading, groups, experts, [window] * fields.whole("num_hidden_layers"))


register(Family(("mixtral",), mixtral, {**SIZES, "experts": "num_local_experts", "top": "num_experts_per_tok"}))
