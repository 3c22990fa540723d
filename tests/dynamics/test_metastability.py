"""Clusters over time, and the theorems on how tokens come to one and how long they do not."""

import math

import numpy as np
import pytest
import scipy.integrate
from hypothesis import given, settings
from hypothesis import strategies as st

import algatt
from algatt.dynamics import (
    FlatFlow,
    ScalarHead,
    SphereFlow,
    Stair,
    clusters,
    integrate,
    normalised,
    random_tokens,
    states_at,
)
from algatt.dynamics.metastability import caps_of, cluster_labels
from algatt.dynamics.statements import check_metastability, check_synchronisation
from algatt.layers import Causal, Exponential, ReLU, Unnormalized

SOFTMAX, EXP = Exponential(), Unnormalized(Exponential())

ONE = (ScalarHead(1.0),)


def on_circle(angles):
    return np.stack([np.cos(angles), np.sin(angles)])


@given(seed=st.integers(0, 10**6), n=st.integers(1, 12), angle=st.floats(1e-3, 1.5))
def test_on_the_circle_clusters_are_what_gaps_divide(seed, n, angle):
    angles = np.sort(np.random.default_rng(seed).uniform(0, 2 * np.pi, n))
    gaps = np.diff(np.append(angles, angles[0] + 2 * np.pi))
    labels = cluster_labels(on_circle(angles), angle)
    divisions = int((gaps > angle).sum())
    assert labels.max() + 1 == max(divisions, 1)
    assert labels[0] == 0
    for one, two, gap in zip(range(n - 1), range(1, n), gaps, strict=False):
        if gap <= angle:
            assert labels[one] == labels[two]


def test_two_tokens_escape_at_the_time_of_a_quadrature():
    """Their angle obeys a' = -2 sin(a) / (e^(b (1 - cos a)) + 1) (softmax, one head)."""
    b, start, end = 8.0, 1.2, 0.1
    time, _ = scipy.integrate.quad(
        lambda a: (math.exp(b * (1 - math.cos(a))) + 1) / (2 * math.sin(a)), end, start, epsrel=1e-11
    )
    flow = SphereFlow(ONE, SOFTMAX, b)
    run = integrate(flow, on_circle(np.array([0.0, start])), until=1.5 * time)
    found = clusters(run, angle=end)
    assert [stair.count for stair in found.stairs] == [2, 1]
    ((before, after),) = found.escapes
    assert before < time < after
    assert (after - before) / time < 0.01
    near = states_at(run, [time * (1 - 1e-6), time * (1 + 1e-6)])
    assert [cluster_labels(state, end).max() for state in near] == [1, 0]


def test_sizes_and_stairs_of_a_metastable_run():
    angles = np.array([0.0, 0.02, 0.05, 2.0, 2.03, 4.0])
    run = integrate(SphereFlow(ONE, SOFTMAX, 20.0), on_circle(angles), until=100.0, samples=5)
    found = clusters(run)
    assert found.sizes == ((3, 2, 1),) * 5
    assert found.stairs == (Stair(3, 0.0, 100.0),)
    assert found.escapes == ()
    assert repr(found) == "Clusters(3, of 6 tokens)"
    assert found.labels.tolist() == [[0, 0, 0, 1, 1, 2]] * 5


def test_directions_count_in_the_flat_space():
    run = integrate(FlatFlow(ONE, SOFTMAX), [[1.0, 5.0], [0.0, 0.0]], until=0.1, samples=2)
    assert clusters(run).counts.tolist() == [1, 1]


@settings(max_examples=8)
@given(seed=st.integers(0, 10**6), beta=st.floats(4, 30), soft=st.booleans())
def test_clusters_last_as_long_as_the_bound_says(seed, beta, soft):
    rng = np.random.default_rng(seed)
    centres = np.array([0.0, 2.1, 4.2])[rng.integers(0, 3, 8)]
    tokens = on_circle(centres + rng.uniform(-0.05, 0.05, 8))
    flow = SphereFlow(ONE, SOFTMAX if soft else EXP, beta if soft else beta / 4)
    check = check_metastability(flow, tokens, until=20.0)
    assert check.verdict == ("holds" if check.applies else "does not apply")


