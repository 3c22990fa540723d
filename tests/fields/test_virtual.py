"""The virtual form: texts of one computation have one content, others have not."""

from __future__ import annotations

import itertools
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest

import algatt
from algatt import verbs
from algatt.errors import DivisionByZero
from algatt.fields import Elements, PrimeField, Rationals, Shape, Shapes, Virtual, concatenate
from algatt.fields.virtual.forms import Columns, Scores
from algatt.fields.virtual.spanning import narrowed

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


@pytest.mark.parametrize("field", [FIELD, Rationals()], ids=str)
@pytest.mark.parametrize("texts", SAME.values(), ids=SAME.keys())
def test_texts_of_one_computation_have_one_content(texts, field):
    forms = Virtual(field)
    tensors = drawn(field)
    one, two = (content(forms, text, tensors) for text in texts)
    assert one == two
    assert content(forms, texts[0], drawn(field, seed=1)) != one


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


def sum_of_turned(w, X):
    return (w["V"] @ X)[:2].rotate(ANGLES, POSITIONS).T @ (w["O"] @ X)[:2].rotate(ANGLES, POSITIONS)


def masked_softmax(scores):
    e = scores.exp() * MASK
    return e * (ONES @ e).reciprocal()


def normalised_rows(scores):
    e = scores.exp()
    return e * (np.ones((1, 1), dtype=np.int64) @ e).reciprocal()


@pytest.mark.parametrize("texts", DIFFERENT.values(), ids=DIFFERENT.keys())
def test_other_computations_have_other_contents(texts):
    forms, tensors = Virtual(FIELD), drawn(FIELD)
    one, two = (content(forms, text, tensors) for text in texts)
    assert one != two


@pytest.mark.parametrize("text", [text for texts in (*SAME.values(), *DIFFERENT.values()) for text in texts])
def test_forms_have_the_shapes_of_values(text):
    virtual, shapes = Virtual(FIELD), Shapes()
    forms = {name: Elements(virtual, virtual.tensor(one)) for name, one in drawn(FIELD).items()}
    sizes = {name: Elements(shapes, Shape(size)) for name, size in SHAPES.items()}
    form = text(forms, Elements(virtual, virtual.input((WIDTH, TOKENS))))
    assert form.shape == text(sizes, Elements(shapes, Shape((WIDTH, TOKENS)))).shape


class Steep(algatt.fields.Function):
    """A function of a class that is no dataclass, so that nothing says when two of them are equal."""


def test_functions_without_equality_are_others():
    functions = Steep(), Steep()
    texts = [lambda w, X, function=function: X.entrywise(function) for function in functions]
    forms = Virtual(FIELD)
    one, two = (content(forms, text, {}) for text in texts)
    assert one != two
    assert one == content(forms, texts[0], {})


def test_tokens_add_up_to_one():
    """An input of tokens is one of unit vectors: a bias may be taken to all rows of an embedding."""
    forms, tensors = Virtual(FIELD), drawn(FIELD)
    shifted = lambda w, X: (w["V"] + w["b"] @ np.ones((1, 4), dtype=np.int64)) @ X  # noqa: E731
    biased = lambda w, X: w["V"] @ X + w["b"]  # noqa: E731
    assert content(forms, shifted, tensors, tokens=True) == content(forms, biased, tensors, tokens=True)
    assert content(forms, shifted, tensors) != content(forms, biased, tensors)
    mixed = lambda text: lambda w, X: text(w, X @ (X.T @ X).exp())  # noqa: E731
    assert content(forms, mixed(shifted), tensors, tokens=True) != content(forms, mixed(biased), tensors, tokens=True)


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


def test_of_one_token_values_keys_and_queries_may_be_exchanged():
    forms = Virtual(FIELD)
    tensors = {name: Elements(forms, forms.tensor(one)) for name, one in drawn(FIELD).items()}
    X = Elements(forms, forms.input((4, 1)))
    one = (tensors["Q"] @ X) @ ((tensors["V"] @ X).T @ (tensors["O"] @ X))
    two = (tensors["Q"] @ X) @ ((tensors["O"] @ X).T @ (tensors["V"] @ X))
    assert forms.content(one.raw) == forms.content(two.raw)


def test_a_single_query_sees_its_keys():
    """There is one share for each key: they are 1 where there is one key, and not where there is one query."""
    forms = Virtual(FIELD)

    def text(w, X):
        query = X[:, [0]]
        return w["V"] @ X @ softmax((w["K"] @ X).T @ (w["Q"] @ query))

    tensors = drawn(FIELD)
    one = content(forms, text, tensors)
    assert one != content(forms, text, tensors | {"K": tensors["K"] * 2})
    assert one == content(forms, text, tensors | {"K": tensors["K"] * 2, "Q": tensors["Q"] / 2})


