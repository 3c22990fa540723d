"""Each rule of changes on a small program; what is expected is derived by hand, beside it.

X is 3 x 2; r is a row (1 x 2), b and c are columns (3 x 1), matrices are 3 x 3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from algatt import Network, PrimeField, Weights, verbs
from algatt.fields import Elements, Exp, Function, Positive, Reals, Sigmoid, concatenate
from algatt.geometry.dimensions.declared import check_symmetries
from algatt.layers import Embedding, LearnedPosition
from algatt.symmetry.arrows.members import arrows_of
from written_networks import written

ONES = np.ones((3, 3), dtype=np.int64)
SHAPES = {
    "r": (1, 2),
    "q": (1, 2),
    "a": (3, 1),
    "b": (3, 1),
    "c": (3, 1),
    "u": (3, 1),
    "P": (4, 3),
    "s": (1, 1),
    "v": (2, 1),
    "d": (6, 1),
    "w": (1, 3),
    "N": (2, 3),
    "L": (1, 3),
}


def soft(Y: Elements) -> Elements:
    """Softmax of columns."""
    return Y.exp() / Y.exp().sum(axis=0)


def soft_masked(Y: Elements, mask: np.ndarray) -> Elements:
    """Softmax of the entries that a mask shows."""
    seen = Y.entrywise(Exp()) * mask
    return seen / seen.sum(axis=0)


def square(Y: Elements) -> Elements:
    return Y * Y


def share(Y: Elements) -> Elements:
    """Columns divided by their sums."""
    return Y / Y.sum(axis=0)


def stream(w, X):
    """A layer of three neurons with a skip."""
    return X + (w.V @ square(w.W @ X + w.c) + w.u)


@dataclass(frozen=True)
class Steep(Function):
    """A user's function with a parameter, x -> exp(slope x)."""

    slope: int


@verbs.entrywise.method
def steep(field: Reals, function: Steep, raw: np.ndarray) -> np.ndarray:
    return np.asarray(np.exp(function.slope * raw))


