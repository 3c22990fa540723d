"""Modules of torch as people write them: whether `algatt.from_torch` has their values, or what it says.

    python scripts/frontends_modules.py [NAME ...]

prints for each module the relative difference of the values to those of torch in double precision and the number of
instructions, or the line by which it is refused.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import nn

import algatt
from algatt.errors import InvalidArgument

F = nn.functional


class Called(nn.Module):  # type: ignore[misc]  # torch has no types here
    """A module that is called by a function."""

    def __init__(self, inner: Any, function: Callable[[Any, Any], Any]) -> None:
        super().__init__()
        self.inner, self.function = inner, function

    def forward(self, x: Any) -> Any:
        return self.function(self.inner, x)


def heads(x: Any) -> Any:
    """Return two heads apart."""
    return x.unflatten(-1, (2, -1)).transpose(1, 2)


def attention(inner: Any, x: Any) -> Any:
    """Attention of two heads with biases by distances."""
    q, k, v = map(heads, inner(x).chunk(3, -1))
    places = torch.arange(x.shape[1])
    bias = -(places[:, None] - places).abs() * torch.tensor([0.5, 0.25])[:, None, None]
    scores = (q @ k.mT / 2**0.5 + bias).masked_fill(places[:, None] < places, -torch.inf)
    return (scores.softmax(-1) @ v).transpose(1, 2).flatten(2)


def linear_attention(inner: Any, x: Any) -> Any:
    """Attention with elu(x) + 1 in the place of exponentials."""
    q, k, v = inner(x).chunk(3, -1)
    q, k = F.elu(q) + 1, F.elu(k) + 1
    return torch.einsum("btd,bsd,bsm->btm", q, k, v) / torch.einsum("btd,bsd->bt", q, k)[..., None]


def soft_experts(inner: Any, x: Any) -> Any:
    """A mixture of all experts."""
    weights = inner[0](x).softmax(-1)
    return sum(weights[..., i : i + 1] * expert(x) for i, expert in enumerate(inner[1:]))


def low_rank(inner: Any, x: Any) -> Any:
    """A linear layer with an update of low rank."""
    return inner[0](x) + inner[2](inner[1](x)) * 0.5


def updated(inner: Any, x: Any) -> Any:
    """In-place updates."""
    y = inner(x)
    y[:, 0] = 0
    return y.mul_(2)


def self_attention(inner: Any, x: Any) -> Any:
    """Attention with a causal mask, as the layer takes it."""
    mask = nn.Transformer.generate_square_subsequent_mask(x.shape[1]).to(x.dtype)
    return inner(x, x, x, attn_mask=mask, is_causal=True)[0]


def rotated(inner: Any, x: Any) -> Any:
    """Positions by complex numbers."""
    turns = torch.polar(torch.ones(3, 2), torch.outer(torch.arange(3.0), torch.tensor([1.0, 0.1])))
    return torch.view_as_real(torch.view_as_complex(inner(x).unflatten(-1, (2, 2))) * turns).flatten(-2)


MODULES: dict[str, tuple[Callable[[], Any], tuple[int, ...]]] = {
    "encoder": (lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 6, batch_first=True), 2), (1, 3, 4)),
    "decoder layer": (
        lambda: Called(nn.TransformerDecoderLayer(4, 2, 6, batch_first=True), lambda m, x: m(x, x)),
        (1, 3, 4),
    ),
    "MultiheadAttention": (lambda: Called(nn.MultiheadAttention(4, 2, batch_first=True), self_attention), (1, 3, 4)),
    "attention with biases": (lambda: Called(nn.Linear(4, 12), attention), (1, 3, 4)),
    "linear attention": (lambda: Called(nn.Linear(4, 12), linear_attention), (1, 3, 4)),
    "LSTM": (lambda: Called(nn.LSTM(4, 3, batch_first=True), lambda m, x: m(x)[0]), (1, 3, 4)),
    "GRU": (lambda: Called(nn.GRU(4, 3, batch_first=True), lambda m, x: m(x)[0]), (1, 3, 4)),
    "RNN": (lambda: Called(nn.RNN(4, 3, batch_first=True), lambda m, x: m(x)[0]), (1, 3, 4)),
    "experts": (
        lambda: Called(nn.ModuleList([nn.Linear(4, 2), nn.Linear(4, 4), nn.Linear(4, 4)]), soft_experts),
        (1, 3, 4),
    ),
    "low rank": (
        lambda: Called(nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 2), nn.Linear(2, 4)]), low_rank),
        (1, 3, 4),
    ),
    "in-place updates": (lambda: Called(nn.Linear(4, 4), updated), (1, 3, 4)),
    "weight norm": (lambda: nn.utils.parametrizations.weight_norm(nn.Linear(4, 3)), (1, 3, 4)),
    "GLU": (lambda: nn.Sequential(nn.Linear(4, 6), nn.GLU()), (1, 3, 4)),
    "PReLU": (lambda: nn.Sequential(nn.Linear(4, 3), nn.PReLU()), (1, 3, 4)),
    "group norm": (lambda: nn.Sequential(nn.GroupNorm(2, 4), nn.Linear(4, 3)), (2, 4)),
    "RMS norm": (lambda: nn.Sequential(nn.RMSNorm(4), nn.Linear(4, 2)), (1, 3, 4)),
    "normalised": (lambda: Called(nn.Linear(4, 4), lambda m, x: F.normalize(m(x), dim=-1)), (1, 3, 4)),
    "cosines": (
        lambda: Called(nn.Linear(4, 4), lambda m, x: F.cosine_similarity(m(x), x, dim=-1)[..., None]),
        (1, 3, 4),
    ),
    "bilinear": (lambda: Called(nn.Bilinear(4, 4, 3), lambda m, x: m(x, x)), (3, 4)),
    "sine": (lambda: Called(nn.Linear(4, 4), lambda m, x: torch.sin(m(x))), (1, 3, 4)),
    "complex numbers": (lambda: Called(nn.Linear(4, 4), rotated), (1, 3, 4)),
}
"""Modules, with the shapes of their inputs."""


def row(make: Callable[[], Any], shape: tuple[int, ...]) -> str:
    """Return what there is to say of a module."""
    module, x = make().double().eval(), torch.randn(shape, dtype=torch.float64)
    try:
        net = algatt.from_torch(module, x)
    except InvalidArgument as error:
        return str(error)
    with torch.no_grad():
        expected = module(x).numpy()
    expected = expected.reshape(-1, expected.shape[-1]).T
    value = algatt.evaluate(net, algatt.weights_of(module), x.numpy().reshape(-1, shape[-1]).T)
    return f"{np.abs(value - expected).max() / np.abs(expected).max():8.1e} {len(net.layers.program):6}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*")
    names = parser.parse_args().names
    torch.manual_seed(0)
    torch.set_default_dtype(torch.float64)
    for name, (make, shape) in MODULES.items():
        if not names or name in names:
            print(f"{name:24} {row(make, shape)}", flush=True)


if __name__ == "__main__":
    main()
