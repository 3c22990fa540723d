"""Causal attention: the law of its blocks against a matrix of small blocks, and the reports of given matrices."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.spectra import CausalEnsemble, CausalLaw, causal_bulk_matrix, estimated_causal_beta, matrix_report
from algatt.spectra.layers.causal_law import chain
from algatt.spectra.layers.mixing import mixed_fixed_point


def test_two_passes_along_the_chain_invert_its_matrices():
    """X and Y of the module's equation, by inverses of full matrices."""
    rng = np.random.default_rng(0)
    p, D = rng.standard_normal((2, 1, 6)) + 1j * rng.standard_normal((2, 1, 6))
    front = np.array([1.0, 1.0, 0.75, 0.6, 0.5, 0.5])
    P = np.array([[p[0, : min(a, b)].sum() + (front * p[0])[min(a, b)] for b in range(6)] for a in range(6)])
    X, Y = chain(p, D, front)
    assert X[0] == pytest.approx(np.diag(np.linalg.inv(np.linalg.inv(P) - np.diag(D[0]))))
    inner = np.diag(D[0]) @ np.linalg.inv(np.eye(6) - P @ np.diag(D[0]))
    tails = [inner[b:, b:].sum() for b in range(7)]
    assert Y[0] == pytest.approx([front[b] * tails[b] + (1 - front[b]) * tails[b + 1] for b in range(6)])


def test_mixing_finds_fixed_points():
    w = np.array([0.5 + 0.1j, 1.9 + 0j, 3.0 + 0j])

    def step(g, left):
        return 1 / (w[left, None] - g)

    found, good = mixed_fixed_point(step, np.repeat(1 / (w + 3j)[:, None], 1, axis=1), 1e-13, 300)
    expected = (w - np.sqrt(w - 2) * np.sqrt(w + 2)) / 2  # the semicircle law
    assert good.all()
    assert found[:, 0] == pytest.approx(expected, abs=1e-10)


@pytest.mark.filterwarnings("ignore::algatt.spectra.FiniteSizeWarning")
def test_the_law_has_the_transform_of_draws():
    tokens, beta = 300, 0.5
    law = CausalLaw(beta, 2.0, tokens)
    draws = [
        algatt.spectra.sample_matrix(CausalEnsemble(tokens, tokens, tokens // 2, beta), seed=seed) for seed in range(2)
    ]
    values = np.concatenate([algatt.spectra.squared_singular_values(draw) for draw in draws])
    points = np.array([0.3 + 0.3j, 1 + 1j, 10 + 3j])
    found = (1 / (values[:, None] - points)).mean(axis=0)
    assert (np.abs(algatt.spectra.stieltjes(law, points) - found) < 0.02 * np.abs(found)).all()


def causal(tokens, beta, seed=0):
    scores = np.random.default_rng(seed).standard_normal((tokens, tokens))
    A = np.tril(np.exp(beta * scores))
    return A / A.sum(axis=1, keepdims=True)


def test_reports_of_causal_matrices():
    A = causal(80, 0.6)
    report = matrix_report(A, key_dim=4000)
    assert report.ensemble == CausalEnsemble(80, 80, 4000, estimated_causal_beta(A))
    assert report.ensemble.beta == pytest.approx(0.6, abs=0.03)
    mean = np.tri(80) / np.arange(1, 81)[:, None]
    singular = np.linalg.svd(np.sqrt(80) * (A - mean), compute_uv=False)
    assert report.values[0] == pytest.approx(singular**2, abs=1e-10)
    assert report.top_singular_value is None


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: CausalLaw(0.5, 1, 5), "tokens was 5; it should be at least 16"),
        (lambda: CausalLaw(4, 1, 50), "beta was 4; it should be between 0.001 and 3"),
        (lambda: CausalEnsemble(50, 50, 50, 3.5), "beta was 3.5; it should be at most 3"),
        (lambda: causal_bulk_matrix(causal(20, 1).T), "attention was a matrix with a row that sums to"),
        (lambda: causal_bulk_matrix(np.full((20, 20), 0.05)), "attention was a matrix without a causal mask"),
        (lambda: estimated_causal_beta(causal(20, 0)), "attention was equal below the diagonal"),
        (lambda: algatt.spectra.limit_law(CausalEnsemble(50, 50, 50, 0)), "beta was 0"),
    ],
)
@pytest.mark.filterwarnings("ignore::algatt.spectra.FiniteSizeWarning")
def test_bad_input(make, message):
    with pytest.raises(InvalidArgument, match=message):
        make()
