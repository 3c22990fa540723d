"""Total energy (P, arXiv 2605.04279; the rate is derived): dE/dt = (1/n) sum |x_i'|^2 under score symmetry and value
alignment.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import algatt
from algatt.dynamics import random_tokens
from algatt.dynamics.statements import check_falling_softmax_energy, check_total_energy_rate


def heads(seed, count, d, symmetric=True):
    matrices = np.random.default_rng(seed).standard_normal((count, d, d)) / d
    return [algatt.dynamics.MatrixHead(M + M.T if symmetric else M) for M in matrices]


def rate_written_out(flow, X):
    """(1/n) sum_i |P v_i|^2 with v_i = (1/n) sum_h sum_j w(beta x_i M_h x_j) M_h x_j, in einsum."""
    M = np.stack([head.M for head in flow.heads])
    n = X.shape[1]
    u = flow.beta * np.einsum("ai,hab,bj->hij", X, M, X)
    w = np.maximum(u, 0) if flow.weights == algatt.layers.Unnormalized(algatt.layers.ReLU()) else np.exp(u)
    v = np.einsum("hij,hab,bj->ai", w, M, X) / n
    radial = np.einsum("ai,ai->i", X, v) if isinstance(flow, algatt.dynamics.SphereFlow) else np.zeros(n)
    return (np.einsum("ai,ai->", v, v) - np.einsum("i,i->", radial, radial)) / n


@pytest.mark.parametrize("kind", [algatt.dynamics.SphereFlow, algatt.dynamics.FlatFlow])
@pytest.mark.parametrize(
    "weights",
    [algatt.layers.Unnormalized(algatt.layers.Exponential()), algatt.layers.Unnormalized(algatt.layers.ReLU())],
    ids=repr,
)
@given(
    seed=st.integers(0, 10**6),
    count=st.integers(1, 4),
    d=st.integers(2, 6),
    n=st.integers(2, 9),
    beta=st.floats(0.05, 3),
)
def test_the_rate_is_the_mean_square_speed(kind, weights, seed, count, d, n, beta):
    flow, X = kind(heads(seed, count, d), weights, beta), random_tokens(n, d, seed=seed)
    expected = rate_written_out(flow, X)
    assert algatt.dynamics.energy_rate(flow, X).sum() == pytest.approx(expected, rel=1e-10, abs=1e-13)
    assert expected >= -1e-13
    assert check_total_energy_rate(flow, X).verdict == "holds"


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "weights",
    [algatt.layers.Unnormalized(algatt.layers.Exponential()), algatt.layers.Unnormalized(algatt.layers.ReLU())],
    ids=repr,
)
def test_the_total_energy_grows_along_a_run(weights):
    run = algatt.dynamics.integrate(
        algatt.dynamics.SphereFlow(heads(1, 3, 4), weights, 1.0), random_tokens(12, 4), until=3.0
    )
    assert np.diff(run.total_energies).min() > -1e-12
    flat = algatt.dynamics.integrate(
        algatt.dynamics.FlatFlow(heads(1, 3, 4), weights, 0.2), random_tokens(12, 4), until=0.5
    )
    assert np.diff(flat.total_energies).min() > 0


def test_the_gradient_of_the_energy_is_the_velocity_of_the_flat_flow():
    flow, X = algatt.dynamics.FlatFlow(heads(3, 3, 4), beta=0.8), random_tokens(6, 4)
    assert np.allclose(
        algatt.dynamics.energy_gradient(flow, X).sum(axis=0) * 6, algatt.dynamics.velocity(flow, X), rtol=1e-12
    )


def test_without_score_symmetry_the_energy_can_fall():
    """One head with a skew-symmetric part: the rate is no square."""
    rates = [
        algatt.dynamics.energy_rate(
            algatt.dynamics.SphereFlow(heads(seed, 1, 3, symmetric=False), beta=2.0), random_tokens(3, 3, seed=seed)
        ).sum()
        for seed in range(40)
    ]
    assert min(rates) < -1e-4
    assert (
        check_total_energy_rate(
            algatt.dynamics.SphereFlow(heads(0, 1, 3, symmetric=False)), random_tokens(3, 3)
        ).verdict
        == "does not apply"
    )


def test_without_value_alignment_the_energy_falls_for_values_of_the_opposite_sign():
    M = np.diag([1.0, 0.5, 0.2])
    flow = algatt.dynamics.SphereFlow((algatt.dynamics.MatrixHead(M, -M),))
    assert algatt.dynamics.energy_rate(flow, random_tokens(5, 3)).sum() < -1e-3
    assert check_total_energy_rate(flow, random_tokens(5, 3)).verdict == "does not apply"


def test_softmax_with_one_head_grows_at_another_rate():
    """The normalisation Z_i / n of each token enters: dE/dt = (1/n) sum (Z_i / n) |P v_i|^2 (derived)."""
    M = np.diag([1.0, 0.5, -0.7])
    flow, X = (
        algatt.dynamics.SphereFlow((algatt.dynamics.MatrixHead(M),), algatt.layers.Exponential(), 1.3),
        random_tokens(7, 3),
    )
    Z = np.exp(1.3 * X.T @ M @ X).sum(axis=1)
    v = algatt.dynamics.velocity(flow, X)
    assert algatt.dynamics.energy_rate(flow, X).sum() == pytest.approx(
        (Z / 7 * (v * v).sum(axis=0)).sum() / 7, rel=1e-12
    )
    assert check_total_energy_rate(flow, X).verdict == "does not apply"


def test_softmax_with_two_orthogonal_heads_can_lose_energy():
    """Tokens on the circle by their angles alone: the energy along the flow, by central differences (derived)."""
    beta, angles = 4.0, np.radians([10.0, 90.0])

    def energy(theta):
        return sum(np.exp(beta * np.outer(x, x)).sum() for x in (np.cos(theta), np.sin(theta))) / (2 * beta * 4)

    def turning(theta):
        pulls = []
        for x in (np.cos(theta), np.sin(theta)):
            w = np.exp(beta * np.outer(x, x))
            pulls.append(w @ x / w.sum(axis=1))
        return -np.sin(theta) * pulls[0] + np.cos(theta) * pulls[1]

    step = 1e-5
    slope = (energy(angles + step * turning(angles)) - energy(angles - step * turning(angles))) / (2 * step)
    check = check_falling_softmax_energy()
    assert slope < -0.5
    assert check.margin == pytest.approx(-slope, rel=1e-7)
    assert check.verdict == "holds"


@pytest.mark.sample(0)
def test_softmax_with_several_heads_loses_energy_in_a_long_run():
    """Five orthogonal heads: after the tokens have clustered the energy falls for a long time."""
    axes = np.eye(10)
    flow = algatt.dynamics.SphereFlow(
        tuple(algatt.dynamics.ProjectorHead(axes[:, 2 * h : 2 * h + 2]) for h in range(5)),
        algatt.layers.Exponential(),
        beta=9.0,
    )
    run = algatt.dynamics.integrate(flow, random_tokens(40, 10), until=200.0, samples=21, tolerance=1e-6)
    assert run.total_energies[-1] < 0.99 * run.total_energies.max()
