"""Permutations stand outside of what they permute and cancel: texts with and without them have one normal form where
they have one value, and two where they have two. Values are those of the texts, which no rule has rewritten.
"""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt.architectures.network import arrange
from algatt.fields import Elements, Positive, Reals, concatenate
from algatt.maps import program as program_of
from algatt.programs.digest import digest
from algatt.programs.rewriting import rewritten
from written_networks import written

pytestmark = pytest.mark.sample(1000)  # all cases, always: what is called an exchange rests on them

TENSORS = {"A": (4, 4), "B": (4, 4), "g": (4, 1)}
ORDER, OTHER, BACK = [2, 0, 3, 1], [1, 2, 0, 3], [1, 3, 0, 2]
CONSTANT = np.array([[1, 2, 3, 4]])
ROW, COLUMN = np.ones((1, 4), dtype=np.int64), np.ones((4, 1), dtype=np.int64)
SQUARE = np.array([[1, 2, 0, 3], [0, 1, 5, 1], [2, 0, 1, 1], [1, 4, 0, 1]])
MIXED = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9], [1, 0, 2]])


def soft(S: Elements) -> Elements:
    e = S.exp()
    return e / (np.ones((1, 3), dtype=np.int64) @ e)


def side(one: Elements, other: Elements) -> Elements:
    return concatenate([one, other], axis=1)


