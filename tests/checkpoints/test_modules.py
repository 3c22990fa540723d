"""Small modules of torch, and their state dicts, as networks with weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import algatt
from algatt.checkpoints import from_torch
from algatt.errors import InvalidArgument

WIDTH, HEADS, TOKENS = 6, 2, 3


def attention_state(seed: int = 0) -> dict[str, np.ndarray]:
    """Return what MultiheadAttention(6, 2) stores."""
    generator = np.random.default_rng(seed)
    shapes = {
        "in_proj_weight": (18, 6),
        "in_proj_bias": (18,),
        "out_proj.weight": (6, 6),
        "out_proj.bias": (6,),
    }
    return {name: generator.standard_normal(shape) for name, shape in shapes.items()}


def attended(state: dict[str, np.ndarray], X: np.ndarray) -> np.ndarray:
    """Return the value of MultiheadAttention, whose tokens are rows, head by head."""
    read = X @ state["in_proj_weight"].T + state["in_proj_bias"]
    q, k, v = (part.reshape(len(X), HEADS, -1) for part in np.split(read, 3, axis=1))
    seen = []
    for head in range(HEADS):
        scores = np.exp(q[:, head] @ k[:, head].T / np.sqrt(3))
        seen.append(scores / scores.sum(1, keepdims=True) @ v[:, head])
    return np.concatenate(seen, axis=1) @ state["out_proj.weight"].T + state["out_proj.bias"]


def test_a_state_dict_of_attention_needs_no_torch() -> None:
    state, X = attention_state(), np.random.default_rng(1).normal(size=(TOKENS, WIDTH))
    found = from_torch(state, heads=HEADS, tokens=TOKENS)
    value = algatt.evaluate(found.network, found.weights, X.T).T
    np.testing.assert_allclose(value, attended(state, X), rtol=0, atol=1e-12)
    assert algatt.Weights.from_torch(state, heads=HEADS) == found.weights


def test_a_state_dict_of_a_linear_map() -> None:
    W, b = np.arange(6.0).reshape(2, 3), np.array([5.0, 7.0])
    found = from_torch({"weight": W, "bias": b})
    X = np.eye(3)[:, :2]
    np.testing.assert_array_equal(algatt.evaluate(found.network, found.weights, X), W[:, :2] + b[:, None])
    assert from_torch({"weight": W.astype(np.float32)}).precision == 24


@pytest.mark.parametrize(
    ("state", "options", "message"),
    [
        (attention_state(), {}, "heads was not given; it should be a divisor of the width 6, as a state dict"),
        (attention_state(), {"heads": 4}, "heads was 4; it should be a divisor of the width 6"),
        (
            {"weight": np.ones(3), "bias": np.ones(3)},
            {},
            "module was a state dict with weight, bias; it should be",
        ),
        (
            {"weight": np.ones((2, 3)), "bias": np.ones(3)},
            {},
            r"bias was of shape \(3,\); it should be of shape",
        ),
        ({"weight": np.ones((2, 3))}, {"heads": 2}, "heads was 2; it should be given with the state dict of a Multi"),
        ({**attention_state(), "bias_k": np.ones(2)}, {"heads": 2}, "module was with bias_k; it should be with the"),
        ({"weight": np.array([[np.nan]])}, {}, "weight was with NaN or infinity"),
        ({}, {}, "module was a state dict with"),
    ],
)
def test_state_dicts_that_are_none_of_these(state: Any, options: dict[str, int], message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        from_torch(state, **options)


# ----- with torch


def randomised(module: Any) -> Any:
    """Give a module random weights in double precision, and no randomness of its own."""
    import torch

    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for parameter in module.double().eval().parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator, dtype=torch.float64) / 2)
    return module


def modules() -> dict[str, Any]:
    from torch import nn

    layer = {"d_model": WIDTH, "nhead": HEADS, "dim_feedforward": 5, "batch_first": True}
    return {
        "linear": nn.Linear(WIDTH, 4),
        "linear without bias": nn.Linear(WIDTH, 4, bias=False),
        "layer norm": nn.LayerNorm(WIDTH, eps=0.1),
        "layer norm without bias": nn.LayerNorm(WIDTH, bias=False),
        "layer norm without gain": nn.RMSNorm(WIDTH, eps=0.1),
        "attention": nn.MultiheadAttention(WIDTH, HEADS, batch_first=True),
        "attention without bias": nn.MultiheadAttention(WIDTH, HEADS, bias=False, batch_first=True),
        "encoder layer": nn.TransformerEncoderLayer(**layer),
        "encoder layer behind norms": nn.TransformerEncoderLayer(**layer, norm_first=True, activation="gelu"),
        "encoder layer without bias": nn.TransformerEncoderLayer(**layer, bias=False, activation=nn.SiLU()),
        "sequence": nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 5), nn.Tanh(), nn.Dropout(), nn.Linear(5, 4)),
        "sequence in a sequence": nn.Sequential(nn.SiLU(), nn.Sequential(nn.Linear(WIDTH, 3)), nn.Linear(3, 3)),
        "encoder": nn.TransformerEncoder(nn.TransformerEncoderLayer(**layer), 2, norm=nn.LayerNorm(WIDTH)),
        "encoder layer of tanh gelu": nn.TransformerEncoderLayer(**layer, activation=nn.GELU("tanh")),
    }


def test_values_are_those_of_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed; the extra torch brings it")
    # the fused kernel for evaluation takes GELU("tanh") for GELU()
    monkeypatch.setattr(torch.backends.mha, "_is_fastpath_enabled", False)
    X = np.random.default_rng(0).normal(size=(TOKENS, WIDTH))
    for name, module in modules().items():
        given = torch.tensor(X)[None]
        with torch.no_grad():
            expected = randomised(module)(given, given, given)[0] if "attention" in name else randomised(module)(given)
        found = from_torch(module, tokens=TOKENS)
        value = algatt.evaluate(found.network, found.weights, X.T).T
        np.testing.assert_allclose(value, expected[0].numpy(), rtol=0, atol=1e-12, err_msg=name)
        assert algatt.Weights.from_torch(module) == found.weights


def test_modules_that_layers_cannot_say() -> None:
    nn = pytest.importorskip("torch", reason="torch is not installed; the extra torch brings it").nn

    class Own(nn.Linear):
        pass

    for module, message in (
        (nn.MultiheadAttention(4, 2, kdim=3), "kdim was 3; it should be embed_dim, which is 4"),
        (nn.MultiheadAttention(4, 2, vdim=3), "vdim was 3"),
        (nn.MultiheadAttention(4, 2, add_bias_kv=True), "bias_k was a tensor; it should be None"),
        (nn.MultiheadAttention(4, 2, add_zero_attn=True), "add_zero_attn was True"),
        (nn.LayerNorm((2, 3)), "normalized_shape was"),
        (nn.TransformerEncoderLayer(4, 2, activation=nn.Mish()), "activation was of type Mish; it should be relu"),
        (Own(2, 2), "module was of type Own; it should be MultiheadAttention, Linear"),
        (nn.Conv1d(2, 2, 1), "module was of type Conv1d"),
        (nn.Sequential(nn.Linear(2, 2), nn.Softmax(-1)), "module was of type Softmax"),
        (nn.Sequential(nn.ReLU()), "module was a sequence without a layer of a known width"),
        (nn.Sequential(), "module was a sequence without a layer of a known width"),
        (nn.Sequential(nn.MultiheadAttention(4, 2)), "a Sequential with a MultiheadAttention"),
    ):
        with pytest.raises(InvalidArgument, match=message):
            from_torch(module)
    with pytest.raises(InvalidArgument, match="heads was 2; it should be given with a state dict alone"):
        from_torch(nn.Linear(2, 2), heads=2)
    assert from_torch(nn.Linear(2, 2).bfloat16()).precision == 8
