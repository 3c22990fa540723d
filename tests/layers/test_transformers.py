"""Whole models of transformers, built from a configuration, have the values of networks with their weights."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import Network, Weights
from algatt.layers import (
    GELU,
    AcrossHeads,
    ALiBi,
    Capped,
    Causal,
    Embedding,
    Experts,
    Exponential,
    Feedforward,
    Heads,
    Layer,
    LayerNorm,
    LearnedPosition,
    Parallel,
    RelativeBias,
    ReLU,
    Residual,
    RMSNorm,
    Rotary,
    SigmoidRouter,
    SiLU,
    SoftCap,
    SoftmaxRouter,
    Stack,
    TanhGELU,
    Tie,
    Unembedding,
    Window,
)

torch = pytest.importorskip("torch", reason="torch is not installed; the extra torch brings it")
transformers = pytest.importorskip("transformers", reason="transformers is not installed; the extra torch brings it")

WIDTH, HIDDEN, VOCABULARY, TOKENS = 16, 24, 11, 7
TOKEN_NUMBERS = [[3, 1, 4, 1, 5, 9, 2], [6, 5, 3, 5, 8, 10, 0]]
LLAMA = {
    "hidden_size": WIDTH,
    "intermediate_size": HIDDEN,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "vocab_size": VOCABULARY,
    "max_position_embeddings": 32,
    "pad_token_id": None,
    "tie_word_embeddings": False,
}


@pytest.fixture(autouse=True)
def doubles(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let transformers compute in double precision where it asks for single, as for norms, angles and routers."""
    monkeypatch.setattr(torch, "float32", torch.float64)
    monkeypatch.setattr(torch, "float", torch.float64)
    monkeypatch.setattr(torch.Tensor, "float", torch.Tensor.double)
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(before)


def built(kind: str, /, **options: Any) -> Any:
    """Build a model without a download, with random weights of size 1/3."""
    config = getattr(transformers, f"{kind}Config")(**options)
    names = {"T5": "T5EncoderModel", "GPT2": "GPT2LMHeadModel"}
    cls = getattr(transformers, names.get(kind, f"{kind}ForCausalLM"))
    config._experts_implementation = "eager"
    return randomised(cls._from_config(config, attn_implementation="eager"))


def randomised(model: Any) -> Any:
    """Give a module random weights."""
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator, dtype=torch.float64) / 3)
    return model.double().eval()


def arrays(model: Any) -> dict[str, np.ndarray]:
    """Return the weights of a module by name."""
    return {name: tensor.detach().numpy() for name, tensor in model.state_dict().items()}


def split(letter: str, W: np.ndarray, count: int, b: np.ndarray | None = None) -> dict[str, np.ndarray]:
    """Cut a matrix, and its bias, into those of heads; for O along its columns."""
    pieces = np.split(W, count, axis=1 if letter == "O" else 0)
    named = {f"{letter}_{number}": piece for number, piece in enumerate(pieces, start=1)}
    if b is None:
        return named
    biases = (
        {"b_O": b[:, None]}
        if letter == "O"
        else {f"b_{letter}_{n}": x[:, None] for n, x in enumerate(np.split(b, count), start=1)}
    )
    return named | biases


def heads_of(
    state: dict[str, np.ndarray], prefix: str, letters: str = "QKVO", counts: str = "4224", names: Any = None
) -> dict[str, np.ndarray]:
    """Return the tensors of heads, from four linear maps."""
    result: dict[str, np.ndarray] = {}
    names = names or [f"{letter.lower()}_proj" for letter in letters]
    for letter, count, name in zip(letters, counts, names, strict=True):
        b = state.get(f"{prefix}.{name}.bias")
        result |= split(letter, state[f"{prefix}.{name}.weight"], int(count), b)
    return {f"heads.{name}": array for name, array in result.items()}


def gated_of(state: dict[str, np.ndarray], prefix: str) -> dict[str, np.ndarray]:
    """Return the tensors of a gated feedforward network."""
    return {f"feedforward.{name}": state[f"{prefix}.{name}_proj.weight"] for name in ("up", "gate", "down")}