PAIRS = {
    "neurons": (
        lambda w, X: w.B[:, ORDER] @ (w.A[ORDER] @ X + w.g[ORDER]).exp(),
        lambda w, X: w.B @ (w.A @ X + w.g).exp(),
    ),
    "gated neurons": (
        lambda w, X: w.B[:, ORDER] @ ((w.A[ORDER] @ X) * (w.B[ORDER] @ X).entrywise(Positive())),
        lambda w, X: w.B @ ((w.A @ X) * (w.B @ X).entrywise(Positive())),
    ),
    "rows of values": (
        lambda w, X: ((w.A @ X) @ soft(X.T @ (w.B @ X)))[ORDER],
        lambda w, X: (w.A @ X)[ORDER] @ soft(X.T @ (w.B @ X)),
    ),
    "scores": (
        lambda w, X: w.A @ X @ soft((w.A[ORDER] @ X).T @ (w.B[ORDER] @ X)),
        lambda w, X: w.A @ X @ soft((w.A @ X).T @ (w.B @ X)),
    ),
    "what is centred": (
        lambda w, X: w.B[:, ORDER] @ (w.A[ORDER] @ X).centre(),
        lambda w, X: w.B @ (w.A @ X).centre(),
    ),
    "products of columns": (
        lambda w, X: X * (w.A[ORDER] @ X).exp().column_products(w.B[ORDER] @ X),
        lambda w, X: X * (w.A @ X).exp().column_products(w.B @ X),
    ),
    "the largest": (
        lambda w, X: w.B[:, ORDER] @ (w.A[ORDER] @ X).largest(2),
        lambda w, X: w.B @ (w.A @ X).largest(2),
    ),
    "side by side": (
        lambda w, X: w.g @ w.g.T[:, ORDER] @ side((w.A @ X).exp()[ORDER], (w.B @ X).exp()[ORDER])[:, [1, 3, 4]],
        lambda w, X: w.g @ w.g.T @ side((w.A @ X).exp(), (w.B @ X).exp())[:, [1, 3, 4]],
    ),
    "a constant before": (
        lambda w, X: w.g @ (CONSTANT[:, ORDER] @ (w.A[ORDER] @ X).exp()),
        lambda w, X: w.g @ (CONSTANT @ (w.A @ X).exp()),
    ),
    "a constant behind": (
        lambda w, X: w.A[:, ORDER] @ SQUARE[ORDER] @ X,
        lambda w, X: w.A @ SQUARE @ X,
    ),
    "a constant of one row": (
        lambda w, X: w.B[:, ORDER] @ ((w.A[ORDER] @ X).exp() * MIXED[:1]),
        lambda w, X: w.B @ ((w.A @ X).exp() * MIXED[:1]),
    ),
    "equal rows": (
        lambda w, X: w.B[:, ORDER] @ (COLUMN @ (w.g.T @ X)).exp(),
        lambda w, X: w.B @ (COLUMN @ (w.g.T @ X)).exp(),
    ),
    "equal columns": (
        lambda w, X: (w.g @ ROW).exp() @ (w.A[ORDER] @ X).exp(),
        lambda w, X: (w.g @ ROW).exp() @ (w.A @ X).exp(),
    ),
    "a mean as a product with ones": (
        lambda w, X: w.B[:, ORDER] @ (w.A[ORDER] @ X - (COLUMN @ ROW) @ (w.A[ORDER] @ X).exp()).exp(),
        lambda w, X: w.B @ (w.A @ X - (COLUMN @ ROW) @ (w.A @ X).exp()).exp(),
    ),
    "a transposed matrix with equal rows": (
        lambda w, X: w.B[:, ORDER] @ (w.A[ORDER] @ X - (X.T @ w.g @ ROW).exp().T).exp(),
        lambda w, X: w.B @ (w.A @ X - (X.T @ w.g @ ROW).exp().T).exp(),
    ),
    "what is centred and has equal rows": (
        lambda w, X: w.B[:, ORDER] @ (w.A[ORDER] @ X + (COLUMN @ (w.g.T @ X)).exp().centre()).exp(),
        lambda w, X: w.B @ (w.A @ X + (COLUMN @ (w.g.T @ X)).exp().centre()).exp(),
    ),
    "a constant beside": (
        lambda w, X: w.B[:, ORDER] @ (1 + (w.A[ORDER] @ X).exp()).reciprocal(),
        lambda w, X: w.B @ (1 + (w.A @ X).exp()).reciprocal(),
    ),
    "a constant with equal rows": (
        lambda w, X: w.B[:, ORDER] @ ((w.A[ORDER] @ X).exp() * MIXED[[0, 0, 0, 0]]),
        lambda w, X: w.B @ ((w.A @ X).exp() * MIXED[[0, 0, 0, 0]]),
    ),
    "below each other": (
        lambda w, X: w.B[:, [1, 0, 2, 3]] @ concatenate([(w.A[:2] @ X).exp()[[1, 0]], w.A[2:] @ X]),
        lambda w, X: w.B @ concatenate([(w.A[:2] @ X).exp(), w.A[2:] @ X]),
    ),
    "a negative": (
        lambda w, X: w.B[:, ORDER] @ (-(w.A @ X)[ORDER]).exp(),
        lambda w, X: w.B @ (-(w.A @ X)).exp(),
    ),
    "an order and the one that leads back": (
        lambda w, X: w.B @ (w.A @ X).exp()[ORDER][BACK],
        lambda w, X: w.B @ (w.A @ X).exp(),
    ),
}

