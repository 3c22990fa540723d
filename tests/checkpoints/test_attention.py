"""Attention matrices and heads of checkpoints: against the formula token by token, and against transformers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import Weights, published
from algatt.checkpoints import Checkpoint, LeftOutWarning, flow_of, heads_of
from algatt.dynamics import FlatFlow, LowRankHead, head_outputs
from algatt.errors import InvalidArgument
from algatt.layers import Causal, Window
from algatt.spectra import attention_matrix
from configs import config


def checkpoint_of(name: str, **changes: Any) -> Checkpoint:
    """Return a small model of the same architecture with random weights."""
    fields = published.scaled(config(name), layers=2, **changes)
    net = published.read(fields)
    return Checkpoint(net, algatt.sample(net, Weights, field=algatt.Reals(), seed=1), fields)


def normalised(X: np.ndarray, g: np.ndarray, b: np.ndarray, eps: float) -> np.ndarray:
    centred = X - X.mean(axis=0)
    return g * centred / np.sqrt((centred**2).mean(axis=0) + eps) + b


def test_the_first_layer_of_gpt2_token_by_token() -> None:
    one = checkpoint_of("gpt2", tokens=5)
    w, tokens = one.weights, [3, 1, 4, 1, 2]
    X = w["embedding.E"][tokens].T + w["position.P"][:5].T
    X = normalised(X, w["1.norm_1.g"], w["1.norm_1.b"], 1e-5)
    found = attention_matrix(one, tokens)
    assert found.shape == (2, 5, 5)
    for head in (1, 2):
        Q, K = (w[f"1.heads.{one}_{head}"] @ X + w[f"1.heads.b_{one}_{head}"] for one in "QK")
        for i in range(5):
            weights = [math.exp(Q[:, i] @ K[:, j] / math.sqrt(len(Q))) for j in range(5)]
            expected = [entry / sum(weights[: i + 1]) if j <= i else 0 for j, entry in enumerate(weights)]
            np.testing.assert_allclose(found[head - 1, i], expected, atol=1e-14)
            expected = np.array(weights) / sum(weights)
            unmasked = attention_matrix(one, tokens, head=head, masked=False)
            np.testing.assert_allclose(unmasked[i], expected, atol=1e-14)
    np.testing.assert_allclose(attention_matrix(one, X, head=2), found[1], atol=1e-14)


@pytest.mark.parametrize("name", ["smollm2_135m", "albert_base_v2", "t5_small", "qwen3_0_6b", "gpt2"])
def test_matrices_are_those_by_which_the_layer_mixes_values(name: str) -> None:
    """The value of a layer whose values are taken from unit vectors; here for the layer by itself, at what it reads."""
    one = checkpoint_of(name)
    for layer in (1, 2)[: 1 if name == "albert_base_v2" else 2]:  # one layer, twice
        node, noun = algatt.checkpoints.attention.layer_of_heads(one.network, layer)
        layers = one.network.layers
        ties = layers if isinstance(layers, algatt.layers.Tie) else algatt.layers.Tie(layers, {})
        width = one.weights[ties.resolve(f"{node.path}Q_1")].shape[1]
        net = algatt.Network(noun, tokens=4, width=width)
        places = {key: ties.resolve(f"{node.path}{key.removeprefix('heads.')}") for key in algatt.coordinates(net)}
        theta = Weights.of({key: one.weights[place] for key, place in places.items()})
        own = {key.removeprefix("heads."): theta[key] for key in theta.names()}
        X = np.random.default_rng(layer).standard_normal((width, 4))
        matrices = attention_matrix(one, X, layer=layer)
        total = np.zeros((width, 4))
        for number, A in enumerate(matrices):
            group = number * noun.groups // noun.heads + 1
            V = own[f"V_{group}"] @ X + own.get(f"b_V_{group}", 0)
            total += own[f"O_{number + 1}"] @ V @ A.T
        total += own.get("b_O", 0)
        np.testing.assert_allclose(total, algatt.evaluate(net, theta, X), atol=1e-12)


@pytest.mark.parametrize("mask", [None, Causal(), Window(2)], ids=repr)
def test_heads_of_a_checkpoint_drive_the_flow_that_the_layer_is(mask) -> None:
    """Without biases, positions and norms of heads, the flat flow of a layer is its value."""
    heads = algatt.layers.Heads(4, key_heads=2, width=3, mask=mask)
    net = algatt.Network(algatt.layers.Residual(heads), tokens=5, width=6)
    one = Checkpoint(net, algatt.sample(net, Weights, field=algatt.Reals(), seed=0))
    X = np.random.default_rng(0).standard_normal((6, 5))
    flow = flow_of(one, kind=FlatFlow)
    assert all(isinstance(head, LowRankHead) for head in flow.heads)
    value = algatt.evaluate(net, one.weights, X) - X
    np.testing.assert_allclose(head_outputs(flow, X).sum(axis=0), value, atol=1e-13)
    np.testing.assert_allclose(
        head_outputs(flow_of(one, kind=FlatFlow, heads=[3]), X)[0], head_outputs(flow, X)[2], atol=1e-15
    )
    np.testing.assert_array_equal(heads_of(one)[3].K, one.weights["heads.K_2"])


def test_what_a_flow_leaves_out_is_told() -> None:
    with pytest.warns(LeftOutWarning, match=r"leaves out the biases of QKVO of layer 2"):
        assert flow_of(checkpoint_of("gpt2"), layer=2).mask == Causal()
    with pytest.warns(LeftOutWarning):
        assert flow_of(checkpoint_of("gpt2"), layer=2, masked=False).mask is None
    with pytest.warns(LeftOutWarning, match=r"out the positions Rotary, the norms of queries and keys of"):
        flow_of(checkpoint_of("qwen3_0_6b"))


def test_what_does_not_fit_is_named() -> None:
    one = checkpoint_of("gpt2", tokens=5)
    mamba = checkpoint_of("mamba_130m")
    for call, message in (
        (lambda: attention_matrix(one, [1, 2], layer=0), "layer was 0; it should be an integer >= 1"),
        (lambda: attention_matrix(one, [1, 2], layer=3), "layer was 3; it should be from 1 to 2"),
        (lambda: attention_matrix(one, [1, 2], head=3), "head was 3; it should be from 1 to 2"),
        (lambda: attention_matrix(one, [1, 200]), "inputs was with numbers from 1 to 200"),
        (lambda: attention_matrix(one, [[1, 2]]), "inputs was of shape|inputs was an array"),
        (lambda: attention_matrix(one, np.ones((3, 2))), r"inputs was of shape \(3, 2\); it should be what the layer"),
        (lambda: attention_matrix(one, [1] * 6), "tokens|context|positions"),
        (lambda: attention_matrix(mamba, [1, 2]), "network was one without heads of attention"),
        (lambda: flow_of(one, heads=[3]), "head was 3; it should be from 1 to 2"),
        (lambda: flow_of(one, heads=[]), "heads was none"),
        (lambda: flow_of(one, kind=int), "kind was"),
        (lambda: heads_of(one.network), "checkpoint was"),
    ):
        with pytest.raises(InvalidArgument, match=message) as caught:
            call()
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["gpt2", "llama"])
def test_matrices_are_those_of_transformers(name: str) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed; the extra torch brings it")
    transformers: Any = pytest.importorskip(
        "transformers", reason="transformers is not installed; the extra torch brings it"
    )
    fields: dict[str, Any] = {"vocab_size": 11, "attn_implementation": "eager"}
    if name == "gpt2":
        made = transformers.GPT2Config(n_embd=8, n_layer=3, n_head=2, n_inner=6, n_positions=9, **fields)
    else:
        sizes = {"hidden_size": 8, "intermediate_size": 6, "num_hidden_layers": 3, "num_key_value_heads": 1}
        made = transformers.LlamaConfig(num_attention_heads=2, **sizes, **fields)
    torch.manual_seed(0)
    model = transformers.AutoModelForCausalLM.from_config(made).double().eval()
    for tensor in model.parameters():
        tensor.data.normal_()
    tokens = [3, 1, 4, 1, 5, 9]
    with torch.no_grad():
        expected = model(torch.tensor([tokens]), output_attentions=True).attentions
    fields = made.to_dict()
    state = {key: tensor.numpy() for key, tensor in model.state_dict().items()}
    one = Checkpoint(published.read(fields), published.weights(fields, state), fields)
    for layer in (1, 2, 3):
        found = attention_matrix(one, tokens, layer=layer)  # angles of that library are in single precision
        np.testing.assert_allclose(found, expected[layer - 1][0].numpy(), atol=1e-12 if name == "gpt2" else 5e-6)
