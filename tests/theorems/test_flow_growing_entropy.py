"""Once all cosines are at least 1 - 1/(n (1 + 4 b) - 2 b), the entropies of all tokens grow under one scalar head, and
they stay so close (derived); and both ends of the zone in which a softmax head is fast.
"""

import math

import numpy as np
import pytest
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st

import algatt
from algatt.dynamics import ScalarHead, SphereFlow, entropy_growth_cosine, goldilocks_zone, normalised, random_tokens
from algatt.dynamics.statements import check_goldilocks_zone, check_growing_entropy
from algatt.layers import Causal, Exponential, ReLU, Unnormalized

SOFTMAX, EXP = Exponential(), Unnormalized(Exponential())


def close_by(seed, n, d, cosine):
    """Random tokens whose least cosine is a little larger than a number: a cap of half the angle."""
    spread = random_tokens(n, d, seed=seed) * 0.999 * math.tan(math.acos(cosine) / 2)
    spread[0] = 1.0
    return normalised(spread)


def turning(angles, b, divided):
    """The rates of the entropies on the circle, sum over sum, in 200 bits."""
    n = len(angles)
    with ctx.workprec(200):
        a, b = [arb(float(x)) for x in angles], arb(b)
        rows = [[(b * (x - y).cos()).exp() for y in a] for x in a]
        p = [[e / sum(row, arb(0)) for e in row] for row in rows]
        w = p if divided else [[e / n for e in row] for row in rows]
        v = [sum((w[i][j] * (a[j] - a[i]).sin() for j in range(n)), arb(0)) for i in range(n)]
        rates = []
        for i in range(n):
            s = [(a[i] - a[j]).cos() for j in range(n)]
            slopes = [(a[j] - a[i]).sin() * (v[i] - v[j]) for j in range(n)]
            means = [sum((p[i][j] * q[j] for j in range(n)), arb(0)) for q in (s, slopes)]
            centred = (p[i][j] * (s[j] - means[0]) * (slopes[j] - means[1]) for j in range(n))
            rates.append(float(-b * b * sum(centred, arb(0))))
        return np.array(rates)


@given(seed=st.integers(0, 10**6), n=st.integers(2, 12), d=st.integers(2, 5), b=st.floats(0.05, 20), soft=st.booleans())
def test_all_entropies_grow_once_tokens_are_so_close(seed, n, d, b, soft):
    tokens = close_by(seed, n, d, entropy_growth_cosine(n, b, normalised=soft))
    flow = SphereFlow((ScalarHead(1.0),), SOFTMAX if soft else EXP, b)
    assert check_growing_entropy(flow, tokens).verdict == "holds"


def test_the_rates_are_those_of_two_hundred_bits():
    for soft, b in ((True, 2.0), (False, 0.5)):
        angles = np.array([0.0, 0.02, 0.05, 0.11])
        flow = SphereFlow((ScalarHead(1.0),), SOFTMAX if soft else EXP, b)
        rates = algatt.dynamics.entropy_rate(flow, normalised(np.stack([np.cos(angles), np.sin(angles)])))
        assert rates[0] == pytest.approx(turning(angles, b, soft), rel=1e-8)
        assert rates.min() > 0


def test_before_that_time_they_may_fall():
    angles = np.radians([0.0, 30.0, 180.0])
    assert (turning(angles, 1.0, True) < 0).all()
    flow, tokens = SphereFlow((ScalarHead(1.0),), SOFTMAX), normalised(np.stack([np.cos(angles), np.sin(angles)]))
    check = check_growing_entropy(flow, tokens)
    assert check.verdict == "does not apply"
    assert check.margin < 0


def test_after_the_critical_time_it_stays_so():
    flow, tokens = SphereFlow((ScalarHead(1.0),), SOFTMAX, 3.0), np.abs(random_tokens(6, 3, seed=3))
    run = algatt.dynamics.integrate(flow, tokens, until=8.0, samples=33)
    least = np.array([(state.T @ state).min() for state in run.states])
    after = least >= entropy_growth_cosine(6, 3.0)
    first = int(after.argmax())
    assert 0 < first < 30
    assert after[first:].all()
    assert (np.diff(run.entropies[first:, 0], axis=0) > 0).all()
    assert check_growing_entropy(flow, run.states[first]).verdict == "holds"


def test_what_it_needs():
    tokens = close_by(0, 5, 3, entropy_growth_cosine(5, 1.0))
    one = (ScalarHead(1.0),)
    for flow, state in (
        (SphereFlow((ScalarHead(-1.0),), SOFTMAX), tokens),
        (SphereFlow((*one, *one), SOFTMAX), tokens),
        (SphereFlow(one, Unnormalized(ReLU())), tokens),
        (SphereFlow(one, SOFTMAX, 1.0, Causal()), tokens),
        (SphereFlow(one, SOFTMAX), random_tokens(5, 3)),
        (SphereFlow(one, SOFTMAX), tokens[:, :1]),
    ):
        assert check_growing_entropy(flow, state).verdict == "does not apply"


@given(n=st.integers(2, 10**6), share=st.floats(0.01, 0.99))
def test_both_ends_of_the_zone_have_the_share_of_the_largest_rate(n, share):
    low, high = goldilocks_zone(n, share=share)
    with ctx.workprec(200):
        top = 1 + ((n - 1) / arb(1).exp()).lambertw()
        largest = top / (top.exp() + n - 1)
        for b in (arb(low), arb(high)):
            assert abs(float(b / (b.exp() + n - 1) / (share * largest)) - 1) < 1e-11
        assert low < top < high


@pytest.mark.parametrize(("n", "g"), [(2, 0.3), (64, 0.0), (1000, 0.5)])
def test_the_check_of_the_zone(n, g):
    assert check_goldilocks_zone(n, cosine=g).verdict == "holds"
    assert check_goldilocks_zone(n, cosine=1.0).verdict == "does not apply"


@pytest.mark.parametrize("share", [0.0, 1.0, -1, 2])
def test_shares_are_between_0_and_1(share):
    with pytest.raises(algatt.errors.InvalidArgument, match="share was"):
        goldilocks_zone(10, share=share)
