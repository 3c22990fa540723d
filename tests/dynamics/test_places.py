"""Tokens that have come to one place move together: what unnormalised weights of e^60 and more leave to be followed."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt.dynamics import EquiangularFlow, MatrixHead, ScalarHead, SphereFlow, clustering_time, random_tokens
from algatt.dynamics.jacobian import extended_jacobian
from algatt.dynamics.steppers import places_of
from algatt.layers import Causal, Exponential, ReLU, Unnormalized

ANGLES = np.array([0.0, 0.05, 0.12, 1.2, 1.27, 1.31, 1.33])


def on_circle(angles):
    return np.array([np.cos(angles), np.sin(angles)])


def angles_of(tokens):
    return np.arctan2(tokens[1], tokens[0])


@pytest.mark.sample(1)
@pytest.mark.parametrize("method", ["auto", "BDF", "Radau"])
@pytest.mark.parametrize("beta", [40.0, 60.0, 100.0])
def test_two_clusters_on_the_circle_stay_at_the_means_of_their_angles_and_merge_at_the_time_of_two_tokens(beta, method):
    """The pulls a_i' = (1/n) sum_j w_ij sin(a_j - a_i) cancel in the sum over a cluster, and two clusters of any sizes
    come together like two tokens: their pulls are divided by n, and the angle gets both.
    """
    flow, means = SphereFlow((ScalarHead(1.0),), beta=beta), (ANGLES[:3].mean(), ANGLES[3:].mean())
    scalar = EquiangularFlow((1.0,), tokens=2, weights=flow.weights, beta=beta)
    expected = clustering_time(scalar, np.cos(means[1] - means[0]), 0.99)
    tolerance = 1e-10 if method == "auto" else 1e-6
    run = algatt.dynamics.integrate(
        flow,
        on_circle(ANGLES),
        until=1e40,
        clustered=1e-6,
        samples=[1e-5 * expected],
        method=method,
        tolerance=tolerance,
    )
    assert run.ending == "clustered"
    assert run.times[-1] == pytest.approx(expected, rel=1e-6 if method == "auto" else 1e-2)
    assert run.steps < 2000
    clusters = np.repeat(means, (3, 4))
    assert np.abs(angles_of(run.states[1]) - clusters).max() < (1e-6 if method == "auto" else 1e-3)
    # the last cluster is at the mean of all, up to the level at which it is one
    assert np.abs(angles_of(run.final) - ANGLES.mean()).max() < 2e-3
    assert angles_of(run.final).mean() == pytest.approx(ANGLES.mean(), abs=1e-8 if method == "auto" else 1e-3)


@pytest.mark.sample(0)
def test_eight_tokens_at_beta_60_are_at_three_places_whose_speeds_are_those_of_the_definition():
    """LSODA stopped at t = 0.0012 with repeated convergence failures, where pulls of rounding had speeds of 10^9."""
    flow = SphereFlow((ScalarHead(1.0),), beta=60.0)
    run = algatt.dynamics.integrate(flow, random_tokens(8, 3), until=100.0, clustered=1e-6, stationary=1e-6, samples=2)
    assert run.ending == "until"
    assert run.steps < 3000
    places = run.final[:, np.unique(run.final[0], return_index=True)[1]]
    assert places.shape == (3, 3)
    sizes = (run.final[0][:, np.newaxis] == places[0]).sum(axis=0)
    assert sorted(sizes) == [2, 3, 3]
    weights = np.exp(60 * (places.T @ places)) * sizes / 8
    np.fill_diagonal(weights, 0.0)
    force = places @ weights.T
    force -= places * (places * force).sum(axis=0)
    speeds = np.linalg.norm(algatt.dynamics.velocity(flow, run.final), axis=0)
    expected = np.linalg.norm(force, axis=0)
    assert expected.max() < 1e-5
    assert np.unique(speeds) == pytest.approx(np.sort(expected), rel=1e-9)


@pytest.mark.parametrize(
    "heads",
    [(ScalarHead(1.0),), (ScalarHead(1.0), ScalarHead(0.5)), (MatrixHead(np.diag([1.0, -0.5, 2.0]), 0.5 * np.eye(3)),)],
    ids=["one", "two", "any scores"],
)
@pytest.mark.parametrize("weights", [Exponential(), Unnormalized(Exponential())], ids=repr)
@pytest.mark.parametrize("places", [(0, 1, 2, 3), (0, 1, 0, 2), (0, 0, 1, 0)])
def test_the_jacobian_of_places_is_the_limit_of_differences(places, weights, heads, plain):
    flow, places = SphereFlow(heads, weights, 2.0), np.array(places)
    slow, first = plain(flow, 3), np.unique(places, return_index=True)[1]
    tokens = random_tokens(len(first), 3, seed=4) * np.linspace(0.7, 1.4, len(first))

    def velocity(flat):
        y = flat.reshape(tokens.shape)
        sizes = np.linalg.norm(y, axis=0)
        return (sizes * slow.velocity((y / sizes)[:, places])[:, first]).ravel()

    exact = extended_jacobian(flow, tokens.ravel(), tokens.shape, places)
    steps = 1e-6 * np.eye(tokens.size)
    differences = [(velocity(tokens.ravel() + e) - velocity(tokens.ravel() - e)) / 2e-6 for e in steps]
    assert exact == pytest.approx(np.stack(differences, axis=1), abs=1e-8)


@pytest.mark.parametrize("beta", [60.0, 200.0])
def test_the_jacobian_of_places_has_no_rounding_of_their_own_pulls(beta):
    """Two places of two tokens that turn by the angle a: a' = -e^(beta cos a) sin a in all."""
    flow, angle = SphereFlow((ScalarHead(1.0),), beta=beta), 1.5
    tokens = on_circle(np.array([0.3, 0.3 + angle]))
    turns = np.array([[-tokens[1, 0], 0.0], [tokens[0, 0], 0.0], [0.0, -tokens[1, 1]], [0.0, tokens[0, 1]]])
    turns = turns.reshape(2, 2, 2).transpose(1, 0, 2).reshape(4, 2)  # of (d, n) by (turned token)
    jacobian = extended_jacobian(flow, tokens.ravel(), (2, 2), np.array([0, 0, 1, 1]))
    change = turns.T @ jacobian @ turns
    cosine = np.cos(angle)
    slope = np.exp(beta * cosine) * (cosine - beta * np.sin(angle) ** 2) / 2
    assert change == pytest.approx(slope * np.array([[-1.0, 1.0], [1.0, -1.0]]), rel=1e-9)