CASES = {
    # what is added to one of two biases is taken from the other
    "two biases": (lambda w, X: w.W @ X + w.a + w.b, "W a b", {"a columns": "b"}),
    "to the left": (lambda w, X: w.b + (w.a + w.W @ X), "W a b", {"a columns": "b"}),
    # P.T + v 1^T for P + 1 v^T, of which the first rows are read
    "transposed and cut": (lambda w, X: w.W @ X + w.b + w.P[:2].T, "W b P", {"b columns": "P"}),
    "other rows": (lambda w, X: w.W @ X + w.P[[3, 1]].T + w.P.T[:, :2], "W P", {}),
    # an absorber that is read again is none
    "read again": (lambda w, X: (w.W @ X + w.a + w.b) * w.b, "W a b", {}),
    "twice": (lambda w, X: w.W @ X + w.a + (w.b + w.b), "W a b", {"b columns": "a"}),  # 2 v is taken from a
    "a constant": (lambda w, X: w.W @ X + w.a + 3, "W a", {}),
    # one number is both a column and a row of equal entries: b + v 1 and r - v 1^T
    "row and column": (lambda w, X: w.W @ X + w.b + w.r, "W b r", {"b rows": "r"}),
    "number": (lambda w, X: w.W @ X + w.s + w.b, "W s b", {"s columns": "b"}),
    # softmax does not see what is added to a whole column
    "softmax": (lambda w, X: soft(w.W @ X + w.r), "W r", {"W rows": "", "r rows": ""}),
    "softmax of a column": (lambda w, X: soft(w.W @ X + w.b), "W b", {"W rows": "", "b rows": ""}),
    "half": (lambda w, X: soft((w.W @ X + w.r) / 2), "W r", {"W rows": "", "r rows": ""}),
    "keys": (lambda w, X: soft((w.K @ X + w.b).T @ (w.Q @ X)), "K Q b", {"b columns": ""}),
    "queries": (lambda w, X: soft((w.K @ X).T @ (w.Q @ X + w.b)), "K Q b", {}),
    "other sums": (lambda w, X: (w.W @ X).exp() / (w.W @ X + 1).exp().sum(axis=0), "W", {"W rows": ""}),
    "half a sum": (lambda w, X: (w.W @ X).exp().sqrt() / (w.W @ X).exp().sum(axis=0), "W", {}),
    "lengths": (
        lambda w, X: (w.W @ X).exp() / ((w.W @ X).exp() * (w.W @ X).exp()).sum(axis=0).sqrt(),
        "W",
        {"W rows": ""},
    ),
    "lengths of columns": (
        lambda w, X: (w.W @ X).exp() / (w.W @ X).exp().column_products((w.W @ X).exp()).sqrt(),
        "W",
        {"W rows": ""},
    ),
    "negative scales": (lambda w, X: -(w.W @ X).exp() / (w.W @ X).exp().sum(axis=0), "W", {"W rows": ""}),
    "sum of scales": (lambda w, X: (w.W @ X).exp() + X, "W", {}),
    "two scales": (
        lambda w, X: ((w.W @ X).exp() + (w.W @ X + 1).exp()) / (w.W @ X).exp().sum(axis=0),
        "W",
        {"W rows": ""},
    ),
    "two scales that differ": (
        lambda w, X: ((w.W @ X).exp() + (w.W @ X * 2).exp()) / (w.W @ X).exp().sum(axis=0),
        "W",
        {},
    ),
    "signs": (lambda w, X: (w.W @ X).exp().entrywise(Positive()) * X, "W", {"W rows": ""}),
    "signs of sums": (lambda w, X: (w.W @ X).entrywise(Positive()) * X, "W", {}),
    "largest": (lambda w, X: (w.W @ X).largest(1) * X, "W", {"W rows": ""}),
    "largest of columns": (lambda w, X: (w.W @ X + w.b).largest(1) * X, "W b", {"W rows": "", "b rows": ""}),
    "turned": (
        lambda w, X: (w.W @ X).exp().rotate((0.5,), (0, 1)) / (w.W @ X).exp()[:2].sum(axis=0),
        "W",
        {"W rows": ""},
    ),
    "turned biases": (lambda w, X: (w.W @ X + w.b)[:2].rotate((0.5,), (0, 1)) + w.c[:2], "W b c", {}),
    "sigmoid": (lambda w, X: (w.W @ X).entrywise(Sigmoid()), "W", {}),
    # the sum of a column is not that of another function: x -> exp(x) by exp(2 x)
    "functions with parameters": (
        lambda w, X: (
            (w.V @ X + w.b) @ ((X.T @ X).entrywise(Steep(1)) / (X.T @ X).entrywise(Steep(2)).sum(axis=0)) + w.c
        ),
        "V b c",
        {},
    ),
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
        {},
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
    "absorber in another order": (lambda w, X: w.W @ X + w.b + w.c[[2, 0, 1]], "W b c", {"c columns": "b"}),
    "number in all rows": (lambda w, X: (w.W @ X + w.s)[[2, 0, 1]] + w.c, "W s c", {"s columns": "c"}),
    "signs of a sum with a scale": (lambda w, X: ((w.W @ X).exp() + X).entrywise(Positive()) * X, "W", {}),
    # one column of weights: (W + c 1^T) u = W u + c (1^T u); W (u + v) = W u + W v; (W + 1 v^T) u = W u + 1 (v^T u)
    "one column": (
        lambda w, X: X + (w.W @ w.u + w.b),
        "W u b",
        {"W columns": "b", "W rows": "b", "u columns": "b"},
    ),
    "a column and its sum": (
        lambda w, X: X + (w.W @ (w.u - w.V @ w.a) + w.b),
        "W V u a b",
        {
            "W columns": "b",
            "W rows": "b",
            "V columns": "u",
            "V rows": "u",
            "u columns": "b",
            "a columns": "u",
        },
    ),
    # what is taken along by constants: 3 (Y + 1 r^T) - 1 1^T (Y + 1 r^T) = 3 Y - 1 1^T Y
    "constants": (lambda w, X: w.W @ X * 3 - ONES @ (w.W @ X), "W", {"W rows": ""}),
    "other constants": (lambda w, X: w.W @ X * 2 - ONES @ (w.W @ X), "W", {}),
    "unequal constants": (lambda w, X: w.W @ X * 3 - (ONES + np.diag([1, 0, -1])) @ (w.W @ X), "W", {}),
    "half of a bias": (lambda w, X: (w.W @ X + w.b) / 2 + w.c, "W b c", {"b columns": "c"}),
    "times zero": (lambda w, X: X + (w.W @ X) * 0, "W", {"W rows": ""}),
    # b * a + c: a row may be multiplied by a row, a column by a column
    "column by column": (lambda w, X: (w.W @ X + w.b) * w.a + w.c, "W a b c", {"b columns": "c"}),
    "row by row": (lambda w, X: soft((w.W @ X + w.r) * w.q), "W r q", {"W rows": "", "r rows": ""}),
    "row by column": (lambda w, X: soft((w.W @ X + w.r) * w.a), "W r a", {}),
    "column by row": (lambda w, X: (w.W @ X + w.b) * w.r + w.c, "W b r c", {}),
    "square": (lambda w, X: (w.W @ X + w.b) * (w.W @ X + w.b) + w.c, "W b c", {}),
    # rows taken in another order, or put below others
    "permuted": (lambda w, X: (w.W @ X + w.b)[[2, 0, 1]] + w.c, "W b c", {"b columns": "c"}),
    "some rows": (lambda w, X: (w.W @ X + w.b)[[2, 0]] + w.c[:2], "W b c", {}),
    "columns in another order": (lambda w, X: soft((w.W @ X + w.r)[:, [1, 0]]), "W r", {"W rows": "", "r rows": ""}),
    "scales in another order": (lambda w, X: (w.W @ X).exp()[:, [1, 0]] / (w.W @ X).exp().sum(axis=0), "W", {}),
    "below": (lambda w, X: concatenate([w.W @ X + w.b, w.V @ X]) + w.d, "W V b d", {"b columns": "d"}),
    "side by side": (
        lambda w, X: concatenate([w.W @ X + w.b, w.V @ X + w.b], axis=1) + w.c,
        "W V b c",
        {"b columns": "c"},
    ),
    "on one side": (lambda w, X: concatenate([w.W @ X + w.b, w.V @ X], axis=1) + w.c, "W V b c", {}),
    "rows below": (lambda w, X: soft(concatenate([w.W @ X + w.r, w.V @ X + w.r])), "W V r", {"r rows": ""}),
    "scales side by side": (
        lambda w, X: concatenate([(w.W @ X).exp(), X], axis=1) / (w.W @ X).exp().sum(axis=0).sum(axis=1),
        "W",
        {},
    ),
    "transposed scales": (lambda w, X: (w.W @ X).exp().T @ (w.W @ X).exp(), "W", {}),
    "product with itself": (lambda w, X: w.M @ w.M @ X, "M", {}),
    # a stream that is read before another bias takes the change away: W b v from c, v from u
    "stream": (lambda w, X: stream(w, X + w.b), "W V b c u", {"b columns": "c u"}),
    "stream in another order": (
        lambda w, X: w.u + (w.V @ square(w.W @ (X + w.b) + w.c) + (X + w.b)),
        "W V b c u",
        {"b columns": "c u"},
    ),
    # what takes up several changes: V v of a head, and v of the stream
    "stream and values": (
        lambda w, X: X + w.b + (w.V @ (X + w.b) @ soft(X.T @ X) + w.u),
        "V b u",
        {"b columns": "u"},
    ),
    # tied layers: all that moves, moves in both; W takes up nothing, as it is no summand
    "tied": (lambda w, X: stream(w, stream(w, X + w.b) + w.b), "W V b c u", {"b columns": "c u"}),
    "tied to what is read": (lambda w, X: stream(w, X + w.b) + w.c * X, "W V b c u", {}),
    # what two biases in a row may take up is taken up by the first
    "rows of a sum": (lambda w, X: w.r + (w.W @ X + w.q), "W r q", {"r rows": "q"}),
    # a row that is divided by itself: (w x)(K x) / (w x)(1^T K x), and its bias
    "a row": (lambda w, X: share(w.K @ X * (w.w @ X + w.s)), "K w s", {}),
}
"""A program, the tensors that it reads, and its shifts with what absorbs each."""