OTHERS = {
    "another order": (
        lambda w, X: w.B[:, ORDER] @ (w.A[OTHER] @ X).exp(),
        lambda w, X: w.B @ (w.A @ X).exp(),
    ),
    "the one that leads back": (
        lambda w, X: w.B[:, BACK] @ (w.A[ORDER] @ X).exp(),
        lambda w, X: w.B @ (w.A @ X).exp(),
    ),
    "a constant behind, not ordered": (
        lambda w, X: w.A[:, ORDER] @ SQUARE @ X,
        lambda w, X: w.A @ SQUARE @ X,
    ),
    "equal columns behind": (
        lambda w, X: w.B[:, ORDER] @ (w.g @ ROW[:, :3]).exp(),
        lambda w, X: w.B @ (w.g @ ROW[:, :3]).exp(),
    ),
    "a summand with equal columns": (
        lambda w, X: w.B[:, ORDER] @ (w.A[ORDER] @ X + (w.g @ ROW[:, :3]).exp()).exp(),
        lambda w, X: w.B @ (w.A @ X + (w.g @ ROW[:, :3]).exp()).exp(),
    ),
    "one of two summands with equal rows": (
        lambda w, X: w.B[:, ORDER] @ (w.A @ X + COLUMN @ (w.g.T @ X)).exp(),
        lambda w, X: w.B @ (w.A @ X + COLUMN @ (w.g.T @ X)).exp(),
    ),
    "a constant with other rows": (
        lambda w, X: w.B[:, ORDER] @ (SQUARE @ (w.A @ X).exp()),
        lambda w, X: w.B @ (SQUARE @ (w.A @ X).exp()),
    ),
    "equal rows below others": (
        lambda w, X: w.B[:, ORDER] @ concatenate([(COLUMN[:2] @ (w.g.T @ X)).exp(), COLUMN[:2] @ (w.g.T @ X)]),
        lambda w, X: w.B @ concatenate([(COLUMN[:2] @ (w.g.T @ X)).exp(), COLUMN[:2] @ (w.g.T @ X)]),
    ),
    "one of two summands": (
        lambda w, X: w.B[:, ORDER] @ (w.A[ORDER] @ X + w.g).exp(),
        lambda w, X: w.B @ (w.A @ X + w.g).exp(),
    ),
    "one of two factors": (
        lambda w, X: X * (w.A[ORDER] @ X).column_products(w.B @ X),
        lambda w, X: X * (w.A @ X).column_products(w.B @ X),
    ),
    "a constant that it changes": (
        lambda w, X: w.B[:, ORDER] @ ((w.A[ORDER] @ X).exp() * MIXED),
        lambda w, X: w.B @ ((w.A @ X).exp() * MIXED),
    ),
    "a constant before, not ordered": (
        lambda w, X: w.g @ (CONSTANT @ (w.A[ORDER] @ X).exp()),
        lambda w, X: w.g @ (CONSTANT @ (w.A @ X).exp()),
    ),
    "zero times a quotient": (
        lambda w, X: (w.A @ X).reciprocal() * 0 + (w.B @ X).reciprocal(),
        lambda w, X: (w.A @ X).reciprocal() + (w.B @ X).reciprocal() * 0,
    ),
    "one of two side by side": (
        lambda w, X: w.g @ w.g.T[:, ORDER] @ side((w.A @ X).exp()[ORDER], (w.B @ X).exp())[:, [1, 3, 4]],
        lambda w, X: w.g @ w.g.T @ side((w.A @ X).exp(), (w.B @ X).exp())[:, [1, 3, 4]],
    ),
}


def values_and_digests(texts):
    nets = [written(TENSORS, text, width=4, tokens=3) for text in texts]
    theta = algatt.sample(nets[0], algatt.Weights, field=Reals(), seed=1)
    X = algatt.sample_inputs(nets[0], seed=1, field=Reals())
    for net in nets:  # what is rewritten has the values of the text
        arrangement = arrange(net)
        found = algatt.evaluate(arrangement.network, arrangement.forth(theta), X)
        np.testing.assert_allclose(found, algatt.evaluate(net, theta, X), rtol=1e-9, atol=1e-11)
    values = [algatt.evaluate(net, theta, X) for net in nets]
    return np.allclose(*values), len({digest(rewritten(program_of(net)), apart=True) for net in nets}) == 1


@pytest.mark.parametrize("texts", PAIRS.values(), ids=PAIRS.keys())
def test_permutations_that_cancel_are_not_in_the_normal_form(texts):
    assert values_and_digests(texts) == (True, True)


@pytest.mark.parametrize("texts", OTHERS.values(), ids=OTHERS.keys())
def test_permutations_that_do_not_cancel_are(texts):
    assert values_and_digests(texts) == (False, False)


def test_rows_and_columns_of_one_of_two_below_each_other_are_in_other_orders():
    def below(w, X):
        return concatenate([(w.A[:2] @ X).exp()[[1, 0]][:, [1, 0, 2]], w.A[2:] @ X])

    texts = lambda w, X: w.B[:, [1, 0, 2, 3]] @ below(w, X), lambda w, X: w.B @ below(w, X)[[1, 0, 2, 3]]
    assert values_and_digests(texts)[0]
