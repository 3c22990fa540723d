"""Outliers of single entries: against the secular equation with the Cauchy transform of the density, and matrices that
are drawn; and warnings by the distance that is measured.
"""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from scipy import integrate

import algatt
from algatt.errors import InvalidArgument
from algatt.spectra import (
    AttentionEnsemble,
    AttentionLaw,
    FiniteSizeWarning,
    LinearEnsemble,
    LinearLaw,
    median_largest_entry,
    outlier_threshold,
    predicted_outlier,
    spectrum_report,
    tokens_without_outliers,
)


def cauchy(law, s):
    """The integral of s / (s^2 - x) by scipy's quadrature of the density, in x = r^2: the Cauchy transform of the
    singular values with both signs.
    """
    return sum(
        integrate.quad(
            lambda r: s / (s * s - r * r) * float(algatt.spectra.density(law, r * r)) * 2 * r,
            math.sqrt(low),
            math.sqrt(high),
            limit=400,
        )[0]
        for low, high in algatt.spectra.support(law)
    )


@pytest.mark.parametrize("law", [AttentionLaw(1), AttentionLaw(0.7, 12), LinearLaw(0.5, 2.0, 0.3)], ids=repr)
@pytest.mark.parametrize("factor", [1.3, 4.0])
def test_outliers_solve_the_secular_equation(law, factor):
    """G(s) = 1 / |y| at the outlier s^2 of an entry y."""
    square = factor * outlier_threshold(law)
    s = math.sqrt(predicted_outlier(law, square))
    assert cauchy(law, s) == pytest.approx(square**-0.5, rel=1e-6)


def test_the_threshold_is_where_the_outlier_leaves_the_edge():
    law = AttentionLaw(1)
    assert outlier_threshold(law) == pytest.approx(3.354, abs=5e-4)
    edge = algatt.spectra.edge(law)
    assert predicted_outlier(law, 3.3) == predicted_outlier(law, 0) == edge
    assert cauchy(law, math.sqrt(edge) * (1 + 1e-7)) ** -2 == pytest.approx(3.354, rel=1e-2)
    # Marchenko-Pastur of ratio 1 and mean 1: edge 4, threshold 1, outlier (y + 1 / y)^2
    nearly = LinearLaw(1, 1e-9, 1)
    assert outlier_threshold(nearly) == pytest.approx(1, rel=1e-3)
    assert predicted_outlier(nearly, 4) == pytest.approx(6.25, rel=1e-6)


@pytest.mark.parametrize(("square", "error"), [(6.0, 0.03), (12.0, 0.03), (2.0, 0.05)])
def test_a_planted_entry_makes_the_predicted_value(square, error):
    matrix = algatt.spectra.sample_matrix(LinearEnsemble(400, 400, 400, 1.0), seed=1)
    matrix[3, 5] = math.sqrt(square)
    expected = predicted_outlier(AttentionLaw(1), square)
    assert np.linalg.norm(matrix, 2) ** 2 == pytest.approx(expected, rel=error)


def test_the_median_largest_entry():
    """By the distribution function of the largest of l^2 normal numbers."""
    from scipy.stats import norm

    for beta, tokens in ((1.0, 1000), (0.5, 300), (1.5, 10**6)):
        z = norm.isf(-math.expm1(-math.log(2) / tokens**2))
        assert median_largest_entry(beta, tokens) == pytest.approx(
            math.expm1(beta * z - beta**2 / 2) ** 2 / tokens, rel=1e-5
        )
    drawn = [
        float((algatt.spectra.bulk_matrix(algatt.spectra.sample_matrix(ensemble, seed=seed)) ** 2).max())
        for ensemble in [AttentionEnsemble(300, 300, 300, 0.7)]
        for seed in range(9)
    ]
    assert np.median(drawn) == pytest.approx(median_largest_entry(0.7, 300), rel=0.3)


def test_entries_stop_making_outliers_at_some_thousand_tokens():
    """At beta = 1: not at 10^5, where the largest entry would be compared with the edge itself."""
    tokens = tokens_without_outliers(1.0)
    assert 7_000 < tokens < 8_200
    threshold = outlier_threshold(AttentionLaw(1))
    assert median_largest_entry(1.0, round(0.9 * tokens)) > threshold > median_largest_entry(1.0, round(1.1 * tokens))
    assert tokens_without_outliers(0.3) == 1
    assert tokens_without_outliers(15) == math.inf


def test_a_spectrum_that_is_far_from_the_law_is_warned_of_by_its_distance():
    """55 tokens are enough for exp(4 beta^2) at beta = 1, and the law is farther than Marchenko-Pastur all the same."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ensemble = AttentionEnsemble(55, 55, 55, 1.0)
    with pytest.warns(FiniteSizeWarning, match=r"55 tokens: the spectrum is at the Wasserstein distance 0\.\d+ from"):
        report = spectrum_report(ensemble, draws=8)
    assert not report.near
    assert 0.25 < report.wasserstein < 0.4
    assert report.wasserstein_of_laws == pytest.approx(0.216, abs=1e-3)  # the distance of the two laws in the docs
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert spectrum_report(AttentionEnsemble(120, 120, 120, 0.5), draws=2).near


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: outlier_threshold(algatt.spectra.MarchenkoPastur(1)), "law was MarchenkoPastur"),
        (lambda: predicted_outlier(AttentionLaw(1), -1), "square was -1"),
        (lambda: median_largest_entry(1.0, 0), "tokens was 0"),
        (lambda: tokens_without_outliers(-1), "beta was -1"),
    ],
)
def test_bad_arguments(call, message):
    with pytest.raises(InvalidArgument, match=message):
        call()
