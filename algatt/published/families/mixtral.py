"""Mixtral: Mistral whose second layers are mixtures of experts."""

from __future__ import annotations

from collections.abc import Container, Iterator

from algatt.errors import InvalidArgument
from algatt.layers import Experts, Layer, Reading, SoftmaxRouter
from algatt.published.base import ModelFamily, register
from algatt.published.families.llama import KEYS, SIZES, decoder, gated, stored_attention, stored_ends
from algatt.published.fields import Fields
from algatt.published.parts import key_heads
from algatt.published.stored import Stored


def mixtral(fields: Fields, reading: Reading) -> Layer:
    """Return the layers of Mixtral (arXiv 2401.04088): the shares of the experts that are kept add up to one."""
    groups = key_heads(fields, "num_attention_heads", "num_key_value_heads", 8)
    count, top = fields.whole("num_local_experts", 8), fields.whole("num_experts_per_tok", 2)
    if top > count:
        raise InvalidArgument("num_experts_per_tok", repr(top), f"at most num_local_experts, which is {count}")
    experts = Experts(count, gated(fields), SoftmaxRouter(top, renormalize=True))
    window = fields.optional("sliding_window")
    windows = [window] * fields.whole("num_hidden_layers")
    return decoder(fields, reading, groups, experts, windows, usual=1e6, eps=1e-5)


def stored(fields: Fields, tensors: Container[str]) -> Iterator[Stored]:
    """Iterate over the tensors of checkpoints, each expert's by itself; and as the library holds them, all in one."""
    yield from stored_ends()
    experts = range(fields.whole("num_local_experts", 8))
    for number in range(fields.whole("num_hidden_layers")):
        there, here = f"model.layers.{number}", f"{number + 1}"
        yield from stored_attention(tensors, there, here)
        for expert in experts:
            for short, name in (("w1", "gate"), ("w2", "down"), ("w3", "up")):
                path = f"{there}.block_sparse_moe.experts.{expert}.{short}.weight"
                yield Stored(path, (f"{here}.experts.{expert + 1}.{name}",))
        for mixture in (f"{there}.block_sparse_moe", f"{there}.mlp"):
            yield Stored(f"{mixture}.gate.weight", (f"{here}.experts.router",))
        both = [f"{here}.experts.{expert + 1}.{name}" for expert in experts for name in ("gate", "up")]
        yield Stored(f"{there}.mlp.experts.gate_up_proj", tuple(both))
        down = [f"{here}.experts.{expert + 1}.down" for expert in experts]
        yield Stored(f"{there}.mlp.experts.down_proj", tuple(down))


register(
    ModelFamily(
        ("mixtral",),
        mixtral,
        {**SIZES, "experts": "num_local_experts", "top": "num_experts_per_tok"},
        stored,
        keys=(*KEYS, "sliding_window"),
        aliases={"num_experts": "num_local_experts"},
    )
)
