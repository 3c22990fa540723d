"""What exponentials make of changes, and what softmax, signs and orders do not see; derived by hand, beside each."""

from __future__ import annotations

import pytest

from algatt.fields import Positive, Sigmoid, concatenate
from small_programs import share, soft

CASES = {
    # softmax does not see what is added to a whole column
    # in normal form the row r is not read
    "softmax": (lambda w, X: soft(w.W @ X + w.r), "W r", {"W rows": ""}),
    "softmax of a column": (lambda w, X: soft(w.W @ X + w.b), "W b", {"W rows": "", "b rows": ""}),
    "half": (lambda w, X: soft((w.W @ X + w.r) / 2), "W r", {"W rows": "", "r rows": ""}),
    "keys": (lambda w, X: soft((w.K @ X + w.b).T @ (w.Q @ X)), "K Q b", {"b columns": ""}),
    "queries": (lambda w, X: soft((w.K @ X).T @ (w.Q @ X + w.b)), "K Q b", {}),
    "other sums": (lambda w, X: (w.W @ X).exp() / (w.W @ X + 1).exp().sum(axis=0), "W", {"W rows": ""}),
    "half a sum": (lambda w, X: (w.W @ X).exp().sqrt() / (w.W @ X).exp().sum(axis=0), "W", {}),
    "lengths": (
        lambda w, X: (w.W @ X).exp() / ((w.W @ X).exp() * (w.W @ X).exp()).sum(axis=0).sqrt(),
        "W",
        {"W rows": ""},
    ),
    "lengths of columns": (
        lambda w, X: (w.W @ X).exp() / (w.W @ X).exp().column_products((w.W @ X).exp()).sqrt(),
        "W",
        {"W rows": ""},
    ),
    "negative scales": (lambda w, X: -(w.W @ X).exp() / (w.W @ X).exp().sum(axis=0), "W", {"W rows": ""}),
    "sum of scales": (lambda w, X: (w.W @ X).exp() + X, "W", {}),
    "two scales": (
        lambda w, X: ((w.W @ X).exp() + (w.W @ X + 1).exp()) / (w.W @ X).exp().sum(axis=0),
        "W",
        {"W rows": ""},
    ),
    "two scales that differ": (
        lambda w, X: ((w.W @ X).exp() + (w.W @ X * 2).exp()) / (w.W @ X).exp().sum(axis=0),
        "W",
        {},
    ),
    "signs": (lambda w, X: (w.W @ X).exp().entrywise(Positive()) * X, "W", {"W rows": ""}),
    "signs of sums": (lambda w, X: (w.W @ X).entrywise(Positive()) * X, "W", {}),
    "largest": (lambda w, X: (w.W @ X).largest(1) * X, "W", {"W rows": ""}),
    "largest of columns": (lambda w, X: (w.W @ X + w.b).largest(1) * X, "W b", {"W rows": "", "b rows": ""}),
    "turned": (
        lambda w, X: (w.W @ X).exp().rotate((0.5,), (0, 1)) / (w.W @ X).exp()[:2].sum(axis=0),
        "W",
        {"W rows": ""},
    ),
    "sigmoid": (lambda w, X: (w.W @ X).entrywise(Sigmoid()), "W", {}),
    "signs of a sum with a scale": (lambda w, X: ((w.W @ X).exp() + X).entrywise(Positive()) * X, "W", {}),
    "keys that are queries": (lambda w, X: soft((w.K @ X + w.b).T @ (w.K @ X + w.b)), "K b", {}),
    "scales in another order": (lambda w, X: (w.W @ X).exp()[:, [1, 0]] / (w.W @ X).exp().sum(axis=0), "W", {}),
    "scales side by side": (
        lambda w, X: concatenate([(w.W @ X).exp(), X], axis=1) / (w.W @ X).exp().sum(axis=0).sum(axis=1),
        "W",
        {},
    ),
    "transposed scales": (lambda w, X: (w.W @ X).exp().T @ (w.W @ X).exp(), "W", {}),
    # a row that is divided by itself: (w x)(K x) / (w x)(1^T K x), and its bias
    "a row": (lambda w, X: share(w.K @ X * (w.w @ X + w.s)), "K w s", {"w rows": "", "s rows": ""}),
}
"""A program, the tensors that it reads, and its shifts with what absorbs each."""


@pytest.mark.parametrize("name", CASES)
def test_the_shifts_of_small_programs(name, has_shifts):
    has_shifts(*CASES[name])
