"""Small checkpoints with random weights, and their values after a conversion."""

from __future__ import annotations

from typing import Any

import numpy as np

import algatt
from algatt import Weights, published
from algatt.checkpoints import (
    Checkpoint,
    Conversion,
    transform,
)
from algatt.layers import GELU, Feedforward, Heads, Layer, Linear, Residual
from configs import config


def checkpoint_of(name: str, *, tokens: int = 3, seed: int = 1, head_width: int = 2, **changes: Any) -> Checkpoint:
    """Return a small model of the same architecture with random weights."""
    fields = published.scaled(config(name), layers=2, head_width=head_width) | changes
    net = published.read(fields, tokens=None if "image_size" in fields else tokens)
    return Checkpoint(net, algatt.sample(net, Weights, field=algatt.Reals(), seed=seed), fields)


def values(one: Checkpoint) -> np.ndarray:
    """Return values at a few inputs."""
    net = one.network
    generator = np.random.default_rng(7)
    if net.vocabulary is None:
        inputs: Any = generator.standard_normal((3, *net.input_shape))
    else:
        inputs = generator.integers(net.vocabulary, size=(3, net.tokens))
    return np.asarray(algatt.evaluate(net, one.weights, inputs))


def converted(conversion: Conversion, one: Checkpoint) -> Checkpoint:
    """Return a checkpoint after a conversion, when its values are the same."""
    after = transform(conversion, one, check=False)
    expected = values(one)
    assert np.ptp(expected) > 0.1
    assert np.abs(values(after) - expected).max() <= 1e-10 * np.abs(expected).max()
    return after


def of_layers(norm: Layer, last: Layer) -> Checkpoint:
    """Return a network of layers of no family, of an input of width 4 and a stream of width 6."""
    block = Residual(norm >> Heads(2, width=3)) >> Residual(norm >> Feedforward(5, GELU()))
    net = algatt.Network(Linear(6) >> block >> last >> Linear(3), tokens=3, width=4)
    return Checkpoint(net, algatt.sample(net, Weights, field=algatt.Reals(), seed=1))
