"""Masks that are added to scores, against softmax by numpy with minus infinity."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from algatt.errors import InvalidArgument
from algatt.fields import Elements, Rationals, Reals
from algatt.programs import masked_sum

LEAST = float(np.finfo(np.float16).min)
HIDDEN = np.array([[0, -np.inf, 0, -np.inf], [-np.inf, 0, 0, 0.5], [0, -np.inf, 0, -3]])
"""The second column shows one score alone."""


def softmax(scores: np.ndarray, axis: int) -> np.ndarray:
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def value(elements: Elements) -> np.ndarray:
    return np.asarray(elements.public())


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("batch", [(), (2,)], ids=["one", "batch"])
def test_hidden_scores_have_no_weight(seed, axis, batch):
    S = 10 * np.random.default_rng(seed).standard_normal((*batch, 3, 4))
    scores = Elements.of(Reals(), S)
    masked = masked_sum(scores, HIDDEN)
    np.testing.assert_allclose(value(masked.softmax(axis)), softmax(S + HIDDEN, axis - 2), rtol=1e-12)
    largest = (S + HIDDEN).max(axis=axis - 2, keepdims=True)
    np.testing.assert_allclose(value(masked.maximum(axis)), largest, rtol=1e-12)
    np.testing.assert_allclose(value((masked - masked.maximum(axis)).exp()), np.exp(S + HIDDEN - largest), rtol=1e-9)
    low = np.where(np.isinf(HIDDEN), LEAST, HIDDEN)
    np.testing.assert_array_equal(
        value(masked_sum(scores, low, least=LEAST).softmax(axis)), value(masked.softmax(axis))
    )


def test_masks_are_added_one_after_the_other_and_spread():
    S = np.arange(12.0).reshape(3, 4)
    one, two = np.array([[0, -np.inf, 0, 0]]), np.array([[0.25], [0.0], [-np.inf]])
    twice = masked_sum(masked_sum(Elements.of(Reals(), S.T), one.T).T, two)
    with pytest.raises(InvalidArgument, match="hides all scores of column 2; it should be one that shows at least one"):
        twice.softmax()
    with pytest.raises(InvalidArgument, match="hides all scores of row 3"):
        twice.maximum(axis=1)
    assert np.array_equal(value(twice.exp()), np.exp(S + one + two))


def test_biases_are_added_as_the_numbers_that_they_are():
    scores = Elements.of(Rationals(), [[0, 1], [2, 3]])
    masked = masked_sum(scores, [[0.1, -np.inf], [-np.inf, 0]])
    assert str(masked.scores.public()[0, 0]) == str(Fraction(0.1))
    assert masked_sum(scores, [[0, -np.inf]]).scores is scores  # nothing is added


@pytest.mark.parametrize(
    ("mask", "match"),
    [
        (np.nan, "one with nan or inf"),
        (np.inf, "one with nan or inf"),
        (np.zeros((3, 3)), r"of shape \(3, 3\); it should be one of shape \(2, 2\), or one that is spread to it"),
    ],
)
def test_what_is_no_mask_is_refused(mask, match):
    with pytest.raises(InvalidArgument, match=match):
        masked_sum(Elements.of(Reals(), np.ones((2, 2))), mask)
