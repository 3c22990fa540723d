"""HCK: the spectrum of attention is that of the linear model, and not that of Marchenko-Pastur; the statements of the
theory page, on small matrices.

Tolerances are several times the distances at these sizes, which scripts/attention_convergence.py measures.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import algatt
from algatt.spectra import chain, moments_of_cumulants, spectrum_report

SETTINGS = [(300, 300, 0.7), (300, 600, 0.7), (300, 150, 0.7), (300, 300, 0.4)]


@pytest.mark.sample(1)
@pytest.mark.parametrize(("tokens", "key_dim", "beta"), SETTINGS)
def test_the_spectrum_is_near_its_law_and_far_from_marchenko_pastur(tokens, key_dim, beta):
    report = spectrum_report(algatt.spectra.AttentionEnsemble(tokens, tokens, key_dim, beta), draws=2)
    between = algatt.spectra.wasserstein_distance(report.law, report.marchenko_pastur)
    assert report.wasserstein < 0.2 * between
    assert report.wasserstein_marchenko_pastur > 0.8 * between
    assert report.kolmogorov < 0.3 * report.kolmogorov_marchenko_pastur


def test_all_models_of_the_chain_have_one_limit():
    for model in chain(algatt.spectra.AttentionEnsemble(300, 300, 300, 0.5)):
        report = spectrum_report(model, draws=2)
        assert report.wasserstein < 0.012 < 0.05 < report.wasserstein_marchenko_pastur, model


@pytest.mark.parametrize("ratio", [0.5, 2.0])
def test_moments_of_the_linear_model_by_simulation(ratio):
    """The mean over draws of the traces, which have fluctuations of order 1 / l."""
    law = algatt.spectra.AttentionLaw(1.0, ratio)
    traces = []
    for seed in range(6):
        values = algatt.spectra.squared_singular_values(
            algatt.spectra.LinearEnsemble(240, 240, round(240 / ratio), 1.0), seed=seed, drop=0
        )
        traces.append([(values**q).mean() for q in (1, 2, 3)])
    assert np.mean(traces, axis=0) == pytest.approx(algatt.spectra.moments(law, 3), rel=0.05)


def test_the_edge_is_reached_and_not_passed_by_the_linear_model():
    """The largest value of the linear model tends to the edge, beyond that of Marchenko-Pastur; fluctuations are of
    order l^(-2/3).
    """
    law = algatt.spectra.AttentionLaw(1.0)
    largest = [
        algatt.spectra.squared_singular_values(algatt.spectra.LinearEnsemble(500, 500, 500, 1.0), seed=seed, drop=0)[0]
        for seed in range(3)
    ]
    assert 4 * law.mean * 1.1 < np.mean(largest) < 1.05 * algatt.spectra.edge(law)
    assert np.mean(largest) == pytest.approx(algatt.spectra.edge(law), rel=0.06)


def test_the_convergence_with_the_number_of_tokens():
    distances = [
        spectrum_report(algatt.spectra.AttentionEnsemble(tokens, tokens, tokens, 0.8), draws=3).wasserstein
        for tokens in (60, 240, 600)
    ]
    assert distances[0] > 1.5 * distances[1] > 2 * distances[2]


@pytest.mark.filterwarnings("ignore::algatt.spectra.FiniteSizeWarning")  # of 50 tokens
def test_the_top_singular_value_of_attention_tends_to_one():
    tops = [
        spectrum_report(algatt.spectra.AttentionEnsemble(tokens, tokens, tokens, 0.8), draws=2).top_singular_value
        for tokens in (50, 200, 600)
    ]
    assert 1.05 > tops[0] > tops[1] > tops[2] > 1
    assert tops[2] < 1.005


def test_linearisation_breaks_where_beta_is_of_the_order_of_the_root_of_log_tokens():
    """At l = 300 half of sqrt(log l) is 1.19: relative distances grow steeply through it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", algatt.spectra.FiniteSizeWarning)
        ensembles = [algatt.spectra.AttentionEnsemble(300, 300, 300, beta) for beta in (0.5, 1.0, 1.5, 2.0)]
    reports = [spectrum_report(ensemble, draws=2) for ensemble in ensembles]
    relative = [report.wasserstein / report.law.mean for report in reports]
    assert relative[0] < 0.02
    assert relative[1] < 0.1
    assert relative[2] > 0.2
    assert relative[3] > 0.4


def test_the_determining_sequence_is_that_of_a_free_sum():
    """That of the noise, (alpha^2, 0, 0, ...), and that of the product, which is R-diagonal with beta^(2q) c^(q-1), add
    up.
    """
    law = algatt.spectra.LinearLaw(noise=0.6, signal=1.3, ratio=0.7)
    product = [1.3**q * 0.7 ** (q - 1) for q in range(1, 7)]
    determining = [product[0] + 0.6, *product[1:]]
    assert algatt.spectra.free_cumulants(law, 6) == pytest.approx(moments_of_cumulants(determining))
