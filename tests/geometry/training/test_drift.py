"""Drift of conserved quantities along steps of finite size."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.fields import Elements, Reals
from algatt.maps import pull_back
from training_networks import NETWORKS

R = Reals()


def gradient_at(arch, theta, X, Y):
    errors = Elements(R, algatt.verbs.evaluate(arch, theta, X).raw - Y)
    return pull_back(arch, theta, X, errors).raw.sum(axis=0)


@pytest.mark.parametrize("name", ["softmax", "biases", "block"])
def test_a_step_of_gradient_descent(name: str) -> None:
    """h(theta - eta g) - h(theta) = eta^2 g A g / 2 for a law with the matrix A, since <A theta + c, g> = 0."""
    arch = NETWORKS[name]
    theta = algatt.sample(arch, algatt.Weights, field=R, seed=0)
    generator = np.random.default_rng(1)
    X = Elements(R, generator.normal(size=(4, *arch.input_shape)))
    g = gradient_at(arch, theta, X, generator.normal(size=(4, *arch.output_shape)))
    moved = algatt.unflatten(arch, algatt.Weights, algatt.flatten(theta) - 0.1 * g)
    found = algatt.geometry.drift(arch, [theta, moved])
    expected = np.array([0.005 * g @ law.matrix @ g for law in found.laws])
    assert found.changes.shape == (2, len(found.laws))
    assert not found.changes[0].any()
    assert np.allclose(found.changes[1], expected, rtol=1e-9, atol=1e-12)
    assert np.abs(expected).max() > 1e-4


def test_half_the_step_drifts_half_as_far_and_another_run_is_seen() -> None:
    """Over one time: twice as many steps, each with a quarter of the change."""
    arch = NETWORKS["softmax"]
    theta, other = (algatt.sample(arch, algatt.Weights, field=R, seed=seed) for seed in (0, 1))
    generator = np.random.default_rng(2)
    X, Y = Elements(R, generator.normal(size=(4, *arch.input_shape))), generator.normal(size=(4, *arch.output_shape))
    drifts = []
    for steps in (100, 200):
        run = [theta]
        for _ in range(steps):
            x = algatt.flatten(run[-1]) - 0.05 / steps * gradient_at(arch, run[-1], X, Y)
            run.append(algatt.unflatten(arch, algatt.Weights, x))
        drifts.append(algatt.geometry.drift(arch, run).largest)
    assert drifts[0] / drifts[1] == pytest.approx(2, rel=0.05)
    found = algatt.geometry.drift(arch, [*run, other])
    assert found.largest > 100 * drifts[0]
    assert set(found.quantities) == {law.quantity for law in found.laws}
    assert found.to_dict()["largest"] == found.largest


def descend(step, arch, theta, X, Y, steps: int) -> float:
    """Return the drift along steps that have a state."""
    x, state = algatt.flatten(theta), {"m": 0.0, "v": 0.0}
    for number in range(1, steps + 1):
        point = algatt.unflatten(arch, algatt.Weights, x)
        x = x - step(gradient_at(arch, point, X, Y), state, number)
    return float(algatt.geometry.drift(arch, [theta, algatt.unflatten(arch, algatt.Weights, x)]).largest)


def momentum(rate: float, decay: float = 0.9):
    def step(g, state, number):
        state["m"] = decay * state["m"] + g
        return rate * (1 - decay) * state["m"]

    return step


def adam(rate: float):
    def step(g, state, number):
        state["m"], state["v"] = 0.9 * state["m"] + 0.1 * g, 0.999 * state["v"] + 0.001 * g * g
        return rate * (state["m"] / (1 - 0.9**number)) / (np.sqrt(state["v"] / (1 - 0.999**number)) + 1e-8)

    return step


@pytest.mark.sample(0)
def test_momentum_keeps_them_in_the_limit_of_small_steps_and_adam_does_not() -> None:
    """Over one time with half the step: half the drift of momentum, whose limit is gradient flow; that of Adam stays,
    as its limit is the flow of another vector field.
    """
    arch = NETWORKS["softmax"]
    theta = algatt.sample(arch, algatt.Weights, field=R, seed=0)
    generator = np.random.default_rng(2)
    X, Y = Elements(R, generator.normal(size=(4, *arch.input_shape))), generator.normal(size=(4, *arch.output_shape))
    slow, slower = (descend(momentum(0.2 / steps), arch, theta, X, Y, steps) for steps in (400, 800))
    assert slow / slower == pytest.approx(2, rel=0.1)
    fast, faster = (descend(adam(0.2 / steps), arch, theta, X, Y, steps) for steps in (100, 200))
    assert fast / faster == pytest.approx(1, rel=0.1)
    assert faster > 10 * slower


def test_bad_input() -> None:
    arch = NETWORKS["softmax"]
    theta = algatt.sample(arch, algatt.Weights, field=R, seed=0)
    over_residues = algatt.sample(NETWORKS["lightning"], algatt.Weights, field=algatt.PrimeField(31), seed=0)
    with pytest.raises(InvalidArgument, match="trajectory was empty"):
        algatt.geometry.drift(arch, [])
    with pytest.raises(InvalidArgument, match=r"trajectory\[1\] was over GF\(31\); it should be over the reals"):
        algatt.geometry.drift(NETWORKS["lightning"], [theta, over_residues])
    with pytest.raises(InvalidArgument, match="without Q_1"):
        algatt.geometry.drift(arch, [algatt.sample(NETWORKS["relu"], algatt.Weights, field=R, seed=0)])
