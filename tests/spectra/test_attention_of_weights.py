"""Attention matrices of weights: against the softmax token by token, heads, and the ensemble."""

from __future__ import annotations

import math

import numpy as np
import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.spectra import (
    bulk_matrix,
)


def test_attention_of_weights_token_by_token():
    theta = algatt.sample(algatt.Lightning((5, 4, 3), (2, 3), 6), algatt.Weights, field=algatt.Reals(), seed=0)
    rng = np.random.default_rng(0)
    for layer, (width, rank) in enumerate([(5, 2), (4, 3)], start=1):
        X = rng.standard_normal((width, 6))
        Q, K, _ = theta.layers[layer - 1]
        A = algatt.spectra.attention_matrix(theta, X, layer=layer, beta=0.7)
        for i in range(6):
            weights = [math.exp(0.7 * float((Q @ X[:, i]) @ (K @ X[:, j])) / math.sqrt(rank)) for j in range(6)]
            assert A[i] == pytest.approx(np.array(weights) / sum(weights))


@pytest.mark.parametrize(
    ("score", "weight", "normalised"),
    [
        (algatt.layers.Exponential(3), lambda s: math.exp(s / 3), True),
        (algatt.layers.Unnormalized(algatt.layers.Exponential(3)), lambda s: math.exp(s / 3), False),
        (algatt.layers.Unnormalized(), lambda s: s, False),
        (algatt.layers.Rational((2, 0, 1)), lambda s: 2 + s * s, True),
        (algatt.layers.SoftCap(5), lambda s: math.exp(5 * math.tanh(s / math.sqrt(2) / 5)), True),
    ],
    ids=lambda value: repr(value) if isinstance(value, algatt.layers.base.Noun) else "",
)
def test_attention_of_weights_by_the_scores_of_networks(score, weight, normalised):
    theta = algatt.sample(algatt.Lightning((5, 4), (2,), 6), algatt.Weights, field=algatt.Reals(), seed=0)
    X = np.random.default_rng(0).standard_normal((5, 6))
    Q, K, _ = theta.layers[0]
    A = algatt.spectra.attention_matrix(theta, X, beta=0.7, score=score)
    for i in range(6):
        weights = [weight(0.7 * float((Q @ X[:, i]) @ (K @ X[:, j]))) for j in range(6)]
        assert A[i] == pytest.approx(np.array(weights) / (sum(weights) if normalised else 1))


def test_attention_without_a_score_is_that_of_heads():
    """A network of `Heads` is the values times the transpose of the attention matrix."""
    network = algatt.Network(algatt.layers.Heads(1, width=2, value_width=5, output=False), tokens=6, width=5)
    theta = algatt.sample(network, algatt.Weights, field=algatt.Reals(), seed=0)
    X = np.random.default_rng(0).standard_normal((5, 6))
    Q, K, V = (theta[f"heads.{letter}_1"] for letter in "QKV")
    A = algatt.spectra.attention_matrix(algatt.Weights.of([(Q, K, V)]), X)
    assert algatt.evaluate(network, theta, X) == pytest.approx(V @ X @ A.T)


def test_attention_of_weights_is_the_ensemble_for_orthonormal_tokens():
    """The weights of the core are uniform and not Gaussian, the limit is the same."""
    arch = algatt.Lightning((250, 1), (250,), 250)
    theta = algatt.sample(arch, algatt.Weights, field=algatt.Reals(), seed=0)
    X = np.linalg.qr(np.random.default_rng(0).standard_normal((250, 250)))[0]
    values = algatt.spectra.squared_singular_values(bulk_matrix(algatt.spectra.attention_matrix(theta, X, beta=0.7)))
    law = algatt.spectra.AttentionLaw(0.7)
    assert algatt.spectra.wasserstein_distance(values, law) < 0.03
    assert algatt.spectra.wasserstein_distance(values, algatt.spectra.MarchenkoPastur(1, law.mean)) > 0.09


def test_large_scores_do_not_overflow():
    theta = algatt.Weights.of([(1e3 * np.eye(2), np.eye(2), np.eye(2))])
    assert algatt.spectra.attention_matrix(theta, 10 * np.eye(2), beta=1).tolist() == [[1, 0], [0, 1]]
    with pytest.raises(algatt.errors.ScoreOverflow, match="the scores are too large for float64"):
        algatt.spectra.attention_matrix(theta, 1e200 * np.eye(2))
    score = algatt.layers.Unnormalized(algatt.layers.Exponential())
    with pytest.raises(algatt.errors.ScoreOverflow, match="the scores are too large for float64"):
        algatt.spectra.attention_matrix(theta, 10 * np.eye(2), score=score)
    with pytest.raises(algatt.errors.DivisionByZero):
        algatt.spectra.attention_matrix(theta, np.zeros((2, 2)), score=algatt.layers.ReLU())


def test_bad_weights():
    arch = algatt.Lightning((3, 2), (2,), 4)
    theta = algatt.sample(arch, algatt.Weights, field=algatt.Reals(), seed=0)
    X = np.ones((3, 4))
    for call, message in (
        (lambda: algatt.spectra.attention_matrix(algatt.sample(arch, algatt.Weights), X), "theta was over GF"),
        (lambda: algatt.spectra.attention_matrix(theta, X, layer=2), "layer was 2; it should be at most 1"),
        (
            lambda: algatt.spectra.attention_matrix(theta, X.T),
            r"inputs was of shape \(4, 3\); it should be of shape \(3, tokens\)",
        ),
        (lambda: algatt.spectra.attention_matrix(theta, X, beta=-1), "beta was -1"),
        (lambda: algatt.spectra.attention_matrix(theta, X, score="exp"), "score was 'exp'; it should be a score"),
        (lambda: algatt.spectra.attention_matrix(theta, X, score=algatt.layers.Heads(1)), "score was Heads"),
    ):
        with pytest.raises(InvalidArgument, match=message):
            call()
