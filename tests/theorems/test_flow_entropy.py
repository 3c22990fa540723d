"""Entropy of attention (derived identity): dS_i/dt = -beta^2 Cov(s, ds/dt); it grows for equiangular tokens, and falls
for others.
"""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import algatt
from algatt.dynamics import cosine_at, equiangular_tokens, normalised, random_tokens
from algatt.dynamics.statements import check_entropy_rate, check_equiangular_entropy, check_falling_entropy


@pytest.mark.parametrize("kind", [algatt.dynamics.SphereFlow, algatt.dynamics.FlatFlow])
@pytest.mark.parametrize(
    "weights",
    [
        algatt.layers.Unnormalized(algatt.layers.Exponential()),
        algatt.layers.Exponential(),
        algatt.layers.Unnormalized(algatt.layers.ReLU()),
    ],
    ids=repr,
)
@settings(max_examples=15)
@example(seed=298, n=2, beta=1.0)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 7), beta=st.floats(0.1, 2))
def test_the_covariance_identity(kind, weights, seed, n, beta):
    rng = np.random.default_rng(seed)
    M, V = rng.standard_normal((2, 3, 3))
    X = random_tokens(n, 3, seed=seed)
    flow = kind((algatt.dynamics.MatrixHead(M, V), algatt.dynamics.ScalarHead(0.5)), weights, beta)
    v = algatt.dynamics.velocity(flow, X)
    s, slope = X.T @ M @ X, v.T @ M @ X + X.T @ M @ v
    p = np.exp(beta * s) / np.exp(beta * s).sum(axis=1, keepdims=True)
    covariance = (p * s * slope).sum(axis=1) - (p * s).sum(axis=1) * (p * slope).sum(axis=1)
    scale = beta**2 * np.abs(s).max() * np.abs(slope).max()
    assert algatt.dynamics.entropy_rate(flow, X)[0] == pytest.approx(
        -(beta**2) * covariance, rel=1e-10, abs=1e-12 * scale
    )
    at_rest = np.abs(v).max() < 1e-14  # where all weights are zero, what moves is rounding
    assert check_entropy_rate(flow, X).verdict in (("holds", "undecided") if at_rest else ("holds",))


@given(n=st.integers(2, 9), g=st.floats(-0.05, 0.99), beta=st.floats(0.1, 3), strength=st.floats(0.1, 2))
def test_equiangular_tokens(n, g, beta, strength):
    flow = algatt.dynamics.EquiangularFlow((strength,), n, beta=beta)
    p = math.exp(beta * strength) / (math.exp(beta * strength) + (n - 1) * math.exp(beta * strength * g))
    speed = 2 / n * (1 - g) * (1 + (n - 1) * g) * strength * math.exp(beta * strength * g)
    expected = beta**2 * strength**2 * p * (1 - p) * (1 - g) * speed
    assert algatt.dynamics.entropy_rate(flow, g)[0] == pytest.approx(expected, rel=1e-10)
    assert np.allclose(
        algatt.dynamics.entropy_rate(flow.full, equiangular_tokens(n, n, g)), expected, rtol=1e-8, atol=1e-11
    )
    assert check_equiangular_entropy(flow, g).verdict == "holds"


def test_along_a_run_of_equiangular_tokens_the_entropy_grows_to_ln_n():
    flow = algatt.dynamics.EquiangularFlow((1.0, 0.5), 6, beta=2.0)
    run = algatt.dynamics.integrate(flow.full, equiangular_tokens(6, 6, 0.0), until=4.0)
    assert (np.diff(run.entropies[run.times < 1], axis=0) > 0).all()
    assert np.allclose(run.entropies[-1], math.log(6), atol=1e-3)
    assert np.allclose(
        run.entropies[:, :, 0], algatt.dynamics.entropy(flow, cosine_at(flow, 0.0, run.times)).T, atol=1e-8
    )


def angle_written_out(weights):
    """The entropies of three tokens on the circle at 0, 30, 180 degrees as functions of the angles, differentiated by
    hand along the angles' flow.
    """
    angles = np.radians([0.0, 30.0, 180.0])
    cosines = np.cos(angles[:, None] - angles[None, :])
    sines = np.sin(angles[None, :] - angles[:, None])  # j's pull on the angle of i
    w = np.exp(cosines)
    w = w / w.sum(axis=1, keepdims=True) if weights == algatt.layers.Exponential() else w / 3
    turning = (w * sines).sum(axis=1)
    slope = sines * (turning[:, None] - turning[None, :])
    p = np.exp(cosines) / np.exp(cosines).sum(axis=1, keepdims=True)
    return -((p * cosines * slope).sum(axis=1) - (p * cosines).sum(axis=1) * (p * slope).sum(axis=1))


@pytest.mark.parametrize(
    "weights", [algatt.layers.Unnormalized(algatt.layers.Exponential()), algatt.layers.Exponential()], ids=repr
)
def test_a_configuration_where_all_entropies_fall(weights):
    angles = np.radians([0.0, 30.0, 180.0])
    flow = algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0),), weights)
    X = normalised(np.stack([np.cos(angles), np.sin(angles)]))
    rates = algatt.dynamics.entropy_rate(flow, X)[0]
    assert (rates < -1e-3).all()
    assert np.allclose(rates, angle_written_out(weights), rtol=1e-10)
    assert check_falling_entropy(weights=weights).verdict == "holds"
    run = algatt.dynamics.integrate(flow, X, until=0.2)
    assert (np.diff(run.entropies[:, 0], axis=0) < 0).all()


def test_heads_that_repel_have_falling_entropy_and_are_outside_of_the_statement():
    flow = algatt.dynamics.EquiangularFlow((-1.0,), 5, beta=1.0)
    assert check_equiangular_entropy(flow, 0.3).verdict == "does not apply"
    assert algatt.dynamics.entropy_rate(flow, 0.3)[0] < 0
