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