def norm_of(state: dict[str, np.ndarray], prefix: str, name: str) -> dict[str, np.ndarray]:
    """Return gain and bias of a norm."""
    tensors = {f"{name}.g": state[f"{prefix}.weight"][:, None]}
    return tensors | ({f"{name}.b": state[f"{prefix}.bias"][:, None]} if f"{prefix}.bias" in state else {})


def mlp_of(state: dict[str, np.ndarray], up: str, down: str, turn: Callable = np.asarray) -> dict[str, np.ndarray]:
    """Return the tensors of a feedforward network with biases."""
    tensors = {}
    for name, prefix in (("up", up), ("down", down)):
        tensors |= {
            f"feedforward.{name}": turn(state[f"{prefix}.weight"]),
            f"feedforward.b_{name}": state[f"{prefix}.bias"][:, None],
        }
    return tensors


def below(path: str, tensors: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Put tensors into a part of a network."""
    return {f"{path}.{name}": tensor for name, tensor in tensors.items()}


def check(
    model: Any, layers: Layer, tensors: dict[str, np.ndarray], read: Callable = lambda output: output.logits
) -> None:
    """Compare the values of a model with those of a network."""
    net = Network(layers, tokens=TOKENS)
    theta = Weights.of({name: tensors[name] for name in algatt.coordinates(net)})
    assert set(tensors) == set(theta.names())
    with torch.no_grad():
        expected = read(model(torch.tensor(TOKEN_NUMBERS))).numpy()
    assert expected.dtype == np.float64
    value = np.swapaxes(algatt.evaluate(net, theta, TOKEN_NUMBERS), -1, -2)
    assert np.abs(value - expected).max() <= 1e-12 * np.abs(expected).max()
    assert np.ptp(expected) > 0.1  # numbers that differ, and not by rounding


def llama_blocks(
    state: dict[str, np.ndarray], norms: tuple[str, str] = ("input_layernorm", "post_attention_layernorm")
) -> dict[str, np.ndarray]:
    """Return the tensors that a network of the kind of Llama has, with two norms in a block."""
    tensors = {"embedding.E": state["model.embed_tokens.weight"], "unembedding.U": state["lm_head.weight"]}
    for number in (1, 2):
        prefix = f"model.layers.{number - 1}"
        block = heads_of(state, f"{prefix}.self_attn")
        block |= gated_of(state, f"{prefix}.mlp") if f"{prefix}.mlp.up_proj.weight" in state else {}
        for place, name in enumerate(norms, start=1):
            block |= norm_of(state, f"{prefix}.{name}", f"norm_{place}")
        tensors |= below(str(number), block)
    return tensors | norm_of(state, "model.norm", "norm")


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


def test_the_encoder_of_t5_with_relative_biases() -> None:
    options = {"d_model": WIDTH, "d_kv": 5, "d_ff": HIDDEN, "num_layers": 2, "num_heads": 4, "vocab_size": VOCABULARY}
    model = built("T5", **options, relative_attention_num_buckets=8, relative_attention_max_distance=5)
    state = arrays(model)
    tensors = {"embedding.E": state["shared.weight"]} | norm_of(state, "encoder.final_layer_norm", "norm")
    for number in (1, 2):
        prefix = f"encoder.block.{number - 1}.layer"
        block = heads_of(state, f"{prefix}.0.SelfAttention", counts="4444", names="qkvo")
        block |= {
            f"feedforward.{name}": state[f"{prefix}.1.DenseReluDense.w{letter}.weight"]
            for name, letter in (("up", "i"), ("down", "o"))
        }
        block |= norm_of(state, f"{prefix}.0.layer_norm", "norm_1") | norm_of(state, f"{prefix}.1.layer_norm", "norm_2")
        tensors |= below(str(number), block)
    tensors["1.heads.bias"] = state["encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight"]
    norm, heads = RMSNorm(1e-6), Heads(4, width=5, score=Exponential(), position=RelativeBias(8, 5))
    block_layer = Residual(norm >> heads) >> Residual(norm >> Feedforward(HIDDEN, ReLU()))
    layers = Tie(Embedding(VOCABULARY, WIDTH) >> 2 * block_layer >> norm, {"2.heads.bias": "1.heads.bias"})
    check(model, layers, tensors, lambda output: output.last_hidden_state)


def experts_of(gate_up: np.ndarray, down: np.ndarray, router: np.ndarray) -> dict[str, np.ndarray]:
    """Return the tensors of experts whose matrices are stacked."""
    tensors = {"router": router}
    for number, (both, out) in enumerate(zip(gate_up, down, strict=True), start=1):
        gate, up = np.split(both, 2)
        tensors |= {f"{number}.gate": gate, f"{number}.up": up, f"{number}.down": out}
    return below("experts", tensors)


def test_mixtral_with_a_softmax_router() -> None:
    options = {"num_local_experts": 4, "num_experts_per_tok": 2, "sliding_window": None, "rms_norm_eps": 1e-5}
    model = built("Mixtral", **LLAMA, **options, rope_parameters={"rope_type": "default", "rope_theta": 10000.0})
    state = arrays(model)
    tensors = llama_blocks(state)
    for number in (1, 2):
        mlp = f"model.layers.{number - 1}.mlp"
        stacked = state[f"{mlp}.experts.gate_up_proj"], state[f"{mlp}.experts.down_proj"], state[f"{mlp}.gate.weight"]
        tensors |= below(str(number), experts_of(*stacked))
    experts = Experts(4, Feedforward(HIDDEN, SiLU(), gated=True), SoftmaxRouter(2, renormalize=True))
    heads = Heads(4, key_heads=2, mask=Causal(), position=HALVES)
    block = Residual(RMSNorm(1e-5) >> heads) >> Residual(RMSNorm(1e-5) >> experts)
    check(model, Embedding(VOCABULARY, WIDTH) >> 2 * block >> RMSNorm(1e-5) >> Unembedding(VOCABULARY), tensors)


@pytest.mark.parametrize("renormalize", [True, False])
def test_the_experts_of_deepseek_v3_with_a_sigmoid_router(renormalize: bool) -> None:
    from transformers.models.deepseek_v3.modeling_deepseek_v3 import DeepseekV3MoE

    counts = {"n_routed_experts": 6, "num_experts_per_tok": 2, "n_shared_experts": 1, "n_group": 1, "topk_group": 1}
    widths = {"hidden_size": WIDTH, "moe_intermediate_size": HIDDEN, "num_hidden_layers": 1}
    options = counts | widths | {"routed_scaling_factor": 1.0, "norm_topk_prob": renormalize}
    config = transformers.DeepseekV3Config(**options)
    config._experts_implementation = "eager"
    model = randomised(DeepseekV3MoE(config))
    correction = torch.tensor([0.5, -0.25, 0.0, 0.125, -0.5, 0.25])
    model.gate.e_score_correction_bias.copy_(correction)
    state = arrays(model)
    tensors = experts_of(state["experts.gate_up_proj"], state["experts.down_proj"], state["gate.weight"])
    tensors |= {"experts.correction": correction.numpy()[:, None]} | gated_of(state, "shared_experts")
    expert = Feedforward(HIDDEN, SiLU(), gated=True)
    layers = Parallel(Experts(6, expert, SigmoidRouter(2, renormalize, correction=True)), expert)
    net = Network(layers, tokens=TOKENS, width=WIDTH)
    theta = Weights.of({name: tensors[name] for name in algatt.coordinates(net)})
    X = np.random.default_rng(0).normal(size=(TOKENS, WIDTH))
    with torch.no_grad():
        expected = model(torch.tensor(X)[None])[0].numpy()
    assert np.abs(algatt.evaluate(net, theta, X.T).T - expected).max() <= 1e-12 * np.abs(expected).max()
