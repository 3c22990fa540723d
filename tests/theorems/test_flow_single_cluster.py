"""Tokens in an open hemisphere come to one cluster under a single attractive head (arXiv 2312.10794)."""

import subprocess
import sys

import numpy as np
import pytest

from algatt.dynamics import (
    EquiangularFlow,
    MatrixHead,
    ScalarHead,
    SphereFlow,
    clustering_time,
    normalised,
    random_tokens,
)
from algatt.dynamics.statements import check_causal_cluster, check_single_cluster, check_synchronisation
from algatt.dynamics.statements.clusters import in_open_hemisphere
from algatt.layers import Causal, Exponential, ReLU, Unnormalized


@pytest.mark.parametrize("weights", [Exponential(), Unnormalized(Exponential())], ids=repr)
@pytest.mark.parametrize("beta", [0.5, 4.0])
def test_tokens_of_a_hemisphere_come_to_one_cluster(weights, beta):
    tokens = random_tokens(8, 3, seed=1)
    tokens[2] = np.abs(tokens[2]) + 0.05
    assert check_single_cluster(SphereFlow((ScalarHead(1.0),), weights, beta), normalised(tokens)).verdict == "holds"


def test_what_it_needs():
    upper = normalised(np.abs(random_tokens(5, 3)) + 0.1)
    one, softmax = (ScalarHead(1.0),), Exponential()
    for flow, tokens in (
        (SphereFlow((ScalarHead(-1.0),), softmax), upper),
        (SphereFlow((*one, ScalarHead(1.0)), softmax), upper),
        (SphereFlow((MatrixHead(np.eye(3)),), softmax), upper),
        (SphereFlow(one, Unnormalized(ReLU())), upper),
        (SphereFlow(one, softmax), np.hstack([np.eye(3), -np.eye(3)])),
    ):
        assert check_single_cluster(flow, tokens).verdict == "does not apply"
    hot = SphereFlow(one, softmax, 30)  # metastable: so short a time shows two clusters still
    apart = normalised(np.array([[1.0, 1.0, -1.0], [0.1, 0.2, 0.2]]))
    check = check_single_cluster(hot, apart, until=10.0)
    assert check.verdict == "undecided"
    assert check.margin < 0
    assert check.time > 1e6


@pytest.mark.parametrize(("weights", "until"), [(Exponential(), 1e6), (Unnormalized(Exponential()), 1e-14)], ids=repr)
@pytest.mark.parametrize("beta", [40.0, 100.0])
def test_a_finite_run_is_no_counterexample_and_says_how_long_it_would_take(beta, weights, until):
    """Against the quadrature of the scalar equation of two tokens; the check said "fails"."""
    tokens = normalised([[1.0, 0.2], [0.0, 1.0]])
    for check in (check_single_cluster, check_synchronisation):
        flow = SphereFlow((ScalarHead(1.0),), weights, beta if check is check_single_cluster else 0.9)
        if check is check_synchronisation:
            until = 0.1
        found = check(flow, tokens, until=until)
        assert found.applies
        assert found.verdict == "undecided"
        scalar = EquiangularFlow((1.0,), 2, weights, flow.beta)
        expected = clustering_time(scalar, float(tokens[:, 0] @ tokens[:, 1]), 1 - 1e-6)
        assert found.time == pytest.approx(expected, rel=0.1 if check is check_single_cluster else 0.9)


def test_tokens_at_rest_up_to_rounding_are_no_start():
    opposite = np.array([[np.cos(0.3), np.cos(0.3 + np.pi)], [np.sin(0.3), np.sin(0.3 + np.pi)]])
    flow = SphereFlow((ScalarHead(1.0),), Exponential(), 0.5)
    assert check_synchronisation(flow, opposite).verdict == "does not apply"
    assert ("not at rest", False) in check_synchronisation(flow, opposite).hypotheses
    cold = SphereFlow((ScalarHead(1.0),), Exponential(), 100.0)  # e^-80 is slow, and no rest
    assert check_synchronisation(cold, np.eye(3)).applies


def test_the_causal_cluster_is_undecided_in_too_short_a_time():
    flow = SphereFlow((ScalarHead(1.0),), Exponential(), 2.0, Causal())
    tokens = normalised([[1.0, 0.2, 0.5], [0.0, 1.0, 0.3]])
    short, long = (check_causal_cluster(flow, tokens, until=until) for until in (0.5, 1e3))
    assert (short.verdict, long.verdict) == ("undecided", "holds")
    assert 0.5 < short.time < 100


def test_statements_are_there_without_an_import():
    code = "import algatt; print(algatt.dynamics.statements.check_single_cluster.__name__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "check_single_cluster\n"


def test_hemispheres_on_the_circle():
    """Tokens on the circle are in an open half of it if a gap between neighbours is larger than a half turn."""
    rng = np.random.default_rng(0)
    for _ in range(40):
        angles = np.sort(rng.uniform(0, 2 * np.pi, 4))
        gaps = np.diff(np.append(angles, angles[0] + 2 * np.pi))
        assert in_open_hemisphere(np.stack([np.cos(angles), np.sin(angles)])) == (gaps.max() > np.pi)


def test_the_time_to_the_limit_counts_what_has_passed():
    tokens, flow = normalised([[1.0, 0.2], [0.0, 1.0]]), SphereFlow((ScalarHead(1.0),), Exponential(), 40.0)
    scalar = EquiangularFlow((1.0,), 2, flow.weights, flow.beta)
    expected = clustering_time(scalar, float(tokens[:, 0] @ tokens[:, 1]), 1 - 1e-6)
    assert check_single_cluster(flow, tokens, until=0.9 * expected).time == pytest.approx(expected, rel=0.1)


def test_no_time_is_said_where_rounding_decides():
    flow, exact = SphereFlow((ScalarHead(1.0),), Exponential(), 2.0, Causal()), normalised([[0.6], [0.8]])
    rounded = np.array([[np.cos(0.3), np.cos(0.3 + np.pi)], [np.sin(0.3), np.sin(0.3 + np.pi)]])
    for opposite in (np.hstack([exact, -exact]), rounded):
        check = check_causal_cluster(flow, opposite, until=1e4)
        assert (check.verdict, check.time) == ("undecided", None)
