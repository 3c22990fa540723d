"""Random matrices against their definitions, written out entry by entry, and against the law of their entries."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.polynomial import hermite_e
from scipy.stats import kstest

import algatt
from algatt.errors import InvalidArgument
from algatt.randomness import random_words
from algatt.spectra import (
    AttentionEnsemble,
    LinearPolynomialEnsemble,
    PolynomialEnsemble,
    bulk_matrix,
    chain,
    chain_reports,
    matrix_report,
    needed_tokens,
    predicted_top_singular_value,
    spectrum_report,
)
from algatt.spectra.gaussian import gaussian_matrix

SIZES = (60, 70, 45, 0.8)

MODELS = chain(AttentionEnsemble(*SIZES), degree=5)


def scores(ensemble, seed):
    """S from the two streams, one entry after the other."""
    Q, K = (
        gaussian_matrix(seed, f"attention/{name}", ensemble.tokens, ensemble.key_dim) for name in ("queries", "keys")
    )
    return np.array([[sum(q * k for q, k in zip(row, column, strict=True)) for column in K] for row in Q]) / math.sqrt(
        ensemble.key_dim
    )


def test_gaussian_entries_are_normal_and_independent():
    entries = gaussian_matrix(3, "test", 300, 301)
    assert entries.shape == (300, 301)
    assert kstest(entries.ravel(), "norm").pvalue > 1e-3
    half = entries.size // 2
    radius, partner = entries.ravel()[:half], entries.ravel()[half : 2 * half]
    for power in (1, 2):  # the two entries that share a word
        assert abs(np.corrcoef(radius**power, partner**power)[0, 1]) < 4 / math.sqrt(half)
    assert abs(np.corrcoef(entries.ravel()[:-1], entries.ravel()[1:])[0, 1]) < 4 / math.sqrt(entries.size)


def test_gaussian_entries_come_from_the_documented_stream():
    """The first word of SHAKE-256, its upper half a radius and its lower half an angle."""
    import hashlib

    digest = hashlib.shake_256(b"algatt/1/7/label").digest(16)
    words = [int.from_bytes(digest[i : i + 8], "little") for i in (0, 8)]
    radii = [math.sqrt(-2 * math.log(((word >> 32) + 0.5) / 2**32)) for word in words]
    angles = [2 * math.pi * (word % 2**32) / 2**32 for word in words]
    cosines = [r * math.cos(a) for r, a in zip(radii, angles, strict=True)]
    sines = [r * math.sin(a) for r, a in zip(radii, angles, strict=True)]
    assert gaussian_matrix(7, "label", 2, 2).ravel() == pytest.approx([*cosines, *sines])
    assert gaussian_matrix(7, "label", 1, 3).ravel() == pytest.approx([*cosines, sines[0]])


def test_long_streams_are_transformed_word_by_word():
    """By math, at words in several blocks, and at both ends of each."""
    count = 40_000
    words = random_words(5, "long", count)
    entries = gaussian_matrix(5, "long", 2, count)
    for place in (0, 1, 2**14 - 1, 2**14, 2**14 + 1, 2**15 - 1, 2**15, count - 1):
        high, low = divmod(int(words[place]), 2**32)
        radius, angle = math.sqrt(-2 * math.log((high + 0.5) / 2**32)), 2 * math.pi * low / 2**32
        assert entries[:, place] == pytest.approx(
            [radius * math.cos(angle), radius * math.sin(angle)], rel=1e-12, abs=1e-12
        )


def test_rows_may_miss_one_by_rounding_only():
    A = algatt.spectra.sample_matrix(MODELS[0], seed=1)
    assert bulk_matrix(A * (1 + 2e-6)) == pytest.approx(bulk_matrix(A), abs=1e-5)
    with pytest.raises(algatt.errors.InvalidArgument, match=r"a row that sums to 1\.00002"):
        bulk_matrix(A * (1 + 2e-5))


def test_attention_is_the_softmax_of_the_scores():
    A = algatt.spectra.sample_matrix(MODELS[0], seed=2)
    E = np.exp(0.8 * scores(MODELS[0], 2))
    assert pytest.approx(E / E.sum(axis=1)[:, None], rel=1e-10) == A


def test_the_models_of_the_chain_are_what_they_are_called():
    tokens, _, _, beta = SIZES
    S = scores(MODELS[0], 1)
    P = np.eye(tokens) - 1 / tokens
    f = np.exp(beta * S - beta**2 / 2) - 1
    Z = gaussian_matrix(1, "attention/noise", tokens, tokens)
    Q = sum(beta**k / math.factorial(k) * hermite_e.hermeval(S, [0] * k + [1]) for k in range(1, 6))
    rest = sum(beta ** (2 * k) / math.factorial(k) for k in range(2, 6))
    expected = [
        np.exp(beta * S - beta**2 / 2) @ P / math.sqrt(tokens),
        f / math.sqrt(tokens),
        Q / math.sqrt(tokens),
        (math.sqrt(rest) * Z + beta * S) / math.sqrt(tokens),
        (math.sqrt(math.exp(beta**2) - 1 - beta**2) * Z + beta * S) / math.sqrt(tokens),
    ]
    for model, matrix in zip(MODELS[1:], expected, strict=True):
        assert algatt.spectra.sample_matrix(model, seed=1) == pytest.approx(matrix, rel=1e-9, abs=1e-12), model


def test_the_perpendicular_part_is_what_a_projection_leaves():
    """A u = u, so that A - u u^T = A P_perp."""
    A = algatt.spectra.sample_matrix(MODELS[0], seed=0)
    assert bulk_matrix(A) == pytest.approx(math.sqrt(60) * A @ (np.eye(60) - 1 / 60), abs=1e-12)


@pytest.mark.parametrize("shape", [(30, 30), (20, 35), (35, 20), (1, 4)])
def test_squared_singular_values_are_those_of_the_matrix(shape):
    M = np.random.default_rng(0).standard_normal(shape)
    expected = np.linalg.svd(M, compute_uv=False) ** 2
    assert algatt.spectra.squared_singular_values(M) == pytest.approx(expected, abs=1e-13 * expected[0])
    if min(shape) > 2:
        assert algatt.spectra.squared_singular_values(M, drop=2) == pytest.approx(expected[2:], abs=1e-13 * expected[0])


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_three_values_are_left_out_unless_told(model):
    matrix = algatt.spectra.sample_matrix(model, seed=4)
    if isinstance(model, AttentionEnsemble):
        matrix = bulk_matrix(matrix)
    expected = np.linalg.svd(matrix, compute_uv=False) ** 2
    assert algatt.spectra.squared_singular_values(model, seed=4) == pytest.approx(expected[3:], abs=1e-12)
    assert algatt.spectra.squared_singular_values(model, seed=4, drop=0) == pytest.approx(expected, abs=1e-12)


def test_the_seed_names_the_draw_and_the_width_does_not_matter():
    one = algatt.spectra.sample_matrix(MODELS[0], seed=0)
    assert np.array_equal(one, algatt.spectra.sample_matrix(MODELS[0], seed=0))
    assert np.array_equal(one, algatt.spectra.sample_matrix(replace(MODELS[0], width=1000), seed=0))
    assert not np.allclose(one, algatt.spectra.sample_matrix(MODELS[0], seed=1))


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_the_limit_law_has_the_mean_square_of_the_entries(model):
    """f(N), its linear model and its truncation have the second moments of their laws; averaged over the entries of
    some draws.
    """
    law = algatt.spectra.limit_law(replace(model, beta=0.5))
    large = replace(model, tokens=150, width=150, key_dim=150, beta=0.5)
    means = [float(algatt.spectra.squared_singular_values(large, seed=seed, drop=0).mean()) for seed in range(4)]
    assert np.mean(means) == pytest.approx(law.mean, rel=0.04)


def test_limit_laws():
    assert [
        algatt.spectra.limit_law(model)
        for model in MODELS
        if model.__class__ not in (PolynomialEnsemble, LinearPolynomialEnsemble)
    ] == [algatt.spectra.AttentionLaw(0.8, 60 / 45)] * 4
    polynomial = algatt.spectra.limit_law(PolynomialEnsemble(*SIZES, degree=3))
    assert polynomial == algatt.spectra.limit_law(LinearPolynomialEnsemble(*SIZES, degree=3))
    assert (polynomial.signal, polynomial.ratio) == (pytest.approx(0.64), 60 / 45)
    assert polynomial.noise == pytest.approx(0.64**2 / 2 + 0.64**3 / 6)


def test_without_beta_everything_is_uniform():
    ensemble = AttentionEnsemble(20, 20, 20, 0)
    assert algatt.spectra.sample_matrix(ensemble) == pytest.approx(np.full((20, 20), 0.05))
    for model in chain(ensemble):
        assert np.abs(algatt.spectra.squared_singular_values(model)).max() < 1e-25
    with pytest.raises(InvalidArgument, match="beta was 0, for which the limit is the point mass at 0"):
        algatt.spectra.limit_law(ensemble)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: algatt.spectra.squared_singular_values(np.ones(3)), r"source was of shape \(3,\)"),
        (lambda: algatt.spectra.squared_singular_values(np.full((2, 2), np.nan)), "source was with NaN"),
        (
            lambda: algatt.spectra.squared_singular_values(np.full((2, 2), 1e200)),
            r"source was with entries up to 1e\+200, whose squares overflow",
        ),
        (lambda: algatt.spectra.squared_singular_values(np.eye(3), drop=3), "drop was 3; it should be less than 3"),
        (lambda: algatt.spectra.squared_singular_values(MODELS[0], drop=-1), "drop was -1"),
        (lambda: algatt.spectra.sample_matrix(MODELS[0], seed=-1), "seed was -1"),
        (lambda: bulk_matrix(np.ones((2, 3)) / 3), r"attention was of shape \(2, 3\); it should be a square"),
        (lambda: bulk_matrix(np.ones((2, 2))), "a matrix with a row that sums to 2; it should be an attention matrix"),
        (
            lambda: bulk_matrix(np.array([[1.5, -0.5], [0.5, 0.5]])),
            "a matrix with the entry -0.5; it should be an attention matrix",
        ),
        (lambda: matrix_report(np.full((3, 3), 1 / 3), key_dim=2), "attention was a matrix of equal entries"),
        (lambda: matrix_report(np.eye(3), key_dim=0), "key_dim was 0"),
        (lambda: matrix_report(np.eye(3), key_dim=2, beta=0), "beta was 0"),
        (lambda: chain(MODELS[0], degree=0), "degree was 0"),
        (lambda: chain(MODELS[0], degree=10**9), "degree was 1000000000; it should be at most 1500"),
        (lambda: chain(MODELS[-1]), "ensemble was LinearEnsemble.*; it should be an AttentionEnsemble"),
        (lambda: chain_reports(MODELS[-1]), "ensemble was LinearEnsemble"),
        (lambda: predicted_top_singular_value(MODELS[1]), "ensemble was ExponentialEnsemble"),
        (lambda: spectrum_report(MODELS[0], draws=0), "draws was 0"),
        (lambda: spectrum_report(MODELS[0], seed="1"), "seed was '1'"),
        (lambda: spectrum_report(AttentionEnsemble(10, 10, 10, 0)), "beta was 0"),
        (lambda: needed_tokens(-1), "beta was -1"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(InvalidArgument, match=message):
        call()