def network(name: str):
    text, tensors, _ = CASES[name]
    return written({one: SHAPES.get(one, (3, 3)) for one in tensors.split()}, text)


@pytest.mark.parametrize("name", CASES)
def test_the_shifts_of_small_programs(name, values_stay):
    net, expected = network(name), CASES[name][2]
    families = arrows_of(net).shifts
    found = {f"{one.shift.tensor} {one.shift.kind}": " ".join(one.tensors[1:]) for one in families}
    assert found == expected
    assert all(values_stay(net, family) for family in families)


@pytest.mark.parametrize("name", [name for name in CASES if CASES[name][2]])
def test_derivatives_along_shifts_are_zero(name):
    check_symmetries(network(name), seed=3)


def test_columns_of_embeddings_add_up_to_one(values_stay):
    """E^T X + v 1^T for E + 1 v^T, as columns of X are unit vectors; P takes v up."""
    net = Network(Embedding(4, 3) >> LearnedPosition(5), tokens=2)
    (family,) = arrows_of(net).shifts
    assert (family.name, family.tensors, family.dimension) == ("rows of embedding.E", ("embedding.E", "position.P"), 3)
    assert values_stay(net, family)


def test_columns_of_other_inputs_add_up_to_anything():
    net = written({"E": (4, 3), "P": (2, 3)}, lambda w, X: w.E.T @ X + w.P.T, width=4)
    assert arrows_of(net).shifts == ()


