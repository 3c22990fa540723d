"""Pairs of texts of two computations."""

from __future__ import annotations

import numpy as np

import algatt
from algatt.fields import concatenate
from virtual_texts import (
    ANGLES,
    MASK,
    ONES,
    POSITIONS,
    SIGNS,
    TOKENS,
    attention,
    doubled,
    equal,
    masked_softmax,
    normalised,
    normalised_rows,
    of_rows,
    one_row,
    quarter,
    seen,
    softmax,
    softmax_of_rows,
    square,
    sum_of_turned,
    turned,
)

DIFFERENT = {
    "tokens that are equal, before a mask": (
        lambda w, X: w["V"] @ equal(w, X) @ MASK,
        lambda w, X: w["V"] @ equal(w, X),
    ),
    "means of the tokens that are seen": (
        lambda w, X: seen(w, X).T @ (w["V"] @ seen(w, X)),
        lambda w, X: seen(w, X).T @ (w["V"].T @ seen(w, X)),
    ),
    "tokens that add up to one are not equal": (
        lambda w, X: X @ (X.T @ (w["V"] @ (X @ softmax(X.T @ X)))),
        lambda w, X: X @ (X.T @ (w["V"].T @ (X @ softmax(X.T @ X)))),
    ),
    "a softmax of rows of which one is shifted": (
        lambda w, X: of_rows(w["Q"] @ X),
        lambda w, X: of_rows(w["Q"] @ X + [[1], [0]]),
    ),
    "a softmax of rows and of multiples": (lambda w, X: of_rows(w["Q"] @ X), lambda w, X: of_rows(w["Q"] @ X * 2)),
    "sums of exponentials of rows that are shifted": (
        lambda w, X: (w["U"] @ X).exp().sum(axis=0),
        lambda w, X: (w["U"] @ X + w["Q"][:1] @ X).exp().sum(axis=0),
    ),
    "exponentials and their squares": (lambda w, X: X.exp() * X.exp(), lambda w, X: X.exp()),
    "the largest of rows of which one is shifted": (
        lambda w, X: (w["U"] @ X).largest(1),
        lambda w, X: (w["U"] @ X + [[1], [0], [0]]).largest(1),
    ),
    "rows of one column": (
        lambda w, X: w["b"][:1].exp() * (w["V"] @ X),
        lambda w, X: w["b"][1:2].exp() * (w["V"] @ X),
    ),
    "columns and rows of one column": (
        lambda w, X: w["b"].exp() * (w["V"] @ X),
        lambda w, X: w["b"][:1].exp() * (w["V"] @ X),
    ),
    "squares of scores and their transposes": (
        lambda w, X: X @ square(X.T @ (w["V"] @ X)),
        lambda w, X: X @ square(X.T @ (w["V"] @ X)).T,
    ),
    "keys of scores of rank one": (
        lambda w, X: w["V"] @ X @ normalised(one_row(w["K"], X).T @ one_row(w["Q"], X)),
        lambda w, X: w["V"] @ X @ normalised(one_row(w["U"], X).T @ one_row(w["Q"], X)),
    ),
    "queries of scores of rank two": (
        lambda w, X: w["V"] @ X @ normalised((w["K"] @ X).T @ (w["Q"] @ X)),
        lambda w, X: w["V"] @ X @ normalised((w["K"] @ X).T @ (w["O"][:2] @ X)),
    ),
    "queries of masked scores of rank one": (
        lambda w, X: w["V"] @ X @ normalised(one_row(w["K"], X).T @ one_row(w["Q"], X) * SIGNS),
        lambda w, X: w["V"] @ X @ normalised(one_row(w["K"], X).T @ one_row(w["Q"], X) * SIGNS.T),
    ),
    "queries of scores of rank one and a number": (
        lambda w, X: w["V"] @ X @ normalised(one_row(w["K"], X).T @ one_row(w["Q"], X) + 1),
        lambda w, X: w["V"] @ X @ normalised(one_row(w["K"], X).T @ one_row(w["U"], X) + 1),
    ),
    "products of scores, with a mask and without": (
        lambda w, X: X @ ((X.T @ X) * (X.T @ X * MASK)),
        lambda w, X: X @ square(X.T @ X),
    ),
    "scores of tokens that are equal before no softmax": (
        lambda w, X: w["V"] @ equal(w, X) @ (X.T @ X),
        lambda w, X: w["V"] @ equal(w, X),
    ),
    "tokens that are equal, and others": (
        lambda w, X: X @ (X.T @ (w["V"] @ equal(w, X))),
        lambda w, X: X @ (X.T @ (w["V"].T @ equal(w, X))),
    ),
    "a query bias in a softmax": (
        attention,
        lambda w, X: w["V"] @ X @ softmax((w["K"] @ X).T @ (w["Q"] @ X + w["b"][:2])),
    ),
    "a value bias without a softmax": (
        lambda w, X: (w["V"] @ X + w["b"]) @ ((w["K"] @ X).T @ (w["Q"] @ X)),
        lambda w, X: (w["V"] @ X) @ ((w["K"] @ X).T @ (w["Q"] @ X)) + w["b"],
    ),
    "a key bias before a mask of scores": (
        lambda w, X: attention(w, X, MASK),
        lambda w, X: w["V"] @ X @ softmax((w["K"] @ X + w["b"][:2]).T @ (w["Q"] @ X) * MASK),
    ),
    "keys and queries exchanged": (
        attention,
        lambda w, X: w["V"] @ X @ softmax((w["Q"] @ X).T @ (w["K"] @ X)),
    ),
    "values and queries exchanged": (
        lambda w, X: X @ ((w["V"] @ X).T @ X),
        lambda w, X: X @ (X.T @ (w["V"] @ X)),
    ),
    "rows and columns of a softmax": (
        attention,
        lambda w, X: w["V"] @ X @ softmax_of_rows((w["K"] @ X).T @ (w["Q"] @ X)),
    ),
    "one of two equal neurons": (lambda w, X: w["D"] @ doubled(w, X), lambda w, X: w["D"] @ (w["U"] @ X).exp()),
    "keys alone turned": (
        lambda w, X: w["V"] @ X @ softmax(turned(w["K"] @ X).T @ turned(w["Q"] @ X)),
        lambda w, X: w["V"] @ X @ softmax(turned(quarter(w["K"]) @ X).T @ turned(w["Q"] @ X)),
    ),
    "turned by other positions": (
        lambda w, X: (w["K"] @ X).rotate(ANGLES, POSITIONS),
        lambda w, X: (w["K"] @ X).rotate(ANGLES, (0, 2, 4)),
    ),
    "rows that a rotation leaves out": (
        lambda w, X: (w["V"] @ X).rotate(ANGLES, POSITIONS).T @ (w["O"] @ X).rotate(ANGLES, POSITIONS),
        lambda w, X: sum_of_turned(w, X) + (w["V"] @ X)[2:].T @ (w["O"] @ X)[2:],
    ),
    "other tokens": (lambda w, X: X[:, [2, 0]], lambda w, X: X[:, [0, 2]]),
    "other masks": (lambda w, X: attention(w, X, MASK), lambda w, X: attention(w, X, MASK.T)),
    "a mask before and behind exponentials": (
        lambda w, X: attention(w, X, MASK),
        lambda w, X: w["V"] @ X @ masked_softmax((w["K"] @ X).T @ (w["Q"] @ X)),
    ),
    "sums of a mask and a bias": (
        lambda w, X: X @ (X.T @ X * MASK + MASK),
        lambda w, X: X @ ((X.T @ X + 1) * MASK.T),
    ),
    "a bias behind a mask and before it": (
        lambda w, X: X @ (X.T @ (w["V"] @ X) * MASK + 1),
        lambda w, X: X @ ((X.T @ (w["V"] @ X) + 1) * MASK),
    ),
    "scores of which some are masked": (
        lambda w, X: X @ (X.T @ X + X.T @ (w["V"] @ X) * MASK),
        lambda w, X: X @ (X.T @ X + X.T @ (w["V"] @ X)),
    ),
    "masked scores, transposed": (
        lambda w, X: X @ (X.T @ (w["V"] @ X) * MASK).T,
        lambda w, X: X @ ((X.T @ (w["V"] @ X)).T * MASK),
    ),
    "masked exponentials, transposed": (
        lambda w, X: X @ ((X.T @ (w["V"] @ X)).exp() * MASK).T,
        lambda w, X: X @ ((X.T @ (w["V"] @ X)).T.exp() * MASK),
    ),
    "sums and products with a transpose": (lambda w, X: X[:3].T + X[:3], lambda w, X: X[:3].T * X[:3]),
    "one score for several rows": (
        lambda w, X: (w["Q"][:1] @ X).T[:1] @ (w["K"][:1] @ X) * MASK,
        lambda w, X: (w["Q"][:1] @ X).T[:1] @ (w["K"][:1] @ X) * MASK.T,
    ),
    "exponentials and gates": (lambda w, X: X.exp(), lambda w, X: X.entrywise(algatt.fields.Sigmoid())),
    "a square root of a multiple": (
        lambda w, X: (X.column_products(X) * 4 + 1).sqrt(),
        lambda w, X: (X.column_products(X) + 1).sqrt() * 2,
    ),
    "largest two and largest one": (lambda w, X: (w["U"] @ X).largest(2), lambda w, X: (w["U"] @ X).largest(1)),
    "products of a mean and the tokens": (
        lambda w, X: (w["V"] @ X) * (w["O"] @ (X @ MASK)),
        lambda w, X: (w["V"] @ (X @ MASK)) * (w["O"] @ X),
    ),
    "values and keys of other tokens": (
        lambda w, X: (w["V"][:1] @ (X @ MASK)) @ ((w["K"][:1] @ X).T @ (w["Q"][:1] @ X)),
        lambda w, X: (w["V"][:1] @ X) @ ((w["K"][:1] @ (X @ MASK)).T @ (w["Q"][:1] @ X)),
    ),
    "quotients and multiples of them": (
        lambda w, X: (ONES @ (X.T @ X).exp()).reciprocal(),
        lambda w, X: (ONES @ (X.T @ X).exp()).reciprocal() * 3,
    ),
    "sums of exponentials and multiples of them": (
        lambda w, X: ONES @ (X.T @ X).exp(),
        lambda w, X: ONES @ (X.T @ X).exp() * 3,
    ),
    "sums of exponentials, once and twice": (
        lambda w, X: np.ones((2, TOKENS), dtype=np.int64) @ (X.T @ X).exp(),
        lambda w, X: ONES @ (X.T @ X).exp(),
    ),
    "masked exponentials": (
        lambda w, X: X @ ((X.T @ X).exp() * MASK),
        lambda w, X: X @ ((X.T @ X).exp() * MASK.T),
    ),
    "sums of exponentials with weights": (
        lambda w, X: np.array([[1, 2, 3]]) @ (X.T @ X).exp(),
        lambda w, X: ONES @ (X.T @ X).exp(),
    ),
    "scores divided by their sums, with other masks": (
        lambda w, X: X @ normalised(X.T @ X * MASK),
        lambda w, X: X @ normalised(X.T @ X * MASK.T),
    ),
    "products with transposes": (lambda w, X: X @ (w["V"] @ X).T, lambda w, X: X @ (w["O"] @ X).T),
    "a transpose": (lambda w, X: X[:3].T, lambda w, X: X[:3]),
    "tokens before exponentials and multiples of them": (
        lambda w, X: X @ (X.T @ X).exp(),
        lambda w, X: X @ ((X.T @ X).exp() * 3),
    ),
    "a bias before exponentials": (
        lambda w, X: (X + w["b"]) @ (X.T @ X).exp(),
        lambda w, X: X @ (X.T @ X).exp() + w["b"] @ (X.T @ X).exp()[[0]],
    ),
    "other angles": (lambda w, X: X.rotate((1.0, 2.0), POSITIONS), lambda w, X: X.rotate((1.0, 3.0), POSITIONS)),
    "a bias of one token beside another": (
        lambda w, X: concatenate((X[:, [0]] + w["b"], X[:, [1]]), axis=1),
        lambda w, X: X[:, [0, 1]] + w["b"],
    ),
    "a bias of one token, and of all": (
        lambda w, X: concatenate((X[:, [0]] + w["b"], X[:, [1]]), axis=1),
        lambda w, X: concatenate((X[:, [0]], X[:, [1]]), axis=1) + w["b"],
    ),
    "exponentials and gates of scores": (
        lambda w, X: X @ (X.T @ X).exp(),
        lambda w, X: X @ (X.T @ X).entrywise(algatt.fields.Sigmoid()),
    ),
    "lengths and sums": (lambda w, X: X.column_products(X), lambda w, X: X.sum(axis=0)),
    "a column and a mean": (lambda w, X: X @ ONES.T @ ONES, lambda w, X: X),
    "side by side": (
        lambda w, X: concatenate((X[:, [0]], X[:, [1]]), axis=1),
        lambda w, X: concatenate((X[:, [1]], X[:, [0]]), axis=1),
    ),
    "one key of several": (
        lambda w, X: X[:, [0]] @ normalised_rows((w["K"] @ X[:, [0]]).T @ (w["Q"] @ X)),
        lambda w, X: X[:, [1]] @ normalised_rows((w["K"] @ X[:, [1]]).T @ (w["Q"] @ X)),
    ),
}