def test_scores_between_too_many_rows_stay_as_they_are():
    """Together they would be one matrix of 5,001 rows, with 200 MB."""
    forms = Virtual(FIELD)
    wide, narrow = (forms.atom(name, height) for name, height in (("wide", 5000), ("narrow", 1)))
    column = forms.numbers(np.ones((5000, 1), dtype=np.int64))
    values = Columns((1, TOKENS), {narrow: forms.row(1)})
    scores = Scores((TOKENS, TOKENS), {(wide, narrow): column})
    tracemalloc.start()
    assert narrowed(forms, values, scores) == (values, scores)
    assert tracemalloc.get_traced_memory()[1] < 1e6
    tracemalloc.stop()


def test_squares_in_linear_attention_are_not_zero_over_two_elements():
    forms = Virtual(PrimeField(2))
    one, two = (content(forms, text, {}) for text in (lambda w, X: X[:1] @ (X[:1].T @ X[:1]), lambda w, X: X[:1] * 0))
    assert one != two


def test_a_sum_of_many_atoms_is_named_by_its_terms():
    forms, width = Virtual(FIELD), 90
    mixings = [np.random.default_rng(seed).integers(0, 9, (TOKENS, TOKENS)) for seed in range(4)]

    def text(w, X):
        total = w["V"] @ X
        for mixing in mixings:
            total = total + X @ mixing
        return total

    one, two = (
        content(
            forms,
            text,
            {"V": Elements(FIELD, verbs.draw_array(FIELD, shape=(width, width), seed=k, label="V"))},
            width=width,
        )
        for k in range(2)
    )
    assert one != two


def test_products_that_are_too_large_to_multiply_out_are_seen():
    forms, width = Virtual(FIELD), 17
    one, two = (content(forms, text, {}, width=width) for text in (lambda w, X: X * X, lambda w, X: X * (X @ MASK)))
    assert one != two


def test_values_before_many_scores_that_are_too_large_to_multiply_out_are_seen():
    """Over GF(2), where a sum of four pairs of atoms is zero if each is counted."""
    field, width = PrimeField(2), 17
    forms = Virtual(field)

    def text(w, X):
        both = X + X @ MASK
        return (w["V"] @ X) @ (both.T @ both)

    drawn = [Elements(field, verbs.draw_array(field, shape=(width, width), seed=seed, label="V")) for seed in range(2)]
    X = Elements(field, verbs.draw_array(field, shape=(width, TOKENS), seed=0, label="X"))
    assert np.any(text({"V": drawn[0]}, X).raw != text({"V": drawn[1]}, X).raw)
    one, two = (content(forms, text, {"V": V}, width=width) for V in drawn)
    assert one != two
    one = content(forms, lambda w, X: X @ (X.T @ X), {}, width=width)
    assert one != content(forms, lambda w, X: (X @ MASK) @ (X.T @ X), {}, width=width)


def test_tokens_beside_zeros_do_not_add_up_to_one():
    """(V + b 1^T) [x 0] is V [x 0] + [b 0], and not V [x 0] + [b b]."""
    forms, tensors = Virtual(FIELD), drawn(FIELD)
    zero = np.zeros((4, 1), dtype=np.int64)

    def shifted(w, X):
        x = concatenate((X[:, [0]], X[:, [0]] * 0 + zero), axis=1)
        return (w["V"] + w["b"] @ np.ones((1, 4), dtype=np.int64)) @ x

    def biased(w, X):
        return w["V"] @ concatenate((X[:, [0]], X[:, [0]] * 0 + zero), axis=1) + w["b"]

    assert content(forms, shifted, tensors, tokens=True) != content(forms, biased, tensors, tokens=True)


def test_lengths_that_are_not_multiplied_out_are_known_by_both_factors():
    """Of 65 rows there are 4,225 products, more than are multiplied out."""
    rng = np.random.default_rng(0)
    tensors = {name: Elements(FIELD, verbs.embed(FIELD, rng.integers(-9, 10, (65, 65)))) for name in "AB"}
    forms = Virtual(FIELD)
    texts = (
        lambda w, X: X.column_products(w["A"] @ X),
        lambda w, X: (w["A"] @ X).column_products(X),
        lambda w, X: X.column_products(w["B"] @ X),
    )
    one, two, other = (content(forms, text, tensors, width=65) for text in texts)
    assert one == two != other


def test_functions_of_weights_are_known_by_their_names():
    forms, tensors = Virtual(FIELD), drawn(FIELD)
    one = content(forms, lambda w, X: w["V"].exp() @ X, tensors)
    assert one != content(forms, lambda w, X: w["V"].entrywise(algatt.fields.Sigmoid()) @ X, tensors)
    assert one != content(forms, lambda w, X: w["O"].exp() @ X, tensors)


@pytest.mark.parametrize("p", [2, 3])
def test_a_softmax_of_rows_whose_mean_is_no_number_is_seen(p):
    """Three rows have no mean modulo 3, and neither have two modulo 2."""
    forms = Virtual(PrimeField(p))
    shift = np.array([[1], [0], [0]])
    for rows in (2, 3):
        for text in (of_rows, lambda scores: scores.largest(1)):
            one, two = (
                content(forms, lambda w, X, by=by, rows=rows, text=text: text(X[:rows] + by[:rows]), {})
                for by in (0 * shift, shift)
            )
            assert one != two


