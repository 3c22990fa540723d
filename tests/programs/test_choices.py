"""Where the largest entries of columns are, in normal form, and what looks like it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from algatt.maps import program
from algatt.programs.normal_form import normal_form
from pairs_of_texts import soft
from written_networks import written


def digest_of(text: Any) -> str:
    return normal_form(program(written({"A": (4, 4), "B": (4, 4), "g": (4, 1)}, text, width=4, tokens=3))).digest()


SAME = {
    "exponentials": (lambda w, X: (w.A @ X).exp().largest(2), lambda w, X: (w.A @ X).largest(2)),
    "softmax": (lambda w, X: soft(w.A @ X).largest(2), lambda w, X: (w.A @ X).largest(2)),
    "more": (
        lambda w, X: (w.A @ X).largest(1) + ((w.A @ X).largest(3) - (w.A @ X).largest(1)),
        lambda w, X: (w.A @ X).largest(3),
    ),
}
APART = {
    "signs": (lambda w, X: ((w.A @ X).exp() * (w.B @ X)).largest(2), lambda w, X: (w.A @ X).largest(2)),
    "gains": (lambda w, X: ((w.A @ X).exp() * w.g.exp()).largest(2), lambda w, X: (w.A @ X).largest(2)),
    "rows": (lambda w, X: soft((w.A @ X).T).T.largest(2), lambda w, X: (w.A @ X).largest(2)),
    "a signed row": (
        lambda w, X: ((w.A @ X).exp() / (w.B[:1] @ (w.A @ X).exp())).largest(2),
        lambda w, X: (w.A @ X).largest(2),
    ),
    "reciprocals": (lambda w, X: (w.A @ X).exp().reciprocal().largest(2), lambda w, X: (w.A @ X).largest(2)),
    "sums": (
        lambda w, X: (w.A @ X).largest(1) + ((w.A @ X).largest(3) + (w.A @ X).largest(1)),
        lambda w, X: (w.A @ X).largest(3),
    ),
}


@pytest.mark.parametrize("name", SAME)
def test_texts_of_one_choice_are_one(name: str) -> None:
    one, other = (digest_of(text) for text in SAME[name])
    assert one == other


@pytest.mark.parametrize("name", APART)
def test_other_choices_stay(name: str) -> None:
    one, other = (digest_of(text) for text in APART[name])
    assert one != other


def test_the_places_of_a_softmax_are_those_of_the_scores() -> None:
    """Computed by numpy: of random columns, and of columns with small differences."""
    generator = np.random.default_rng(0)
    for size in (1.0, 1e-6):
        scores = size * generator.normal(size=(5, 200))
        weights = np.exp(scores) / np.exp(scores).sum(axis=0)
        np.testing.assert_array_equal(np.argsort(weights, axis=0), np.argsort(scores, axis=0))
