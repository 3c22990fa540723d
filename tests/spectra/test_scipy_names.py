"""Laws under scipy's names: the conventions are read off scipy's own distributions, the numbers off other formulas."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import algatt
from algatt.errors import InvalidArgument
from algatt.randomness import random_words
from algatt.spectra import AttentionLaw, FussCatalan, LinearLaw, MarchenkoPastur

LAWS = [law for kind in (MarchenkoPastur, FussCatalan, LinearLaw, AttentionLaw) for law in kind.examples()]

any_law = pytest.mark.parametrize("law", LAWS, ids=str)

FROZEN = stats.beta(2, 3)
"""A distribution of scipy with a compact support."""

SEMICIRCLE = stats.semicircular(loc=0, scale=2)


def test_marchenko_pastur_of_ratio_one_is_the_square_of_a_semicircle() -> None:
    """If S has the semicircle law on [-2, 2], S^2 has the Marchenko-Pastur law of ratio one: scipy has the former."""
    law, x, q = MarchenkoPastur(1), np.linspace(-1, 5, 61), np.linspace(0, 1, 21)
    root = np.sqrt(np.clip(x, 1e-12, None))
    assert law.cdf(x) == pytest.approx(np.where(x > 0, 2 * SEMICIRCLE.cdf(root) - 1, 0), abs=1e-5)
    assert law.pdf(x[20:]) == pytest.approx(SEMICIRCLE.pdf(root[20:]) / root[20:], abs=1e-12)
    assert law.ppf(q) == pytest.approx(SEMICIRCLE.ppf((1 + q) / 2) ** 2, abs=1e-6)


@any_law
@pytest.mark.parametrize("name", ["cdf", "pdf", "ppf"])
@pytest.mark.parametrize(
    "values",
    [0.5, 1, [0.25, 0.5], [[0.25], [0.5]], [], np.nan, [0.5, np.nan], np.float32(0.5), [-1.0, 2.0], [-np.inf, np.inf]],
)
def test_shapes_and_missing_values_are_those_of_scipy(law, name, values) -> None:
    """Scalars give numpy scalars, arrays their shape; NaN stays NaN, and what is no probability has no quantile."""
    ours, theirs = (np.asarray(getattr(frozen, name)(values)) for frozen in (law, FROZEN))
    assert ours.shape == theirs.shape
    assert isinstance(getattr(law, name)(values), type(getattr(FROZEN, name)(values)))
    assert np.isnan(ours).tolist() == np.isnan(theirs).tolist()


@any_law
def test_values_outside_of_the_support(law) -> None:
    edge = algatt.spectra.edge(law)
    assert law.cdf([-np.inf, -1, edge, 2 * edge, np.inf]).tolist() == [0, 0, 1, 1, 1]
    assert law.pdf([-np.inf, -1, 2 * edge, np.inf]).tolist() == [0, 0, 0, 0]
    assert law.ppf(1) == edge


@any_law
def test_quantiles_and_the_distribution_function_are_inverse(law) -> None:
    q = np.linspace(0.01, 0.99, 15)
    assert law.cdf(law.ppf(q)) == pytest.approx(np.maximum(q, law.mass_at_zero), abs=1e-10)


@any_law
def test_the_density_is_the_slope_of_the_distribution_function(law) -> None:
    for low, high in algatt.spectra.support(law):
        x = np.linspace(low, high, 7)[2:-2]
        step = 1e-5 * (high - low)
        assert law.pdf(x) == pytest.approx((law.cdf(x + step) - law.cdf(x - step)) / (2 * step), rel=1e-5)


@pytest.mark.parametrize("size", [None, (), 3, (3,), [2, 3], (2, 0), 0, np.int64(2), 1])
def test_shapes_of_samples_are_those_of_scipy(size) -> None:
    ours, theirs = AttentionLaw(1).rvs(size=size), FROZEN.rvs(size=size)
    assert np.shape(ours) == np.shape(theirs)
    assert isinstance(ours, np.ndarray) is isinstance(theirs, np.ndarray)


@any_law
@pytest.mark.parametrize("seed", [0, 5])
def test_samples_have_the_law(law, seed) -> None:
    """The Kolmogorov distance of 1000 numbers is above 0.0616 with a probability of 0.001; the seeds are fixed."""
    sample = law.rvs(1000, random_state=seed)
    assert algatt.spectra.kolmogorov_distance(sample, law) < 0.0616
    assert abs(sample.mean() - algatt.spectra.moments(law, 1)[0]) < 4 * sample.std() / np.sqrt(1000)
    assert (sample == 0).mean() == pytest.approx(law.mass_at_zero, abs=0.06)
    assert ((sample == 0) | (law.pdf(sample) > 0)).all()


def test_samples_of_marchenko_pastur_pass_the_test_of_scipy() -> None:
    sample = MarchenkoPastur(1).rvs(2000, random_state=1)
    assert stats.kstest(np.sqrt(sample), lambda s: 2 * SEMICIRCLE.cdf(s) - 1).pvalue > 1e-3
    assert stats.kstest(sample, AttentionLaw(0.5).cdf).pvalue < 1e-3


def test_draws_are_named_by_their_number_in_the_documented_stream() -> None:
    law = FussCatalan(2)
    words = random_words(7, "law", 6)
    uniform = [(int(word) >> 11) / 2**53 for word in words]
    assert law.rvs((2, 3), random_state=7).ravel().tolist() == [law.ppf(u) for u in uniform]
    assert law.rvs(6, random_state=np.uint8(7)).tolist() == law.rvs((2, 3), random_state=7).ravel().tolist()
    assert law.rvs(6).tolist() == law.rvs(6, random_state=0).tolist() != law.rvs(6, random_state=1).tolist()
    for other in LAWS:  # of one number, so that laws can be compared draw by draw
        expected = np.maximum(uniform, other.mass_at_zero)
        assert other.cdf(other.rvs(6, random_state=7)) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda law: law.rvs(3, random_state=np.random.default_rng(0)),
            "random_state was of type Generator; it should be an integer >= 0: a cert",
        ),
        (
            lambda law: law.rvs(3, random_state=np.random.RandomState(0)),
            "random_state was of type RandomState; it should be an integer >= 0: a cert",
        ),
        (lambda law: law.rvs(3, random_state=None), "random_state was None; it should be an integer >= 0"),
        (lambda law: law.rvs(-1), "size was -1; it should be an integer >= 0"),
        (lambda law: law.rvs((2, 2.5)), "size was 2.5; it should be an integer >= 0"),
        (lambda law: law.cdf("x"), "x was 'x'; it should be a number, or an array of numbers"),
        (lambda law: law.pdf([1, None]), "x was [1, None]; it should be a number, or an array of numbers"),
        (
            lambda law: law.ppf(np.array([1j])),
            "q was an array of complex128; it should be a number, or an array of numbers",
        ),
    ],
)
def test_bad_input(call, message) -> None:
    with pytest.raises(InvalidArgument) as caught:
        call(AttentionLaw(1))
    assert str(caught.value).startswith(message)
