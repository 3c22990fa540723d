"""Texts of which virtual forms are made."""

from __future__ import annotations

import numpy as np

from algatt import verbs
from algatt.fields import Elements, PrimeField, concatenate

FIELD = PrimeField(8388593)


WIDTH, TOKENS = 4, 3


SHAPES = {"Q": (2, 4), "K": (2, 4), "V": (4, 4), "O": (4, 4), "U": (3, 4), "D": (4, 3), "g": (4, 1), "b": (4, 1)}


POSITIONS, ANGLES = (0, 1, 2), (1.0,)


MASK = np.triu(np.ones((TOKENS, TOKENS), dtype=np.int64))


ONES = np.ones((1, TOKENS), dtype=np.int64)


SIGNS = np.array([[1, 2, 1], [1, 1, 3], [1, 1, 1]])


def drawn(field, seed=0):
    rng = np.random.default_rng(seed)
    return {name: Elements(field, verbs.embed(field, rng.integers(-9, 10, shape))) for name, shape in SHAPES.items()}


def content(field, text, tensors, *, tokens=False, width=WIDTH):
    """Return the content of the value of a text, which takes tensors by name and the input."""
    virtual = {name: Elements(field, field.tensor(one)) for name, one in tensors.items()}
    X = Elements(field, field.input((width, TOKENS), tokens=tokens))
    return field.content(text(virtual, X).raw)


def softmax(scores):
    e = scores.exp()
    return e * (ONES @ e).reciprocal()


def softmax_of_rows(scores):
    e = scores.exp()
    return e * (e @ ONES.T).reciprocal()


def attention(w, X, mask=None):
    scores = (w["K"] @ X).T @ (w["Q"] @ X)
    return w["V"] @ X @ softmax(scores if mask is None else scores * mask)


def attention_of_rows(w, X):
    Y = X.T
    return (softmax_of_rows((Y @ w["Q"].T) @ (Y @ w["K"].T).T) @ (Y @ w["V"].T)).T


def rms(X):
    return X * (X.column_products(X) * 0.25 + 1).sqrt().reciprocal()


def fused(w, X):
    both = concatenate((w["Q"], w["K"])) @ X
    return w["V"] @ X @ softmax(both[2:].T @ both[:2])


def turned(keys):
    return keys.rotate(ANGLES, POSITIONS)


def squared(form):
    return form.column_products(form)


def normalised(scores):
    return scores * (ONES @ scores).reciprocal()


def of_rows(scores):
    """A softmax over rows."""
    e = scores.exp()
    return e * e.sum(axis=0).reciprocal()


def kept(scores):
    """A softmax over the two largest rows."""
    shares = of_rows(scores) * scores.largest(2)
    return shares / shares.sum(axis=0)


def square(scores):
    return scores * scores


def one_row(A, X):
    return A[:1] @ X


def equal(w, X):
    """Tokens that a layer of rank one made equal."""
    return X @ normalised(one_row(w["K"], X).T @ one_row(w["Q"], X))


def seen(w, X):
    """The mean of the tokens up to each."""
    return X @ masked_softmax(X.T @ X * 0)


def doubled(w, X):
    return concatenate(((w["U"][[0]] @ X), (w["U"][[0]] @ X), (w["U"][[1]] @ X))).exp()


def quarter(A):
    """Turn a pair of rows by a right angle."""
    return np.array([[0, -1], [1, 0]], dtype=np.int64) @ A


def sum_of_turned(w, X):
    return (w["V"] @ X)[:2].rotate(ANGLES, POSITIONS).T @ (w["O"] @ X)[:2].rotate(ANGLES, POSITIONS)


def masked_softmax(scores):
    e = scores.exp() * MASK
    return e * (ONES @ e).reciprocal()


def normalised_rows(scores):
    e = scores.exp()
    return e * (np.ones((1, 1), dtype=np.int64) @ e).reciprocal()
