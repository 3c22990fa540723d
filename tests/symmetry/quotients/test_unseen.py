"""Entries that no value sees, on small programs; which they are is derived by hand, beside each.

X is 3 x 2, matrices are 3 x 3, b and c are columns; what is seen of a constant does not matter.
"""

from __future__ import annotations

import numpy as np
import pytest

from algatt import Network, PrimeField, Weights, verbs
from algatt.fields import Elements, Exp, Positive, concatenate
from algatt.geometry.dimensions.declared import check_symmetries
from algatt.geometry.dimensions.question import Question
from algatt.layers import Affine, Causal, Heads, Pattern, Power, RelativeBias, Unnormalized, Window
from algatt.symmetry import ShiftSymmetry, UnseenSymmetry
from small_programs import share
from written_networks import written

SHAPES = {"b": (3, 1), "r": (1, 2), "P": (3, 2), "w": (1, 3), "k": (1, 3), "s": (1, 1), "E": (1, 2)}

LOWER = np.array([[1, 0], [1, 1], [0, 1]])
FIRST = np.array([[1, 0, 0], [0, 0, 0], [0, 0, 0]])

CASES = {
    # what a mask hides: P_12, P_31
    "mask": (lambda w, X: w.P * LOWER * X, "P", {"P": {(0, 1), (2, 0)}}),
    "mask on the left": (lambda w, X: LOWER * (w.P * X), "P", {"P": {(0, 1), (2, 0)}}),
    "negatives of what is hidden": (lambda w, X: -w.P * LOWER * X, "P", {"P": {(0, 1), (2, 0)}}),
    "functions of what is hidden": (
        lambda w, X: (w.P + X).exp().entrywise(Exp()).reciprocal() * LOWER * X,
        "P",
        {"P": {(0, 1), (2, 0)}},
    ),
    "a sum over what is hidden": (lambda w, X: (w.P.exp() * LOWER).sum(axis=0) * X, "P", {"P": {(0, 1), (2, 0)}}),
    "hidden and seen": (lambda w, X: w.P * LOWER * X + w.P, "P", {}),
    "largest of a column": (lambda w, X: w.P.largest(1) * LOWER * X, "P", {}),
    "centred": (lambda w, X: w.P.centre() * LOWER * X, "P", {}),
    "products of columns": (lambda w, X: w.P.column_products(X * LOWER) * X, "P", {}),
    # b is spread: hidden in one column, it is seen in the other
    "spread": (lambda w, X: w.b * LOWER * X, "b", {}),
    "spread in a sum": (lambda w, X: (w.b + X) * LOWER, "b", {}),
    "a row of zeros beside a sum": (
        lambda w, X: (w.b + X) * np.array([[1, 1], [0, 0], [1, 1]]),
        "b",
        {"b": {(1, 0)}},
    ),
    "a row of zeros": (lambda w, X: w.b * np.array([[1, 1], [0, 0], [1, 1]]) * X, "b", {"b": {(1, 0)}}),
    "spread over zeros": (lambda w, X: w.r * (LOWER * np.array([[1, 0]])) * X, "r", {"r": {(0, 1)}}),
    # no part is taken
    "parts": (lambda w, X: w.W[:2] @ X, "W", {"W": {(2, 0), (2, 1), (2, 2)}}),
    "parts of one row": (lambda w, X: w.W[:1] @ X, "W", {"W": {1, 2}}),
    "parts of parts": (
        lambda w, X: w.W[:2][:, [0, 2]].T @ X[:2],
        "W",
        {"W": {(2, 0), (2, 1), (2, 2), (0, 1), (1, 1)}},
    ),
    "below each other": (lambda w, X: concatenate([w.W @ X, w.V @ X])[1:4], "W V", {"W": 0, "V": {1, 2}}),
    "below another height": (lambda w, X: concatenate([w.w @ X, w.V @ X])[:3], "w V", {"V": 2}),
    "zeros beside what is not": (
        lambda w, X: w.P * concatenate([X[:, :1] * 0, X[:, 1:]], axis=1),
        "P",
        {"P": {(0, 0), (1, 0), (2, 0)}},
    ),
    # types may move all of it
    "nothing seen": (lambda w, X: w.V @ X + (w.W @ X) * 0, "V W", {}),
    "side by side": (lambda w, X: concatenate([w.P, w.P * X], axis=1)[:, [0, 3]], "P", {}),
    # products with zeros: only W_11 is read of W
    "product": (
        lambda w, X: FIRST @ (w.W @ (FIRST @ X)),
        "W",
        {"W": {(i, j) for i in range(3) for j in range(3)} - {(0, 0)}},
    ),
    "zeros of a product": (
        lambda w, X: w.W * (FIRST @ FIRST) * X.sum(axis=0).sum(axis=1),
        "W",
        {"W": {(i, j) for i in range(3) for j in range(3)} - {(0, 0)}},
    ),
    "zeros of a negative": (lambda w, X: w.P * -(LOWER * X), "P", {"P": {(0, 1), (2, 0)}}),
    "zeros of a part": (
        lambda w, X: w.P[:2] * (LOWER * X)[1:],
        "P",
        {"P": {(1, 0), (2, 0), (2, 1)}},
    ),
    "zeros of a product of entries": (lambda w, X: w.P * (LOWER * X), "P", {"P": {(0, 1), (2, 0)}}),
    "zeros of a product from the right": (
        lambda w, X: w.W * (X @ np.array([[1, 0, 1], [1, 0, 1]])),
        "W",
        {"W": {(0, 1), (1, 1), (2, 1)}},
    ),
    "zeros above what is not": (lambda w, X: w.P * concatenate([X[:1] * 0, X[1:]]), "P", {"P": 0}),
    "zeros of a sum of results": (
        lambda w, X: w.P * (LOWER * X + LOWER * (X * X)),
        "P",
        {"P": {(0, 1), (2, 0)}},
    ),
    "zeros of a sum": (lambda w, X: w.P * (LOWER + LOWER) * X, "P", {"P": {(0, 1), (2, 0)}}),
    "zeros that are added to": (lambda w, X: w.P * (X * LOWER + 1), "P", {}),
    "zeros below": (
        lambda w, X: concatenate([w.P * LOWER, X]).T[:, :3],
        "P",
        {"P": {(0, 1), (2, 0)}},
    ),
    "reciprocals of zeros are unknown": (lambda w, X: (w.P * LOWER + X).reciprocal(), "P", {"P": {(0, 1), (2, 0)}}),
    # what is divided by itself: (w x) (K x) / (w x) sum (K x)
    "a row": (lambda w, X: share((w.W @ X) * (w.w @ X)), "W w", {"w": None}),
    "a row and its bias": (lambda w, X: share((w.W @ X) * (w.w @ X + w.s)), "W w s", {"w": None, "s": None}),
    "a power of a row": (lambda w, X: share(power(w.W @ X * (w.w @ X))), "W w", {"w": None}),
    "a row of scores": (lambda w, X: share((w.k @ X).T @ (w.w @ X)), "k w", {"w": None}),
    # the columns of P may be scaled, but not changed in any way
    "shares of a matrix": (lambda w, X: share(w.P) * X, "P", {}),
    "a row of which a part is read": (lambda w, X: share((w.W @ X) * (w.w[:, :2] @ X[:2])), "W w", {"w": None}),
    "a row that is added": (lambda w, X: share(w.W @ X + w.w @ X), "W w", {}),
    "a row read twice": (lambda w, X: share(w.W @ X * (w.w @ X)) + w.w @ X, "W w", {}),
    "a row and another one": (lambda w, X: (w.W @ X) * (w.w @ X) / (w.k @ X), "W w k", {}),
    # signs are not those of a positive scale
    "the sign of a row": (lambda w, X: ((w.W @ X) * (w.w @ X)).entrywise(Positive()) * X, "W w", {}),
    "the root of a row": (
        lambda w, X: (w.w @ X) * X / ((w.w @ X) * (w.w @ X)).sqrt(),
        "w",
        {},
    ),
    "the order in a row": (lambda w, X: ((w.W @ X) * (w.w @ X)).largest(1) * X, "W w", {}),
}
"""A program, the tensors that it reads, and by tensor its entries that are not seen: as places, as rows, as the number
of one row, or None for all.
"""


