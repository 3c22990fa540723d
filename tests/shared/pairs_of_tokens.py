"""Pairs of texts of one computation of which some tokens alone are read, or their mean."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from algatt.fields import Elements, concatenate
from pairs_of_texts import APART, Pair, apart, shapes, soft

THIRD = np.full((3, 1), Fraction(1, 3), dtype=object)


def norm(X: Elements) -> Elements:
    Y = X.centre()
    return Y / (Y.column_products(Y) * Fraction(1, 4) + Fraction(1, 10)).sqrt()


def affine(w: Any, X: Elements) -> Elements:
    return w.g * norm(X) + w.c


NORMED = shapes("c", g=(4, 1), W=(3, 4))
BESIDE = {"T": (4, 4), "W": (3, 4), "V": (3, 4)}


def spread(x: Elements) -> Elements:
    return x * np.ones((1, 3), dtype=np.int64)


def of_last(w: Any, X: Elements) -> Elements:
    """The last token alone asks."""
    last, total = X[:, [2]], X[:, [2]]
    for i in (1, 2):
        q, k, v = w[f"Q_{i}"] @ last, w[f"K_{i}"] @ X, w[f"V_{i}"] @ X
        total = total + w[f"O_{i}"] @ (v @ soft(k.T @ q))
    return total


def turned(first: bool) -> Callable[[Any, Elements], Elements]:
    """A rotated query of the last token, taken before or after what is made of all."""

    def text(w: Any, X: Elements) -> Elements:
        keys = (w.K @ X).rotate((1.0,), (0, 1, 2))
        if first:
            return w.V @ X @ soft(keys.T @ (w.Q @ X[:, [2]]).rotate((1.0,), (2,)))
        return (w.V @ X @ soft(keys.T @ (w.Q @ X).rotate((1.0,), (0, 1, 2))))[:, [2]]

    return text


def of_lengths(joined: bool) -> Callable[[Any, Elements], Elements]:
    """Two heads with norms of queries, whose lengths are one matrix or two."""

    def text(w: Any, X: Elements) -> Elements:
        queries = [w.Q_1 @ X, w.Q_2 @ X]
        lengths = [q.column_products(q) for q in queries]
        if joined:
            factors = ((concatenate(lengths) * Fraction(1, 2) + Fraction(1, 10)).sqrt()).reciprocal()
            parts = [factors[[0]], factors[[1]]]
        else:
            parts = [(one * Fraction(1, 2) + Fraction(1, 10)).sqrt().reciprocal() for one in lengths]
        return w.O_1 @ (queries[0] * parts[0]) + w.O_2 @ (queries[1] * parts[1])

    return text


PAIRS_OF_TOKENS: dict[str, Pair] = {
    "a class token before its norm": Pair(
        (NORMED, lambda w, X: w.W @ affine(w, X)[:, [0]]), (NORMED, lambda w, X: w.W @ affine(w, X[:, [0]]))
    ),
    "a class token beside all tokens": Pair(
        (BESIDE, lambda w, X: w.W @ norm(w.T @ X) + spread(w.V @ norm(w.T @ X)[:, [0]])),
        (BESIDE, lambda w, X: w.W @ norm(w.T @ X) + spread((w.V @ norm(w.T @ X))[:, [0]])),
    ),
    "the last token": Pair((APART[0], lambda w, X: apart(w, X)[:, [2]]), (APART[0], of_last)),
    "the last token, turned": Pair((shapes("Q", "K", "V"), turned(False)), (shapes("Q", "K", "V"), turned(True))),
    "the mean of tokens": Pair(
        ({"W": (3, 4)}, lambda w, X: (w.W @ X) @ THIRD), ({"W": (3, 4)}, lambda w, X: w.W @ (THIRD.T @ X.T).T)
    ),
    "lengths of heads": Pair(
        (shapes("Q_1", "Q_2", "O_1", "O_2"), of_lengths(True)), (shapes("Q_1", "Q_2", "O_1", "O_2"), of_lengths(False))
    ),
}
