"""Reports of spectra: of draws, of given matrices, and of the chain of models."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.spectra import (
    AttentionEnsemble,
    bulk_matrix,
    chain_reports,
    estimated_beta,
    matrix_report,
    predicted_top_singular_value,
    spectrum_report,
)


def test_reports():
    ensemble = AttentionEnsemble(120, 120, 120, 0.6)
    seen = []
    report = spectrum_report(ensemble, draws=2, seed=5, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]
    assert np.array_equal(report.values[1], algatt.spectra.squared_singular_values(ensemble, seed=6, drop=0))
    A = algatt.spectra.sample_matrix(ensemble, seed=5)
    assert report.scaled_values[0] == pytest.approx(120 * np.linalg.svd(A, compute_uv=False) ** 2, abs=1e-12)
    assert report.wasserstein == algatt.spectra.wasserstein_distance(report.values, algatt.spectra.AttentionLaw(0.6))
    assert report.kolmogorov_marchenko_pastur == algatt.spectra.kolmogorov_distance(
        report.values, algatt.spectra.MarchenkoPastur(1, report.law.mean)
    )
    written = report.to_dict()
    assert written["ensemble"] == {
        "name": "AttentionEnsemble",
        "tokens": 120,
        "width": 120,
        "key_dim": 120,
        "beta": 0.6,
    }
    assert (written["draws"], written["seed"], written["status"]) == (2, 5, "numerical")
    assert written["largest"] == pytest.approx(report.values.mean(axis=0)[:4])
    assert written["beyond_edge"] == (report.values > written["edge"]).sum() / 2


def test_reports_of_given_matrices():
    """Those of a draw are those of its ensemble; the rows of a softmax in float32 sum to 1 up to 1e-7."""
    ensemble = AttentionEnsemble(120, 120, 80, 0.6)
    A = algatt.spectra.sample_matrix(ensemble, seed=5)
    drawn = spectrum_report(ensemble, draws=1, seed=5)
    for matrix, error in ((A, 1e-11), (A.astype(np.float32), 1e-5)):
        given = matrix_report(matrix, key_dim=80, beta=0.6)
        assert (given.ensemble, given.seed, given.draws) == (ensemble, None, 1)
        assert given.values == pytest.approx(drawn.values, abs=error)
        assert given.scaled_values == pytest.approx(drawn.scaled_values, abs=error)
        assert given.wasserstein == pytest.approx(drawn.wasserstein, abs=error)


def test_beta_is_estimated_by_the_mean():
    """The mean is that of the law with the estimate; of the identity it is l - 1, so that the estimate is the root of
    log l.
    """
    A = algatt.spectra.sample_matrix(AttentionEnsemble(500, 500, 250, 0.9), seed=1)
    beta = estimated_beta(A)
    assert beta == pytest.approx(0.9, abs=0.02)
    assert algatt.spectra.squared_singular_values(bulk_matrix(A)).mean() == pytest.approx(
        algatt.spectra.moments(algatt.spectra.AttentionLaw(beta, 2), 1)[0], rel=1e-12
    )
    assert estimated_beta(np.eye(50)) == pytest.approx(np.sqrt(np.log(50)), rel=1e-14)
    with pytest.warns(algatt.spectra.FiniteSizeWarning, match="too|large for 50 tokens"):
        assert matrix_report(np.eye(50), key_dim=10).ensemble.beta == estimated_beta(np.eye(50))


def test_reports_of_the_chain():
    seen = []
    reports = chain_reports(
        AttentionEnsemble(60, 60, 60, 0.5), draws=2, progress=lambda done, total: seen.append((done, total))
    )
    assert seen == [(i, 12) for i in range(1, 13)]
    names = ["Attention", "Exponential", "Entrywise", "Polynomial", "LinearPolynomial", "Linear"]
    assert [report.to_dict()["ensemble"]["name"] for report in reports] == [f"{name}Ensemble" for name in names]
    assert [report.top_singular_value is not None for report in reports] == [True] + [False] * 5


def test_the_top_singular_value_tends_to_one_at_the_derived_rate():
    for tokens in (100, 400):
        ensemble = AttentionEnsemble(tokens, tokens, tokens // 2, 0.6)
        top = spectrum_report(ensemble, draws=3).top_singular_value
        assert top - 1 == pytest.approx(predicted_top_singular_value(ensemble) - 1, rel=0.2)


def test_matrices_with_masks_have_no_beta():
    """A causal softmax of scores of any variance has a mean from which a beta follows, and which says nothing of it."""
    rng = np.random.default_rng(0)
    scores = rng.standard_normal((60, 60))
    for mask, was in (
        (np.tri(60).T, "triangular, as with a causal mask"),
        (np.tri(60) - np.tri(60, k=-9), "triangular, as with a causal mask"),
        (np.tri(60, k=8) - np.tri(60, k=-9), r"zero in 7\d% of its entries, as with a mask"),
    ):
        A = mask * np.exp(scores)
        A /= A.sum(axis=1, keepdims=True)
        reported = partial(matrix_report, key_dim=60)
        for report in (estimated_beta, reported, partial(reported, beta=1.0)):
            with pytest.raises(InvalidArgument, match=f"attention was {was}; it should be one whose tokens all see"):
                report(A)


@pytest.mark.filterwarnings("ignore::algatt.spectra.FiniteSizeWarning")
@pytest.mark.parametrize("tokens", [8, 31, 32, 150])
def test_the_top_singular_value_is_that_of_all(tokens):
    """By Lanczos steps, against LAPACK; all values of the whole matrix are computed when they are asked for."""
    ensemble = AttentionEnsemble(tokens, tokens, tokens, 0.4)
    report = spectrum_report(ensemble, draws=2, seed=3)
    assert "scaled_values" not in vars(report)
    for draw in range(2):
        A = algatt.spectra.sample_matrix(ensemble, seed=3 + draw)
        singular = np.linalg.svd(A, compute_uv=False)
        assert report.top_values[draw] == pytest.approx(singular[0], rel=1e-12)
        assert report.scaled_values[draw] == pytest.approx(tokens * singular**2, abs=1e-11)
    given = matrix_report(algatt.spectra.sample_matrix(ensemble, seed=3), key_dim=tokens)
    assert given.top_values == pytest.approx(report.top_values[:1], rel=1e-12)


def test_one_cluster_has_a_top_value_that_lanczos_finds():
    """The identity: all singular values are 1, and the first step of Lanczos ends."""
    with pytest.warns(algatt.spectra.FiniteSizeWarning):
        assert matrix_report(np.eye(50), key_dim=10).top_singular_value == pytest.approx(1, rel=1e-12)
