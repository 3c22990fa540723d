"""Fibres of networks: dimensions that are known otherwise, and points of them."""

from __future__ import annotations

import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.fields import Elements, Rationals
from algatt.layers import Feedforward, Heads, Power, ReLU, Residual, SiLU, Unnormalized

FIELD = algatt.PrimeField()


def weights(net, field=FIELD, seed=1):
    return algatt.sample(net, algatt.Weights, field=field, seed=seed)


def test_the_dimension_is_that_of_the_orbit():
    """Two unnormalised heads of width 2 without biases: GL(2) for keys and for values, and a factor between both."""
    net = algatt.Network(Residual(Heads(2, score=Unnormalized())), tokens=3, width=4)
    fiber = algatt.fiber(net, weights(net))
    assert (fiber.dimension, fiber.status) == (2 * (4 + 4 + 1), "proven")
    assert fiber.dimension == net.parameters - algatt.dimension(net).value
    assert fiber.failing_hypotheses == ()


def test_over_the_reals_the_dimension_is_numerical():
    """A factor between up and down of each neuron of SwiGLU."""
    net = algatt.Network(Residual(Feedforward(4, SiLU(), gated=True)), tokens=2, width=3)
    fiber = algatt.fiber(net, weights(net, algatt.Reals()))
    assert (fiber.dimension, fiber.status) == (4, "numerical")


def test_points_are_sampled_and_recognised():
    net = algatt.Network(Residual(Heads(2, score=Unnormalized())), tokens=2, width=4)
    theta = weights(net)
    fiber = algatt.fiber(net, theta)
    points = [fiber.sample(seed) for seed in range(3)]
    assert len({*points, theta}) == 4
    assert all(fiber.contains(point) for point in points)
    assert not fiber.contains(weights(net, seed=2))


def test_what_no_symmetry_explains_is_no_dimension():
    """Seven squares in three variables are 18 dimensions, not 35, by counting monomials: 6 quadrics for 3 outputs."""
    net = algatt.Network(Feedforward(7, Power(2)), tokens=1, width=3)
    fiber = algatt.fiber(net, weights(net))
    assert (fiber.dimension, fiber.status, fiber.lower) == (None, "unknown", 7)
    (reason,) = fiber.failing_hypotheses
    assert f"{42 - 18 - 7} more directions" in reason
    assert fiber.contains(fiber.sample(3))


def test_without_values_nothing_is_known_beyond_the_orbit():
    net = algatt.Network(Feedforward(2, ReLU()), tokens=1, width=2)
    fiber = algatt.fiber(net, weights(net))
    assert (fiber.dimension, fiber.lower) == (None, 2)
    assert "does not have" in fiber.failing_hypotheses[0]
    with pytest.raises(InvalidArgument, match="no function"):
        fiber.contains(fiber.sample(3))
    rational = weights(net).replace([Elements.of(Rationals(), one.raw.astype(int)) for one in weights(net).elements])
    fiber = algatt.fiber(net, rational)
    assert (fiber.dimension, fiber.lower) == (None, 2)
    assert fiber.contains(fiber.sample(3))
    with pytest.raises(InvalidArgument, match=r"over a PrimeField, Rationals\(\) or Reals\(\)"):
        algatt.fiber(net, algatt.sample(net, algatt.Weights, field=algatt.Balls()))
