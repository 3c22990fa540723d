"""Models in the manner of Llama have the values of networks with their weights: RMSNorms, gates, rotary positions."""

from __future__ import annotations

import math

from algatt.layers import (
    AcrossHeads,
    Capped,
    Causal,
    Embedding,
    Exponential,
    Feedforward,
    Heads,
    Layer,
    Residual,
    RMSNorm,
    Rotary,
    SiLU,
    SoftCap,
    Stack,
    TanhGELU,
    Tie,
    Unembedding,
    Window,
)
from published_models import HIDDEN, LLAMA, VOCABULARY, WIDTH, arrays, built, check, llama_blocks, norm_of


def llama(heads: Heads, eps: float = 1e-6) -> Layer:
    """Return a network of the kind of Llama."""
    block = Residual(RMSNorm(eps) >> heads) >> Residual(RMSNorm(eps) >> Feedforward(HIDDEN, SiLU(), gated=True))
    return Embedding(VOCABULARY, WIDTH) >> 2 * block >> RMSNorm(eps) >> Unembedding(VOCABULARY)


HALVES = Rotary(layout="halves")


def test_llama() -> None:
    model = built("Llama", **LLAMA, rms_norm_eps=1e-5)
    check(model, llama(Heads(4, key_heads=2, mask=Causal(), position=HALVES), 1e-5), llama_blocks(arrays(model)))


def test_another_base_of_rotary_positions() -> None:
    model = built("Llama", **LLAMA, rope_parameters={"rope_type": "default", "rope_theta": 500.0})
    position = Rotary(500.0, layout="halves")
    check(model, llama(Heads(4, key_heads=2, mask=Causal(), position=position)), llama_blocks(arrays(model)))


def test_mistral_with_a_window() -> None:
    model = built("Mistral", **LLAMA, sliding_window=3)
    check(model, llama(Heads(4, key_heads=2, mask=Window(3), position=HALVES)), llama_blocks(arrays(model)))


def test_qwen2_with_biases() -> None:
    model = built("Qwen2", **LLAMA)
    check(
        model, llama(Heads(4, key_heads=2, mask=Causal(), position=HALVES, biases="QKV")), llama_blocks(arrays(model))
    )


def test_qwen3_with_normalised_queries_and_keys() -> None:
    model = built("Qwen3", **LLAMA, head_dim=6)
    state = arrays(model)
    tensors = llama_blocks(state)
    for number in (1, 2):
        for one, name in (("q", "query"), ("k", "key")):
            tensors |= norm_of(state, f"model.layers.{number - 1}.self_attn.{one}_norm", f"{number}.heads.{name}_norm")
    heads = Heads(4, key_heads=2, width=6, mask=Causal(), position=HALVES, norm=RMSNorm(1e-6))
    check(model, llama(heads), tensors)


def test_olmo2_with_norms_over_all_heads_and_after_the_layers() -> None:
    model = built("Olmo2", **LLAMA, rms_norm_eps=1e-5)
    state = arrays(model)
    tensors = llama_blocks(state, ("post_attention_layernorm", "post_feedforward_layernorm"))
    for number in (1, 2):
        for one, name in (("q", "query"), ("k", "key")):
            tensors |= norm_of(state, f"model.layers.{number - 1}.self_attn.{one}_norm", f"{number}.heads.{name}_norm")
    norm = RMSNorm(1e-5)
    heads = Heads(4, key_heads=2, mask=Causal(), position=HALVES, norm=AcrossHeads(norm))
    block = Residual(heads >> norm) >> Residual(Feedforward(HIDDEN, SiLU(), gated=True) >> norm)
    check(model, Embedding(VOCABULARY, WIDTH) >> 2 * block >> norm >> Unembedding(VOCABULARY), tensors)


def test_gemma2_with_soft_caps_and_a_window() -> None:
    options = {"attn_logit_softcapping": 2.0, "final_logit_softcapping": 3.0, "query_pre_attn_scalar": 9, "head_dim": 6}
    types = ["sliding_attention", "full_attention"]
    model = built("Gemma2", **(LLAMA | {"tie_word_embeddings": True}), **options, sliding_window=3, layer_types=types)
    state = arrays(model)
    norms = ("input_layernorm", "post_attention_layernorm", "pre_feedforward_layernorm", "post_feedforward_layernorm")
    tensors = llama_blocks(state, norms)
    del tensors["unembedding.U"]
    tensors |= {name: 1 + array for name, array in tensors.items() if name.endswith(".g")}
    norm, score = RMSNorm(1e-6), SoftCap(2, Exponential(3))
    blocks = []
    for mask in (Window(3), Causal()):
        heads = Heads(4, key_heads=2, width=6, mask=mask, position=HALVES, score=score)
        outer = Residual(norm >> Feedforward(HIDDEN, TanhGELU(), gated=True) >> norm)
        blocks.append(Residual(norm >> heads >> norm) >> outer)
    reading = Unembedding(VOCABULARY, reading=Capped(3))
    layers = Embedding(VOCABULARY, WIDTH, scale=math.sqrt(WIDTH)) >> Stack(tuple(blocks)) >> norm >> reading
    check(model, Tie(layers, {"unembedding.U": "embedding.E"}), tensors)
