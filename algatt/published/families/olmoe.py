"""OLMoE: mixtures of experts, behind attention whose queries and keys are normalised over all heads."""

from __future__ import annotations

from collections.abc import Container, Iterator

from algatt.layers import AcrossHeads, Layer, Reading, RMSNorm
from algatt.published.base import ModelFamily, register
from algatt.published.families.llama import KEYS, SIZES, decoder
from algatt.published.families.qwen3_moe import mixture, stored_mixture
from algatt.published.fields import Fields
from algatt.published.parts import head_width, key_heads
from algatt.published.stored import Stored


def olmoe(fields: Fields, reading: Reading) -> Layer:
    """Return the layers of OLMoE (arXiv 2409.02060)."""
    fields.only("clip_qkv", None)
    eps = fields.not_negative("rms_norm_eps", 1e-5)
    groups = key_heads(fields, "num_attention_heads", "num_key_value_heads")
    experts = mixture(fields, 64, fields.whole("intermediate_size"))
    windows: list[int | None] = [None] * fields.whole("num_hidden_layers")  # the library reads no window
    biases = "QKVO" if fields.truth("attention_bias", False) else ""
    width = head_width(fields, "hidden_size", "num_attention_heads", "head_dim")
    return decoder(fields, reading, groups, experts, windows, biases, AcrossHeads(RMSNorm(eps)), width, eps=1e-5)


def stored(fields: Fields, tensors: Container[str]) -> Iterator[Stored]:
    """Iterate over the tensors of checkpoints."""
    return stored_mixture(fields, tensors, fields.whole("num_experts", 64))


register(
    ModelFamily(
        ("olmoe",),
        olmoe,
        {**SIZES, "experts": "num_experts", "top": "num_experts_per_tok"},
        stored,
        keys=(*KEYS, "attention_bias", "clip_qkv", "norm_topk_prob"),
        aliases={"num_local_experts": "num_experts"},
    )
)
