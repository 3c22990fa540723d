"""Softmax heads of unequal strengths are slower up to an inflection point, and ReLU is faster than softmax from a
cosine on (both derived): against formulas written out, and quadrature in another variable.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate

import algatt
from algatt.dynamics import EquiangularFlow, clustering_time, relu_crossover, softmax_inflection
from algatt.dynamics.statements import check_relu_crossover, check_softmax_times, check_sub_additivity
from algatt.layers import Exponential, ReLU, Unnormalized

RELU = Unnormalized(ReLU())


@pytest.mark.parametrize("n", [2, 5, 64, 1000, 10**6])
def test_the_inflection_is_where_the_second_difference_changes_its_sign(n):
    def rate(b):
        return b / (math.exp(b) + n - 1)

    end, h = softmax_inflection(n), 1e-3
    assert (end - 2) * math.exp(end) == pytest.approx((end + 2) * (n - 1), rel=1e-12)
    for place, sign in ((end - 0.05, -1), (end + 0.05, 1)):
        assert sign * (rate(place + h) - 2 * rate(place) + rate(place - h)) > 0


@given(
    shares=st.lists(st.floats(0, 0.999), min_size=2, max_size=5),  # at the point itself rounding decides
    n=st.integers(2, 100),
    g=st.floats(0, 0.9),
    beta=st.floats(0.1, 4),
)
def test_unequal_softmax_heads_are_slower_up_to_there_and_faster_beyond(shares, n, g, beta):
    end = softmax_inflection(n) / (beta * (1 - g))

    def total(some):
        return math.fsum(x / (math.exp(beta * x * (1 - g)) + n - 1) for x in some)

    for strengths, sign in (([s * end for s in shares], 1), ([(1 + s) * end for s in shares], -1)):
        if max(shares) - min(shares) > 0.1:
            mean = math.fsum(strengths) / len(strengths)
            assert sign * (total([mean] * len(strengths)) - total(strengths)) > 0
            check = check_sub_additivity(strengths, n, g, beta=beta)
            assert check.verdict in ({"holds"} if sign > 0 else {"does not apply"})
            assert sign * check.margin > 0


def test_slower_unequal_heads_are_the_rule():
    """Of 300 random settings nearly all; none of those in which no b is larger than b* is an exception."""
    rng, slower, covered = np.random.default_rng(0), 0, 0
    for _ in range(300):
        n, g, beta = int(rng.integers(2, 100)), rng.uniform(0, 0.9), rng.uniform(0.1, 4)
        strengths = rng.uniform(0, 2, 3)
        total = (strengths / (np.exp(beta * strengths * (1 - g)) + n - 1)).sum()
        equal = 3 * strengths.mean() / (math.exp(beta * strengths.mean() * (1 - g)) + n - 1)
        inside = (beta * strengths * (1 - g)).max() <= softmax_inflection(n)
        assert total < equal or not inside
        slower, covered = slower + (total < equal), covered + inside
    assert (slower, covered) == (297, 281)


@pytest.mark.parametrize(("beta", "relu", "softmax"), [(1.0, 6.54, 3.24), (8.0, 0.82, 9.39)])
def test_the_times_of_64_tokens(beta, relu, softmax):
    """By quadrature in g itself: g' = 2 beta g (1 - g)(1 + 63 g) / 64, and 2 (1 - g)(1 + 63 g) / (e^b + 63)."""
    for weights, slowness, rounded in (
        (RELU, lambda g: 64 / (beta * g), relu),
        (Exponential(), lambda g: math.exp(beta * (1 - g)) + 63, softmax),
    ):
        expected = integrate.quad(lambda g, slow=slowness: slow(g) / (2 * (1 - g) * (1 + 63 * g)), 1 / 8, 0.99)[0]
        assert round(expected, 2) == rounded
        assert clustering_time(EquiangularFlow((1.0,), 64, weights, beta), 1 / 8, 0.99) == pytest.approx(expected)


@given(n=st.integers(2, 10**4), beta=st.floats(1.01, 30))
def test_relu_is_faster_from_one_cosine_on(n, beta):
    g = relu_crossover(n, beta)
    assert 0 < g < 1 / beta
    relu, softmax = beta * g / n, 1 / (math.exp(beta * (1 - g)) + n - 1)
    assert relu == pytest.approx(softmax, rel=1e-9)
    assert check_relu_crossover(n, beta=beta).verdict == "holds"


def test_relu_is_slower_all_the_way_up_to_beta_1():
    assert relu_crossover(64, 1.0) == math.inf
    assert check_relu_crossover(64, beta=1.0).verdict == "does not apply"
    g = np.linspace(0.01, 0.99, 50)
    for beta in (0.3, 1.0):
        assert (beta * g / 64 < 1 / (np.exp(beta * (1 - g)) + 63)).all()


def test_the_check_of_the_times():
    assert check_softmax_times(64, 64, beta=8.0).verdict == "holds"
    assert check_softmax_times(64, 64, beta=8.0).margin == pytest.approx(9.386 - 0.817, abs=1e-3)
    check = check_softmax_times(64, 64, beta=1.0)
    assert check.verdict == "does not apply"
    assert check.margin < 0
    with pytest.raises(algatt.errors.InvalidArgument, match="beta was 0"):
        relu_crossover(64, 0)
    with pytest.raises(algatt.errors.InvalidArgument, match="tokens was 1"):
        softmax_inflection(1)
