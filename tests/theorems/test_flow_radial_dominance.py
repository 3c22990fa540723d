"""Radial dominance (P; this form derived) is sufficient for the energy of a head not to fall; what fails without it; nearly orthogonal heads."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import algatt
from algatt.dynamics import random_tokens
from algatt.dynamics.statements import check_approximate_orthogonality, check_falling_head_energy, check_radial_dominance


def projectors(strengths, rank):
    axes = np.eye(rank * len(strengths))
    return [algatt.ProjectorHead(axes[:, rank * h : rank * (h + 1)], strength) for h, strength in enumerate(strengths)]


def test_dominant_heads_do_not_lose_energy():
    dominant = 0
    for seed in range(150):
        flow = algatt.SphereFlow(projectors((1.0, 0.7), 2), beta=0.4)
        X = random_tokens(6, 4, seed=seed)
        chosen = (algatt.radial_dominance(flow, X) >= 0).all(axis=1)
        assert (algatt.energy_rate(flow, X)[chosen] >= 0).all()
        assert check_radial_dominance(flow, X).verdict == ("holds" if chosen.any() else "does not apply")
        dominant += chosen.sum()
    assert dominant > 30


def test_the_rate_is_at_least_the_mean_margin():
    for seed in range(30):
        flow, X = algatt.SphereFlow(projectors((1.0, 0.7), 2), beta=0.9), random_tokens(6, 4, seed=seed)
        assert (algatt.energy_rate(flow, X) >= algatt.radial_dominance(flow, X).sum(axis=1) / 6**3 - 1e-14).all()


def test_dominance_is_not_necessary():
    flow = algatt.SphereFlow(projectors((1.0, 0.7), 2), beta=0.9)
    growing = [
        (algatt.energy_rate(flow, X) > 0) & (algatt.radial_dominance(flow, X) < 0).any(axis=1)
        for X in (random_tokens(6, 4, seed=seed) for seed in range(20))
    ]
    assert np.any(growing)


@settings(max_examples=60, deadline=None)
@given(first=st.floats(0.1, 3), second=st.floats(0.1, 3), angle=st.floats(0.05, 1.5), beta=st.floats(0.1, 2))
def test_of_two_orthogonal_heads_at_one_token_exactly_one_loses_energy(first, second, angle, beta):
    a = math.cos(angle) ** 2
    w = [math.exp(beta * first * a) * first, math.exp(beta * second * (1 - a)) * second]
    expected = [w[0] * a * (1 - a) * (w[0] - w[1]), w[1] * a * (1 - a) * (w[1] - w[0])]
    flow = algatt.SphereFlow(projectors((first, second), 1), beta=beta)
    X = np.array([[math.cos(angle)], [math.sin(angle)]])
    assert algatt.energy_rate(flow, X) == pytest.approx(expected, rel=1e-9, abs=1e-12 * max(w) ** 2)
    if abs(w[0] - w[1]) > 1e-6 * max(w):
        assert check_falling_head_energy(first, second, angle, beta=beta).verdict == "holds"


def test_the_example_needs_equal_signs_a_plane_and_unequal_weights():
    # strengths of opposite signs: both rates are positive
    flow = algatt.SphereFlow(projectors((1.0, -0.5), 1))
    X = np.array([[0.6], [0.8]])
    assert (algatt.energy_rate(flow, X) > 0).all()
    assert check_falling_head_energy(1.0, -0.5, 1.0).verdict == "does not apply"
    # a third dimension: both rates are positive
    axes = np.eye(3)
    flow = algatt.SphereFlow((algatt.ProjectorHead(axes[:, :1]), algatt.ProjectorHead(axes[:, 1:2])))
    assert (algatt.energy_rate(flow, np.full((3, 1), 3**-0.5)) > 0).all()
    # weights that are equal: both rates are zero
    assert check_falling_head_energy(1.0, 1.0, math.pi / 4).verdict == "undecided"
    # an axis: both are zero
    assert check_falling_head_energy(1.0, 0.5, 0.0).verdict == "does not apply"


def test_a_head_loses_energy_along_a_whole_run():
    flow = algatt.SphereFlow(projectors((1.0, 0.4), 1))
    run = algatt.integrate(flow, [[math.cos(0.8)], [math.sin(0.8)]], until=2.0)
    assert (np.diff(run.energies[:, 1]) < 0).all()
    assert (np.diff(run.energies[:, 0]) > 0).all()
    assert (np.diff(run.total_energies) > 0).all()


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), noise=st.floats(0, 0.3), n=st.integers(1, 7))
def test_nearly_orthogonal_heads_lose_at_most_what_the_bound_says(seed, noise, n):
    rng = np.random.default_rng(seed)
    matrices = [head.matrices(4)[0] for head in projectors((1.0, 0.8), 2)]
    matrices = [M + noise * (E + E.T) for M, E in zip(matrices, rng.standard_normal((2, 4, 4)), strict=True)]
    flow, X = algatt.SphereFlow([algatt.MatrixHead(M) for M in matrices], beta=0.5), random_tokens(n, 4, seed=seed)
    f = np.stack([np.einsum("ij,aj->ai", np.exp(0.5 * X.T @ M @ X), M @ X) for M in matrices])
    sizes = np.sqrt(np.einsum("hai,hai->hi", f, f))
    pair = sizes[0] * sizes[1]
    epsilon = (np.abs(np.einsum("ai,ai->i", f[0], f[1])) / pair).max()
    s = np.einsum("ai,hai->hi", X, f)
    least = (sizes**2 - s**2 - np.abs(s[0] * s[1]) - epsilon * pair).sum(axis=1) / n**3
    assert (algatt.energy_rate(flow, X) >= least - 1e-12 * (sizes**2).max()).all()
    assert check_approximate_orthogonality(flow, X).holds is not False


def test_the_hypotheses_are_looked_at():
    X = random_tokens(4, 4)
    softmax = algatt.SphereFlow(projectors((1.0, 1.0), 2), algatt.SoftmaxWeights())
    assert check_radial_dominance(softmax, X).verdict == "does not apply"
    assert check_approximate_orthogonality(algatt.SphereFlow(projectors((1.0,), 4)), X).verdict == "does not apply"
