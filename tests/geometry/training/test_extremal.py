"""Balanced weights, and gradients that are orthogonal to fibres."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt.errors import InvalidArgument, NoSolution
from algatt.fields import Elements, PrimeField, Reals
from algatt.maps import pull_back
from training_networks import NETWORKS

R, F = Reals(), PrimeField()

SEVERAL = ("layer norm", "block", "biases", "linear")
"""Networks with families whose motions are not symmetric, or divide by gains, or move what nothing reads."""


@pytest.mark.parametrize("name", NETWORKS)
def test_the_function_stays_and_no_symmetry_makes_weights_shorter(name: str) -> None:
    arch = NETWORKS[name]
    theta = algatt.sample(arch, algatt.Weights, field=R, seed=1)
    found = algatt.extremal(arch, theta)
    assert found.difference < 1e-12
    assert found.after <= found.before
    x = algatt.flatten(found.theta)
    assert found.after == pytest.approx(x @ x, rel=1e-14)
    for family in algatt.symmetries(arch):
        tangents = family.tangents(found.theta)
        if name not in SEVERAL:
            assert np.abs(tangents @ x).max(initial=0) < 1e-10 * found.after


def test_one_linear_rank_one_product_by_hand() -> None:
    """Of u v with numbers u and v, the least norm has |u| = |v|, and is 2 |u v|."""
    arch = algatt.Network(algatt.layers.Linear(1) >> algatt.layers.Linear(1), tokens=1, width=1)
    theta = algatt.unflatten(arch, algatt.Weights, np.array([8.0, 0.5]))
    found = algatt.extremal(arch, theta)
    assert np.allclose(np.abs(algatt.flatten(found.theta)), 2)
    assert (found.before, found.after) == (64.25, pytest.approx(8))


def test_queries_and_keys_have_the_least_norm_of_their_product() -> None:
    """min |Q|^2 + |K|^2 with K^T Q = M is twice the sum of the singular values of M (the nuclear norm)."""
    arch = NETWORKS["softmax"]
    theta = algatt.sample(arch, algatt.Weights, field=R, seed=4)
    found = algatt.extremal(arch, theta).theta.tensors
    Q, K = (found[name].public() for name in ("Q_1", "K_1"))
    singular_values = np.linalg.svd(K.T @ Q, compute_uv=False)
    assert np.sum(Q**2) + np.sum(K**2) == pytest.approx(2 * singular_values.sum(), rel=1e-10)


def test_a_least_norm_that_is_not_attained() -> None:
    """A neuron that is read and writes nothing: its weights may shrink without end."""
    arch = NETWORKS["relu"]
    theta = algatt.sample(arch, algatt.Weights, field=R, seed=0)
    x = algatt.flatten(theta).copy()
    x[12:] = 0  # down
    with pytest.raises(NoSolution, match="least norm was not reached"):
        algatt.extremal(arch, algatt.unflatten(arch, algatt.Weights, x), steps=10)


@pytest.mark.parametrize("name", ["lightning", "deep lightning", "linear", "squares"])
def test_gradients_are_orthogonal_to_fibres_exactly(name: str) -> None:
    """Over GF(p), at random weights: the gradient of any function of the values, and all tangents of symmetries."""
    arch = NETWORKS[name]
    theta = algatt.sample(arch, algatt.Weights, field=F, seed=5)
    X = Elements.of(F, algatt.sample_inputs(arch, field=F, count=3))
    cotangents = Elements(F, algatt.verbs.draw_array(F, shape=(3, *arch.output_shape), seed=0, label="loss"))
    gradient = pull_back(arch, theta, X, cotangents)
    assert gradient.raw.any()
    for family in algatt.symmetries(arch):
        assert not (gradient @ family.tangent_elements(theta).T).raw.any()


def test_bad_input() -> None:
    arch = NETWORKS["softmax"]
    theta = algatt.sample(arch, algatt.Weights, field=R, seed=0)
    with pytest.raises(InvalidArgument, match="tolerance was 0"):
        algatt.extremal(arch, theta, tolerance=0)
    with pytest.raises(InvalidArgument, match="over the reals"):
        algatt.extremal(NETWORKS["lightning"], algatt.sample(NETWORKS["lightning"], algatt.Weights, field=F, seed=0))
    with pytest.raises(InvalidArgument, match="theta was None"):
        algatt.extremal(arch, None)
