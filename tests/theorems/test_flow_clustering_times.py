"""ReLU against exponential weights from nearly orthogonal tokens: the linearised orders (P) and the times of the whole
equation (derived).
"""

import math

import numpy as np
import pytest

import algatt
from algatt.dynamics import clustering_time, equiangular_tokens, linearised_clustering_time
from algatt.dynamics.statements import check_clustering_times


def flow(n, weights=None):
    return algatt.dynamics.EquiangularFlow(
        (1.0,), n, weights or algatt.layers.Unnormalized(algatt.layers.Exponential())
    )


RELU = algatt.layers.Unnormalized(algatt.layers.ReLU())


@pytest.mark.parametrize("n", [10, 100, 10_000])
def test_linearised_exponential_times_are_of_order_n(n):
    assert linearised_clustering_time(flow(n), 0.0, 0.5) == pytest.approx(n / 4)


@pytest.mark.parametrize("d", [16, 1024, 10**6])
def test_linearised_relu_times_are_of_order_n_log_d(d):
    n = 50
    assert linearised_clustering_time(flow(n, RELU), d**-0.5, 0.5) == pytest.approx(
        n / 2 * (math.log(d) / 2 - math.log(2))
    )


def test_whole_exponential_times_are_of_order_log_n():
    """2 Lambda <= u' <= 2 Lambda e^(beta g_1) in u = ln((1 + (n - 1) g) / (1 - g))."""
    for n in (10, 1000, 10**6):
        u = math.log((1 + (n - 1) * 0.5) / 0.5)
        assert u / 2 / math.exp(0.5) <= clustering_time(flow(n), 0.0, 0.5) <= u / 2
    growth = clustering_time(flow(10**6), 0.0, 0.5) - clustering_time(flow(10**3), 0.0, 0.5)
    # most of u is passed where g is near 1/2 or near 0; the increment of ln n is passed near the slower start or faster
    # end
    assert math.log(10**3) / 2 / math.exp(0.5) <= growth <= math.log(10**3) / 2


def test_whole_relu_times_are_bounded_by_the_inverse_cosine_for_many_tokens():
    """1 / (g (1 - g)(1 + m g)) <= 1 / (m g^2 (1 - g)): for n much larger than sqrt(d) the time tends to about sqrt(d) /
    2, not n ln d.
    """
    for d in (100, 10_000):
        g = d**-0.5
        times = [clustering_time(flow(n, RELU), g, 0.5) for n in (10**4, 10**6, 10**8)]
        limit = (1 / g - 2 + math.log(1 / g - 1)) / 2  # half the integral of 1 / (g^2 (1 - g)) from g to 1/2
        assert times[-1] == pytest.approx(limit, rel=1e-3)
        assert times[0] < times[1] < times[2] < limit * 1.0001


def test_whole_relu_times_are_of_order_n_log_for_few_tokens():
    n, g = 10, 1e-8
    slope = clustering_time(flow(n, RELU), g / 100, 0.5) - clustering_time(flow(n, RELU), g, 0.5)
    assert slope == pytest.approx(n / 2 * math.log(100), rel=1e-6)


@pytest.mark.parametrize("n", [4, 64, 1024])
@pytest.mark.parametrize("d", [16, 4096])
def test_relu_is_slower_both_ways(n, d):
    assert check_clustering_times(n, d).verdict == "holds"
    assert linearised_clustering_time(flow(n, RELU), d**-0.5, 0.5) > linearised_clustering_time(flow(n), d**-0.5, 0.5)
    assert clustering_time(flow(n, RELU), d**-0.5, 0.5) > clustering_time(flow(n), d**-0.5, 0.5)


def test_whole_times_are_shorter_than_linearised_ones():
    for n in (10, 100, 1000):
        for weights in (algatt.layers.Unnormalized(algatt.layers.Exponential()), RELU):
            assert clustering_time(flow(n, weights), 0.01, 0.5) < linearised_clustering_time(
                flow(n, weights), 0.01, 0.5
            )


def test_the_flow_of_the_tokens_takes_the_whole_time():
    for weights in (algatt.layers.Unnormalized(algatt.layers.Exponential()), RELU):
        time = clustering_time(flow(16, weights), 0.25, 0.5)
        run = algatt.dynamics.integrate(flow(16, weights).full, equiangular_tokens(16, 16, 0.25), until=time, samples=2)
        assert np.allclose((run.final.T @ run.final)[~np.eye(16, dtype=bool)], 0.5, atol=1e-8)


def test_an_end_that_is_behind_is_refused():
    with pytest.raises(algatt.errors.InvalidArgument, match="end"):
        check_clustering_times(10, 3)  # g_0 = 0.577