def power(Y):
    return Y * Y * Y


def network(name):
    text, tensors, _ = CASES[name]
    return written({one: SHAPES.get(one, (3, 3)) for one in tensors.split()}, text)


def places(expected, shape):
    everywhere = {(i, j) for i in range(shape[0]) for j in range(shape[1])}
    if expected is None:
        return everywhere
    if isinstance(expected, int):
        return {(i, j) for i, j in everywhere if i == expected}
    return {(i, j) for i, j in everywhere if (i, j) in expected or i in expected}


def unseen(net):
    return [one for one in verbs.symmetries(net) if isinstance(one, UnseenSymmetry)]


@pytest.mark.parametrize("name", CASES)
def test_entries_that_are_not_seen(name, values_stay):
    net, shapes = network(name), verbs.coordinates(network(name))
    found = {one.unseen.tensor: set(zip(one.unseen.rows, one.unseen.columns, strict=True)) for one in unseen(net)}
    assert found == {tensor: places(expected, shapes[tensor]) for tensor, expected in CASES[name][2].items()}
    assert all(values_stay(net, family) for family in unseen(net))
    assert all(family.dimension == verbs.rank(tangents(family)) for family in unseen(net))
    check_symmetries(Question(net), seed=1)


def test_programs_with_too_many_entries_are_not_looked_at(monkeypatch):
    """X has six entries: the quotients of this network were not asked for before."""
    monkeypatch.setattr("algatt.symmetry.quotients.members.MOST_ENTRIES", 5)
    net = written({"P": (3, 2), "w": (1, 3), "W": (3, 3)}, lambda w, X: w.P * LOWER * share((w.W @ X) * (w.w @ X)))
    assert unseen(net) == []


