"""Pairs of texts of one computation."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

import algatt
from algatt.fields import concatenate
from virtual_texts import (
    MASK,
    attention,
    attention_of_rows,
    doubled,
    equal,
    fused,
    kept,
    normalised,
    of_rows,
    one_row,
    quarter,
    rms,
    softmax,
    square,
    squared,
    turned,
)

SAME = {
    "lengths of sums": (
        lambda w, X: squared(w["V"] @ X + X @ MASK),
        lambda w, X: squared(w["V"] @ X) + (w["V"] @ X).column_products(X @ MASK) * 2 + squared(X @ MASK),
    ),
    "keys before queries": (lambda w, X: X.T @ (w["K"].T @ (w["Q"] @ X)), lambda w, X: (w["K"] @ X).T @ (w["Q"] @ X)),
    "tokens as rows": (attention, attention_of_rows),
    "queries and keys in one matrix": (attention, fused),
    "linear attention, both ways": (
        lambda w, X: (w["V"] @ X) @ ((w["K"] @ X).T @ (w["Q"] @ X)),
        lambda w, X: ((w["V"] @ X) @ (w["K"] @ X).T) @ (w["Q"] @ X),
    ),
    "linear attention, transposed": (
        lambda w, X: (((w["V"] @ X) @ (w["O"] @ X).T).T) @ X,
        lambda w, X: (w["O"] @ X) @ ((w["V"] @ X).T @ X),
    ),
    "linear attention of rows": (
        lambda w, X: (w["V"] @ X) @ ((w["K"] @ X).T @ (w["Q"] @ X)),
        lambda w, X: (((X.T @ w["Q"].T) @ (w["K"] @ X)) @ (X.T @ w["V"].T)).T,
    ),
    "a key bias in a softmax": (
        attention,
        lambda w, X: w["V"] @ X @ softmax((w["K"] @ X + w["b"][:2]).T @ (w["Q"] @ X)),
    ),
    "a value bias in a softmax": (
        lambda w, X: (w["V"] @ X + w["b"]) @ softmax((w["K"] @ X).T @ (w["Q"] @ X)),
        lambda w, X: attention(w, X) + w["b"],
    ),
    "scaled queries, scaled keys": (
        lambda w, X: w["V"] @ X @ softmax((w["K"] @ X).T @ (w["Q"] @ X) * 0.5),
        lambda w, X: w["V"] @ X @ softmax((w["K"] @ X * 0.5).T @ (w["Q"] @ X)),
    ),
    "a gain in the next matrix": (
        lambda w, X: w["U"] @ (w["g"] * rms(X)),
        lambda w, X: (w["U"] @ (w["g"] * np.eye(4, dtype=np.int64))) @ rms(X),
    ),
    "squares": (
        lambda w, X: w["D"] @ (w["U"] @ X) ** 2,
        lambda w, X: w["D"] @ ((w["U"] @ X) * (w["U"] @ X)),
    ),
    "a cube in two orders": (
        lambda w, X: ((w["V"] @ X) * (w["O"] @ X)) * X,
        lambda w, X: (X * (w["V"] @ X)) * (w["O"] @ X),
    ),
    "products of a mean and the tokens, in two orders": (
        lambda w, X: (w["V"] @ X) * (w["O"] @ (X @ MASK)),
        lambda w, X: (w["O"] @ (X @ MASK)) * (w["V"] @ X),
    ),
    "a length, two ways": (
        lambda w, X: (w["V"] @ X).column_products(X),
        lambda w, X: ((w["V"] @ X) * X).sum(axis=0),
    ),
    "products of columns of a mean and the tokens, two ways": (
        lambda w, X: (w["V"] @ X).column_products(w["O"] @ (X @ MASK)),
        lambda w, X: ((w["V"] @ X) * (w["O"] @ (X @ MASK))).sum(axis=0),
    ),
    "values and keys of one row, exchanged": (
        lambda w, X: (w["V"][:1] @ (X @ MASK)) @ ((w["K"][:1] @ X).T @ (w["Q"][:1] @ X)),
        lambda w, X: (w["K"][:1] @ X) @ ((w["V"][:1] @ (X @ MASK)).T @ (w["Q"][:1] @ X)),
    ),
    "values and keys of one row, exchanged, for one query": (
        lambda w, X: (w["V"][:1] @ X) @ ((w["K"][:1] @ X).T @ (w["Q"][:1] @ X[:, [1]])),
        lambda w, X: (w["K"][:1] @ X) @ ((w["V"][:1] @ X).T @ (w["Q"][:1] @ X[:, [1]])),
    ),
    "some tokens with positions and a bias": (
        lambda w, X: (X + w["D"] * [[0, 1, 1]] + w["b"])[:, [1, 2]],
        lambda w, X: X[:, [1, 2]] + (w["D"] * [[0, 1, 1]] + w["b"])[:, [1, 2]],
    ),
    "centred": (
        lambda w, X: w["V"] @ X.centre(),
        lambda w, X: w["V"] @ (X - X.sum(axis=0) * Fraction(1, 4)),
    ),
    "neurons in another order": (
        lambda w, X: w["D"] @ (w["U"] @ X).exp(),
        lambda w, X: w["D"][:, [2, 0, 1]] @ (w["U"][[2, 0, 1]] @ X).exp(),
    ),
    "two equal neurons": (
        lambda w, X: w["D"] @ doubled(w, X),
        lambda w, X: concatenate((w["D"][:, [0]] + w["D"][:, [1]], w["D"][:, [2]]), axis=1) @ (w["U"][:2] @ X).exp(),
    ),
    "rotations of keys and queries by one angle": (
        lambda w, X: w["V"] @ X @ softmax(turned(w["K"] @ X).T @ turned(w["Q"] @ X)),
        lambda w, X: w["V"] @ X @ softmax(turned(quarter(w["K"]) @ X).T @ turned(quarter(w["Q"]) @ X)),
    ),
    "parts that are joined": (
        lambda w, X: concatenate((w["U"] @ X, w["Q"] @ X))[1:4],
        lambda w, X: concatenate((w["U"][1:] @ X, w["Q"][:1] @ X)),
    ),
    "tokens that are joined": (
        lambda w, X: w["V"] @ concatenate((X[:, [0]], X[:, [1]]), axis=1),
        lambda w, X: concatenate((w["V"] @ X[:, [0]], w["V"] @ X[:, [1]]), axis=1),
    ),
    "some tokens, first or last": (lambda w, X: (w["V"] @ X)[:, [2, 0]], lambda w, X: w["V"] @ X[:, [2, 0]]),
    "the exponential of zero": (lambda w, X: (X * 0).exp() * w["b"], lambda w, X: X * 0 + w["b"]),
    "some of the rows of a transpose": (
        lambda w, X: (w["V"] @ X).T[[0, 2], [1]],
        lambda w, X: (w["V"] @ X)[[1], [0, 2]].T,
    ),
    "some positions, last first": (
        lambda w, X: (X + w["D"])[:, [2, 0]],
        lambda w, X: X[:, [2, 0]] + w["D"][:, [2, 0]],
    ),
    "a gate at zero": (
        lambda w, X: (X * 0).entrywise(algatt.fields.Sigmoid()) * 2 * w["b"],
        lambda w, X: X * 0 + w["b"],
    ),
    "a number before a quotient": (
        lambda w, X: (X.column_products(X) * 3).reciprocal() * (w["V"] @ X),
        lambda w, X: X.column_products(X).reciprocal() * (w["V"] @ X) * np.array([[Fraction(1, 3)]]),
    ),
    "scores divided by their sums": (
        lambda w, X: X @ normalised((w["K"] @ X).T @ (w["Q"] @ X)),
        lambda w, X: X @ normalised((w["K"] @ X * 5).T @ (w["Q"] @ X)),
    ),
    "a softmax of rows that are shifted": (
        lambda w, X: w["D"] @ of_rows(w["U"] @ X),
        lambda w, X: w["D"] @ of_rows(w["U"] @ X + w["Q"][:1] @ X + w["b"][:1]),
    ),
    "a softmax of two rows by a quotient": (
        lambda w, X: w["V"] @ X * of_rows(w["Q"] @ X)[:1],
        lambda w, X: w["V"] @ X * ((w["Q"][1:] @ X - w["Q"][:1] @ X).exp() + 1).reciprocal(),
    ),
    "products of exponentials": (
        lambda w, X: (w["V"] @ X).exp() * (w["O"] @ X).exp(),
        lambda w, X: ((w["O"] + w["V"]) @ X).exp(),
    ),
    "an exponential and its reciprocal": (
        lambda w, X: (w["V"] @ X).exp() * (-(w["V"] @ X)).exp() * (w["O"] @ X),
        lambda w, X: w["O"] @ X,
    ),
    "the largest of rows that are shifted": (
        lambda w, X: (w["U"] @ X).largest(2) * (w["U"] @ X),
        lambda w, X: (w["U"] @ X + w["Q"][:1] @ X).largest(2) * (w["U"] @ X),
    ),
    "shares of which the largest are kept, in another order": (
        lambda w, X: w["D"] @ kept(w["U"] @ X),
        lambda w, X: w["D"][:, [2, 1, 0]] @ kept(w["U"][[2, 1, 0]] @ X + w["b"][:1]),
    ),
    "numbers of one column before tokens": (
        lambda w, X: w["b"][:1].exp() * (w["V"] @ X),
        lambda w, X: w["V"] @ (X * w["b"][:1].exp()),
    ),
    "a number beside a transpose": (lambda w, X: (w["V"] @ X).T + 1, lambda w, X: (w["V"] @ X + 1).T),
    "the binomial formula for scores": (
        lambda w, X: X @ square((w["K"] @ X).T @ (w["Q"] @ X) + 1),
        lambda w, X: X @ (square((w["K"] @ X).T @ (w["Q"] @ X)) + (w["K"] @ X * 2).T @ (w["Q"] @ X) + 1),
    ),
    "squares of skew-symmetric scores and their transposes": (
        lambda w, X: X @ square(X.T @ ((w["V"] - w["V"].T) @ X)),
        lambda w, X: X @ square(X.T @ ((w["V"] - w["V"].T) @ X)).T,
    ),
    "queries of scores of rank one": (
        lambda w, X: w["V"] @ X @ normalised(square(one_row(w["K"], X).T @ one_row(w["Q"], X))),
        lambda w, X: w["V"] @ X @ normalised(square(one_row(w["K"] * 3, X).T @ one_row(w["U"], X))),
    ),
    "queries of reciprocals of scores of rank one": (
        lambda w, X: w["V"] @ X @ normalised((one_row(w["K"], X).T @ one_row(w["Q"], X)).reciprocal()),
        lambda w, X: w["V"] @ X @ normalised((one_row(w["K"] * 3, X).T @ one_row(w["U"], X)).reciprocal()),
    ),
    "reciprocals of scores of rank one": (
        lambda w, X: X @ (one_row(w["K"], X).T @ one_row(w["Q"], X)).reciprocal(),
        lambda w, X: X @ (one_row(w["K"], X).reciprocal().T @ one_row(w["Q"], X).reciprocal()),
    ),
    "scores of tokens that are equal, transposed": (
        lambda w, X: X @ softmax(equal(w, X).T @ (w["V"] @ equal(w, X))) + X @ (equal(w, X).T @ (w["V"] @ equal(w, X))),
        lambda w, X: X @ softmax(X.T @ X * 0) + X @ (equal(w, X).T @ (w["V"].T @ equal(w, X))),
    ),
    "attention over tokens that are equal": (
        lambda w, X: w["V"] @ equal(w, X) @ softmax(X.T @ (w["V"] @ X)),
        lambda w, X: w["V"] @ equal(w, X),
    ),
    "scores of equal tokens with others": (
        lambda w, X: X @ (equal(w, X).T @ (w["V"] @ X)) + X @ (X.T @ (w["V"] @ equal(w, X))),
        lambda w, X: (
            X @ ((X[:1] * 0 + 1).T @ equal(w, X).column_products(w["V"] @ X))
            + X @ (X.column_products(w["V"] @ equal(w, X)).T @ (X[:1] * 0 + 1))
        ),
    ),
    "largest in another order": (
        lambda w, X: w["D"] @ ((w["U"] @ X).largest(2) * (w["U"] @ X)),
        lambda w, X: w["D"][:, [1, 2, 0]] @ ((w["U"][[1, 2, 0]] @ X).largest(2) * (w["U"][[1, 2, 0]] @ X)),
    ),
}
