"""Random matrices against their definitions, written out entry by entry, and against the law of their entries."""

from __future__ import annotations

import math
import warnings
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
    EntrywiseEnsemble,
    ExponentialEnsemble,
    FiniteSizeWarning,
    LinearEnsemble,
    LinearPolynomialEnsemble,
    PolynomialEnsemble,
    bulk_matrix,
    chain,
    chain_reports,
    estimated_beta,
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


def test_without_beta_everything_is_uniform():
    ensemble = AttentionEnsemble(20, 20, 20, 0)
    assert algatt.spectra.sample_matrix(ensemble) == pytest.approx(np.full((20, 20), 0.05))
    for model in chain(ensemble):
        assert np.abs(algatt.spectra.squared_singular_values(model)).max() < 1e-25
    with pytest.raises(InvalidArgument, match="beta was 0, for which the limit is the point mass at 0"):
        algatt.spectra.limit_law(ensemble)


@pytest.mark.parametrize(
    ("kind", "sizes", "message"),
    [
        (
            AttentionEnsemble,
            (101, 100, 100, 1.0),
            "tokens was 101, more than the width 100; it should be at most the width",
        ),
        (LinearEnsemble, (0, 100, 100, 1.0), "tokens was 0; it should be an integer >= 1"),
        (AttentionEnsemble, (10, 10, 2.5, 1.0), "key_dim was 2.5"),
        (AttentionEnsemble, (10, True, 2, 1.0), "width was True"),
        (AttentionEnsemble, (10, 10, 10, -0.1), "beta was -0.1; it should be a finite number >= 0"),
        (AttentionEnsemble, (10, 10, 10, float("nan")), "beta was nan"),
        (LinearEnsemble, (10, 10, 10, 27.0), r"beta was 27; it should be at most 18: beyond, exp\(beta\^2\) overflows"),
        (PolynomialEnsemble, (10, 10, 10, 0.5, 0), "degree was 0"),
    ],
)
def test_bad_sizes(kind, sizes, message):
    with pytest.raises(InvalidArgument, match=message):
        kind(*sizes)


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
        (lambda: chain(MODELS[0], degree=10**11), "degree was 100000000000; it should be at most 1500"),
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


def test_the_largest_beta_does_not_overflow():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FiniteSizeWarning)
        ensemble = EntrywiseEnsemble(400, 400, 1, 18)
    assert np.isfinite(algatt.spectra.sample_matrix(ensemble)).all()


@pytest.mark.parametrize("kind", [AttentionEnsemble, ExponentialEnsemble, EntrywiseEnsemble])
def test_a_small_matrix_for_its_beta_is_warned_of_with_the_size_that_is_needed(kind):
    with pytest.warns(
        FiniteSizeWarning, match=r"beta 1.5 is large for 1,000 tokens: about exp\(4 beta\^2\) = 8,104 are needed"
    ) as caught:
        kind(1000, 1000, 1000, 1.5)
    assert caught[0].filename == __file__
    with pytest.warns(FiniteSizeWarning, match=r"= 3e\+43 are"):
        kind(10, 10, 10, 5)
    with pytest.warns(FiniteSizeWarning, match=r"10 tokens: about exp\(4 beta\^2\) = more than 1e\+300 are needed"):
        kind(10, 10, 10, 15)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kind(60, 60, 60, 1.0)  # exp(4) is 54.6
        LinearEnsemble(10, 10, 10, 3.0)


def test_the_needed_size_is_where_rows_average_out():
    """The relative variance of exp(2 beta N) is exp(4 beta^2) - 1: by Gauss-Hermite quadrature."""
    x, w = hermite_e.hermegauss(120)
    for beta in (0.5, 1.0, 1.5):
        first, second = ((w * np.exp(k * beta * x)).sum() / w.sum() for k in (2, 4))
        assert needed_tokens(beta) == pytest.approx(second / first**2, rel=1e-8)


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
