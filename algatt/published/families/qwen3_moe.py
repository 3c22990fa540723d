"""Mixtures of Qwen 3: its second layers are mixtures of experts."""

from __future__ import annotations

from collections.abc import Container, Iterator

from algatt.errors import InvalidArgument, in_words
from algatt.layers import Experts, Feedforward, Layer, Reading, RMSNorm, SoftmaxRouter
from algatt.published.base import ModelFamily, register
from algatt.published.families.llama import KEYS, SIZES, decoder, stored_attention, stored_ends, window_of
from algatt.published.fields import Fields
from algatt.published.parts import activation, head_width, key_heads
from algatt.published.stored import Stored


def qwen3_moe(fields: Fields, reading: Reading) -> Layer:
    """Return the layers of the mixtures of Qwen 3 (arXiv 2505.09388)."""
    fields.only("decoder_sparse_step", 1)
    if fields.values.get("mlp_only_layers"):
        raise InvalidArgument("mlp_only_layers", in_words(fields.values["mlp_only_layers"]), "empty: all have mixtures")
    groups = key_heads(fields, "num_attention_heads", "num_key_value_heads", 4)
    experts = mixture(fields, 128, fields.whole("moe_intermediate_size", 768))
    window = window_of(fields)
    biases = "QKVO" if fields.truth("attention_bias", False) else ""
    norm = RMSNorm(fields.not_negative("rms_norm_eps", 1e-6))
    width = head_width(fields, "hidden_size", "num_attention_heads", "head_dim")
    return decoder(fields, reading, groups, experts, [window] * fields.whole("num_hidden_layers"), biases, norm, width)


def mixture(fields: Fields, default: int, hidden: int) -> Experts:
    """Return experts, of which a token has those with the largest shares; divided by their sum, if the config says."""
    count, top = fields.whole("num_experts", default), fields.whole("num_experts_per_tok", 8)
    if top > count:
        raise InvalidArgument("num_experts_per_tok", repr(top), f"at most num_experts, which is {count}")
    expert = Feedforward(hidden, activation(fields, "hidden_act", "silu"), gated=True)
    return Experts(count, expert, SoftmaxRouter(top, renormalize=fields.truth("norm_topk_prob", False)))


def stored(fields: Fields, tensors: Container[str]) -> Iterator[Stored]:
    """Iterate over the tensors of checkpoints."""
    return stored_mixture(fields, tensors, fields.whole("num_experts", 128))


def stored_mixture(fields: Fields, tensors: Container[str], count: int) -> Iterator[Stored]:
    """Iterate over the tensors of checkpoints, each expert's by itself; and as the library holds them, all in one."""
    yield from stored_ends()
    experts = range(1, count + 1)
    for number in range(fields.whole("num_hidden_layers")):
        there, here = f"model.layers.{number}", f"{number + 1}"
        yield from stored_attention(tensors, there, here)
        yield Stored(f"{there}.mlp.gate.weight", (f"{here}.experts.router",))
        for expert in experts:
            for name in ("gate", "up", "down"):
                path = f"{there}.mlp.experts.{expert - 1}.{name}_proj.weight"
                yield Stored(path, (f"{here}.experts.{expert}.{name}",))
        both = [f"{here}.experts.{expert}.{name}" for expert in experts for name in ("gate", "up")]
        yield Stored(f"{there}.mlp.experts.gate_up_proj", tuple(both))
        yield Stored(f"{there}.mlp.experts.down_proj", tuple(f"{here}.experts.{expert}.down" for expert in experts))


OF_MIXTURES = {"hidden": "moe_intermediate_size", "experts": "num_experts", "top": "num_experts_per_tok"}

register(
    ModelFamily(
        ("qwen3_moe",),
        qwen3_moe,
        {**SIZES, **OF_MIXTURES},
        stored,
        keys=(
            *KEYS,
            *("attention_bias", "decoder_sparse_step", "mlp_only_layers", "norm_topk_prob"),
            *("max_window_layers", "sliding_window", "use_sliding_window"),
            "intermediate_size",  # of blocks without a mixture, which are refused
        ),
        aliases={"num_local_experts": "num_experts"},
    )
)
