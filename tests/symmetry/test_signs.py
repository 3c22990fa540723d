"""Signs of coordinates: found in the expression, and tested by values."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt.layers import (
    GELU,
    Activation,
    Causal,
    Embedding,
    Feedforward,
    Heads,
    LayerNorm,
    Power,
    ReLU,
    Residual,
    RMSNorm,
    Rotary,
    SiLU,
    Tanh,
    Unembedding,
)
from algatt.symmetry import CoordinateSigns, discrete_symmetries

SIGNED = {
    "tanh": (algatt.Network(Feedforward(3, Tanh()), 2, 2), {"up": 0, "down": 1}),
    "tanh with biases": (algatt.Network(Feedforward(3, Tanh(), bias=True), 2, 2), {"up": 0, "b_up": 0, "down": 1}),
    "squares": (algatt.Network(Feedforward(3, Power(2)), 2, 2), {"up": 0}),
    "cubes": (algatt.Network(Feedforward(3, Power(3)), 2, 2), {"up": 0, "down": 1}),
    "gated": (algatt.Network(Feedforward(3, GELU(), gated=True), 2, 2), {"up": 0, "down": 1}),
}
"""Networks with one hidden layer, and the sides of its tensors that change sign together."""

UNSIGNED = {
    "GELU": algatt.Network(Feedforward(3, GELU()), 2, 2),
    "SiLU": algatt.Network(Feedforward(3, SiLU()), 2, 2),
    "ReLU": algatt.Network(Feedforward(3, ReLU(), bias=True), 2, 2),
    "LayerNorm": algatt.Network(Residual(Feedforward(3, ReLU())) >> LayerNorm(), 2, 4),
    "rotary": algatt.Network(Heads(1, width=4, norm=RMSNorm(), position=Rotary(), output=False), 3, 4),
}

NETWORKS = [
    *(net for net, _ in SIGNED.values()),
    *UNSIGNED.values(),
    algatt.Network(Residual(Heads(2, width=3, norm=RMSNorm(), mask=Causal())), 3, 4),
    algatt.Network(Residual(Heads(2, width=3, norm=LayerNorm())), 2, 4),
    algatt.Network(
        Embedding(5, 4)
        >> Residual(Heads(2))
        >> RMSNorm()
        >> Residual(Feedforward(3, Tanh()))
        >> RMSNorm()
        >> Unembedding(5),
        3,
    ),
    algatt.Network(RMSNorm() >> Residual(Feedforward(3, Tanh(), gated=True, bias=True)) >> RMSNorm(), 2, 3),
    *(
        algatt.Network(Feedforward(3, one), 2, 2)
        for family in Activation.__subclasses__()
        for one, _ in family.examples()
    ),
]


def signs(net):
    return [one for one in discrete_symmetries(net) if isinstance(one, CoordinateSigns)]


@pytest.mark.parametrize("name", SIGNED)
def test_neurons_with_odd_and_even_activations_may_change_their_signs(name):
    net, expected = SIGNED[name]
    (found,) = signs(net) if name != "gated" else [one for one in signs(net) if len(one.sides) == 2]
    assert dict(found.sides) == {f"feedforward.{tensor}": axis for tensor, axis in expected.items()}
    assert found.size == len(found.elements(algatt.PrimeField())) == 3


@pytest.mark.parametrize("name", UNSIGNED)
def test_others_may_not(name):
    assert not signs(UNSIGNED[name])


def test_normed_queries_change_their_signs_with_the_keys():
    found = {frozenset(one.sides) for one in signs(algatt.Network(Heads(2, width=3, norm=RMSNorm()), 2, 4))}
    for head in (1, 2):
        assert frozenset({(f"heads.Q_{head}", 0), (f"heads.K_{head}", 0)}) in found


@pytest.mark.parametrize("net", NETWORKS, ids=str)
def test_signs_change_weights_and_no_value(net):
    field = algatt.Reals()
    theta = algatt.sample(net, algatt.Weights, field=field, seed=1)
    X = algatt.sample_inputs(net, field=field, seed=2, count=3)
    for symmetry in signs(net):
        for one in symmetry.elements(field):
            assert algatt.act(one, theta) != theta
            assert np.allclose(algatt.evaluate(net, algatt.act(one, theta), X), algatt.evaluate(net, theta, X))


def test_fibres_have_points_of_other_signs():
    net, _ = SIGNED["tanh"]
    theta = algatt.sample(net, algatt.Weights, field=algatt.Reals(), seed=1)
    up = theta.tensors["feedforward.up"].raw
    images = [algatt.fiber(net, theta).sample(seed).tensors["feedforward.up"].raw for seed in range(6)]
    negated = [any(np.allclose(-row, other) for other in image) for image in images for row in up]
    assert any(negated)
    assert not all(negated)
