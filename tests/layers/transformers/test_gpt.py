"""Models in the manner of GPT have the values of networks with their weights: LayerNorms, and biases everywhere."""

from __future__ import annotations

import numpy as np
import pytest

from algatt.layers import (
    GELU,
    ALiBi,
    Causal,
    Embedding,
    Feedforward,
    Heads,
    LayerNorm,
    LearnedPosition,
    Parallel,
    Residual,
    Rotary,
    TanhGELU,
    Tie,
    Unembedding,
)
from published_models import (
    HIDDEN,
    LLAMA,
    VOCABULARY,
    WIDTH,
    arrays,
    below,
    built,
    check,
    heads_of,
    mlp_of,
    norm_of,
    split,
    torch,
)


def test_gpt2() -> None:
    options = {"n_embd": WIDTH, "n_layer": 2, "n_head": 4, "n_positions": 9, "vocab_size": VOCABULARY}
    model = built("GPT2", **options)
    state = arrays(model)
    tensors = {"embedding.E": state["transformer.wte.weight"], "position.P": state["transformer.wpe.weight"]}
    for number in (1, 2):
        prefix = f"transformer.h.{number - 1}"
        W, b = np.split(state[f"{prefix}.attn.c_attn.weight"].T, 3), np.split(state[f"{prefix}.attn.c_attn.bias"], 3)
        heads = {}
        for letter, matrix, bias in zip("QKV", W, b, strict=True):
            heads |= split(letter, matrix, 4, bias)
        heads |= split("O", state[f"{prefix}.attn.c_proj.weight"].T, 4, state[f"{prefix}.attn.c_proj.bias"])
        block = below("heads", heads) | mlp_of(state, f"{prefix}.mlp.c_fc", f"{prefix}.mlp.c_proj", np.transpose)
        block |= norm_of(state, f"{prefix}.ln_1", "norm_1") | norm_of(state, f"{prefix}.ln_2", "norm_2")
        tensors |= below(str(number), block)
    tensors |= norm_of(state, "transformer.ln_f", "norm")
    heads_layer = Heads(4, mask=Causal(), biases="QKVO")
    block_layer = Residual(LayerNorm() >> heads_layer) >> Residual(
        LayerNorm() >> Feedforward(4 * WIDTH, TanhGELU(), bias=True)
    )
    layers = (
        Embedding(VOCABULARY, WIDTH) >> LearnedPosition(9) >> 2 * block_layer >> LayerNorm() >> Unembedding(VOCABULARY)
    )
    check(model, Tie(layers, {"unembedding.U": "embedding.E"}), tensors)


def of_each_head(W: np.ndarray, count: int) -> list[np.ndarray]:
    """Return Q, K and V of a matrix that has those of the first head first."""
    pieces = W.reshape(count, 3, -1, *W.shape[1:])
    return [pieces[:, number].reshape(-1, *W.shape[1:]) for number in range(3)]


def fused(state: dict[str, np.ndarray], prefix: str, out: str) -> dict[str, np.ndarray]:
    """Return the tensors of heads that are in one matrix, with biases."""
    matrices = of_each_head(state[f"{prefix}.query_key_value.weight"], 4)
    heads: dict[str, np.ndarray] = {}
    for letter, W, b in zip("QKV", matrices, of_each_head(state[f"{prefix}.query_key_value.bias"], 4), strict=True):
        heads |= split(letter, W, 4, b)
    return below("heads", heads | split("O", state[f"{prefix}.{out}.weight"], 4, state[f"{prefix}.{out}.bias"]))


def test_gpt_neox_with_partial_rotary_positions_and_parallel_branches() -> None:
    rope = {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.5}
    options = {key: LLAMA[key] for key in LLAMA if key != "num_key_value_heads"}
    model = built(
        "GPTNeoX",
        **(options | {"hidden_size": 32}),
        rope_parameters=rope,
        hidden_act="gelu",
        use_parallel_residual=True,
    )
    state = arrays(model)
    tensors = {"embedding.E": state["gpt_neox.embed_in.weight"], "unembedding.U": state["lm_head.weight"]}
    for number in (1, 2):
        prefix = f"gpt_neox.layers.{number - 1}"
        block = fused(state, f"{prefix}.attention", "dense")
        block |= mlp_of(state, f"{prefix}.mlp.dense_h_to_4h", f"{prefix}.mlp.dense_4h_to_h")
        block |= norm_of(state, f"{prefix}.input_layernorm", "norm_1") | norm_of(
            state, f"{prefix}.post_attention_layernorm", "norm_2"
        )
        tensors |= below(str(number), block)
    tensors |= norm_of(state, "gpt_neox.final_layer_norm", "norm")
    heads = Heads(4, mask=Causal(), position=Rotary(width=4, layout="halves"), biases="QKVO")
    block_layer = Residual(Parallel(LayerNorm() >> heads, LayerNorm() >> Feedforward(HIDDEN, GELU(), bias=True)))
    check(model, Embedding(VOCABULARY, 32) >> 2 * block_layer >> LayerNorm() >> Unembedding(VOCABULARY), tensors)


