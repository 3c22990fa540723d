"""Modules as people write them: their dimensions are what a count of their symmetries says."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import algatt
from algatt.errors import InvalidArgument
from torch_modules import Called, check

torch = pytest.importorskip("torch", reason="torch is not installed; the extra torch brings it")
nn = torch.nn
F = nn.functional

HIDDEN = -math.inf


class Heads(nn.Module):
    """Two causal heads of width `width` / 2; `scores` and `shares` change what their names say."""

    def __init__(self, width: int, *, scores: Any = None, shares: Any = None, parameters: tuple[Any, ...] = ()) -> None:
        super().__init__()
        self.qkv, self.out = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, width, bias=False)
        self.scores, self.shares = scores, shares
        self.extra = nn.ParameterList(nn.Parameter(torch.randn(shape)) for shape in parameters)

    def forward(self, x: Any) -> Any:
        B, T, C = x.shape
        q, k, v = (y.view(B, T, 2, C // 2).transpose(1, 2) for y in self.qkv(x).chunk(3, -1))
        a = q @ k.mT / (C // 2) ** 0.5
        if self.scores is not None:
            a = self.scores(a, *self.extra)
        a = a.masked_fill(torch.arange(T)[None] > torch.arange(T)[:, None], HIDDEN).softmax(-1)
        if self.shares is not None:
            a = self.shares(a, *self.extra)
        return self.out((a @ v).transpose(1, 2).reshape(B, T, C))


class Shared(nn.Module):
    """Four heads of queries for two of keys and values, by torch's own option or repeated."""

    def __init__(self, by_option: bool) -> None:
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(4, width, bias=False) for width in (8, 4, 4))
        self.out, self.by_option = nn.Linear(8, 4, bias=False), by_option

    def forward(self, x: Any) -> Any:
        q, k, v = (y.view(*x.shape[:2], -1, 2).transpose(1, 2) for y in (self.q(x), self.k(x), self.v(x)))
        if self.by_option:
            made = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        else:
            k, v = (y.repeat_interleave(2, dim=1) for y in (k, v))
            made = (q @ k.mT / 2**0.5).softmax(-1) @ v
        return self.out(made.transpose(1, 2).flatten(2))


class Pooling(nn.Module):
    """Attention of one learned query."""

    def __init__(self, inner: Any) -> None:
        super().__init__()
        self.inner, self.query = inner, nn.Parameter(torch.randn(1, 1, 3))
        for parameter in inner.parameters():
            nn.init.normal_(parameter)

    def forward(self, x: Any) -> Any:
        return self.inner(self.query, x, x, need_weights=False)[0]


class Latents(nn.Module):
    """Two vectors of weights that attend to the input, with two heads and a skip."""

    def __init__(self) -> None:
        super().__init__()
        self.latents, self.q, self.out = nn.Parameter(torch.randn(2, 4)), nn.Linear(4, 4), nn.Linear(4, 4)
        self.k, self.v = nn.Linear(3, 4), nn.Linear(3, 4)

    def forward(self, x: Any) -> Any:
        q, k, v = (
            y.unflatten(-1, (2, 2)).transpose(-2, -3) for y in (self.q(self.latents)[None], self.k(x), self.v(x))
        )
        return self.latents + self.out(F.scaled_dot_product_attention(q, k, v).transpose(-2, -3).flatten(-2))


class Excited(nn.Module):
    """Squeeze and excitation: channels, each times a gate that reads their means."""

    def __init__(self) -> None:
        super().__init__()
        self.channels, self.down, self.up = nn.Conv1d(2, 4, 1), nn.Linear(4, 2), nn.Linear(2, 4)

    def forward(self, x: Any) -> Any:
        y = self.channels(x.transpose(1, 2))
        return (y * self.up(F.silu(self.down(y.mean(-1)))).sigmoid()[..., None]).transpose(1, 2)


