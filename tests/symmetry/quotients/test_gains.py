"""Which gains fold into what, derived by hand; g is 3 x 1, X is 3 x 2."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import algatt
from algatt import Network, PrimeField, Reals, Weights, verbs
from algatt.architectures.base import draw_inputs
from algatt.architectures.network import program as program_of
from algatt.errors import DivisionByZero
from algatt.fields import Elements
from algatt.layers import (
    Embedding,
    Feedforward,
    Heads,
    LayerNorm,
    LayerScale,
    Linear,
    Power,
    Residual,
    RMSNorm,
    SelectTokens,
    SiLU,
    Tie,
    Unembedding,
    Unnormalized,
)
from algatt.programs.interpret import interpret
from algatt.symmetry import GainSymmetry
from algatt.symmetry.quotients.gains import Fold, Gain, fold_gains
from written_networks import written

SHAPES = {"g": (3, 1), "h": (3, 1), "b": (3, 1), "c": (3, 1), "r": (1, 2), "s": (1, 1), "w": (1, 3)}

FOLDED = {
    # (W V) X = W (V X) in normal form
    "writer of two matrices": (lambda w, X: w.g * (w.W @ w.V @ X), "g W V", [Gain("g", rows=("W",))]),
    # W (g * X + b) = W diag(g) (X + b / g)
    "reader": (lambda w, X: w.W @ (w.g * X), "g W", [Gain("g", columns=("W",))]),
    "readers": (lambda w, X: (w.W @ (X * w.g)).T @ (w.V @ (X * w.g)), "g W V", [Gain("g", columns=("W", "V"))]),
    "reader of a sum": (lambda w, X: w.W @ (w.g * X + w.b), "g W b", [Gain("g", columns=("W",), divided=("b",))]),
    "readers of both": (
        lambda w, X: w.W @ (w.b + w.g * X) + w.V @ (w.g * X),
        "g W V b",
        [Gain("g", columns=("V", "W"), divided=("b",))],  # readers of the gain come first
    ),
    "readers of two sums": (
        lambda w, X: w.W @ (w.g * X + w.b) + w.W @ (w.g * X + w.c),
        "g W b c",
        [Gain("g", columns=("W",), divided=("b", "c"))],
    ),
    # g * (W X + b) = (diag(g) W) X + g * b
    "writer": (lambda w, X: w.g * (w.W @ X) + X, "g W", [Gain("g", rows=("W",))]),
    "writers": (lambda w, X: (w.W @ X + w.b) * w.g + X, "g W b", [Gain("g", rows=("W", "b"))]),
    "wide bias": (lambda w, X: w.g * (w.W @ X + w.P) + X, "g W P", [Gain("g", rows=("W", "P"))]),
    # diag(h) W diag(g)
    "on both sides": (
        lambda w, X: w.h * (w.W @ (w.g * X)) + X,
        "g h W",
        [Gain("g", columns=("W",)), Gain("h", rows=("W",))],
    ),
    "written and read, one after the other": (
        lambda w, X: w.V @ (w.h * (w.g * (w.W @ X))),
        "g h V W",
        [Gain("g", rows=("W",)), Gain("h", columns=("V",))],
    ),
    "one after the other": (lambda w, X: w.W @ (w.h * (w.g * X)), "g h W", [Gain("h", columns=("W",))]),
}

KEPT = {
    "value": (lambda w, X: w.g * X, "g"),
    "value and read": (lambda w, X: w.W @ (w.g * X) + w.g * X, "g W"),
    "matrix that reads more": (lambda w, X: w.W @ (w.g * X) + w.W @ X, "g W"),
    "matrix from the right": (lambda w, X: (w.g * X).T @ w.W, "g W"),
    "transposed matrix": (lambda w, X: w.W.T @ (w.g * X), "g W"),
    "read by a result": (lambda w, X: (w.W @ X @ X.T) @ (w.g * X), "g W"),
    "product with itself": (lambda w, X: (w.g * X).T @ (w.g * X), "g"),
    "used twice": (lambda w, X: w.W @ (w.g * X) + w.V @ (w.g * (X + 1)), "g W V"),
    "used beside": (lambda w, X: w.W @ (w.g * X) + w.g, "g W"),
    "squared": (lambda w, X: w.W @ ((w.g * w.g) * X), "g W"),
    "bias used twice": (lambda w, X: w.W @ (w.g * X + w.b) + w.b, "g W b"),
    "bias of all rows": (lambda w, X: w.W @ (w.g * X + w.s), "g W s"),
    "bias of tokens": (lambda w, X: w.W @ (w.g * X + w.P), "g W P"),
    "bias that is a gain": (lambda w, X: w.W @ (w.g * X + w.g), "g W"),
    "sum with another": (lambda w, X: w.W @ (w.g * X + X), "g W"),
    "product of two vectors": (lambda w, X: w.W @ (w.g * w.h) + X, "g h W"),
    "number": (lambda w, X: w.W @ (w.s * X), "s W"),
    "columns of one row": (lambda w, X: w.W @ (w.g * (w.w @ X)), "g W w"),
    "value with a bias": (lambda w, X: w.g * X + w.b, "g b"),
    "read entry by entry": (lambda w, X: w.W @ (w.g * X) + w.P * (w.g * X), "g W P"),
    "number of what is written": (lambda w, X: w.s * (w.W @ X) + X, "s W"),
    # what is written twice would be multiplied twice
    "writer twice": (lambda w, X: w.g * (w.W @ X + w.W @ X) + X, "g W"),
    "writer of a square": (lambda w, X: w.g * (w.W @ w.W) @ X, "g W"),
    "written row": (lambda w, X: w.g * (w.W @ X + w.r) + X, "g W r"),
    "written number": (lambda w, X: w.g * (w.W @ X + w.s) + X, "g W s"),
    "written row of a matrix": (lambda w, X: w.g * (w.W @ X + w.w @ X) + X, "g W w"),
    "written and read": (lambda w, X: w.g * (w.W @ X) + (w.W @ X), "g W"),
    "matrix that writes more": (lambda w, X: w.g * (w.W @ X) + w.W @ (X + 1), "g W"),
    "written by a gate": (lambda w, X: w.g * ((w.W @ X) * (w.V @ X)) + X, "g W V"),
    "written beside a result": (lambda w, X: w.g * (w.W @ X + X), "g W"),
}


def same_values(net, fold, program):
    """Return whether a program without gains has the values of a network, exactly if it is algebraic."""
    field = PrimeField() if net.algebraic else Reals()
    theta = algatt.sample(net, Weights, field=field, seed=0)
    X = Elements(field, draw_inputs(net, field, 0, 0, 1)[0])
    one, two = (value.raw for value in (verbs.evaluate(net, theta, X), interpret(program, field, fold.fold(theta), X)))
    return np.array_equal(one, two) if net.algebraic else np.allclose(one, two)


def network(case):
    text, tensors, *_ = case
    shapes = {one: SHAPES.get(one, (3, 2) if one == "P" else (3, 3)) for one in tensors.split()}
    return written(shapes, text)


@pytest.mark.parametrize("name", FOLDED)
def test_gains_that_fold(name, values_stay):
    net, expected = network(FOLDED[name]), FOLDED[name][2]
    program, fold = fold_gains(program_of(net))
    assert list(fold.gains) == expected
    assert same_values(net, fold, program)
    assert not {gain.name for gain in expected} & set(program.tensors)
    families = verbs.members(GainSymmetry, net)
    assert [family.dimension for family in families] == [3] * len(expected)
    assert all(values_stay(net, family) for family in families)


def test_elements_of_a_small_field_have_no_zeros():
    """Of three residues one is zero: of vectors of three 19 in 27 have a zero."""
    (family,) = verbs.members(GainSymmetry, network(FOLDED["reader"]))
    theta = algatt.sample(family.arch, Weights, field=PrimeField(3), seed=0)
    for seed in range(20):
        g = family.element(theta, seed)
        assert verbs.act(verbs.inverse(g), verbs.act(g, theta)) == theta


@pytest.mark.parametrize("name", KEPT)
def test_gains_that_do_not(name):
    program = program_of(network(KEPT[name]))
    assert fold_gains(program) == (program, Fold(()))


@pytest.mark.parametrize("name", [*FOLDED, *KEPT])
def test_no_symmetry_changes_values(name, values_stay):
    """Those of spaces go through the quotient, so that a wrong one shows."""
    net = network({**FOLDED, **KEPT}[name])
    for family in verbs.symmetries(net):
        assert values_stay(net, family), family


NETWORKS = {
    "norms": (
        Network(Residual(RMSNorm() >> Heads(1)) >> Residual(LayerNorm() >> Feedforward(4, SiLU())), tokens=2, width=3),
        ["norm_1.g", "norm_2.g"],
    ),
    "ring": (Network(Residual(Linear(3, bias=True) >> LayerScale()) >> Linear(2), tokens=2, width=3), ["scale.g"]),
    "tied": (
        Network(
            Tie(
                Embedding(5, 3) >> Residual(RMSNorm() >> Heads(1)) >> RMSNorm() >> Unembedding(5),
                {"unembedding.U": "embedding.E"},
            ),
            tokens=2,
        ),
        ["norm_1.g"],  # the last is read by the embedding
    ),
    "one token": (Network(RMSNorm() >> Linear(2), tokens=1, width=3), ["norm.g"]),
    "one of the tokens": (
        Network(SelectTokens(0, 1) >> LayerNorm() >> Linear(2, bias=True), tokens=2, width=3),
        ["norm.g"],
    ),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_networks(name):
    net, expected = NETWORKS[name]
    program, fold = fold_gains(program_of(net))
    assert [gain.name for gain in fold.gains] == expected
    assert same_values(net, fold, program)


def test_weights_whose_gains_are_one_are_the_same_function():
    net = Network(
        Residual(Heads(2, score=Unnormalized(), biases="O") >> LayerScale()) >> Feedforward(3, Power(2)),
        tokens=2,
        width=4,
    )
    theta = algatt.sample(net, Weights, field=PrimeField(), seed=0)
    (family,) = verbs.members(GainSymmetry, net)
    folded = verbs.act(family.element_of(theta.tensors["scale.g"].reciprocal()), theta)
    X = algatt.sample_inputs(net, field=theta.field, seed=0, count=3)
    assert (folded.tensors["scale.g"].raw == 1).all()
    assert folded != theta
    assert np.array_equal(algatt.evaluate(net, folded, X), algatt.evaluate(net, theta, X))


def test_a_gain_with_a_zero_is_not_folded():
    _, fold = fold_gains(program_of(network(FOLDED["reader"])))
    theta = Weights.of({"g": np.array([[1.0], [0.0], [2.0]]), "W": np.eye(3)})
    with pytest.raises(DivisionByZero):
        fold.fold(theta)


@pytest.mark.parametrize("name", ["reader of a sum", "writers"])
def test_quotients_that_are_no_identity_change_values(name):
    """One of the tensors is forgotten."""
    net = network(FOLDED[name])
    program, fold = fold_gains(program_of(net))
    (gain,) = fold.gains
    less = dataclasses.replace(gain, divided=(), rows=gain.rows[:1])
    assert not same_values(net, Fold((less,)), program)


@pytest.mark.parametrize("field", [PrimeField(), Reals()], ids=str)
@pytest.mark.parametrize(
    "net",
    [lambda: network(FOLDED["reader of a sum"]), lambda: Network(RMSNorm() >> Heads(1, width=2), tokens=2, width=3)],
)
def test_products_and_inverses_of_folded_elements(net, field):
    """The group laws hold through the quotient; of keys and queries, elements of GL(2) in their order."""
    net = net()
    theta = algatt.sample(net, Weights, field=field, seed=0)
    for family in verbs.symmetries(net):
        g, h = family.element(theta, 1), family.element(theta, 2)
        one, two = (
            verbs.act(verbs.compose(g, h), theta),
            verbs.act(g, verbs.act(h, theta)),
        )
        back = verbs.act(verbs.inverse(g), verbs.act(g, theta))
        for left, right in ((one, two), (back, theta)):
            for a, b in zip(left.elements, right.elements, strict=True):
                assert np.array_equal(a.raw, b.raw) if field != Reals() else np.allclose(a.raw, b.raw)
