"""Jacobians of random networks of ring operations, modulo p: by dual numbers, by adjoints, and by differences.

The differences are exact: each network is evaluated once more over the integers modulo p^2, by a field of 30 lines.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import Network, PrimeField, Weights, verbs
from algatt.fields import Elements
from algatt.layers import (
    Affine,
    ALiBi,
    Causal,
    Feedforward,
    Heads,
    Layer,
    LayerScale,
    LearnedPosition,
    Linear,
    Named,
    Parallel,
    Power,
    Rational,
    RelativeBias,
    Residual,
    Rotary,
    Tensors,
    Tie,
    Unnormalized,
    Window,
)
from algatt.maps.gradient import gradients as gradients_of
from algatt.testing.architectures import check_polynomial
from algatt.testing.market import Instance
from modulo_square import ModuloSquare

P = 8388593


@dataclass(frozen=True, repr=False)
class SquareNorm(Layer):
    """RMSNorm without its root, x -> g * x / (|x|^2 / d + 1), perhaps of x less its mean."""

    centred: bool = False


@verbs.tensors.method
def tensors_of_square_norm(layer: SquareNorm, shape: tuple) -> dict[str, tuple[int, ...]]:
    return {"g": (shape[0], 1)}


@verbs.apply.method
def apply_square_norm(layer: SquareNorm, w: Tensors, X: Elements) -> Elements:
    X = X.centre() if layer.centred else X
    return w.g * X / (X.column_products(X) / X.shape[-2] + 1)


def pick(rng: np.random.Generator, *choices: Any) -> Any:
    return choices[rng.integers(len(choices))]


def random_heads(rng: np.random.Generator, tokens: int) -> Heads:
    groups = int(rng.integers(1, 3))
    output = pick(rng, True, False)
    position = pick(
        rng, None, None, ALiBi(), RelativeBias(4, 2), Rotary(width=2, layout=pick(rng, "halves", "interleaved"))
    )
    return Heads(
        heads=groups * int(rng.integers(1, 3)),
        key_heads=groups,
        width=int(rng.integers(2, 4)),
        value_width=int(rng.integers(1, 3)),
        score=pick(
            rng,
            Unnormalized(),
            Unnormalized(Power(2)),
            Unnormalized(Affine(2, 1)),
            Affine(1, 1),
            Power(2),
            Rational((1, 1), (3, 0, 1)),
        ),
        mask=pick(rng, None, None, Causal(), Window(2)),
        position=position,
        biases="".join(letter for letter in ("QKVO" if output else "QKV") if rng.integers(2)),
        output=output,
    )


def random_layer(rng: np.random.Generator, width: int, tokens: int, depth: int) -> tuple[Layer, int]:
    """Return a layer for inputs of a width, and the width of its values."""
    kind = rng.integers(0, 6 if depth == 0 else 12)
    if kind == 0:
        out = int(rng.integers(1, 4))
        return Linear(out, bias=pick(rng, True, False)), out
    if kind == 1:
        return pick(rng, LayerScale(), LearnedPosition(), SquareNorm(), SquareNorm(centred=True)), width
    if kind in (2, 3):
        activation = pick(rng, Power(2), Power(3), Affine(3, 2), Rational((0, 1), (2, 0, 1)))
        out = int(rng.integers(1, 4))
        return Feedforward(
            int(rng.integers(1, 4)), activation, gated=pick(rng, True, False), bias=pick(rng, True, False), width=out
        ), out
    if kind in (4, 5):
        heads = random_heads(rng, tokens)
        return heads, width if heads.output else heads.heads * heads.value_width
    first, out = random_layer(rng, width, tokens, depth - 1)
    if kind in (6, 7):
        second, last = random_layer(rng, out, tokens, depth - 1)
        return first >> second, last
    square = first if out == width else first >> Linear(width)
    if kind == 8:
        return Residual(square), width
    if kind == 9:
        return Parallel(square, random_square(rng, width, tokens, depth - 1)), width
    if kind == 10:
        return 2 * Residual(square), width
    return pick(rng, Tie(2 * square, {"2": "1"}), Named("part", square)), width


def random_square(rng: np.random.Generator, width: int, tokens: int, depth: int) -> Layer:
    layer, out = random_layer(rng, width, tokens, depth)
    return layer if out == width else layer >> Linear(width)


def random_network(seed: int) -> Network:
    rng = np.random.default_rng(seed)
    tokens, width = (int(size) for size in rng.integers(2, 4, 2))
    layers, out = random_layer(rng, width, tokens, 2)
    return Network(Linear(width) >> layers if seed % 3 else layers >> Linear(out), tokens=tokens, width=width)


def integers(array: Any) -> np.ndarray:
    return np.array(np.array(array).tolist(), dtype=object)


def value_modulo_square(net: Network, vector: np.ndarray, inputs: np.ndarray) -> np.ndarray:
    """Evaluate a network at a point of integers, modulo p^2."""
    ring = ModuloSquare(P)
    names, shapes = zip(*algatt.coordinates(net).items(), strict=True)
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes])[:-1]
    pieces = [piece.reshape(shape) for piece, shape in zip(np.split(vector, ends), shapes, strict=True)]
    theta = Weights(tuple(Elements(ring, verbs.encode(ring, piece)) for piece in pieces), names)
    return verbs.evaluate(net, theta, Elements(ring, verbs.encode(ring, inputs))).raw


@pytest.mark.sample(6)
@pytest.mark.parametrize("seed", range(200))
def test_three_ways_to_differentiate_agree(seed: int) -> None:
    net, field = random_network(seed), PrimeField(P)
    theta = algatt.sample(net, Weights, field=field, seed=seed)
    X = algatt.sample_inputs(net, field=field, seed=seed, count=2)
    jacobian = algatt.jacobian(net, theta, X)
    assert jacobian.shape == (2 * net.outputs, net.parameters)

    rows = Elements.of(field, np.repeat(X, net.outputs, axis=0))
    gradients = gradients_of(net, theta, rows, outputs=np.tile(np.arange(net.outputs), 2))
    assert np.array_equal(gradients.public(), jacobian)

    point, inputs = integers(algatt.flatten(theta)), integers(X)
    start = value_modulo_square(net, point, inputs)
    assert np.array_equal(start % P, integers(algatt.evaluate(net, theta, X)))
    rng = np.random.default_rng(seed)
    units = np.eye(net.parameters, dtype=int)[rng.permutation(net.parameters)[:3]]
    for direction in (*units, *rng.integers(0, P, (3, net.parameters))):
        moved = value_modulo_square(net, point + P * direction.astype(object), inputs)
        difference = (moved - start) % P**2
        assert not (difference % P).any()
        assert np.array_equal((difference // P).ravel(), integers(jacobian) @ direction.astype(object) % P)


POLYNOMIAL = [
    seed for seed in range(200) if (net := random_network(seed)).polynomial and algatt.degree(net).weights <= 60
]
"""The networks of which differences do not cost too much."""


@pytest.mark.sample(5)
@pytest.mark.parametrize("seed", POLYNOMIAL)
def test_values_of_polynomial_networks_have_the_degrees_that_are_told(seed: int) -> None:
    """Differences of one more order vanish, and those of lower order give the derivative by Newton's formula."""
    check_polynomial(Instance(random_network(seed), Weights, PrimeField(P), seed), P)


def test_the_networks_are_of_all_kinds() -> None:
    nets = [random_network(seed) for seed in range(200)]
    text = " ".join(map(repr, nets))
    for word in (
        ">>",
        "Residual",
        "Parallel",
        "2 *",
        "Tie",
        "Named",
        "Linear",
        "Heads",
        "Feedforward",
        "SquareNorm",
        "Rational",
        "Rotary",
        "Window",
    ):
        assert text.count(word) >= 5, word
    assert len(set(nets)) >= 190
    assert len(POLYNOMIAL) >= 40
    assert sum(not net.polynomial for net in nets) >= 40
    assert all(net.algebraic for net in nets)