def test_weights_of_long_programs_are_not_computed_by_recursion():
    def text(w, X):
        for _ in range(600):
            X = X + X.centre()
        return w.W @ X.centre()

    (family,) = arrows_of(written({"W": (3, 3)}, text)).shifts
    assert family.name == "columns of W"


def test_no_tangents_are_known_where_a_denominator_vanishes():
    """u is absorbed by b divided by a sum of a, which is zero at these weights."""
    net = written(
        {"W": (3, 3), "u": (3, 1), "a": (3, 1), "b": (3, 1)},
        lambda w, X: w.W @ X + (w.u * w.a.sum(axis=0).reciprocal() + w.b),
    )
    family = next(one for one in arrows_of(net).shifts if one.shift.tensor == "u")
    assert family.tensors == ("u", "b")
    theta = verbs.sample(net, Weights, field=PrimeField(), seed=0)
    assert family.tangent_elements(theta).shape == (3, 18)
    a = Elements.of(theta.field, np.array([[1], [2], [theta.field.p - 3]]))
    zero = theta.replace([a if name == "a" else one for name, one in theta.tensors.items()])
    assert family.tangent_elements(zero).shape == (0, 18)


CONDITIONS = {
    # what L reads without a bias has to vanish: one condition on three numbers
    "a reader": (lambda w, X: square(w.L @ (X + w.b)) + (w.W @ (X + w.b) + w.c), "W L b c", "columns of b", 2),
    "two readers": (
        lambda w, X: square(w.L @ (X + w.b)) + square(w.w @ (X + w.b)) + (w.W @ (X + w.b) + w.c),
        "W L w b c",
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
    net = written({one: SHAPES.get(one, (3, 3)) for one in tensors.split()}, text)
    return net, next(one for one in verbs.symmetries(net) if one.name == family), dimension


@pytest.mark.parametrize("name", CONDITIONS)
def test_shifts_by_vectors_that_readers_do_not_see(name, values_stay):
    net, family, dimension = conditional(name)
    assert family.dimension == dimension
    theta = verbs.sample(net, Weights, field=PrimeField(), seed=4)
    assert verbs.rank(family.tangent_elements(theta)) == dimension
    assert values_stay(net, family)
    check_symmetries(net, seed=3)


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
    shapes = {"W": (3, 3), "V": (3, 3), "b": (3, 1), "c": (3, 1)}
    net = written(shapes, lambda w, X: square(w.W @ (X + w.b)) + (w.V @ (X + w.b) + w.c))
    assert arrows_of(net).shifts == ()
