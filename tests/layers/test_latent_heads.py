"""Latent attention, token by token (arXiv 2405.04434, equations 9 to 19)."""

import numpy as np
import pytest

from algatt import Network
from algatt.errors import InvalidArgument
from algatt.layers import Causal, LatentHeads, LayerNorm, RelativeBias, RMSNorm, Rotary, Unnormalized
from algatt.layers.base import tensor_shapes

WIDTH, TOKENS = 3, 3
X = np.array([[1.0, -2.0, 0.5], [0.25, 1.0, 3.0], [-1.0, 0.5, 2.0]])


def tensors_of(layer):
    rng = np.random.default_rng(0)
    shapes, _ = tensor_shapes(layer, (WIDTH, TOKENS))
    return {name: rng.uniform(-1, 1, shape) for name, shape in shapes.items()}


def attention(tensors, heads, *, queries, bias, angle):
    """Evaluate the equations: latents, queries and keys in two parts, a shared key, softmax, values of latents."""
    w = {name.removeprefix("heads."): value for name, value in tensors.items()}

    def down(name, x):
        y = w[name] @ x
        return y + w[f"b_{name}"][:, 0] if bias else y

    def normalised(name, x):
        return w[f"{name}.g"][:, 0] * x / np.sqrt(np.mean(x**2) + 1e-6)

    def turned(x, position):
        pairs = (x[0::2] + 1j * x[1::2]) * np.exp(1j * position * np.array(angle))
        return np.stack([pairs.real, pairs.imag], axis=1).ravel()

    latents = [normalised("key_norm", down("C_K", x)) for x in X.T]
    read = [normalised("query_norm", down("C_Q", x)) if queries else x for x in X.T]
    shared = [turned(down("R_K", x), j) for j, x in enumerate(X.T)]
    columns = []
    for t in range(TOKENS):
        total = w["b_O"][:, 0] if bias else np.zeros(WIDTH)
        for h in range(1, heads + 1):
            plain, rotary = w[f"Q_{h}"] @ read[t], turned(w[f"R_{h}"] @ read[t], t)
            scores = [
                (plain @ w[f"K_{h}"] @ latents[j] + rotary @ shared[j]) / np.sqrt(len(plain) + len(rotary))
                for j in range(t + 1)
            ]
            shares = np.exp(scores) / np.sum(np.exp(scores))
            total = total + w[f"O_{h}"] @ sum(share * (w[f"V_{h}"] @ latents[j]) for j, share in enumerate(shares))
        columns.append(total)
    return np.array(columns).T


@pytest.mark.parametrize("queries", [None, 4])
@pytest.mark.parametrize("bias", [False, True])
def test_every_head_reads_the_latents_and_shares_the_key_that_is_turned(is_real_value, queries, bias):
    layer = LatentHeads(2, 5, 2, 4, 3, queries, mask=Causal(), position=Rotary(base=100.0), bias=bias)
    tensors = tensors_of(layer)
    assert tensors["heads.K_2"].shape == (2, 5)
    assert tensors["heads.R_2"].shape == (4, queries or WIDTH)
    assert ("heads.C_Q" in tensors) == ("heads.query_norm.g" in tensors) == (queries is not None)
    angle = [1.0, 0.1]
    is_real_value(layer, tensors, X, attention(tensors, 2, queries=queries, bias=bias, angle=angle))


def test_slots():
    assert tensor_shapes(LatentHeads(2, 2, 1, 1, position=RelativeBias(4, 5)), (3, 2))[0]["heads.bias"] == (4, 2)
    assert LatentHeads(2, 2, 1, 1, query_latent=3, norm=LayerNorm()).parts["query_norm"] == LayerNorm()
    assert LatentHeads(2, 2, 1, 1).parts == {"key_norm": RMSNorm()}
    tensors = tensors_of(LatentHeads(1, 2, 1, 1, score=Unnormalized()))
    assert tensors["heads.V_1"].shape == (1, 2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"heads": 0}, "heads was 0; it should be an integer >= 1"),
        ({"latent": None}, "latent was None; it should be an integer >= 1"),
        ({"query_latent": 0}, "query_latent was 0; it should be an integer >= 1"),
        ({"bias": "yes"}, "bias was 'yes'; it should be True or False"),
        ({"score": Causal()}, r"score was Causal\(\); it should be a score"),
        ({"norm": Causal()}, r"norm was Causal\(\); it should be a layer"),
    ],
)
def test_what_the_slots_may_hold(options, message):
    with pytest.raises(InvalidArgument, match=message):
        LatentHeads(**{"heads": 2, "latent": 2, "width": 1, "shared_width": 2} | options)


def test_shared_keys_of_an_odd_width_have_no_pairs():
    with pytest.raises(InvalidArgument, match="queries of 3 rows"):
        Network(LatentHeads(2, 2, 1, 3, position=Rotary()), tokens=2, width=4)
