"""Stretches of what is written into a stream: S = W X + b, which a matrix Q reads as it reads norms behind it.

What is expected is derived by hand: with A = 1 + k 1 (1/a)^T the columns A S - k s 1 differ from S by multiples of 1,
Q A^-1 makes of them what Q makes of S less one column, and the same less of N = a * Y + u, where s = (1/a)^T u.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import Network, PrimeField, Reals, Weights, verbs
from algatt.errors import DivisionByZero
from algatt.fields import Elements
from algatt.geometry.dimensions.declared import check_symmetries
from algatt.geometry.dimensions.question import Question
from algatt.layers import Feedforward, LayerNorm, Linear, Power, Repeat, Residual
from algatt.symmetry import StretchSymmetry, symbolic_symmetries
from small_programs import soft, square
from written_networks import written

Given = dict[str, Any]
"""Tensors by name: matrices in capitals, and columns."""


def plus(X: Elements, bias: Elements | None) -> Elements:
    return X if bias is None else X + bias


def twice(w: Given, S: Elements) -> Elements:
    """Return what two equal blocks make of S."""
    N = plus(w["a"] * (S + square(plus(w["Q"] @ S, w["c"]))).centre(), w["u"])
    return (N + square(plus(w["Q"] @ N, w["c"]))).centre()


def network(
    names: str = "WbQacu", text: Callable[[Given, Elements, Elements], Elements] = lambda w, S, X: twice(w, S)
) -> Network:
    """Return the network of a text, which is given the tensors with these names, None for others, W X + b, and X."""
    shapes = {name: (3, 3 if name.isupper() else 1) for name in names}

    def value(w: Any, X: Elements) -> Elements:
        tensors = {name: w[name] if name in names else None for name in "WbQacuVtr"}
        return text(tensors, plus(w["W"] @ X, tensors["b"]), X)

    return written(shapes, value)


def behind(w: Given, S: Elements, X: Elements) -> Elements:
    """Return what Q makes of S and of its norm, in a sum that a bias is added to."""
    return w["V"] @ (w["Q"] @ S + w["Q"] @ (w["a"] * S.centre() + w["u"])) + w["t"]


def by_softmax(w: Given, S: Elements, X: Elements) -> Elements:
    """Return what Q makes of S, with the bias of the norm, beside weights whose keys Q makes of the norm."""
    keys = w["Q"] @ (w["a"] * S.centre() + w["u"])
    return square(w["Q"] @ S + w["u"]) + X @ soft(keys.T @ X)


FOUND = {
    "all": (network(), "WbQc"),
    "no bias of the norm": (network("WbQac"), "WbQ"),
    "one bias": (network("WQac"), "WQ"),
    "no biases": (network("WQa"), "WQ"),
    "a bias that nothing asks for": (network("WbQa"), "WbQ"),
    "two matrices write": (network("WbQacuV", lambda w, S, X: twice(w, S + w["V"] @ square(X))), "WbVQc"),
    "two matrices read": (network("WbQacuVt", lambda w, S, X: twice(w, S) + square(w["V"] @ S + w["t"])), "WbQVct"),
    "two matrices in one sum": (
        network("WbQacuVt", lambda w, S, X: twice(w, S) + square(w["V"] @ S + w["Q"] @ S + w["t"])),
        "WbQVct",
    ),
    "taken up behind a matrix": (network("WbQautV", behind), "WbQt"),
    "a part": (network(text=lambda w, S, X: twice(w, S)[:, :1]), "WbQc"),
}
"""Networks, with the tensors that move."""

NONE = {
    "no bias that is written": network("WQacu"),
    "no bias of the reader": network("WbQau"),
    "the mean is seen": network(text=lambda w, S, X: twice(w, S) + S),
    "the mean is seen before it is taken": network(text=lambda w, S, X: twice(w, S) + square(S).centre()),
    "what writes is read": network(text=lambda w, S, X: twice(w, S) + w["W"] @ square(X)),
    "a function of it": network(text=lambda w, S, X: twice(w, square(S) + w["b"])),
    "a function of it, without biases": network("WQac", lambda w, S, X: twice(w, square(S))),
    "a norm without a centre": network(
        text=lambda w, S, X: twice(w, S) + square(w["Q"] @ (w["a"] * X + w["u"]) + w["c"])
    ),
    "two gains": network(
        "WbQacur", lambda w, S, X: twice(w, S) + square(w["Q"] @ (w["r"] * X.centre() + w["u"]) + w["c"])
    ),
    "two biases of norms": network(
        "WbQacur", lambda w, S, X: twice(w, S) + square(w["Q"] @ (w["a"] * X.centre() + w["r"]) + w["c"])
    ),
    "the matrix is read elsewhere": network(text=lambda w, S, X: twice(w, S) + w["Q"].T @ square(X)),
    # s is made of what would take it up
    "one bias of norm and reader": network("WbQac", lambda w, S, X: twice({**w, "u": w["c"]}, S)),
    "one bias of norm and of another sum": network("WbQau", by_softmax),
    "one bias of norm and stream": network("WbQac", lambda w, S, X: twice({**w, "u": w["b"]}, S)),
}


def member(net: Network) -> StretchSymmetry:
    (family,) = verbs.members(StretchSymmetry, net)
    return family


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", FOUND)
def test_what_is_found_and_that_values_stay(values_stay: Callable[..., bool], name: str) -> None:
    net, moved = FOUND[name]
    family = member(net)
    assert family.tensors == tuple(moved)
    assert family.dimension == 1
    assert all(values_stay(net, family, seed) for seed in (1, 2))
    check_symmetries(Question(net), seed=1)


@pytest.mark.parametrize("name", NONE)
def test_what_is_none(name: str) -> None:
    assert verbs.members(StretchSymmetry, NONE[name]) == ()


def test_tangents() -> None:
    """Of A = 1 + k 1 (1/a)^T to first order in k."""
    net = network()
    theta = verbs.sample(net, Weights, field=PrimeField(), seed=1)
    w = theta.tensors
    (found,) = member(net).tangent_parts(theta)
    inverse, ones = w["a"].reciprocal(), np.ones((3, 1), dtype=np.int64)
    expected = {
        "W": ones @ (inverse.T @ w["W"]),
        "b": ones @ (inverse.T @ (w["b"] - w["u"])),
        "Q": -(w["Q"] @ ones @ inverse.T),
        "c": w["Q"] @ ones @ (inverse.T @ w["u"]),
    }
    assert found.keys() == expected.keys()
    assert all(np.array_equal(found[name].raw, one.raw[None]) for name, one in expected.items())


@pytest.mark.parametrize(("first", "second", "seed"), [(0, 1, 2), (3, 3, 0), (5, 4, 1)])
def test_group_laws(first: int, second: int, seed: int) -> None:
    net = network()
    family = member(net)
    theta = verbs.sample(net, Weights, field=PrimeField(8388593), seed=seed)
    g, h = family.element(theta, first), family.element(theta, second)
    assert verbs.act(verbs.compose(g, h), theta) == verbs.act(g, verbs.act(h, theta))
    assert verbs.act(verbs.inverse(g), verbs.act(g, theta)) == theta
    assert verbs.act(verbs.identity(family, theta.field), theta) == theta


def test_products_with_other_families_act_one_after_the_other() -> None:
    net = network("WbQacuVt", lambda w, S, X: twice(w, S) + square(w["V"] @ S + w["t"]))
    theta = verbs.sample(net, Weights, field=PrimeField(8388593), seed=1)
    g = member(net).element(theta, 1)
    for family in verbs.symmetries(net):
        h = family.element(theta, 1)
        assert verbs.act(verbs.compose(g, h), theta) == verbs.act(g, verbs.act(h, theta))


def test_gains_with_a_zero_and_gains_whose_reciprocals_add_up_to_zero() -> None:
    """Nothing is known beside a zero; A is a shear if 1 + 1 - 1/2 * 4 is zero, which no factor of 1 names."""
    net = network()
    theta = verbs.sample(net, Weights, field=PrimeField(), seed=1)

    def with_gain(*entries: int) -> Weights:
        a = Elements.of(theta.field, np.array(entries)[:, None])
        return theta.replace([a if name == "a" else one for name, one in theta.tensors.items()])

    family = member(net)
    assert family.tangent_parts(with_gain(1, 0, 2)) == []
    half = (theta.field.p - 1) // 2  # -1/2
    assert len(family.tangent_parts(with_gain(1, 1, half))) == 1
    with pytest.raises(DivisionByZero):
        verbs.act(family.element(theta, 1), with_gain(1, 1, half))


@pytest.mark.sample(1)
@pytest.mark.parametrize(("bias", "redundant"), [(True, 33), (False, 23)])
def test_dimensions_of_repeated_blocks(bias: bool, redundant: int) -> None:
    """Two blocks of two layers of 2 neurons in width 4: a gain (4) and a matrix behind a norm (4), whose columns may be
    shifted besides; factors of neurons (4), multiples of 1/g of neurons that read the first norm of a block (2) and of
    the last matrix (4), means of what neurons write (4, and 2 of biases), biases of norms (8), and the stretch.
    """
    part = Residual(Feedforward(2, Power(2), bias=bias)) >> LayerNorm(bias=bias)
    begin = LayerNorm(bias=False) >> Linear(4, bias=True)
    net = Network(begin >> Repeat(part >> part, 2) >> Linear(4, bias=True), tokens=1, width=4)
    report = algatt.dimension(net)
    assert (report.parameters - report.value, report.status) == (redundant, "proven")
    answer = symbolic_symmetries(net)
    assert answer.free
    assert answer.dimension == redundant


def test_matrices_that_are_read_nowhere_else_are_moved_by_types() -> None:
    """A single block: no norm asks for one gain."""
    part = Residual(Feedforward(2, Power(2), bias=True)) >> LayerNorm()
    net = Network(Linear(4, bias=True) >> Repeat(part >> part, 1) >> Linear(4, bias=True), tokens=1, width=3)
    assert verbs.members(StretchSymmetry, net) == ()


def test_gains_that_are_folded_stay_as_they_are(values_stay: Callable[..., bool]) -> None:
    """What is written is a map of a norm whose gain is folded into it."""
    part = Residual(Feedforward(2, Power(2), bias=True)) >> LayerNorm()
    net = Network(LayerNorm() >> Linear(4, bias=True) >> Repeat(part >> part, 2), tokens=1, width=3)
    family = member(net)
    theta = verbs.sample(net, Weights, field=Reals(), seed=1)
    moved = verbs.act(family.element(theta, 1), theta)
    assert np.array_equal(moved["norm_1.g"], theta["norm_1.g"])
    assert values_stay(net, family)
