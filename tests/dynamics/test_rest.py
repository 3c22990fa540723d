"""Runs whose speeds rounding decides, steps too short for the floats at their time, and bounds of errors."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import algatt
from algatt.dynamics import (
    EquiangularFlow,
    FlatFlow,
    ScalarHead,
    SphereFlow,
    clustering_time,
    normalised,
    random_tokens,
)
from algatt.layers import Causal, Exponential, ReLU, Unnormalized

SOFTMAX = SphereFlow((ScalarHead(1.0),), Exponential())

PAIR = normalised([[1.0, 0.2], [0.0, 1.0]])


def on_circle(*angles):
    return np.array([np.cos(angles), np.sin(angles)])


@pytest.mark.sample(1)
@pytest.mark.parametrize("weights", [Exponential(), Unnormalized(Exponential())], ids=repr)
@pytest.mark.parametrize("beta", [20.0, 25.0, 40.0, 60.0, 100.0])
def test_two_tokens_come_together_in_the_time_of_the_scalar_equation(beta, weights):
    """Softmax at beta 20 took 54,114 steps, and beta 25 did not end; others never moved, or were said to blow up."""
    flow = SphereFlow((ScalarHead(1.0),), weights, beta)
    run = algatt.dynamics.integrate(flow, PAIR, until=1e40, clustered=1e-6, samples=2)
    assert run.ending == "clustered"
    assert run.steps < 700
    # 1 - cos(a) = 1e-6 for the half angle a
    scalar = EquiangularFlow((1.0,), tokens=2, weights=weights, beta=beta)
    expected = clustering_time(scalar, float(PAIR[:, 0] @ PAIR[:, 1]), 2 * (1 - 1e-6) ** 2 - 1)
    assert run.times[-1] == pytest.approx(expected, rel=1e-8)
    assert algatt.dynamics.distance_from_cluster(run.final) <= 1.002e-6


@pytest.mark.sample(0)
def test_the_states_of_an_implicit_method_follow_steps_shorter_than_the_time_has_digits():
    flow = SphereFlow((ScalarHead(1.0),), beta=60.0)
    run = algatt.dynamics.integrate(flow, PAIR, until=1.0, clustered=1e-6, method="LSODA")
    assert run.ending == "clustered"
    assert (np.diff(run.times) > 0).all()
    assert run.final.shape == PAIR.shape


def test_a_run_that_leaves_an_equilibrium_by_rounding_is_undecided():
    for tokens in (on_circle(0.3, 0.3 + np.pi), on_circle(*(0.3 + 2 * np.pi / 3 * k for k in range(3)))):
        run = algatt.dynamics.integrate(SOFTMAX, tokens, until=1e4, clustered=1e-6)
        assert run.ending == "undecided"
        assert 1e-6 < np.abs(run.final - tokens).max() < 1e-3
        assert "rounding" in run._repr_html_()
        assert "rounding" in run._repr_html_()


def test_an_event_in_the_step_in_which_a_run_leaves_an_equilibrium_by_rounding_is_undecided():
    """1 - cos(pi / 2 - a) is the level for a = 1.5e-6, and a place is left at 1e-6."""
    tokens = on_circle(0.3, 0.3 + np.pi)
    run = algatt.dynamics.integrate(SOFTMAX, tokens, until=1e4, clustered=1 - 1.5e-6)
    assert run.ending == "undecided"


def test_a_run_that_leaves_an_equilibrium_by_more_than_rounding_is_decided():
    run = algatt.dynamics.integrate(SOFTMAX, on_circle(0.3, 0.3 + np.pi - 1e-9), until=1e4, clustered=1e-6)
    assert run.ending == "clustered"


def test_opposite_floats_are_at_rest():
    x = random_tokens(1, 3)
    tokens = np.hstack([x, -x])
    assert algatt.dynamics.integrate(SOFTMAX, tokens, until=1e4).ending == "until"
    assert algatt.dynamics.integrate(SOFTMAX, tokens, until=1e12).ending == "until"
    run = algatt.dynamics.integrate(SOFTMAX, tokens, until=1e4, stationary=1e-300)
    assert (run.ending, run.times[-1]) == ("stationary", 0.0)


def test_runs_that_come_to_rest_are_decided():
    """Repulsive tokens come to opposite places, attractive ones to one place, and stay there."""
    repulsive = SphereFlow((ScalarHead(-1.0),), Exponential())
    assert algatt.dynamics.integrate(repulsive, PAIR, until=1e3).ending == "until"
    assert algatt.dynamics.integrate(SOFTMAX, PAIR, until=1e3).ending == "until"
    assert algatt.dynamics.integrate(SOFTMAX, PAIR, until=1e3, stationary=1e-10).ending == "stationary"


def test_rest_that_is_longer_than_rounding_allows_is_undecided():
    """exp(30) times the rounding of a projector that does not fit its float: speeds of 10^-3 are as good as none."""
    turned = np.array([[np.cos(0.3)], [np.sin(0.3)]])
    flow = SphereFlow((algatt.dynamics.ProjectorHead(turned),), beta=30.0)
    assert (algatt.dynamics.velocity_errors(flow, turned) > 1e-4).all()
    for stationary in (None, 1e-6):
        run = algatt.dynamics.integrate(flow, turned, until=10.0, stationary=stationary)
        assert run.ending == "undecided"


@pytest.mark.sample(0)
def test_random_tokens_at_beta_60_are_not_stationary():
    """Their fastest one has a speed of 6.8e7."""
    flow, X = SphereFlow((ScalarHead(1.0),), beta=60.0), random_tokens(8, 3)
    speeds = np.linalg.norm(algatt.dynamics.velocity(flow, X), axis=0)
    assert speeds.max() > 1e7
    assert (algatt.dynamics.velocity_errors(flow, X) < 1e-10 * speeds).all()
    run = algatt.dynamics.integrate(flow, X, until=1e-14, stationary=1e-6, clustered=1e-6)
    assert (run.ending, run.times[-1]) == ("until", 1e-14)


def test_nothing_blows_up_where_attention_sees_directions():
    def error(flow):
        run = algatt.dynamics.integrate(flow, PAIR, until=0.1)
        return str(algatt.errors.IntegrationFailed(0.1, "the step size collapsed", run))

    assert "blow up" not in error(SOFTMAX)
    assert "blow up" not in error(algatt.dynamics.PreNormFlow((ScalarHead(1.0),)))
    assert "blow up" in error(algatt.dynamics.FlatFlow((ScalarHead(1.0),)))


@pytest.mark.parametrize("kind", [SphereFlow, algatt.dynamics.FlatFlow, algatt.dynamics.PreNormFlow])
@pytest.mark.parametrize("weights", [Exponential(), Unnormalized(Exponential()), Unnormalized(ReLU())], ids=repr)
@pytest.mark.parametrize("mask", [None, Causal()], ids=repr)
def test_error_bounds_hold_against_longer_floats_and_are_not_empty(kind, weights, mask):
    """By the definition in extended precision, at tokens whose force is small beside their pull on themselves."""
    M, V = np.random.default_rng(0).standard_normal((2, 3, 3))
    for head in (ScalarHead(1.0), algatt.dynamics.MatrixHead(M, V)):
        flow, X = kind((head,), weights, 20.0, mask), random_tokens(5, 3, seed=2)
        errors = algatt.dynamics.velocity_errors(flow, X)
        long = X.astype(np.longdouble)
        if kind is algatt.dynamics.PreNormFlow:
            long = long / np.sqrt((long * long).sum(axis=0))
        A, B = (matrix.astype(np.longdouble) for matrix in head.matrices(3))
        scores = 20 * (long.T @ (A @ long))
        pairs = np.maximum(scores, 0) if weights == Unnormalized(ReLU()) else np.exp(scores)
        pairs = np.tril(pairs) if mask is not None else pairs
        pairs = pairs / (pairs.sum(axis=1, keepdims=True) if weights == Exponential() else 5)
        force = (B @ long) @ pairs.T
        if kind is SphereFlow:
            force = force - long * ((long * force).sum(axis=0) / (long * long).sum(axis=0))
        own = 2.0**-60 * np.abs(pairs).sum(axis=1) * 100  # of the longer floats
        differences = np.sqrt(np.square(algatt.dynamics.velocity(flow, X) - force).sum(axis=0))
        assert (differences <= errors + own).all()
        sizes = np.linalg.norm(V) * np.abs(pairs).sum(axis=1) if isinstance(head, algatt.dynamics.MatrixHead) else 1e9
        assert (errors <= 1e-10 * sizes).all()


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("beta", "strength", "temperature"),
    [(1e-6, 1.0, 1), (600.0, 1.0, 1), (1e-6, 1e3, 1), (6.0, 1.0, Fraction(1, 100))],
    ids=["of the sums", "of the scores", "of the values", "of the temperature"],
)
def test_error_bounds_hold_where_one_cause_makes_the_errors(beta, strength, temperature):
    """Against sums of differences in extended precision; each bound is reached up to a factor of 100."""
    flow, nearest = SphereFlow((ScalarHead(strength),), Unnormalized(Exponential(temperature)), beta), 0.0
    for seed in range(60):
        X = random_tokens(2 + seed % 3, 2 + seed % 2, seed=seed)
        long, n = X.astype(np.longdouble), X.shape[1]
        weights = np.exp(np.longdouble(beta) * strength * (long.T @ long) / float(temperature)) * strength / n
        force = np.stack([((long - long[:, [i]]) * weights[i]).sum(axis=1) for i in range(n)], axis=1)
        force -= long * ((long * force).sum(axis=0) / np.square(long).sum(axis=0))
        differences = np.sqrt(np.square(algatt.dynamics.velocity(flow, X) - force).sum(axis=0, dtype=np.longdouble))
        errors = algatt.dynamics.velocity_errors(flow, X)
        assert (differences <= errors).all()
        nearest = max(nearest, float((differences / errors).max()))
    assert nearest > 0.01


def test_tokens_are_not_stationary_where_errors_are_larger_than_the_level_and_speeds_are_not():
    turned = np.array([[np.cos(0.3)], [np.sin(0.3)]])
    flow = SphereFlow((algatt.dynamics.ProjectorHead(turned),), beta=30.0)
    speed, error = (
        np.linalg.norm(algatt.dynamics.velocity(flow, turned)),
        algatt.dynamics.velocity_errors(flow, turned)[0],
    )
    level = 0.5 * float(speed + error)
    assert speed < level < error
    assert algatt.dynamics.integrate(flow, turned, until=1e-10, stationary=level).ending == "undecided"


def test_a_token_at_rest_beside_one_that_moves_leaves_the_run_decided():
    """The first token behind a causal mask is at rest, and the other one comes to it."""
    for kind in (Exponential(), Unnormalized(Exponential())):
        flow = SphereFlow((ScalarHead(1.0),), kind, 4.0, Causal())
        assert algatt.dynamics.integrate(flow, PAIR, until=1e4, clustered=1e-6).ending == "clustered"


def test_softmax_tokens_far_out_attend_to_themselves_without_an_error_of_their_scores():
    """Scores of 10^16 are rounded by 1, but a weight that is 1 stays 1: each token is its own velocity."""
    X = 1e8 * random_tokens(4, 3, seed=3)
    flow = FlatFlow((ScalarHead(1.0),), Exponential())
    np.testing.assert_allclose(algatt.dynamics.velocity(flow, X), X, rtol=1e-13)
    assert (algatt.dynamics.velocity_errors(flow, X) < 1e-12 * np.linalg.norm(X, axis=0)).all()
