"""DeepSeek V2 and V3: latent attention, and mixtures with experts that every token has."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Container, Iterator, Mapping
from typing import Any

from algatt.arguments import whole
from algatt.errors import InvalidArgument, in_words
from algatt.layers import (
    Causal,
    Embedding,
    Experts,
    Exponential,
    Feedforward,
    LatentHeads,
    Layer,
    Parallel,
    Reading,
    Residual,
    RMSNorm,
    Rotary,
    Router,
    SigmoidRouter,
    SoftmaxRouter,
    Unembedding,
)
from algatt.published.angles import Unscaled, yarn
from algatt.published.base import ModelFamily, register
from algatt.published.families.llama import stored_ends
from algatt.published.fields import Fields
from algatt.published.parts import activation, check_scaling, stacked, tied
from algatt.published.stored import Stored, numbered


def deepseek_v2(fields: Fields, reading: Reading) -> Layer:
    """Return the layers of DeepSeek V2 (arXiv 2405.04434): shares are a softmax over all experts."""
    fields.only("scoring_func", "softmax")
    fields.only("norm_topk_prob", False)
    fields.only("mlp_bias", False)
    experts = routed(fields)
    method = fields.get("topk_method", METHODS, "greedy")
    if method not in ("greedy", "group_limited_greedy"):
        raise InvalidArgument("topk_method", in_words(method), METHODS)
    limited = method == "group_limited_greedy"
    groups = groups_of(fields, experts, fields.optional("n_group"), fields.optional("topk_group")) if limited else {}
    top = top_of(fields, experts, groups, None)
    scale = fields.positive("routed_scaling_factor", 1.0)
    router = SoftmaxRouter(top, renormalize=False, scale=scale, **groups)
    mixture = mixed(fields, experts, router, fields.whole("moe_intermediate_size", 1407), 2)
    return decoder(fields, reading, mixture, dense_of(fields, 0), 2048, interleaved=True)


def routed(fields: Fields) -> int:
    """Return the number of experts among which a router chooses."""
    return fields.whole("n_routed_experts", 64 if fields.values["model_type"].startswith("deepseek_v2") else 256)


def deepseek_v3(fields: Fields, reading: Reading) -> Layer:
    """Return the layers of DeepSeek V3 (arXiv 2412.19437): shares are sigmoids, and a vector takes part in the choice
    of experts only. The module that predicts further tokens is another network, and left out.
    """
    fields.only("scoring_func", "sigmoid")
    fields.only("topk_method", "noaux_tc")
    experts = routed(fields)
    groups = groups_of(fields, experts, fields.whole("n_group", 8), fields.whole("topk_group", 4), least=2)
    router = SigmoidRouter(
        top_of(fields, experts, groups, 8),
        renormalize=fields.truth("norm_topk_prob", True),
        scale=fields.positive("routed_scaling_factor", 2.5),
        correction=True,
        eps=1e-20,
        **groups,
    )
    mixture = mixed(fields, experts, router, fields.whole("moe_intermediate_size", 2048), 1)
    return decoder(
        fields, reading, mixture, dense_of(fields, 3), 4096, interleaved=fields.truth("rope_interleave", True)
    )


METHODS = "'greedy' or 'group_limited_greedy'"
"""How experts are chosen by a softmax."""


def dense_of(fields: Fields, default: int) -> int:
    """Return how many blocks there are before those with mixtures."""
    name = "first_k_dense_replace"
    return whole(name, fields.get(name, "an integer >= 0", default), 0)


def groups_of(fields: Fields, experts: int, groups: int | None, top: int | None, least: int = 1) -> dict[str, int]:
    """Return how many groups of experts there are, and out of how many of them a token has experts."""
    groups, top = fields.whole("n_group", groups), fields.whole("topk_group", top)
    if experts % groups or experts // groups < least:
        should = f"a divisor of n_routed_experts, which is {experts}, with at least {least} in each group"
        raise InvalidArgument("n_group", repr(groups), should)
    if top > groups:
        raise InvalidArgument("topk_group", repr(top), f"at most n_group, which is {groups}")
    return {"groups": groups, "top_groups": top}


def top_of(fields: Fields, experts: int, groups: Mapping[str, int], default: int | None) -> int:
    """Return how many experts a token has."""
    top = fields.whole("num_experts_per_tok", default)
    there = experts // groups["groups"] * groups["top_groups"] if groups else experts
    if top > there:
        where = f"topk_group of n_group groups of {experts}" if groups else "n_routed_experts"
        raise InvalidArgument("num_experts_per_tok", repr(top), f"at most {there}, the experts in {where}")
    return top


def mixed(fields: Fields, experts: int, router: Router, hidden: int, shared: int) -> Layer:
    """Return experts, and beside them those that every token has, which are one network."""
    fields.only("moe_layer_freq", 1)
    function = activation(fields, "hidden_act", "silu")
    every = Feedforward(hidden * fields.whole("n_shared_experts", shared), function, gated=True)
    return Parallel(Experts(experts, Feedforward(hidden, function, gated=True), router), every)


def decoder(fields: Fields, reading: Reading, mixture: Layer, dense: int, context: int, *, interleaved: bool) -> Layer:
    """Return blocks of latent attention and of a gated network in the first ones, a mixture in the others."""
    norm = RMSNorm(fields.not_negative("rms_norm_eps", 1e-6))
    heads = latent_heads(fields, context, interleaved=interleaved)
    network = Feedforward(fields.whole("intermediate_size"), activation(fields, "hidden_act", "silu"), gated=True)
    first, other = (Residual(norm >> heads) >> Residual(norm >> second) for second in (network, mixture))
    layers = fields.whole("num_hidden_layers")
    vocabulary = fields.whole("vocab_size")
    blocks: list[Layer] = [first if number < dense else other for number in range(layers)]
    network_of_all = (
        Embedding(vocabulary, fields.whole("hidden_size"))
        >> stacked(blocks)
        >> norm
        >> Unembedding(vocabulary, reading=reading)
    )
    return tied(network_of_all, fields.truth("tie_word_embeddings", False))


def latent_heads(fields: Fields, context: int, *, interleaved: bool) -> LatentHeads:
    """Return the attention of all blocks; its latent vectors are normalised with an epsilon of their own, 10^-6."""
    heads = fields.whole("num_attention_heads")
    keys = fields.optional("num_key_value_heads") or heads
    if keys != heads:
        raise InvalidArgument("num_key_value_heads", repr(keys), f"num_attention_heads, which is {heads}")
    query = fields.values.get("q_lora_rank", 1536)
    width, shared = fields.whole("qk_nope_head_dim", 128), fields.whole("qk_rope_head_dim", 64)
    if shared % 2:
        raise InvalidArgument("qk_rope_head_dim", repr(shared), "even, as rows are turned in pairs")
    if fields.optional("head_dim") not in (None, shared):
        was = in_words(fields.values["head_dim"])
        raise InvalidArgument("head_dim", was, f"{shared}, as qk_rope_head_dim is, or not in the config")
    angles, factor = angles_of(fields, shared, context)
    return LatentHeads(
        heads,
        latent=fields.whole("kv_lora_rank", 512),
        width=width,
        shared_width=shared,
        value_width=fields.whole("v_head_dim", 128),
        query_latent=None if query is None else fields.whole("q_lora_rank"),
        score=None if factor == 1 else Exponential(math.sqrt(width + shared) / factor),
        mask=Causal(),
        position=dataclasses.replace(angles, layout="interleaved" if interleaved else "halves"),
        bias=fields.truth("attention_bias", False),
    )


def angles_of(fields: Fields, rows: int, context: int) -> tuple[Rotary, float]:
    """Return rotary positions, and what products of keys and queries are multiplied by.

    The angles are as they are, or those of YaRN, where keys and queries would be multiplied by the quotient of two
    numbers, which has to be 1.
    """
    name = "rope_scaling" if fields.part("rope_scaling").values else "rope_parameters"
    part = fields.part(name)
    check_scaling(part)
    base = part.positive("rope_theta", fields.positive("rope_theta", 10000.0))
    for kind in ("rope_type", "type"):
        given = part.values.get(kind)
        if given not in (None, "default", "yarn"):
            raise InvalidArgument(f"{name}.{kind}", in_words(given), "'default' or 'yarn'")
    if part.values.get("rope_type", part.values.get("type")) != "yarn":
        return Rotary(base), 1.0
    part.only("truncate", True)
    factor = part.positive("factor")
    every = part.not_negative("mscale_all_dim", 0.0)
    if part.values.get("attention_factor") is not None or not every or part.positive("mscale") != every:
        was = f"{part.values.get('mscale')!r}, with mscale_all_dim {part.values.get('mscale_all_dim')!r}"
        raise InvalidArgument(f"{name}.mscale", was, "the same number as mscale_all_dim, and no attention_factor")
    known = dataclasses.replace(fields, values={"max_position_embeddings": context} | dict(fields.values))
    frequencies, _ = yarn(Unscaled(known, part, base, rows))
    return Rotary(frequencies=frequencies), (0.1 * every * math.log(factor) + 1) ** 2 if factor > 1 else 1.0


def stored(fields: Fields, tensors: Container[str]) -> Iterator[Stored]:
    """Iterate over the tensors of checkpoints: rows of queries that are turned stand below those that are not, the
    shared key stands below the latent vectors; experts lie each by itself, or as the library holds them, all in one.
    """
    yield from stored_ends()
    for number in range(fields.whole("num_hidden_layers")):
        there, here = f"model.layers.{number}", f"{number + 1}"
        yield from stored_heads(tensors, f"{there}.self_attn", f"{here}.heads")
        yield Stored(f"{there}.input_layernorm.weight", (f"{here}.norm_1.g",))
        yield Stored(f"{there}.post_attention_layernorm.weight", (f"{here}.norm_2.g",))
        mixture = f"{here}.experts"
        yield Stored(f"{there}.mlp.gate.weight", (f"{mixture}.router",))
        yield Stored(f"{there}.mlp.gate.e_score_correction_bias", (f"{mixture}.correction",))
        several = f"{mixture}.router" in tensors
        every = f"{there}.mlp.shared_experts" if several else f"{there}.mlp"
        for name in ("gate", "up", "down"):
            yield Stored(f"{every}.{name}_proj.weight", (f"{here}.feedforward.{name}",))
        experts = range(1, routed(fields) + 1) if several else range(0)
        for expert in experts:
            for name in ("gate", "up", "down"):
                path = f"{there}.mlp.experts.{expert - 1}.{name}_proj.weight"
                yield Stored(path, (f"{mixture}.{expert}.{name}",))
        both = [f"{mixture}.{expert}.{name}" for expert in experts for name in ("gate", "up")]
        yield Stored(f"{there}.mlp.experts.gate_up_proj", tuple(both))
        yield Stored(f"{there}.mlp.experts.down_proj", tuple(f"{mixture}.{expert}.down" for expert in experts))


def stored_heads(tensors: Container[str], there: str, here: str) -> Iterator[Stored]:
    """Iterate over the tensors of the heads of a block."""
    queries, turned, keys, values = (numbered(tensors, f"{here}.{letter}") for letter in "QRKV")
    both = tuple(name for pair in zip(queries, turned, strict=True) for name in pair)
    for name in ("q_proj", "q_b_proj"):
        yield Stored(f"{there}.{name}.weight", both)
    yield Stored(f"{there}.kv_b_proj.weight", tuple(name for pair in zip(keys, values, strict=True) for name in pair))
    for kind, prefix in (("weight", ""), ("bias", "b_")):
        yield Stored(f"{there}.q_a_proj.{kind}", (f"{here}.{prefix}C_Q",))
        yield Stored(f"{there}.kv_a_proj_with_mqa.{kind}", (f"{here}.{prefix}C_K", f"{here}.{prefix}R_K"))
    yield Stored(f"{there}.q_a_layernorm.weight", (f"{here}.query_norm.g",))
    yield Stored(f"{there}.kv_a_layernorm.weight", (f"{here}.key_norm.g",))
    yield Stored(f"{there}.o_proj.weight", numbered(tensors, f"{here}.O"), axis=1)
    yield Stored(f"{there}.o_proj.bias", (f"{here}.b_O",))


def small(fields: Fields, numbers: Mapping[str, int]) -> dict[str, Any]:
    """Return the sizes of a small network, in which latent vectors are narrower than the stream, and not than keys; of
    more than one block, the first has no mixture if so it is in the config. Groups of experts are two, of three each.
    """
    width = numbers["head_width"]
    latent = width + width % 2  # even, as the library looks at keys behind it as complex numbers
    kind = fields.values["model_type"].partition(":")[0]
    dense = dense_of(fields, 0 if kind == "deepseek_v2" else 3)
    several = kind == "deepseek_v3" or fields.values.get("topk_method") == "group_limited_greedy"
    return {
        "hidden_size": 2 * width,
        "num_hidden_layers": numbers["layers"],
        "num_attention_heads": 2,
        "num_key_value_heads": 2,
        "qk_nope_head_dim": width,
        "qk_rope_head_dim": width + width % 2,
        "v_head_dim": width,
        "kv_lora_rank": latent,
        **({"q_lora_rank": width + 1} if fields.values.get("q_lora_rank", 1) is not None else {}),
        "intermediate_size": numbers["hidden"],
        "moe_intermediate_size": numbers["hidden"],
        "n_shared_experts": 1,
        "n_routed_experts": 6 if several else 3,
        "num_experts_per_tok": 2,
        **({"n_group": 2, "topk_group": 1} if several else {}),
        "first_k_dense_replace": min(dense, 1, numbers["layers"] - 1),
        "vocab_size": numbers.get("vocabulary", 4 * width + 2),
    }


KEYS = (
    *("hidden_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads", "vocab_size"),
    *("qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim", "kv_lora_rank", "q_lora_rank"),
    *("intermediate_size", "moe_intermediate_size", "n_shared_experts", "n_routed_experts", "num_experts_per_tok"),
    *("n_group", "topk_group", "topk_method", "scoring_func", "norm_topk_prob", "routed_scaling_factor"),
    *("first_k_dense_replace", "moe_layer_freq", "hidden_act", "rms_norm_eps", "attention_bias"),
    *("tie_word_embeddings", "rope_parameters", "rope_scaling", "rope_theta", "max_position_embeddings"),
    "original_max_position_embeddings",
    # sizes that follow from others, losses, and the module that predicts further tokens
    *("aux_loss_alpha", "ep_size", "head_dim", "num_nextn_predict_layers", "qk_head_dim", "seq_aux"),
)
OTHERS = {"deepseek_v2": ("mlp_bias",), "deepseek_v3": ("rope_interleave",)}
ALIASES = {
    "deepseek_v2": {"num_experts": "n_routed_experts"},
    "deepseek_v3": {"num_local_experts": "n_routed_experts", "num_mtp_layers": "num_nextn_predict_layers"},
}

for name, layers in (("deepseek_v2", deepseek_v2), ("deepseek_v3", deepseek_v3)):
    register(ModelFamily((name,), layers, {}, stored, small=small, keys=(*KEYS, *OTHERS[name]), aliases=ALIASES[name]))