class Linearised(nn.Module):
    """Linear attention with cumulative sums."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv, self.out = nn.Linear(4, 12, bias=False), nn.Linear(4, 4, bias=False)

    def forward(self, x: Any) -> Any:
        q, k, v = self.qkv(x).chunk(3, -1)
        q, k = F.elu(q) + 1, F.elu(k) + 1
        sums = torch.cumsum(k.unsqueeze(-1) * v.unsqueeze(-2), 1)
        below = (q * torch.cumsum(k, 1)).sum(-1, keepdim=True)
        return self.out(torch.einsum("btd,btde->bte", q, sums) / below)


class Mixture(nn.Module):
    """Experts that are all computed, each times a share: of all, or of the two with the largest scores."""

    def __init__(self, shares: Callable[[Any], Any]) -> None:
        super().__init__()
        self.gate, self.shares = nn.Linear(4, 3, bias=False), shares
        self.up, self.down = nn.Parameter(torch.randn(3, 4, 2)), nn.Parameter(torch.randn(3, 2, 4))

    def forward(self, x: Any) -> Any:
        hidden = F.silu(torch.einsum("btd,edf->btef", x, self.up))
        return torch.einsum("btef,efd,bte->btd", hidden, self.down, self.shares(self.gate(x)))


def of_largest(scores: Any) -> Any:
    """A softmax of the two largest scores, where all others are minus infinity."""
    values, places = torch.topk(scores, 2)
    return torch.full_like(scores, HIDDEN).scatter(-1, places, values).softmax(-1)


def at_places(scores: Any) -> Any:
    """The same, written into zeros at their places."""
    values, places = torch.topk(scores, 2)
    return torch.zeros_like(scores).scatter(-1, places, values.softmax(-1))


def by_comparison(scores: Any) -> Any:
    """The same, for each expert."""
    values, places = torch.topk(scores, 2)
    return torch.stack([(values.softmax(-1) * (places == one)).sum(-1) for one in range(3)], -1)


class Polynomials(nn.Module):
    """Kolmogorov and Arnold's, with polynomials of Chebyshev in the place of splines."""

    def __init__(self) -> None:
        super().__init__()
        self.c, self.b = nn.Parameter(torch.randn(4, 3, 4)), nn.Parameter(torch.randn(3, 4))

    def forward(self, x: Any) -> Any:
        x = torch.tanh(x)
        values = [torch.ones_like(x), x]
        for _ in range(2):
            values.append(2 * x * values[-1] - values[-2])
        return torch.einsum("btin,ion->bto", torch.stack(values, -1), self.c) + F.silu(x) @ self.b.T


class Mixer(nn.Module):
    """A block of an MLP-Mixer without norms."""

    def __init__(self) -> None:
        super().__init__()
        self.tokens = nn.Sequential(nn.Linear(3, 2), nn.GELU(), nn.Linear(2, 3))
        self.channels = nn.Sequential(nn.Linear(4, 2), nn.GELU(), nn.Linear(2, 4))

    def forward(self, x: Any) -> Any:
        x = x + self.tokens(x.transpose(1, 2)).transpose(1, 2)
        return x + self.channels(x)


class SpatialGate(nn.Module):
    """A block of a gMLP: half of the channels gate the other half, mixed over tokens."""

    def __init__(self) -> None:
        super().__init__()
        self.norm, self.up, self.gates = nn.LayerNorm(4), nn.Linear(4, 6), nn.LayerNorm(3)
        self.mix, self.down = nn.Conv1d(3, 3, 1), nn.Linear(3, 4)

    def forward(self, x: Any) -> Any:
        u, v = F.gelu(self.up(self.norm(x))).chunk(2, -1)
        return x + self.down(u * self.mix(self.gates(v)))


def attended(inner: Any, x: Any) -> Any:
    """Attention of torch with the causal mask that its models have."""
    mask = nn.Transformer.generate_square_subsequent_mask(x.shape[1], dtype=x.dtype)
    return x + inner(x, x, x, attn_mask=mask, is_causal=True, need_weights=False)[0]


SLOPES = torch.tensor([0.5, 0.25]).view(2, 1, 1)
DISTANCES = torch.arange(3)[None] - torch.arange(3)[:, None]

