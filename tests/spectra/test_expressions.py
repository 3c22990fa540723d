"""Expressions in Gaussian matrices: their algebra, their draws, and the moments of their laws by counting pairings."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.spectra import (
    ExpressionLaw,
    LinearEnsemble,
    gaussian_expression,
    identity_expression,
    linear_attention,
    sample_expression,
)
from wick import planar_moment


def test_the_algebra_is_that_of_matrices():
    """A sum of products with an identity, a transpose and a letter that is used twice, against numpy."""
    P, Q = gaussian_expression("P", columns=0.5), gaussian_expression("Q", rows=0.5, columns=2)
    one = identity_expression(0.5)
    p, q = (sample_expression(letter, 12, seed=4) for letter in (P, Q))
    both = 2 * (P @ (one + 0.5 * Q @ Q.T) + 3 * (P @ P.T @ P)) @ Q
    expected = 2 * (p @ (np.eye(6) + 0.5 * q @ q.T) + 3 * p @ p.T @ p) @ q
    assert sample_expression(both, 12, seed=4) == pytest.approx(expected, abs=1e-12)
    assert sample_expression(both.T, 12, seed=4) == pytest.approx(expected.T, abs=1e-12)
    assert (both.rows, both.columns) == (1.0, 2.0)


def test_the_linear_model_is_that_of_its_ensemble():
    ensemble = LinearEnsemble(20, 20, 10, beta=0.8)
    drawn = sample_expression(linear_attention(0.8, 2), 20, seed=3)
    assert drawn == pytest.approx(algatt.spectra.sample_matrix(ensemble, seed=3), abs=1e-13)


WORDS = {
    "Z K": [("Z", False), ("K", False)],
    "Q K^T K": [("Q", False), ("K", True), ("K", False)],
    "Z Z": [("Z", False), ("Z", False)],
}

SIZES = {"Z": (1.0, 1.0), "Q": (1.0, 0.5), "K": (1.0, 0.5)}


def expression_of(word):
    letters = {name: gaussian_expression(name, rows=rows, columns=columns) for name, (rows, columns) in SIZES.items()}
    result = None
    for name, transposed in word:
        letter = letters[name].T if transposed else letters[name]
        result = letter if result is None else result @ letter
    return result


def counted_moments(words, count):
    """Return the moments of the sum of words, of factor 1, by all their products."""
    rows, last = SIZES[words[0][0][0]][0], words[0][-1]
    columns = SIZES[last[0]][0 if last[1] else 1]
    found = []
    for q in range(1, count + 1):
        total = 0.0
        for chosen in product(words, repeat=2 * q):
            closed = []
            for k, word in enumerate(chosen):
                closed += word if k % 2 == 0 else [(name, not transposed) for name, transposed in reversed(word)]
            total += planar_moment(closed, SIZES)
        found.append(total * rows / min(rows, columns))
    return found


@pytest.mark.parametrize(
    ("words", "count"),
    [(["Z K"], 3), (["Q K^T K"], 3), (["Z K", "Q K^T K"], 2), (["Z Z"], 3)],
    ids=str,
)
def test_moments_count_planar_pairings(words, count):
    chosen = [WORDS[word] for word in words]
    expression = expression_of(chosen[0])
    for word in chosen[1:]:
        expression = expression + expression_of(word)
    found = algatt.spectra.moments(ExpressionLaw(expression), count)
    assert found == pytest.approx(counted_moments(chosen, count), rel=1e-12)


def test_more_layers_are_longer_programs_and_not_more_paths():
    layer = identity_expression() + linear_attention(0.5)
    assert len((layer @ layer @ layer).edges) == 3 * len(layer.edges)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: gaussian_expression(3), "name was 3; it should be a text"),
        (lambda: gaussian_expression("Q", rows=0), "rows was 0"),
        (lambda: gaussian_expression("Q", columns=1e9), r"columns was 1000000000.0; it should be between 0.0001 and"),
        (lambda: identity_expression(-1), "size was -1"),
        (lambda: gaussian_expression("Q", columns=2) @ gaussian_expression("K"), "other was of 1 rows; .* of 2, the"),
        (lambda: gaussian_expression("Q", columns=2) + gaussian_expression("K"), r"other was of shape \(1, 1\)"),
        (lambda: gaussian_expression("Q", columns=2).T @ gaussian_expression("Q"), "name was 'Q' of two shapes"),
        (lambda: "2" * gaussian_expression("Q"), "factor was '2'; it should be a finite number"),
        (lambda: ExpressionLaw(identity_expression()), "expression was one without Gaussian matrices"),
        (lambda: ExpressionLaw(3), "expression was 3; it should be a GaussianExpression"),
        (lambda: sample_expression(gaussian_expression("Q"), 0), "tokens was 0"),
        (lambda: linear_attention(0), "beta was 0"),
        (lambda: linear_attention(1, 0), "ratio was 0"),
    ],
)
def test_bad_input(make, message):
    with pytest.raises(InvalidArgument, match=message):
        make()
