"""Rules of shifts and factors: what each finds on a small network, counted by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import PrimeField, Weights, verbs
from algatt.architectures.base import draw_inputs
from algatt.fields import Elements, Exp, Reals, Sigmoid, concatenate
from algatt.layers import Causal, Embedding, Heads, LayerNorm, Linear, Probabilities, Residual, Unembedding
from motions_oracle import motion_tangents
from written_networks import written

A = {"A": (2, 3)}
AB = {"A": (2, 3), "B": (2, 3)}
ONES = np.ones((1, 2), dtype=np.int64)


def exp(Y: Elements) -> Elements:
    return Y.entrywise(Exp())


def softmax(Y: Elements) -> Elements:
    e = exp(Y)
    return e * (Elements.of(Y.field, np.ones((1, Y.shape[-2]), dtype=np.int64)) @ e).reciprocal()


def count(net: algatt.Network) -> int:
    """The number of independent motions at random weights."""
    theta = verbs.sample(net, Weights, field=PrimeField(), seed=1)
    return int(verbs.rank(motion_tangents(net, theta)))


# what may move, counted by hand
FOUND: dict[str, tuple[dict[str, tuple[int, int]], Callable[[Any, Elements], Elements], int]] = {
    "a bias takes up a bias": ({**A, "b": (2, 1), "c": (2, 1)}, lambda w, X: w["A"] @ X + w["b"] + w["c"], 2),
    # GL(2) of U and A; b takes up A, U takes it down: c takes up U b
    "a bias takes up what a matrix makes of one": (
        {**A, "b": (2, 1), "U": (2, 2), "c": (2, 1)},
        lambda w, X: w["U"] @ (w["A"] @ X + w["b"]) + w["c"],
        4 + 2,
    ),
    # a number for each column is killed by the softmax: three of A, one of b, but the input is not moved
    "softmax": ({**A, "b": (2, 1)}, lambda w, X: softmax(w["A"] @ X + w["b"]), 3 + 1),
    "softmax of a row more": ({**A, "c": (1, 2)}, lambda w, X: softmax(w["A"] @ X + w["c"]), 3 + 2),
    # A 1^T (X less its mean) = 0
    "rows that see what is centred": (A, lambda w, X: w["A"] @ X.centre(), 2),
    # the mean of A X is gone, and GL has what fixes 1 besides: none, as U sees all
    "means of what is centred": (A, lambda w, X: (w["A"] @ X).centre(), 3),
    # what one head's columns of probabilities add up to: V takes up no b, but c takes up V b
    "columns that add up to one": (
        {**A, "V": (2, 3), "b": (2, 1), "c": (2, 1)},
        lambda w, X: (w["V"] @ X + w["b"]) @ softmax(w["A"] @ X) + w["c"],
        2 + 3,
    ),
    # b with A b = 0, one of three
    "a condition": ({"A": (2, 3), "b": (3, 1)}, lambda w, X: (w["A"] @ (X + w["b"])).entrywise(Sigmoid()), 1),
    # c would take up U b in the first sum, and is seen in the second
    "a bias that is used twice": (
        {**A, "U": (2, 2), "b": (2, 1), "c": (2, 1)},
        lambda w, X: concatenate([w["U"] @ (w["A"] @ X + w["b"]) + w["c"], w["A"] @ X + w["c"]]),
        0,
    ),
    "a bias of which the transpose is used twice": (
        {**A, "U": (2, 2), "b": (2, 1), "c": (1, 2)},
        lambda w, X: concatenate([w["U"] @ (w["A"] @ X + w["b"]) + w["c"].T, w["A"] @ X + w["c"].T]),
        0,
    ),
    # c and d take up what b adds: U b and V b; the second bias moves where it stands
    "shifts of arrays below each other": (
        {**A, "b": (2, 1), "B": (1, 3), "d": (1, 1), "c": (3, 1)},
        lambda w, X: concatenate([w["A"] @ X + w["b"], w["B"] @ X + w["d"]]) + w["c"],
        2 + 1,
    ),
    # A and B by the same row; columns do not add up to one, so that d takes up nothing
    "a quotient by another sum": (
        {**AB, "V": (2, 3), "b": (2, 1), "d": (2, 1)},
        lambda w, X: (w["V"] @ X + w["b"]) @ (exp(w["A"] @ X) * (ONES @ exp(w["B"] @ X)).reciprocal()) + w["d"],
        3,
    ),
    # W by s / g, which c takes up; A by a row
    "weighted sums behind a gain": (
        {**A, "W": (2, 2), "g": (2, 1), "c": (2, 1)},
        lambda w, X: concatenate([w["W"] @ (w["g"] * softmax(w["A"] @ X)) + w["c"], w["g"] * softmax(w["A"] @ X)]),
        2 + 3,
    ),
    # b and d alike, A and B by the same row
    "factors of a reciprocal": (
        {**AB, "b": (2, 1), "d": (2, 1)},
        lambda w, X: exp(w["A"] @ X + w["b"]).reciprocal() * exp(w["B"] @ X + w["d"]),
        2 + 3,
    ),
    # GL(3), r of A, s of B; A G = 1 r and G B = - s 1 have G = - s 1 B^-1 in common where A s is a multiple of 1
    "rows that a matrix multiplies": (
        {"A": (2, 3), "B": (3, 3), "D": (2, 3)},
        lambda w, X: (w["A"] @ w["B"] + w["D"]) @ X,
        9 + 3 + 3 - 2,
    ),
    "a constant": (
        {**A, "U": (2, 2)},
        lambda w, X: w["U"] @ (w["A"] @ X + np.array([[1, 2], [3, 5]])),
        0,
    ),
    # two terms O_i V_i X with one V_i for each: GL(2) mixes them, and nothing else moves but with it
    "terms that mix": (
        {"O": (2, 1), "P": (2, 1), "Q": (1, 3), "R": (1, 3)},
        lambda w, X: w["O"] @ (w["Q"] @ X) + w["P"] @ (w["R"] @ X),
        4,
    ),
    # as above, but for c with g c = c: the constant is beside both, and the terms are squares less it
    "terms that mix beside a constant": (
        {"O": (2, 1), "P": (2, 1), "Q": (1, 3), "R": (1, 3)},
        lambda w, X: w["O"] @ (w["Q"] @ X + 1) + w["P"] @ (w["R"] @ X + 1),
        2,
    ),
    "terms under a mask mix": (
        {"O": (2, 1), "P": (2, 1), "Q": (1, 3), "R": (1, 3)},
        lambda w, X: w["O"] @ ((w["Q"] @ X) * np.array([[1, 2]])) + w["P"] @ ((w["R"] @ X) * np.array([[1, 2]])),
        4,
    ),
    "terms of two masks do not": (
        {"O": (2, 1), "P": (2, 1), "Q": (1, 3), "R": (1, 3)},
        lambda w, X: w["O"] @ ((w["Q"] @ X) * np.array([[1, 2]])) + w["P"] @ ((w["R"] @ X) * np.array([[1, 3]])),
        2,
    ),
    # the number u . v + c and the matrix W + 1 d are seen: 10 of 17 entries
    "a number of weights beside another in exponents": (
        {"W": (3, 3), "u": (2, 1), "v": (2, 1), "c": (1, 1), "d": (1, 3)},
        lambda w, X: (w["W"] @ X + w["u"].T @ w["v"]).exp() * (w["d"] @ X + w["c"]).exp(),
        7,
    ),
    "terms under a square do not": (
        {"O": (2, 1), "P": (2, 1), "Q": (1, 3), "R": (1, 3)},
        lambda w, X: w["O"] @ ((w["Q"] @ X) * (w["Q"] @ X)) + w["P"] @ ((w["R"] @ X) * (w["R"] @ X)),
        2,
    ),
    "a tensor that nothing reads": ({"A": (2, 3), "Z": (2, 2)}, lambda w, X: w["A"] @ X, 4),
}


@pytest.mark.parametrize("name", FOUND)
def test_what_may_move(name):
    shapes, function, expected = FOUND[name]
    net = written(shapes, function)
    check(net)
    assert count(net) == expected


def numbers(net: algatt.Network) -> float:
    """Return how much the value changes along motions at random real weights."""
    field = Reals()
    theta = verbs.sample(net, Weights, field=field, seed=3)
    tangents = np.asarray(motion_tangents(net, theta).raw, dtype=float)
    X = Elements(field, draw_inputs(net, field, 5, 0, 4))
    jacobian = np.asarray(verbs.jacobian(net, theta, X).raw, dtype=float)
    return float(np.abs(jacobian @ tangents.T).max(initial=0) / np.abs(jacobian).max())


def check(net: algatt.Network) -> None:
    assert numbers(net) < 1e-9


NETWORKS = {
    # 3 x 4 entries of keys and queries less: GL(2) for scores and values of 2 heads, biases of keys, of values
    "heads with biases": (algatt.Network(Heads(2, width=2, biases="QKVO"), tokens=3, width=4), 2 * (4 + 4 + 2 + 2)),
    # one row of zeros of K, Q and V, the biases of the norm, and its gains: they are dials of what is folded
    "a norm before a matrix": (algatt.Network(LayerNorm() >> Linear(2, bias=True), tokens=2, width=3), 3 + 3 + 2),
    "probabilities": (
        algatt.Network(Embedding(5, 2) >> Unembedding(5, bias=True, reading=Probabilities()), tokens=2),
        4 + 2 + 2 + 1,
    ),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_networks(name):
    net, expected = NETWORKS[name]
    check(net)
    assert count(net) == expected


def test_heads_without_keys_that_are_seen():
    net = algatt.Network(Residual(Heads(1, width=2, mask=Causal(), biases="QK")), tokens=2, width=3)
    check(net)
    assert count(net) == 4 + 2 + 4  # GL(2) of scores, the bias of keys, GL(2) of values
