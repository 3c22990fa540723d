"""Laws of so many tokens: the means of powers of attention by other quadratures and series, and moments of draws."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate

import algatt
from algatt.errors import InvalidArgument
from algatt.spectra import (
    AttentionEnsemble,
    CausalEnsemble,
    CausalLaw,
    LayerEnsemble,
    ProductOfLayers,
    Skip,
    TiedValues,
    expected_power_sum,
)

pytestmark = pytest.mark.filterwarnings("ignore::algatt.spectra.FiniteSizeWarning")


@pytest.mark.parametrize("beta", [0.3, 1.0, 3.0, 8.0])
@pytest.mark.parametrize("order", [2, 3, 4])
def test_of_two_tokens_it_is_the_mean_of_a_logistic_function(beta, order):
    """The weights are sigma(D) and sigma(-D) of a difference D of scores, N(0, 2 beta^2)."""

    def integrand(x):
        weight = 1 / (1 + np.exp(-np.sqrt(2) * beta * x))
        return (weight**order + (1 - weight) ** order) * np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi)

    assert expected_power_sum(beta, 2, order=order) == pytest.approx(integrate.quad(integrand, -12, 12)[0], abs=1e-10)


def test_of_many_tokens_it_is_a_series():
    """To first order in 1/n by the delta method, with the moments of a log-normal variable."""
    e, n = np.exp(0.25), 10**5
    expected = e * (1 + (3 * (e - 1) - 2 * (e**2 - 1)) / n)
    assert n * expected_power_sum(0.5, n) == pytest.approx(expected, abs=1e-8)
    assert expected_power_sum(0.5, np.array([[1, n]])).shape == (1, 2)
    assert expected_power_sum(0.0, 7) == pytest.approx(1 / 7, abs=1e-12)
    # the length of a query: e^(beta^2 r) with d r of the law of chi^2
    assert n * expected_power_sum(0.5, n, key_dim=20) == pytest.approx((1 - 2 * 0.25 / 20) ** -10, abs=2e-5)


def test_the_mean_of_draws_is_that_of_the_finite_law():
    """At 60 tokens and beta = 1 a tenth less than in the limit for attention, and a quarter less for two layers; means
    of 40 draws are known to 2 and to 4 %.
    """
    sizes = (60, 60, 60, 1.0)
    for ensemble, tolerance in ((AttentionEnsemble(*sizes), 0.04), (LayerEnsemble(*sizes, ProductOfLayers(2)), 0.08)):
        limit, finite = (algatt.spectra.moments(law(ensemble), 1)[0] for law in LAWS)
        found = np.mean([(algatt.spectra.sample_matrix(ensemble, seed=seed) ** 2).sum() / 60 for seed in range(40)])
        if isinstance(ensemble, AttentionEnsemble):
            found = 60 * found - 1  # without the constant vector
        assert found == pytest.approx(finite, rel=tolerance)
        assert found < 0.95 * limit


LAWS = (algatt.spectra.limit_law, algatt.spectra.finite_law)


def test_the_second_moment_has_the_fourth_powers():
    """2 theta^2 + c b^4 and the fourth cumulant over l; entries are bounded, unlike log-normal ones."""
    l, beta = 400, 1.0
    T2, T3, T4 = (expected_power_sum(beta, l, order=q, key_dim=200) for q in (2, 3, 4))
    theta, b = l * T2 - 1, beta * (1 - T2)
    fourth = l**3 * (T4 - 4 * T3 / l + 6 * T2 / l**2 - 3 / l**3)
    law = algatt.spectra.finite_law(AttentionEnsemble(l, l, 200, beta))
    expected = 2 * theta**2 + 2 * b**4 + (fourth - 3 * theta**2) / l
    assert algatt.spectra.moments(law, 2) == pytest.approx((theta, expected), rel=1e-10)
    assert fourth < np.exp(6) - 4 * np.exp(3) + 6 * np.e - 3


@pytest.mark.parametrize("layer", [TiedValues(), Skip(0.7)], ids=str)
def test_of_many_tokens_it_is_the_limit(layer):
    ensemble = LayerEnsemble(10**7, 10**7, 10**7, 0.5, layer)
    limit, finite = (algatt.spectra.moments(law(ensemble), 3) for law in LAWS)
    assert finite == pytest.approx(limit, rel=1e-5)


def test_the_mean_of_causal_draws_is_that_of_their_law():
    """The mean of 300 draws is known to 1 %; rows of a few scores are far from log-normal ones."""
    l, beta, draws = 60, 1.0, 300
    rng = np.random.default_rng(0)
    total = 0.0
    for _ in range(draws):
        queries, keys = rng.standard_normal((2, l, l))
        A = np.tril(np.exp(beta * queries @ keys.T / np.sqrt(l)))
        A /= A.sum(axis=1, keepdims=True)
        total += ((A - np.tri(l) / np.arange(1, l + 1)[:, None]) ** 2).sum()
    law = algatt.spectra.finite_law(CausalEnsemble(l, l, l, beta))
    assert law == CausalLaw(beta, 1.0, l)
    assert algatt.spectra.moments(law, 1)[0] == pytest.approx(total / draws, rel=0.02)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: expected_power_sum(9, 10), "beta was 9; it should be at most 8"),
        (lambda: expected_power_sum(1, 0), "tokens was 0; it should be integers >= 1"),
        (lambda: expected_power_sum(1, 2.5), "tokens was 2.5"),
        (lambda: expected_power_sum(1, 2, order=5), "order was 5; it should be 2, 3 or 4"),
        (lambda: expected_power_sum(1, 2, key_dim=0), "key_dim was 0"),
        (lambda: algatt.spectra.finite_law(AttentionEnsemble(20, 20, 20, 0)), "beta was 0"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(InvalidArgument, match=message):
        call()
