"""Shifts by vectors that some readers do not see; how many there are is derived by hand, beside each program."""

from __future__ import annotations

import pytest

from algatt import PrimeField, Weights, verbs
from algatt.geometry.dimensions.declared import check_symmetries
from algatt.geometry.dimensions.question import Question
from algatt.symmetry import ShiftSymmetry
from small_programs import small_program, soft, square

CONDITIONS = {
    # what L reads without a bias has to vanish: one condition on three numbers
    "a reader": (lambda w, X: square(w.L @ (X + w.b)) + (w.W @ (X + w.b) + w.c), "W L b c", "columns of b", 2),
    "two readers": (
        lambda w, X: square(w.L @ (X + w.b)) + square(w.w @ (X + w.b)) + (w.W @ (X + w.b) + w.c),
        "W L w b c",
        "columns of b",
        1,
    ),
    # the sum of two entries, and what L reads: two conditions
    "a sum of entries beside a reader": (
        lambda w, X: square((X + w.b)[:1] + (X + w.b)[1:2]) + square(w.L @ (X + w.b)) + (w.W @ (X + w.b) + w.c),
        "W L b c",
        "columns of b",
        1,
    ),
    "one reader twice": (
        lambda w, X: square(w.L @ (X + w.b)) + square(w.L @ (X * 2 + w.b)) + (w.W @ (X + w.b) + w.c),
        "W L b c",
        "columns of b",
        2,
    ),
    # N M has rank one if M has one row
    "a narrow reader": (
        lambda w, X: square(w.W @ (w.a @ (w.L @ (X + w.b)))) + (w.V @ (X + w.b) + w.c),
        "W V L a b c",
        "columns of b",
        2,
    ),
    # (L + w) v = 0 is one condition, as L and w have one row
    "a sum of rows": (lambda w, X: w.L @ (X + w.b) + w.w @ (X + w.b), "L w b", "columns of b", 2),
    # N v and W N^T v, multiplied by q and t: two conditions, as diagonal matrices of rows have two rows
    "a sum of multiplied columns": (
        lambda w, X: square((w.V @ w.N.T) * w.q + (w.V @ (w.W @ w.N.T)) * w.t) + X,
        "V N W q t",
        "rows of V",
        1,
    ),
    # scores of queries and keys: both have to vanish, but for softmax that of the queries alone
    "scores": (
        lambda w, X: X + ((w.L @ (X + w.b)).T @ (w.w @ (X + w.b))).sum(axis=0) + w.b + w.c,
        "L w b c",
        "columns of b",
        1,
    ),
    "softmax": (
        lambda w, X: X @ soft((w.L @ (X + w.b)).T @ (w.w @ (X + w.b))) + (w.b + w.c),
        "L w b c",
        "columns of b",
        2,
    ),
    # the mean alone is not seen: centring has rank two
    "centred": (lambda w, X: square((X + w.b).centre()) + (w.W @ (X + w.b) + w.c), "W b c", "columns of b", 1),
}
"""A program, the tensors that it reads, and a shift with the number of vectors that satisfy its conditions."""


def conditional(name):
    text, tensors, family, dimension = CONDITIONS[name]
    net = small_program(text, tensors)
    return net, next(one for one in verbs.symmetries(net) if one.name == family), dimension


@pytest.mark.parametrize("name", CONDITIONS)
def test_shifts_by_vectors_that_readers_do_not_see(name, values_stay):
    net, family, dimension = conditional(name)
    assert family.dimension == dimension
    theta = verbs.sample(net, Weights, field=PrimeField(), seed=4)
    assert verbs.rank(family.tangent_elements(theta)) == dimension
    assert values_stay(net, family)
    check_symmetries(Question(net), seed=3)


def test_conditions_that_lose_rank_have_no_tangents():
    """The kernel of L = 0 is larger than that of any other L: nothing is known of the vectors beyond."""
    net, family, _ = conditional("a reader")
    theta = verbs.sample(net, Weights, field=PrimeField(), seed=0)
    zero = theta.replace([one * 0 if name == "L" else one for name, one in theta.tensors.items()])
    assert family.tangent_elements(zero).shape == (0, net.parameters)


def test_shifts_with_conditions_are_composed_by_adding_vectors():
    net, family, _ = conditional("two readers")
    theta = verbs.sample(net, Weights, field=PrimeField(), seed=0)
    g, h = family.element(theta, 1), family.element(theta, 2)
    assert verbs.act(verbs.compose(g, h), theta) == verbs.act(g, verbs.act(h, theta))
    assert verbs.act(verbs.inverse(g), verbs.act(g, theta)) == theta
    assert verbs.act(verbs.identity(family, theta.field), theta) == theta


def test_conditions_that_leave_nothing_are_no_shift():
    net = small_program(lambda w, X: square(w.W @ (X + w.b)) + (w.V @ (X + w.b) + w.c), "W V b c")
    assert verbs.members(ShiftSymmetry, net) == ()


def test_conditions_that_say_the_same_are_one():
    """L v = 0, said twice, is there once in normal form."""
    net = small_program(
        lambda w, X: square(w.L @ (X + w.b)) + square(w.L.T.T @ (X + w.b)) + (w.W @ (X + w.b) + w.c), "W L b c"
    )
    (shift,) = verbs.members(ShiftSymmetry, net)
    assert shift.name == "columns of b"
