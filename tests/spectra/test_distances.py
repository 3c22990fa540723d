"""Distances against integrals and sums that are known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad

import algatt
from algatt.errors import InvalidArgument
from algatt.spectra import AttentionLaw, FussCatalan, LinearLaw, MarchenkoPastur

LAWS = [AttentionLaw(1), AttentionLaw(0.7, 12), MarchenkoPastur(4, 0.5), FussCatalan(2)]

samples = st.lists(st.floats(-3, 20), min_size=1, max_size=30).map(np.array)


@pytest.mark.parametrize("law", LAWS, ids=str)
@pytest.mark.parametrize("point", [-1.0, 0.3, 50.0])
def test_a_single_point_is_at_the_mean_distance(law, point):
    """W1 of a point mass is E |X - point|, here from the density."""
    expected = law.mass_at_zero * abs(point)
    for low, high in algatt.spectra.support(law):
        inner = [np.sqrt(point)] if low < point < high else None
        expected += quad(
            lambda s: abs(s * s - point) * 2 * s * float(algatt.spectra.density(law, s * s)),
            np.sqrt(low),
            np.sqrt(high),
            points=inner,
            epsabs=1e-8,
        )[0]
    assert algatt.spectra.wasserstein_distance([point], law) == pytest.approx(expected, abs=1e-7)
    assert algatt.spectra.wasserstein_distance(law, np.array([[point]])) == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize(("one", "two"), [(1.0, 3.0), (2.0, 1.5)])
@pytest.mark.parametrize(
    "make", [lambda s: MarchenkoPastur(1, s), lambda s: FussCatalan(2, s), lambda s: LinearLaw(0.3 * s, 0.7 * s, 2)]
)
def test_laws_that_differ_in_scale(make, one, two):
    """Quantiles scale, so that the distance is the difference of the means."""
    assert algatt.spectra.wasserstein_distance(make(one), make(two)) == pytest.approx(abs(one - two), rel=1e-6)


def test_a_law_is_at_distance_zero_from_itself():
    for law in LAWS:
        assert algatt.spectra.wasserstein_distance(law, law) == 0
        assert algatt.spectra.kolmogorov_distance(law, law) == 0


def test_the_distance_of_stochastically_ordered_laws_is_that_of_the_means():
    """Each quantile of the first law is below that of the second."""
    one, two = MarchenkoPastur(1, 1), AttentionLaw(1.2)
    levels = np.linspace(0.01, 0.99, 50)
    assert (algatt.spectra.quantile(one, levels) < algatt.spectra.quantile(two, levels)).all()
    assert algatt.spectra.wasserstein_distance(one, two) == pytest.approx(two.mean - 1, rel=1e-8)


@given(samples, samples)
def test_samples_by_their_steps(one, two):
    grid = np.unique(np.concatenate([one, two]))
    difference = np.array([abs((one <= x).mean() - (two <= x).mean()) for x in grid])
    assert algatt.spectra.kolmogorov_distance(one, two) == pytest.approx(difference.max())
    assert algatt.spectra.wasserstein_distance(one, two) == pytest.approx(
        float((np.diff(grid) * difference[:-1]).sum()), abs=1e-9
    )


@given(samples, samples)
@settings(max_examples=6)
def test_the_triangle_inequality(one, two):
    for verb in (algatt.spectra.wasserstein_distance, algatt.spectra.kolmogorov_distance):
        for law in LAWS[:2]:
            assert abs(verb(one, law) - verb(two, law)) <= verb(one, two) + 1e-9


@given(samples)
def test_the_kolmogorov_distance_by_search(sample):
    """On a fine grid, and at the jumps from both sides."""
    for law in LAWS:
        places = np.concatenate([np.linspace(-4, 21, 2000), sample, np.nextafter(sample, -9), [-1e-300, 0.0]])
        reached = (sample[:, None] <= places).mean(0)
        assert (
            algatt.spectra.kolmogorov_distance(sample, law)
            >= np.abs(reached - algatt.spectra.cdf(law, places)).max() - 1e-12
        )


@pytest.mark.parametrize("law", LAWS, ids=str)
def test_quantiles_are_the_nearest_sample(law):
    """The best n points are the quantiles at (i - 1/2) / n; their Kolmogorov distance is 1 / (2 n), unless zero has a
    mass.
    """
    n = 200
    best = algatt.spectra.quantile(law, (np.arange(n) + 0.5) / n)
    if not law.mass_at_zero:
        assert algatt.spectra.kolmogorov_distance(best, law) == pytest.approx(0.5 / n, abs=1e-12)
    distance = algatt.spectra.wasserstein_distance(best, law)
    assert distance < algatt.spectra.edge(law) / n
    for shift in (-0.05, 0.05):
        assert distance < algatt.spectra.wasserstein_distance(best + shift, law) <= distance + 0.05 + 1e-9


@pytest.mark.parametrize("verb", [algatt.spectra.wasserstein_distance, algatt.spectra.kolmogorov_distance])
@pytest.mark.parametrize(
    ("sample", "message"),
    [([], "one was empty"), ([np.inf], "one was infinite"), ([np.nan], "one was with NaN"), (["x"], "one was .'x'.")],
)
def test_bad_input(verb, sample, message):
    for other in (AttentionLaw(1), [1.0]):
        with pytest.raises(InvalidArgument, match=message):
            verb(sample, other)


def test_a_mass_at_zero_is_no_jump_of_the_law_alone():
    """Three quarters of the law and all of the sample are at zero: they differ by a quarter from there on, and not
    before (a ratio c has 1 - 1/c).
    """
    law = algatt.spectra.MarchenkoPastur(4.0, 0.5)
    assert algatt.spectra.kolmogorov_distance([0.0, 0.0], law) == pytest.approx(0.25, abs=1e-12)
    assert algatt.spectra.kolmogorov_distance(law, [0.0]) == pytest.approx(0.25, abs=1e-12)
