"""HCK: the two steps of the proof, the fluctuation of the normaliser and the linearisation of the exponential, derived
in docs/theory/gaussian_equivalence.md.
"""

from __future__ import annotations

from math import factorial

import numpy as np
import pytest

from algatt.errors import InvalidArgument
from algatt.spectra import AttentionEnsemble, linearization_error, normaliser_fluctuation, normaliser_law


def sums(tokens, key_dim, beta, count, seed):
    """Return D_i for independent queries, from numpy alone."""
    generator = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        query = generator.standard_normal(key_dim)
        keys = generator.standard_normal((tokens, key_dim))
        found.append(np.exp(beta * keys @ query / np.sqrt(key_dim) - beta**2 / 2).mean())
    return np.array(found)


@pytest.mark.parametrize(("tokens", "key_dim", "beta"), [(20, 10, 0.5), (50, 20, 0.8), (60, 40, 1.0)])
def test_mean_and_variance_are_those_of_a_simulation(tokens, key_dim, beta):
    law = normaliser_law(AttentionEnsemble(tokens, tokens, key_dim, beta))
    drawn = sums(tokens, key_dim, beta, 6000, 0)
    assert law.mean == pytest.approx(drawn.mean(), abs=5 * drawn.std() / 6000**0.5)
    assert law.deviation == pytest.approx(drawn.std(), rel=0.08)


@pytest.mark.parametrize(("ratio", "beta"), [(1.0, 0.7), (3.0, 0.5), (0.25, 1.2)])
def test_the_limit_of_the_variance(ratio, beta):
    tokens = 10**6
    law = normaliser_law(AttentionEnsemble(tokens, tokens, int(tokens / ratio), beta))
    limit = np.exp(beta**2) - 1 + ratio * beta**4 / 2
    assert law.deviation**2 * tokens == pytest.approx(limit, rel=1e-4)
    assert law.mean == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("key_dim", [100, 400])
def test_the_largest_fluctuation_has_this_law(key_dim):
    ensemble = AttentionEnsemble(400, 400, key_dim, 0.4)
    law, drawn = normaliser_law(ensemble), normaliser_fluctuation(ensemble, draws=20)
    assert np.median(drawn) == pytest.approx(law.median(), rel=0.12)
    assert law.cdf(0.7 * law.median()) < 0.01 < 0.99 < law.cdf(1.5 * law.median())
    assert ((drawn > 0.7 * law.median()) & (drawn < 1.5 * law.median())).all()
    assert law.median() < law.rate


@pytest.mark.sample(0)
def test_the_rate():
    """Sixteen times the tokens: a quarter of the fluctuation, times the root of the quotient of logarithms."""
    few, many = (AttentionEnsemble(l, l, l, 0.4) for l in (80, 1280))
    expected = np.sqrt(np.log(2560) / np.log(160)) / 4
    laws = [normaliser_law(one) for one in (few, many)]
    drawn = [np.median(normaliser_fluctuation(one, draws=count)) for one, count in ((few, 60), (many, 5))]
    assert laws[1].rate / laws[0].rate == pytest.approx(expected, rel=0.01)
    assert drawn[1] / drawn[0] == pytest.approx(expected, rel=0.12)


def test_the_law_of_the_maximum_by_simulation():
    law = normaliser_law(AttentionEnsemble(50, 50, 10**6, 0.3))
    normal = np.random.default_rng(0).standard_normal((20000, 50)) * law.deviation + law.mean - 1
    largest = np.abs(normal).max(axis=1)
    for x in np.quantile(largest, (0.1, 0.5, 0.9)):
        assert law.cdf(x) == pytest.approx((largest <= x).mean(), abs=0.015)
    assert law.cdf(law.median()) == pytest.approx(0.5, abs=1e-9)
    assert law.cdf(-1.0) == 0


@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("degree", [1, 2, 5])
def test_remainders_by_quadrature(beta, degree):
    x, weights = np.polynomial.hermite_e.hermegauss(120)
    exact, weights = np.exp(beta * x - beta**2 / 2), weights / weights.sum()
    taylor = np.exp(-(beta**2) / 2) * sum((beta * x) ** k / factorial(k) for k in range(degree + 1))
    hermite = np.polynomial.hermite_e.hermeval(x, [beta**k / factorial(k) for k in range(degree + 1)])
    assert linearization_error(beta, degree) == pytest.approx(weights @ (exact - taylor) ** 2, rel=1e-9)
    error = linearization_error(beta, degree, expansion="hermite")
    assert error == pytest.approx(weights @ (exact - hermite) ** 2, rel=1e-9)
    assert error <= linearization_error(beta, degree)


@pytest.mark.parametrize("degree", [1, 3])
def test_it_bounds_the_differences_of_singular_values(degree):
    """Hoffman and Wielandt, on a matrix of scores."""
    beta, size = 0.7, 300
    generator = np.random.default_rng(1)
    S = generator.standard_normal((size, size)) @ generator.standard_normal((size, size)) / np.sqrt(size)
    exact = np.exp(beta * S - beta**2 / 2)
    taylor = np.exp(-(beta**2) / 2) * sum((beta * S) ** k / factorial(k) for k in range(degree + 1))
    values = [np.linalg.svd(matrix / np.sqrt(size), compute_uv=False) for matrix in (exact, taylor)]
    assert np.mean((values[0] - values[1]) ** 2) < 1.3 * linearization_error(beta, degree)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: normaliser_law("x"), "ensemble was 'x'"),
        (lambda: normaliser_law(AttentionEnsemble(60, 60, 4, 1.0)), "ensemble was of key dimension 4"),
        (lambda: normaliser_fluctuation(AttentionEnsemble(60, 60, 10, 1.0), draws=0), "draws was 0"),
        (lambda: linearization_error(9.0, 1), "beta was 9"),
        (lambda: linearization_error(1.0, 0), "degree was 0"),
        (lambda: linearization_error(1.0, 1, expansion="x"), "expansion was 'x'"),
    ],
)
def test_bad_arguments(call, message):
    with pytest.raises(InvalidArgument, match=message):
        call()