def test_the_bound_is_exponential_in_beta_and_at_most_the_true_time():
    """Two tokens at right angles: they come together by the quadrature above, the logarithm of whose time grows like
    beta (1 - cos a) too.
    """
    tokens, bounds, times = on_circle(np.array([0.0, math.pi / 2])), [], []
    for b in (10.0, 20.0, 40.0):
        bounds.append(caps_of(SphereFlow(ONE, SOFTMAX, b), tokens, 1.0, 0.1).time)
        whole = scipy.integrate.quad(
            lambda a, b=b: (math.exp(b * (1 - math.cos(a))) + 1) / (2 * math.sin(a)), 0.1, math.pi / 2
        )
        times.append(whole[0])
    assert (np.array(bounds) < times).all()
    growth = np.diff(np.log(bounds)) / np.diff([10.0, 20.0, 40.0])
    assert (growth > 0.7).all()
    assert (growth < 1.0).all()


def test_what_metastability_needs():
    tokens = on_circle(np.array([0.0, 0.05, 2.0]))
    for flow, state in (
        (SphereFlow((ScalarHead(-1.0),), SOFTMAX, 10.0), tokens),
        (SphereFlow(ONE, Unnormalized(ReLU()), 10.0), tokens),
        (SphereFlow(ONE, SOFTMAX, 10.0, Causal()), tokens),
        (SphereFlow(ONE, SOFTMAX, 10.0), tokens[:, :2]),
    ):
        assert check_metastability(flow, state).verdict == "does not apply"
    ring = on_circle(np.arange(0.0, 6.28, 0.05))  # one chain around the circle, with no centre to speak of
    assert check_metastability(SphereFlow(ONE, SOFTMAX, 10.0), np.hstack([ring, -ring])).verdict == "does not apply"
    # two clusters, of which one is a chain that is longer than they are apart
    chain = on_circle(np.append(np.arange(0, 2.0, 0.09), 2.3))
    assert check_metastability(SphereFlow(ONE, SOFTMAX, 10.0), chain).verdict == "does not apply"


@pytest.mark.parametrize(("weights", "beta", "d"), [(SOFTMAX, 3.0, 3), (EXP, 2.0, 3), (SOFTMAX, 0.8, 2)], ids=repr)
def test_almost_all_tokens_come_to_one_cluster(weights, beta, d):
    flow = SphereFlow(ONE, weights, beta)
    assert check_synchronisation(flow, random_tokens(7, d, seed=1)).verdict == "holds"


def test_what_it_needs():
    circle, space = random_tokens(9, 2), random_tokens(9, 3)
    flat = np.vstack([circle, np.zeros((1, 9))])  # a circle of a sphere, which it does not leave
    saddle = np.array(
        [[1.0, -1.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, -1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 1.0, -1.0]]
    )
    for flow, tokens in (
        (SphereFlow(ONE, SOFTMAX, 3.0), circle),
        (SphereFlow(ONE, SOFTMAX, 3.0), flat),
        (SphereFlow(ONE, SOFTMAX, 3.0), saddle),
        (SphereFlow((ScalarHead(-1.0),), SOFTMAX), space),
        (SphereFlow(ONE * 2, SOFTMAX), space),
        (SphereFlow(ONE, SOFTMAX, 1.0, Causal()), space),
        (FlatFlow(ONE, SOFTMAX), space),
    ):
        assert check_synchronisation(flow, tokens).verdict == "does not apply"
    assert check_synchronisation(SphereFlow(ONE, SOFTMAX, 20.0), space, until=1.0).verdict == "undecided"


@pytest.mark.parametrize("angle", [0.0, 4.0, -1, math.nan])
def test_angles_are_between_0_and_pi(angle):
    run = integrate(SphereFlow(ONE), normalised(np.ones((2, 1))), until=0.1, samples=2)
    with pytest.raises(algatt.errors.InvalidArgument, match="angle was"):
        clusters(run, angle=angle)