def test_shifts_of_what_is_not_seen_are_none():
    """Of W the first row alone is read, so that W + v 1^T with v_1 = 0 changes what is not seen."""
    net = network("parts of one row")
    assert verbs.members(ShiftSymmetry, net) == ()
    assert [one.name for one in unseen(net)] == ["entries of W"]


def tangents(family):
    return family.tangent_elements(verbs.sample(family.arch, Weights, field=PrimeField(), seed=0))


def test_translations_are_added():
    net = network("mask")
    (family,) = unseen(net)
    theta = verbs.sample(net, Weights, field=PrimeField(), seed=0)
    g, h = family.element(theta, 1), family.element(theta, 2)
    assert verbs.act(verbs.compose(g, h), theta) == verbs.act(g, verbs.act(h, theta)) != theta
    assert verbs.act(verbs.inverse(g), verbs.act(g, theta)) == theta
    assert verbs.act(verbs.identity(family, theta.field), theta) == theta


def test_a_column_of_tokens_is_an_input():
    """The entry of a key that no query meets is not seen: of tokens before others in a causal mask with one column."""
    above = np.triu(np.ones((2, 2), dtype=np.int64))
    net = written({"E": (1, 2), "r": (1, 2)}, lambda w, X: (w.E.T @ w.r) * above @ X.T)
    assert unseen(net) == []


HEADS = {
    # of 4 buckets of relative positions one belongs to no distance, and another one to no pair that is seen
    "causal": (Heads(1, width=2, score=Unnormalized(Power(2)), mask=Causal(), position=RelativeBias(4, 4)), 2),
    "window": (Heads(1, width=2, score=Power(2), mask=Window(2), position=RelativeBias(4, 4)), 2),
    "all": (Heads(1, width=2, score=Power(2), position=RelativeBias(4, 4)), 1),
    "no other": (
        Heads(
            1,
            width=2,
            score=Unnormalized(),
            mask=Pattern(((1, 0, 0), (0, 1, 0), (0, 0, 1))),
            position=RelativeBias(4, 4),
        ),
        3,
    ),
    # queries of width 1 under scores that count up to factors; not if a constant or a bias is added
    "width one": (Heads(1, width=1, score=Power(2)), 3),
    "width one with biases": (Heads(1, width=1, score=Power(2), biases="QK"), 4),
    "affine": (Heads(1, width=1, score=Affine(1, 1)), 0),
}


@pytest.mark.parametrize("name", HEADS)
def test_entries_of_heads(name, values_stay):
    layer, count = HEADS[name]
    net = Network(layer, tokens=3, width=3)
    assert sum(family.dimension for family in unseen(net)) == count
    assert all(values_stay(net, family) for family in unseen(net))


def test_entries_are_places_of_tensors():
    net = network("mask")
    (family,) = unseen(net)
    theta = verbs.sample(net, Weights, field=PrimeField(), seed=0)
    moved = verbs.act(family.element(theta), theta)
    difference = (moved.tensors["P"] - theta.tensors["P"]).raw
    assert isinstance(moved.tensors["P"], Elements)
    assert set(zip(*np.nonzero(difference), strict=True)) == {(0, 1), (2, 0)}