def test_tokens_are_at_one_place_only_where_they_attract_each_other():
    tokens = on_circle(np.array([0.3, 2.0, 0.3 + 4e-16, 2.0, 0.3 + 1e-14]))

    def count(weights=None, mask=None, *, kind=SphereFlow, heads=None):
        weights = Unnormalized(Exponential()) if weights is None else weights
        return places_of(kind(heads or (ScalarHead(1.0),), weights, 60.0, mask), tokens)

    assert count().tolist() == count(Exponential()).tolist() == [0, 1, 0, 1, 2]
    for alone in (
        count(mask=Causal()),
        count(Unnormalized(ReLU())),
        count(kind=algatt.dynamics.FlatFlow),
        count(kind=algatt.dynamics.PreNormFlow),
        count(heads=(ScalarHead(1.0), ScalarHead(-1.0))),
        count(heads=(MatrixHead(np.eye(2), np.eye(2)),)),
    ):
        assert alone.tolist() == [0, 1, 2, 3, 4]


@pytest.mark.sample(1)
@pytest.mark.parametrize("method", ["LSODA", "BDF", "Radau"])
def test_repulsive_tokens_that_begin_at_nearly_one_place_leave_it(method):
    flow, tokens = SphereFlow((ScalarHead(-1.0),), Exponential(), 2.0), on_circle(np.array([0.3, 0.3 + 1e-9]))
    run = algatt.dynamics.integrate(flow, tokens, until=100.0, method=method, tolerance=1e-12, samples=2)
    assert run.final[:, 0] @ run.final[:, 1] < -0.99