# what makes a module, the shape of an example, and the parameters less what a count of symmetries says
WRITTEN: dict[str, tuple[Callable[[], Any], tuple[int, ...], int]] = {
    # 4 x 4 for keys and queries, and for values, of each head; biases of keys; of values, behind those of the output
    "nn.MultiheadAttention": (
        lambda: Called(nn.MultiheadAttention(4, 2, batch_first=True), lambda inner, x: inner(x, x, x)[0]),
        (1, 3, 4),
        80 - 16 - 4 - 4,
    ),
    "nn.MultiheadAttention, causal": (
        lambda: Called(nn.MultiheadAttention(4, 2, bias=False, batch_first=True), attended),
        (1, 3, 4),
        64 - 16,
    ),
    # one vector, which keys are multiplied with, one matrix of values and one bias are seen
    "pooling by one query": (
        lambda: Pooling(nn.MultiheadAttention(3, 1, batch_first=True)),
        (1, 4, 3),
        3 + 9 + 3,
    ),
    # of each head 2 x 3 numbers of keys and queries, 4 x 3 of rank 2 of values; 2 x 4 that are added
    "latent queries": (Latents, (1, 4, 3), 2 * 6 + 2 * 10 + 8),
    # means of channels with a one have 3 of 5 dimensions, for each of two gates
    "squeeze and excitation": (Excited, (1, 3, 2), 34 - 4),
    "grouped queries, by an option": (lambda: Shared(True), (1, 3, 4), 96 - 8 - 8),
    "grouped queries, repeated": (lambda: Shared(False), (1, 3, 4), 96 - 8 - 8),
    "slopes of distances": (lambda: Heads(4, scores=lambda a: a + SLOPES * DISTANCES), (1, 3, 4), 64 - 16),
    # and scalings of scores against the matrix that mixes them, of shares against the other one
    "talking heads": (
        lambda: Heads(
            4,
            scores=lambda a, m, n: torch.einsum("bhqk,hg->bgqk", a, m),
            shares=lambda a, m, n: torch.einsum("bhqk,hg->bgqk", a, n),
            parameters=((2, 2), (2, 2)),
        ),
        (1, 3, 4),
        72 - 16 - 4,
    ),
    "linear attention": (Linearised, (1, 3, 4), 64 - 16),  # of values alone
    # a row that is added to all of the router
    "dense mixture": (lambda: Mixture(lambda scores: scores.softmax(-1)), (1, 3, 4), 60 - 4),
    "two experts, minus infinity for others": (lambda: Mixture(of_largest), (1, 3, 4), 60 - 4),
    "two experts, at places": (lambda: Mixture(at_places), (1, 3, 4), 60 - 4),
    "two experts, by comparison": (lambda: Mixture(by_comparison), (1, 3, 4), 60 - 4),
    "polynomials": (Polynomials, (1, 3, 4), 60 - 9),  # constants of four inputs, for each output
    # biases of the input beside those of the state: all of them, or but for the new gate of a GRU
    "nn.LSTM": (lambda: Called(nn.LSTM(3, 2, batch_first=True), lambda inner, x: inner(x)[0]), (1, 2, 3), 56 - 8),
    "nn.GRU": (lambda: Called(nn.GRU(3, 2, batch_first=True), lambda inner, x: inner(x)[0]), (1, 2, 3), 42 - 4),
    "nn.RNN": (lambda: Called(nn.RNN(3, 2, batch_first=True), lambda inner, x: inner(x)[0]), (1, 2, 3), 14 - 2),
    "mixer": (Mixer, (1, 3, 4), 39 - 1),  # a number that is added to all tokens and all channels
    # gains and biases of the first norm; ones in a row, which its mean hides, of 6 rows; a bias of all gates, behind
    # that of the mixing; a factor of the mixing, against gains and biases of gates, and with its bias against the last
    "spatial gate": (SpatialGate, (1, 3, 4), 72 - 4 - 4 - 6 - 1 - 2),
    # the functions of two equal vectors are the quadratic forms
    "nn.Bilinear": (lambda: Called(nn.Bilinear(3, 3, 2), lambda inner, x: inner(x, x)), (1, 3, 3), 2 * 6 + 2),
    "low rank": (lambda: nn.Sequential(nn.Linear(4, 2, bias=False), nn.Linear(2, 4)), (1, 3, 4), 20 - 4),
    "largest of two": (
        lambda: Called(nn.Linear(3, 8), lambda inner, x: inner(x).unflatten(-1, (4, 2)).max(-1).values),
        (1, 3, 3),
        32,
    ),
    "normalised weights": (
        lambda: nn.Sequential(nn.utils.parametrizations.weight_norm(nn.Linear(3, 4)), nn.Tanh(), nn.Linear(4, 2)),
        (1, 3, 3),
        30 - 4,
    ),
}


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", WRITTEN)
def test_values_and_dimensions(name: str) -> None:
    torch.manual_seed(0)
    make, shape, dimension = WRITTEN[name]
    module = make()
    check(module, torch.randn(shape))
    report = algatt.dimension(algatt.from_torch(module.double().eval(), torch.randn(shape).double()))
    assert (report.value, report.status) == (dimension, "proven")


WINDOWS = {
    "largest": nn.MaxPool2d(2),
    "largest, at the border": nn.MaxPool2d(3, 2, 1),
    "means": nn.AvgPool2d(2),
    "means, at the border": nn.AvgPool2d(3, 2, 1),
    "means of what is there": nn.AvgPool2d(3, 2, 1, count_include_pad=False),
}


@pytest.mark.parametrize("name", WINDOWS)
def test_windows_of_images(name: str) -> None:
    torch.manual_seed(0)
    module = nn.Sequential(nn.Conv2d(1, 2, 3, padding=1), WINDOWS[name]).double()
    image = torch.randn(1, 1, 4, 4).double()
    net = algatt.from_torch(module, image)
    value = algatt.evaluate(net, algatt.weights_of(module), image.numpy().reshape(1, 16))
    expected = module(image).detach().numpy()
    np.testing.assert_allclose(value, expected.reshape(-1, expected.shape[-1]).T, rtol=1e-12)


def test_windows_that_are_cut_are_refused() -> None:
    module = nn.Sequential(nn.Conv2d(1, 2, 3), nn.MaxPool2d(2, ceil_mode=True)).double()
    with pytest.raises(InvalidArgument, match=r"with windows that are cut\), at .*; it should be of whole windows"):
        algatt.from_torch(module, torch.randn(1, 1, 5, 5).double())
