"""Generic ranks of networks with gates by floats that share no code with the package: each network is written again in
numpy, differentiated along the imaginary axis, at many random weights of several sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import algatt
from algatt import verbs

STEP = 1e-30
"""Imaginary step: derivatives are exact but for rounding."""

SIZES = (0.1, 1.0, 3.0)
"""Sizes of inputs, and of the biases of the weights that take turns."""

Text = Callable[[Mapping[str, Any], Any], Any]


def relu(z: Any) -> Any:
    return z * (z.real > 0)


def best_of(shares: Any, logits: Any, top: int) -> Any:
    """Keep the shares of the largest logits of each token."""
    ranks = np.argsort(np.argsort(-logits.real, axis=-2), axis=-2)
    return shares * (ranks < top)


def rank_at(text: Text, theta: dict[str, np.ndarray], X: np.ndarray) -> int:
    """Return the rank of the Jacobian at weights, by singular values."""
    names, sizes = list(theta), [one.size for one in theta.values()]
    count, first = sum(sizes), 0
    lifted = {}
    for name, size in zip(names, sizes, strict=True):
        step = np.zeros((count, size))
        step[first : first + size] = np.eye(size)
        lifted[name] = theta[name] + 1j * STEP * step.reshape(count, 1, *theta[name].shape)
        first += size
    with np.errstate(all="ignore"):
        rows = (text(lifted, X.astype(complex)).imag / STEP).reshape(count, -1).T
    norms = np.linalg.norm(rows, axis=1)
    rows = rows[np.isfinite(norms) & (norms > 0)]
    if not len(rows):
        return 0
    values = np.linalg.svd(rows / np.linalg.norm(rows, axis=1, keepdims=True), compute_uv=False)
    return int((values > 1e-9 * values[0]).sum())


def greatest_rank(net: algatt.Network, text: Text, draws: int, inputs: int = 120) -> int:
    """Return the greatest rank at some random weights."""
    rng = np.random.default_rng(1)
    greatest = 0
    for draw in range(draws):
        theta = {
            name: rng.uniform(-1, 1, shape) * (SIZES[draw % len(SIZES)] if shape[-1] == 1 else 1)
            for name, shape in verbs.coordinates(net).items()
        }
        X = np.concatenate([size * rng.uniform(-1, 1, (inputs, *net.input_shape)) for size in SIZES])
        greatest = max(greatest, rank_at(text, theta, X))
    return greatest
