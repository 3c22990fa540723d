"""Models with experts have the values of networks with their weights."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt import Network, Weights
from algatt.layers import (
    Causal,
    Embedding,
    Experts,
    Feedforward,
    Heads,
    Parallel,
    Residual,
    RMSNorm,
    Rotary,
    SigmoidRouter,
    SiLU,
    SoftmaxRouter,
    Unembedding,
)
from published_models import (
    HIDDEN,
    LLAMA,
    TOKENS,
    VOCABULARY,
    WIDTH,
    arrays,
    below,
    built,
    check,
    gated_of,
    llama_blocks,
    randomised,
    torch,
    transformers,
)


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
    heads = Heads(4, key_heads=2, mask=Causal(), position=Rotary(layout="halves"))
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