def test_gptj_with_interleaved_rotary_positions_and_one_norm() -> None:
    options = {"n_embd": WIDTH, "n_layer": 2, "n_head": 2, "n_positions": 9, "vocab_size": VOCABULARY, "rotary_dim": 4}
    model = built("GPTJ", **options, tie_word_embeddings=False)
    state = arrays(model)
    tensors = {"embedding.E": state["transformer.wte.weight"], "unembedding.U": state["lm_head.weight"]}
    tensors |= {"unembedding.b": state["lm_head.bias"][:, None]} | norm_of(state, "transformer.ln_f", "norm")
    for number in (1, 2):
        prefix = f"transformer.h.{number - 1}"
        block = heads_of(state, f"{prefix}.attn", counts="2222", names=["q_proj", "k_proj", "v_proj", "out_proj"])
        block |= mlp_of(state, f"{prefix}.mlp.fc_in", f"{prefix}.mlp.fc_out") | norm_of(state, f"{prefix}.ln_1", "norm")
        tensors |= below(str(number), block)
    heads = Heads(2, mask=Causal(), position=Rotary(width=4))
    block_layer = Residual(LayerNorm() >> Parallel(heads, Feedforward(4 * WIDTH, TanhGELU(), bias=True)))
    layers = Embedding(VOCABULARY, WIDTH) >> 2 * block_layer >> LayerNorm() >> Unembedding(VOCABULARY, bias=True)
    check(model, layers, tensors)


@pytest.mark.parametrize("heads", [4, 3])
def test_bloom_with_linear_biases(heads: int) -> None:
    width = 4 * heads
    model = built("Bloom", hidden_size=width, n_layer=2, n_head=heads, vocab_size=VOCABULARY)
    for module in model.modules():
        if hasattr(module, "gelu_impl"):  # which has sqrt(2 / pi) with eight digits
            module.gelu_impl = torch.nn.GELU(approximate="tanh")
    state = arrays(model)
    tensors = {"embedding.E": state["transformer.word_embeddings.weight"]}
    tensors |= norm_of(state, "transformer.word_embeddings_layernorm", "norm_1") | norm_of(
        state, "transformer.ln_f", "norm_2"
    )
    for number in (1, 2):
        prefix = f"transformer.h.{number - 1}"
        attention = f"{prefix}.self_attention"
        parts: dict[str, np.ndarray] = {}
        matrices = of_each_head(state[f"{attention}.query_key_value.weight"], heads)
        biases = of_each_head(state[f"{attention}.query_key_value.bias"], heads)
        for letter, W, b in zip("QKV", matrices, biases, strict=True):
            parts |= split(letter, W, heads, b)
        parts |= split("O", state[f"{attention}.dense.weight"], heads, state[f"{attention}.dense.bias"])
        block = below("heads", parts) | mlp_of(state, f"{prefix}.mlp.dense_h_to_4h", f"{prefix}.mlp.dense_4h_to_h")
        block |= norm_of(state, f"{prefix}.input_layernorm", "norm_1") | norm_of(
            state, f"{prefix}.post_attention_layernorm", "norm_2"
        )
        tensors |= below(str(number), block)
    attended = Residual(LayerNorm() >> Heads(heads, mask=Causal(), position=ALiBi(), biases="QKVO"))
    block_layer = attended >> Residual(LayerNorm() >> Feedforward(4 * width, TanhGELU(), bias=True))
    layers = Embedding(VOCABULARY, width) >> LayerNorm() >> 2 * block_layer >> LayerNorm() >> Unembedding(VOCABULARY)
    check(model, Tie(layers, {"unembedding.U": "embedding.E"}), tensors)