def test_the_order_of_the_terms_of_a_long_sum_does_not_matter():
    """Three terms of 100 rows each are more than a sum keeps apart, whichever come first."""
    width = 100
    forms = Virtual(FIELD)
    mixings = [np.random.default_rng(seed).integers(0, 9, (TOKENS, TOKENS)) for seed in range(3)]

    def text(order):
        def total(w, X):
            first, second, third = (X @ mixings[place] for place in order)
            return (first + second + third) * X[:1]

        return total

    contents = {content(forms, text(order), {}, width=width) for order in itertools.permutations(range(3))}
    assert len(contents) == 1
    assert content(forms, text((0, 0, 1)), {}, width=width) not in contents


@pytest.mark.parametrize("width", [20, 300])
def test_rows_whose_products_are_too_long_may_be_exchanged(width):
    """Of neurons with 20 inputs each the products are not multiplied out; each is known by its two rows."""
    rng = np.random.default_rng(0)
    tensors = {name: Elements(FIELD, verbs.embed(FIELD, rng.integers(-9, 10, (3, width)))) for name in "AB"}
    tensors["D"] = Elements(FIELD, verbs.embed(FIELD, rng.integers(-9, 10, (2, 3))))
    forms = Virtual(FIELD)
    texts = (
        lambda w, X: w["D"] @ ((w["A"] @ X) * (w["B"] @ X)),
        lambda w, X: w["D"][:, [2, 0, 1]] @ ((w["B"][[2, 0, 1]] @ X * 5) * (w["A"][[2, 0, 1]] @ X * Fraction(1, 5))),
        lambda w, X: w["D"] @ ((w["A"] @ X) * (w["B"][[2, 0, 1]] @ X)),
        lambda w, X: w["D"] @ ((w["A"] @ X) * (w["B"] @ X * 2)),
        lambda w, X: w["D"] @ ((w["A"] @ X * 2) * (w["B"] @ X)),
    )
    one, two, other, double, twice = (content(forms, text, tensors, width=width) for text in texts)
    assert one == two
    assert double == twice
    assert len({one, other, double}) == 3


def test_products_of_unit_vectors_are_zero_but_with_themselves():
    """Of one token, (x_1 + 2 x_2)^2 = x_1 + 4 x_2, and sums over tokens of such products, too."""
    forms = Virtual(FIELD)
    row, squares = np.array([[1, 2, 3, 4]]), np.array([[1, 4, 9, 16]])
    texts = (
        lambda w, X: (row @ X) * (row @ X),
        lambda w, X: squares @ X,
        lambda w, X: (row @ X) @ ((row @ X).T @ (row @ X)),
        lambda w, X: (squares @ X) @ ((np.ones((1, 4), dtype=np.int64) @ X).T @ (row @ X)),
    )
    one, same, total, again = (content(forms, text, {}, tokens=True) for text in texts)
    assert one == same
    assert total == again
    assert content(forms, texts[0], {}) != content(forms, texts[1], {})
    assert content(forms, texts[2], {}) != content(forms, texts[3], {})


def test_means_of_unit_vectors_are_no_unit_vectors():
    forms = Virtual(FIELD)
    row, squares = np.array([[1, 2, 3, 4]]), np.array([[1, 4, 9, 16]])
    texts = (
        lambda w, X: (row @ X @ softmax(X.T @ X)) * (row @ X @ softmax(X.T @ X)),
        lambda w, X: squares @ X @ softmax(X.T @ X),
    )
    one, other = (content(forms, text, {}, tokens=True) for text in texts)
    assert one != other


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


@pytest.mark.parametrize(("factor", "equal"), [(3, True), (Fraction(1, 7), True), (-3, False)])
def test_gates_see_signs_alone(factor, equal):
    """Over the rational numbers; modulo p no number is positive."""
    gate = algatt.fields.Positive()
    for field, same in ((Rationals(), equal), (PrimeField(FIELD.p), False)):
        forms, tensors = Virtual(field), drawn(field)
        one, two = (content(forms, lambda w, X, c=c: (w["V"] @ X * c).entrywise(gate), tensors) for c in (1, factor))
        assert (one == two) == same


def test_equal_scores_of_as_many_tokens_as_the_characteristic_add_up_to_zero():
    """Three equal scores do modulo 3; where some are hidden they do not, and four do not."""
    three = PrimeField(3)
    same = lambda X: (X[:1] * 0 + 1).T @ X[:1]  # noqa: E731
    assert not divides(lambda X: (ONES @ same(X)).reciprocal(), field=three)
    assert divides(lambda X: (ONES @ (same(X) * MASK)).reciprocal(), field=three)
    assert divides(lambda X: (ONES @ same(X)).reciprocal())
    assert divides(lambda X: (np.ones((1, 4), dtype=np.int64) @ same(X)).reciprocal(), tokens=4, field=three)
