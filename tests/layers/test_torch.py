"""Layers have the values of torch's modules of the same weights, in double precision."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from algatt.fields import Elements, Reals
from algatt.layers import (
    GELU,
    Causal,
    Embedding,
    Feedforward,
    Heads,
    Layer,
    LayerNorm,
    Linear,
    Pattern,
    Probabilities,
    ReLU,
    Residual,
    RMSNorm,
    SiLU,
    Tanh,
    TanhGELU,
    Unembedding,
    Window,
    activate,
)
from algatt.layers.base import Arrays, layout, run, tensor_shapes

torch = pytest.importorskip("torch", reason="torch is not installed; the extra torch brings it")

WIDTH, TOKENS, BATCH = 12, 5, 2


def drawn(*shape: int, seed: int = 0) -> Any:
    """Return a tensor of random doubles."""
    return torch.tensor(np.random.default_rng(seed).normal(size=shape))


X = drawn(BATCH, TOKENS, WIDTH)
"""Inputs as torch has them: tokens are rows."""


def check(layer: Layer, tensors: dict[str, Any], expected: Any, inputs: Any = X) -> None:
    """Compare the value of a layer, whose tokens are columns, with that of torch."""
    ours = np.swapaxes(inputs.numpy(), -1, -2)
    shapes, _ = tensor_shapes(layer, ours.shape[-2:])
    assert shapes == {name: tuple(tensor.shape) for name, tensor in tensors.items()}
    arrays = {name: Elements.of(Reals(), tensor.detach().numpy()) for name, tensor in tensors.items()}
    value = run(layout(layer), Arrays(arrays), Elements.of(Reals(), ours)).raw
    theirs = np.swapaxes(expected.detach().numpy(), -1, -2)
    assert theirs.dtype == np.float64
    assert value.shape == theirs.shape
    assert np.abs(value - theirs).max() <= 1e-13 * max(1, np.abs(theirs).max())


def randomised(module: Any) -> Any:
    """Give a module random weights in double precision."""
    module = module.double().eval()
    with torch.no_grad():
        for seed, parameter in enumerate(module.parameters()):
            parameter.copy_(drawn(*parameter.shape, seed=seed + 1) / 2)
    return module


def column(b: Any) -> Any:
    return b[:, None]


def split(letter: str, W: Any, count: int) -> dict[str, Any]:
    """Cut the matrix of all heads; that of the outputs along its columns."""
    pieces = torch.chunk(W, count, dim=1 if letter == "O" else 0)
    return {f"heads.{letter}_{number}": piece for number, piece in enumerate(pieces, start=1)}


MASKS = [
    (None, np.ones((TOKENS, TOKENS), dtype=int)),
    (Causal(), np.tril(np.ones((TOKENS, TOKENS), dtype=int))),
    (Window(2), np.tril(np.ones((TOKENS, TOKENS), dtype=int)) - np.tril(np.ones((TOKENS, TOKENS), dtype=int), -2)),
    (
        Pattern((np.eye(TOKENS, k=1) + np.eye(TOKENS)).astype(int).tolist()),
        (np.eye(TOKENS, k=-1) + np.eye(TOKENS)).astype(int),
    ),
]
"""Masks with what torch has for them: row i says what query i sees."""


@pytest.mark.parametrize(("mask", "seen"), MASKS, ids=["all", "causal", "window", "pattern"])
@pytest.mark.parametrize("bias", [False, True])
def test_multi_head_attention(mask: Any, seen: np.ndarray, bias: bool) -> None:
    module = randomised(torch.nn.MultiheadAttention(WIDTH, 4, bias=bias, batch_first=True))
    expected, _ = module(X, X, X, attn_mask=torch.tensor(seen == 0), need_weights=False)
    tensors: dict[str, Any] = {}
    for letter, W in zip("QKV", torch.chunk(module.in_proj_weight, 3), strict=True):
        tensors |= split(letter, W, 4)
    tensors |= split("O", module.out_proj.weight, 4)
    if bias:
        for letter, b in zip("QKV", torch.chunk(module.in_proj_bias, 3), strict=True):
            tensors |= {f"heads.b_{letter}_{n}": column(piece) for n, piece in enumerate(torch.chunk(b, 4), start=1)}
        tensors["heads.b_O"] = column(module.out_proj.bias)
    check(Heads(4, mask=mask, biases="QKVO" if bias else ""), tensors, expected)


@pytest.mark.parametrize(("mask", "seen"), MASKS, ids=["all", "causal", "window", "pattern"])
@pytest.mark.parametrize("groups", [1, 2, 4])
def test_grouped_queries_with_widths_of_their_own(mask: Any, seen: np.ndarray, groups: int) -> None:
    counts = {"Q": (4, 5), "K": (groups, 5), "V": (groups, 3)}
    tensors = {
        f"heads.{one}_{n}": drawn(width, WIDTH, seed=ord(one) + n)
        for one, (count, width) in counts.items()
        for n in range(1, count + 1)
    }
    Q, K, V = (
        torch.stack([X @ tensors[f"heads.{one}_{n}"].T for n in range(1, counts[one][0] + 1)], dim=1) for one in "QKV"
    )
    options = {"attn_mask": torch.tensor(seen == 1), "enable_gqa": True}
    expected = torch.nn.functional.scaled_dot_product_attention(Q, K, V, **options)
    check(
        Heads(4, key_heads=groups, width=5, value_width=3, mask=mask, output=False),
        tensors,
        expected.transpose(1, 2).flatten(2),
    )


@pytest.mark.parametrize("eps", [1e-5, 0.25])
def test_norms(eps: float) -> None:
    module = randomised(torch.nn.LayerNorm(WIDTH, eps=eps))
    check(LayerNorm(eps), {"norm.g": column(module.weight), "norm.b": column(module.bias)}, module(X))
    check(LayerNorm(eps, gain=False, bias=False), {}, torch.nn.LayerNorm(WIDTH, eps=eps, elementwise_affine=False)(X))
    module = randomised(torch.nn.RMSNorm(WIDTH, eps=eps))
    check(RMSNorm(eps), {"norm.g": column(module.weight)}, module(X))


ACTIVATIONS = [
    (ReLU(), torch.nn.ReLU()),
    (SiLU(), torch.nn.SiLU()),
    (GELU(), torch.nn.GELU()),
    (TanhGELU(), torch.nn.GELU(approximate="tanh")),
    (Tanh(), torch.nn.Tanh()),
]


@pytest.mark.parametrize(("ours", "theirs"), ACTIVATIONS, ids=lambda one: type(one).__name__)
def test_activations(ours: Any, theirs: Any) -> None:
    x = torch.linspace(-20, 20, 401, dtype=torch.float64)[None]
    value = activate(ours, Elements.of(Reals(), x.numpy())).raw
    assert np.abs(value - theirs(x).numpy()).max() <= 1e-14
    module = randomised(torch.nn.Sequential(torch.nn.Linear(WIDTH, 7), theirs, torch.nn.Linear(7, WIDTH)))
    up, down = module[0], module[2]
    tensors = {"up": up.weight, "down": down.weight, "b_up": column(up.bias), "b_down": column(down.bias)}
    check(
        Feedforward(7, ours, bias=True), {f"feedforward.{name}": tensor for name, tensor in tensors.items()}, module(X)
    )


@pytest.mark.parametrize(("ours", "theirs"), ACTIVATIONS, ids=lambda one: type(one).__name__)
def test_a_deep_perceptron(ours: Any, theirs: Any) -> None:
    sizes = (WIDTH, 7, 4, 3)
    linear = [torch.nn.Linear(*pair) for pair in pairwise(sizes)]
    module = randomised(torch.nn.Sequential(linear[0], theirs, linear[1], theirs, linear[2]))
    tensors = {}
    for number, one in enumerate(linear, start=1):
        tensors |= {f"linear_{number}.W": one.weight, f"linear_{number}.b": column(one.bias)}
    first, second, third = (Linear(size, bias=True) for size in sizes[1:])
    check(first >> ours >> second >> ours >> third, tensors, module(X))


def test_gated_linear_units() -> None:
    """SwiGLU, GeGLU and ReGLU (arXiv 2002.05202)."""
    gate, up, down = (randomised(torch.nn.Linear(*sizes, bias=False)) for sizes in ((WIDTH, 7), (WIDTH, 7), (7, WIDTH)))
    tensors = {"feedforward.up": up.weight, "feedforward.gate": gate.weight, "feedforward.down": down.weight}
    for ours, theirs in ((SiLU(), torch.nn.SiLU()), (GELU(), torch.nn.GELU()), (ReLU(), torch.nn.ReLU())):
        check(Feedforward(7, ours, gated=True), tensors, down(theirs(gate(X)) * up(X)))


def test_embeddings_and_linear_maps() -> None:
    embedding, linear = randomised(torch.nn.Embedding(9, WIDTH)), randomised(torch.nn.Linear(WIDTH, 9))
    numbers = torch.tensor([[1, 8, 0, 3, 3]])
    units = torch.nn.functional.one_hot(numbers, 9).double()
    check(Embedding(9, WIDTH), {"embedding.E": embedding.weight}, embedding(numbers), units)
    check(Linear(9, bias=True), {"linear.W": linear.weight, "linear.b": column(linear.bias)}, linear(X))
    tensors = {"unembedding.U": linear.weight, "unembedding.b": column(linear.bias)}
    check(Unembedding(9, bias=True, reading=Probabilities()), tensors, torch.softmax(linear(X), dim=-1))


@pytest.mark.parametrize("norm_first", [True, False])
def test_a_layer_of_torchs_transformer(norm_first: bool) -> None:
    options = {
        "dim_feedforward": 7,
        "activation": "gelu",
        "batch_first": True,
        "norm_first": norm_first,
        "dropout": 0.0,
    }
    module = randomised(torch.nn.TransformerEncoderLayer(WIDTH, 4, **options))
    tensors: dict[str, Any] = {}
    attention = module.self_attn
    for letter, W, b in zip(
        "QKV", torch.chunk(attention.in_proj_weight, 3), torch.chunk(attention.in_proj_bias, 3), strict=True
    ):
        tensors |= split(letter, W, 4) | {
            f"heads.b_{letter}_{n}": column(piece) for n, piece in enumerate(torch.chunk(b, 4), start=1)
        }
    tensors |= split("O", attention.out_proj.weight, 4) | {"heads.b_O": column(attention.out_proj.bias)}
    for name, linear in (("up", module.linear1), ("down", module.linear2)):
        tensors |= {f"feedforward.{name}": linear.weight, f"feedforward.b_{name}": column(linear.bias)}
    for number, norm in ((1, module.norm1), (2, module.norm2)):
        tensors |= {f"norm_{number}.g": column(norm.weight), f"norm_{number}.b": column(norm.bias)}
    heads, feedforward, norm = Heads(4, biases="QKVO"), Feedforward(7, bias=True), LayerNorm()
    before = Residual(norm >> heads) >> Residual(norm >> feedforward)
    after = Residual(heads) >> norm >> Residual(feedforward) >> norm
    check(before if norm_first else after, tensors, module(X))
