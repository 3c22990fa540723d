"""The virtual form has no value where it divides by zero."""

from __future__ import annotations

import numpy as np
import pytest

from algatt.errors import DivisionByZero
from algatt.fields import Elements, PrimeField, Virtual
from virtual_texts import FIELD, MASK, ONES, TOKENS, content, drawn, normalised


@pytest.mark.parametrize(
    "text",
    [
        lambda w, X: (X * 0).reciprocal(),
        lambda w, X: X * (X * 0).column_products(X).sqrt().reciprocal(),
        lambda w, X: X @ normalised((w["K"] @ X * 0).T @ X[:2]),
        lambda w, X: X * (w["g"] * 0).reciprocal(),
    ],
    ids=["rows", "a length", "scores", "weights"],
)
def test_a_denominator_that_is_zero_has_no_form(text):
    with pytest.raises(DivisionByZero):
        content(Virtual(FIELD), text, drawn(FIELD))


def divides(text, width=2, tokens=TOKENS, field=FIELD):
    """Return whether a text has a virtual form: it divides by nothing that is known to be zero."""
    forms = Virtual(field)
    try:
        text(Elements(forms, forms.input((width, tokens))))
    except DivisionByZero:
        return False
    return True


SKEW = np.array([[0, 1], [-1, 0]])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (lambda X: (X.T @ (SKEW @ X)).reciprocal(), False),  # of each token with itself
        (lambda X: (X.T @ (SKEW @ X)[:, :2]).reciprocal(), True),  # columns are taken, and are no tokens any more
        (lambda X: (X.T @ (SKEW @ X) + 1).reciprocal(), True),
        (lambda X: (X.T @ X).reciprocal(), True),
        (lambda X: (X.T @ X * MASK).reciprocal(), False),
        (lambda X: (X.T @ X * (MASK + 1)).reciprocal(), True),
        (lambda X: (ONES @ (X.T @ X * MASK)).reciprocal(), True),
        (lambda X: (ONES @ (X.T @ X * (MASK - np.eye(TOKENS, dtype=np.int64)))).reciprocal(), False),  # hides all
        (lambda X: (ONES @ ((X.T @ X).exp() * np.triu(MASK, 1))).reciprocal(), False),
        (lambda X: (ONES @ ((X.T @ X).exp() * MASK)).reciprocal(), True),
        (lambda X: (ONES @ (X.T @ (X * 0))).reciprocal(), False),
        (lambda X: (X - X.sum(axis=0)).reciprocal(), True),
        (lambda X: (X[:1] - X[:1].sum(axis=0)).reciprocal(), False),
    ],
)
def test_what_is_divided_by_zero_at_every_input(text, expected):
    assert divides(text) == expected


def test_scores_too_large_to_be_multiplied_out_may_be_divided_by():
    """Of 65 rows the scores of tokens with themselves are not multiplied out: nothing is said of them."""
    skew = np.triu(np.ones((65, 65), dtype=np.int64), 1)
    skew -= skew.T
    assert divides(lambda X: (X.T @ (skew @ X)).reciprocal(), width=65)
    assert divides(lambda X: (X.T @ (np.eye(65, dtype=np.int64) @ X)).reciprocal(), width=65)


def test_equal_scores_of_as_many_tokens_as_the_characteristic_add_up_to_zero():
    """Three equal scores do modulo 3; where some are hidden they do not, and four do not."""
    three = PrimeField(3)
    same = lambda X: (X[:1] * 0 + 1).T @ X[:1]  # noqa: E731
    assert not divides(lambda X: (ONES @ same(X)).reciprocal(), field=three)
    assert divides(lambda X: (ONES @ (same(X) * MASK)).reciprocal(), field=three)
    assert divides(lambda X: (ONES @ same(X)).reciprocal())
    assert divides(lambda X: (np.ones((1, 4), dtype=np.int64) @ same(X)).reciprocal(), tokens=4, field=three)
