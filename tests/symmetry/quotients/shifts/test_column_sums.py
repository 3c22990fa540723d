"""Columns that add up to 0 or 1: what reads centred columns, and what weights of attention mix; derived by hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from algatt import Network, verbs
from algatt.fields import Function, Reals
from algatt.layers import Embedding, LearnedPosition
from algatt.symmetry import ShiftSymmetry
from small_programs import soft, soft_masked
from written_networks import written


@dataclass(frozen=True)
class Steep(Function):
    """A user's function with a parameter, x -> exp(slope x)."""

    slope: int


@verbs.entrywise.method
def steep(field: Reals, function: Steep, raw: np.ndarray) -> np.ndarray:
    return np.asarray(np.exp(function.slope * raw))


CASES = {
    # centred columns add up to zero, and a row that is added is centred away
    "reads centred": (lambda w, X: w.W @ X.centre(), "W", {"W columns": ""}),
    "reads centred and scaled": (lambda w, X: w.W @ (X.centre() * w.r), "W r", {"W columns": ""}),
    "reads what is no longer centred": (lambda w, X: w.W @ (X.centre() * (X + w.b)), "W b", {}),
    "reads a gain": (lambda w, X: w.W @ (X.centre() * w.b), "W b", {"W columns": ""}),  # after it is folded
    "reads a difference": (
        lambda w, X: w.W @ (X.centre() - (w.V @ X).centre()),
        "W V",
        {"W columns": "", "V rows": ""},
    ),
    "writes centred": (lambda w, X: (w.W @ X).centre(), "W", {"W rows": ""}),
    "bias centred": (lambda w, X: (w.W @ X + w.b).centre() + w.c, "W b c", {"W rows": "", "b columns": "c"}),
    "column products": (lambda w, X: (w.W @ X).column_products(X.centre()), "W", {"W rows": ""}),
    "column products of any": (lambda w, X: (w.W @ X).column_products(X), "W", {}),
    "column squares": (lambda w, X: (w.W @ X).column_products(w.W @ X), "W", {}),
    # columns of weights add up to one
    "values": (lambda w, X: (w.V @ X + w.b) @ soft((w.A @ X).T @ X) + w.c, "V A b c", {"b columns": "c"}),
    "weights without sums": (lambda w, X: (w.V @ X + w.b) @ (X.T @ X) + w.c, "V b c", {}),
    "masked weights": (
        lambda w, X: (w.V @ X + w.b) @ soft_masked(X.T @ X, np.triu(np.ones((2, 2), dtype=np.int64))) + w.c,
        "V b c",
        {"b columns": "c"},
    ),
    "masked after": (
        lambda w, X: (w.V @ X + w.b) @ (soft(X.T @ X) * np.triu(np.ones((2, 2), dtype=np.int64))) + w.c,
        "V b c",
        {},
    ),
    "products of weights": (
        lambda w, X: (w.V @ X + w.b) @ (soft(X.T @ X) @ soft(X.T @ X * 2)) + w.c,
        "V b c",
        {"b columns": "c"},
    ),
    "sums of weights": (
        lambda w, X: (w.V @ X + w.b) @ (soft(X.T @ X) + soft(X.T @ X * 2)) + w.c,
        "V b c",
        {"b columns": "c"},
    ),
    "negative weights": (lambda w, X: (w.V @ X + w.b) @ -soft(X.T @ X) + w.c, "V b c", {"b columns": "c"}),
    "weights and a number": (lambda w, X: (w.V @ X + w.b) @ (soft(X.T @ X) + w.s) + w.c, "V s b c", {}),
    "products of sums of weights": (
        lambda w, X: (w.V @ X + w.b) @ ((soft(X.T @ X) + soft(X.T @ X * 2)) @ soft(X.T @ X * 3)) + w.c,
        "V b c",
        {"b columns": "c"},
    ),
    "a column times weights": (
        lambda w, X: (w.V @ X + w.b) @ (w.v @ soft(X.sum(axis=0))) + w.c,
        "V v b c",
        {"b columns": "c"},  # a softmax of one row is 1
    ),
    "centred and mixed": (lambda w, X: w.W @ (X.centre() @ (X.T @ X)), "W", {"W columns": ""}),
    "weights that are scaled": (lambda w, X: (w.V @ X + w.b) @ (soft(X.T @ X) * X.sum(axis=0)) + w.c, "V b c", {}),
    "weights by other sums": (
        lambda w, X: (w.V @ X + w.b) @ ((X.T @ X).exp() / (X.T @ X * 2).exp().sum(axis=0)) + w.c,
        "V b c",
        {},
    ),
    "weights by twice their sums": (
        lambda w, X: (w.V @ X + w.b) @ ((X.T @ X).exp() / (np.full((1, 2), 2) @ (X.T @ X).exp())) + w.c,
        "V b c",
        {},
    ),
    "weights by unequal sums": (
        lambda w, X: (w.V @ X + w.b) @ ((X.T @ X).exp() / (np.array([[1, 2]]) @ (X.T @ X).exp())) + w.c,
        "V b c",
        {},
    ),
    # the sum of a column is not that of another function: x -> exp(x) by exp(2 x)
    "functions with parameters": (
        lambda w, X: (
            (w.V @ X + w.b) @ ((X.T @ X).entrywise(Steep(1)) / (X.T @ X).entrywise(Steep(2)).sum(axis=0)) + w.c
        ),
        "V b c",
        {},
    ),
    "one column of the input": (lambda w, X: (w.W @ X + w.b) @ (X.T @ w.a) + w.c, "W a b c", {}),
    "unequal sums of columns": (lambda w, X: (w.W @ X + w.b) @ (w.q.T @ w.r) + w.c, "W b q r c", {}),
}
"""A program, the tensors that it reads, and its shifts with what absorbs each."""


@pytest.mark.parametrize("name", CASES)
def test_the_shifts_of_small_programs(name, has_shifts):
    has_shifts(*CASES[name])


def test_columns_of_embeddings_add_up_to_one(values_stay):
    """E^T X + v 1^T for E + 1 v^T, as columns of X are unit vectors; P takes v up."""
    net = Network(Embedding(4, 3) >> LearnedPosition(5), tokens=2)
    (family,) = verbs.members(ShiftSymmetry, net)
    assert (family.name, family.tensors, family.dimension) == ("rows of embedding.E", ("embedding.E", "position.P"), 3)
    assert values_stay(net, family)


def test_columns_of_other_inputs_add_up_to_anything():
    net = written({"E": (4, 3), "P": (2, 3)}, lambda w, X: w.E.T @ X + w.P.T, width=4)
    assert verbs.members(ShiftSymmetry, net) == ()


def test_weights_of_long_programs_are_not_computed_by_recursion():
    def text(w, X):
        for _ in range(600):
            X = X + X.centre()
        return w.W @ X.centre()

    (family,) = verbs.members(ShiftSymmetry, written({"W": (3, 3)}, text))
    assert family.name == "columns of W"
