"""Biases of centred columns that matrices alone read: W (Y + b 1^T) with 1^T Y = 0."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import algatt
from algatt import PrimeField, Weights, verbs
from algatt.errors import DivisionByZero
from algatt.fields import Elements
from algatt.geometry.dimensions.declared import check_symmetries
from algatt.geometry.dimensions.question import Question
from algatt.symmetry import NormBiasSymmetry, ShiftSymmetry
from written_networks import written

SHAPES = {"L": (1, 3), "b": (3, 1), "c": (3, 1), "s": (1, 1), "r": (1, 2)}

FOUND = {
    "reader": (lambda w, X: w.W @ (X.centre() + w.b), "W b", ("b", ("W",))),
    "to the left": (lambda w, X: w.W @ (w.b + X.centre()), "W b", ("b", ("W",))),
    "scaled tokens": (lambda w, X: w.W @ (X.centre() * X.sum(axis=0) + w.b), "W b", ("b", ("W",))),
    "readers": (
        lambda w, X: (w.W @ (X.centre() + w.b)) * (w.V @ (X.centre() + w.b)),
        "W V b",
        ("b", ("W", "V")),
    ),
    # b + v with L v = 0 is a shift, too, as c takes W v up
    "beside a shift with conditions": (
        lambda w, X: (w.L @ (X.centre() + w.b)) * X.sum(axis=0) + (w.W @ (X.centre() + w.b) + w.c),
        "L W b c",
        ("b", ("L", "W")),
    ),
    "gain": (lambda w, X: w.W @ (w.c * X.centre() + w.b), "W b c", ("b", ("W",))),
}

NONE = {
    "not centred": (lambda w, X: w.W @ (X + w.b), "W b"),
    # unit vectors have the sum of what is subtracted, but X may be any matrix
    "less their shares": (lambda w, X: w.W @ (X - X / X.sum(axis=0) + w.b), "W b"),
    "rows scaled": (lambda w, X: w.W @ (X.centre() * X + w.b), "W b"),
    "matrix that reads more": (lambda w, X: w.W @ (X.centre() + w.b) + w.W @ X, "W b"),
    "bias used twice": (lambda w, X: w.W @ (X.centre() + w.b) + w.b, "W b"),
    "two biases": (lambda w, X: w.W @ (X.centre() + w.b + w.c), "W b c"),
    # the first of two in the program takes up what is added to the second
    "two biases in another order": (lambda w, X: w.W @ (w.c + (X.centre() + w.b)), "W c b"),
    "number": (lambda w, X: w.W @ (X.centre() + w.s), "W s"),
    "wide": (lambda w, X: w.W @ (X.centre() + w.P), "W P"),
    "value": (lambda w, X: X.centre() + w.b, "b"),
}


def network(case):
    text, tensors, *_ = case
    return written({one: SHAPES.get(one, (3, 2) if one == "P" else (3, 3)) for one in tensors.split()}, text)


@pytest.mark.parametrize("name", FOUND)
def test_biases_that_are_found(name, values_stay):
    net, (bias, matrices) = network(FOUND[name]), FOUND[name][2]
    (family,) = verbs.members(NormBiasSymmetry, net)
    assert (family.name, family.bias.matrices, family.dimension) == (bias, matrices, 3)
    assert values_stay(net, family)
    check_symmetries(Question(net), seed=1)


@pytest.mark.parametrize("name", NONE)
def test_biases_that_are_not(name, values_stay):
    net = network(NONE[name])
    assert verbs.members(NormBiasSymmetry, net) == ()
    assert all(values_stay(net, family) for family in verbs.symmetries(net))


def test_a_bias_that_others_absorb_is_a_shift():
    """W (X + b + v) - W v: any v is taken up by c, whatever its sum."""
    net = network((lambda w, X: w.W @ (X.centre() + w.b) + w.c, "W b c"))
    assert verbs.members(NormBiasSymmetry, net) == ()
    assert "columns of b" in [family.name for family in verbs.members(ShiftSymmetry, net)]


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))
def test_group_laws(first, second, seed):
    """Changes by v and w, one after the other, are one by v + w: the matrix of the second is that after the first."""
    net = network(FOUND["readers"])
    field = PrimeField(8388593)
    theta = algatt.sample(net, Weights, field=field, seed=seed)
    (family,) = verbs.members(NormBiasSymmetry, net)
    g, h = family.element(theta, first), family.element(theta, second)
    assert verbs.act(verbs.compose(g, h), theta) == verbs.act(g, verbs.act(h, theta))
    assert verbs.act(verbs.inverse(g), verbs.act(g, theta)) == theta
    assert verbs.act(verbs.identity(family, field), theta) == theta


def test_a_bias_with_sum_zero_has_no_tangents():
    net = network(FOUND["reader"])
    (family,) = verbs.members(NormBiasSymmetry, net)
    theta = algatt.sample(net, Weights, field=PrimeField(), seed=0)
    b = Elements.of(theta.field, np.array([[1], [2], [theta.field.p - 3]]))
    theta = theta.replace([b if name == "b" else one for name, one in theta.tensors.items()])
    assert family.tangent_elements(theta).shape == (0, 12)
    with pytest.raises(DivisionByZero):
        verbs.act(verbs.identity(family, theta.field), theta)
