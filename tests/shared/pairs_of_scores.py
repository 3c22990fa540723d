"""Pairs of texts of one computation: masks and biases that are added to scores, norms of queries and keys, sinks, and
orders in which attention, perceptrons and norms are written.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from algatt.fields import Elements, concatenate
from algatt.layers.activations import tanh
from algatt.programs import masked_sum
from pairs_of_texts import (
    CAUSAL,
    ENTRY,
    EPS,
    GATED,
    HEAD,
    PLAIN,
    TOKENS,
    D,
    Pair,
    attend,
    attend_rows,
    entry,
    every,
    gated,
    head,
    masked,
    shapes,
    sigmoid,
    soft,
    tanh_of_two,
)

__all__ = ["PAIRS_OF_SCORES"]

HIDDEN = np.where(CAUSAL == 1, 0.0, -np.inf)
LEAST = float(np.finfo(np.float32).min)
DISTANCES = np.array([[(i - j) / 2 if i <= j else 0 for j in range(TOKENS)] for i in range(TOKENS)])
HALVES = np.array([[Fraction(i, 2)] for i in range(TOKENS)], dtype=object)
"""Biases of keys: as softmax sees them, those of distances."""


def scores(w: Any, X: Elements) -> Elements:
    return (w.K @ X).T @ (w.Q @ X)


def least_number(w: Any, X: Elements) -> Elements:
    """As transformers writes it, with the largest score subtracted."""
    S = masked_sum(scores(w, X), np.where(CAUSAL == 1, 0, LEAST), least=LEAST)
    e = (S - S.maximum()).exp()
    return w.V @ X @ (e / e.sum(axis=0))


def mask_of_rows(w: Any, X: Elements) -> Elements:
    S = masked_sum((w.Q @ X).T @ (w.K @ X), HIDDEN.T)
    return ((S - S.maximum(axis=1)).softmax(axis=1) @ (w.V @ X).T).T


def biased(w: Any, X: Elements, bias: np.ndarray) -> Elements:
    e = (scores(w, X) + bias).exp() * CAUSAL
    return w.V @ X @ (e / e.sum(axis=0))


def sink(w: Any, X: Elements, joined: bool) -> Elements:
    S = scores(w, X)
    if joined:
        return w.V @ X @ soft(concatenate((S, S[:1] * 0)))[:TOKENS]
    return w.V @ X @ (S.exp() / (1 + S.exp().sum(axis=0)))


def norm(x: Elements, g: Elements) -> Elements:
    return g * (x / (x.column_products(x) * Fraction(1, 2) + EPS).sqrt())


def norm_of_rows(x: Elements, g: Elements) -> Elements:
    return (x.T * ((x * x).sum(axis=0).T * Fraction(1, 2) + EPS).sqrt().reciprocal() * g.T).T


def parallel(w: Any, X: Elements) -> Elements:
    return X + w.O @ attend(w.Q @ X, w.K @ X, w.V @ X) + w.U @ sigmoid(w.W @ X)


def parallel_joined(w: Any, X: Elements) -> Elements:
    Y = w.W @ X
    return X + w.O @ concatenate((attend(Y[:2], Y[2:4], Y[4:6]), sigmoid(Y[6:])))


def tied(w: Any, X: Elements) -> Elements:
    Y = w.E @ X
    return w.E.T @ (Y + w.U @ sigmoid(w.W @ Y))


def tied_of_rows(w: Any, X: Elements) -> Elements:
    y = X.T @ w.E.T
    return ((y + sigmoid(y @ w.W) @ w.U) @ w.E).T


def perceptron_of_rows(w: Any, X: Elements) -> Elements:
    x = X.T
    return (x + 1 / (1 + (-(x @ w.W + w.b)).exp()) @ w.U + w.c).T


def post_norm(w: Any, X: Elements) -> Elements:
    Y = (X + w.O @ attend(w.Q @ X, w.K @ X, w.V @ X)).centre()
    return w.g * (Y / (Y.column_products(Y) * Fraction(1, D) + EPS).sqrt()) + w.c


def post_norm_of_rows(w: Any, X: Elements) -> Elements:
    x = X.T
    y = x + attend_rows(x @ w.Q, x @ w.K, x @ w.V) @ w.O
    y = y - y.sum(axis=1) * Fraction(1, D)
    return (y / ((y * y).sum(axis=1) * Fraction(1, D) + EPS).sqrt() * w.g + w.c).T


def linear_unit_of_rows(w: Any, X: Elements) -> Elements:
    y = X.T @ w.W
    one, e = y[every(TOKENS), [0, 1]], y[every(TOKENS), [2, 3]].exp()
    return ((one * (e / (1 + e))) @ w.U).T + X


NORMED = HEAD | {"g": (2, 1), "h": (2, 1)}
QUICK = Fraction(1702, 1000)

PAIRS_OF_SCORES: dict[str, Pair] = {
    "a least number as a mask, largest score subtracted": Pair((HEAD, head(masked)), (HEAD, head(least_number))),
    "an infinite mask of rows": Pair((HEAD, head(masked)), (HEAD, head(mask_of_rows))),
    "a mask with biases": Pair(
        (HEAD, head(lambda w, X: biased(w, X, 2 * DISTANCES.astype(int)))),
        (HEAD, head(lambda w, X: w.V @ X @ masked_sum(scores(w, X), HIDDEN + 2 * DISTANCES.astype(int)).softmax())),
    ),
    "biases of distances and of keys": Pair(
        (HEAD, head(lambda w, X: w.V @ X @ masked_sum(scores(w, X), HIDDEN + DISTANCES).softmax())),
        (HEAD, head(lambda w, X: biased(w, X, HALVES))),
    ),
    "a row of lengths that are positive": Pair(
        (HEAD, head(lambda w, X: w.V @ X @ soft(scores(w, X) + (X.column_products(X) + EPS).sqrt().reciprocal()))),
        (HEAD, head(lambda w, X: w.V @ X @ soft(scores(w, X)) + 0 * (1 + 2 * (w.V @ X).exp()).reciprocal())),
    ),
    "scores capped": Pair(
        (HEAD, head(lambda w, X: w.V @ X @ soft(50 * tanh(scores(w, X) * Fraction(1, 50))))),
        (HEAD, head(lambda w, X: w.V @ X @ soft(tanh_of_two((w.K @ X).T @ (w.Q @ X / 50)) * 50))),
    ),
    "norms of queries and keys": Pair(
        (NORMED, head(lambda w, X: attend(norm(w.Q @ X, w.g), norm(w.K @ X, w.h), w.V @ X))),
        (NORMED, head(lambda w, X: attend(norm_of_rows(w.Q @ X, w.g), norm_of_rows(w.K @ X, w.h), w.V @ X))),
    ),
    "a sink as a score": Pair(
        (HEAD, head(lambda w, X: sink(w, X, joined=False))), (HEAD, head(lambda w, X: sink(w, X, joined=True)))
    ),
    "scores divided by their sums": Pair(
        (HEAD, head(lambda w, X: w.V @ X @ (scores(w, X) / scores(w, X).sum(axis=0)))),
        (HEAD, head(lambda w, X: (w.V @ X @ scores(w, X)) / scores(w, X).sum(axis=0))),
    ),
    "inputs mixed before values": Pair(PLAIN, (HEAD, head(lambda w, X: w.V @ (X @ soft(scores(w, X)))))),
    "outputs before tokens are mixed": Pair(PLAIN, (HEAD, lambda w, X: X + (w.O @ (w.V @ X)) @ soft(scores(w, X)))),
    "attention and perceptron in one matrix": Pair(
        (HEAD | shapes("W", "U"), parallel),
        ({"W": (8, D), "O": (D, 4)}, parallel_joined),
        {f"W.rows_{2 * i + 1}_{2 * i + 2}": name for i, name in enumerate("QKVW")}
        | {"O.columns_1_2": "O", "O.columns_3_4": "U"},
    ),
    "GELU by the logistic function": Pair(
        (ENTRY, entry(lambda x: x * sigmoid(QUICK * x))), (ENTRY, entry(lambda x: x / (1 + (-QUICK * x).exp())))
    ),
    "tied embeddings, tokens as rows": Pair(
        ({"E": (3, D), "W": (2, 3), "U": (3, 2)}, tied), ({"E": (3, D), "W": (3, 2), "U": (2, 3)}, tied_of_rows)
    ),
    "a perceptron of rows": Pair(
        (shapes("W", "U", "b", "c"), lambda w, X: X + w.U @ sigmoid(w.W @ X + w.b) + w.c),
        ({"W": (D, 2), "U": (2, D), "b": (1, 2), "c": (1, D)}, perceptron_of_rows),
    ),
    "a norm behind attention, tokens as rows": Pair(
        (HEAD | {"g": (D, 1), "c": (D, 1)}, post_norm),
        ({"Q": (D, 2), "K": (D, 2), "V": (D, 2), "O": (2, D), "g": (1, D), "c": (1, D)}, post_norm_of_rows),
    ),
    "a gated linear unit of rows": Pair(
        (GATED, gated(sigmoid)),
        ({"W": (D, 4), "U": (2, D)}, linear_unit_of_rows),
        {"W.columns_3_4": "W", "W.columns_1_2": "W_2"},
    ),
}
"""The pairs by what differs."""
