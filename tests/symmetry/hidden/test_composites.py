"""What the program makes of weights alone is seen, and not the weights: dimensions that are counted by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import algatt
from algatt.fields import Elements, Erf, Field, PrimeField, Rationals, Reals, concatenate
from algatt.symmetry.hidden.composites import composites_of
from pairs_of_texts import sigmoid
from written_networks import written

Shapes = dict[str, tuple[int, int]]


def total(a: Elements, b: Elements) -> Elements:
    return (a * b).sum(axis=0)


def factor(w: Any) -> Elements:
    return total(w.a, w.b).exp() - total(w.c, w.d).exp()


FACTOR: Shapes = dict.fromkeys("abcd", (3, 1)) | {"W": (3, 3), "U": (2, 3)}
LOW: Shapes = {"W": (3, 3), "B": (3, 1), "A": (1, 3)}
ROW: Shapes = dict.fromkeys("abc", (2, 1)) | {"W": (3, 3)}


def copies(w: Any, X: Elements) -> Elements:
    """Two copies of a token, to which a function of it is added."""
    x = X[:, [0]]
    y = sigmoid(w.W @ (x * w.a.T).sum(axis=1))
    return ((x * w.b.T + y * w.c.T) * w.b.T).sum(axis=1)


SEEN: dict[str, tuple[Shapes, Callable[[Any, Elements], Elements], int]] = {
    # one number, by which either W or U may be multiplied; that it may is not found
    "a difference of exponentials": (FACTOR, lambda w, X: w.U @ (factor(w) * sigmoid(w.W @ X)), 9 + 6),
    "an exponential and a logistic function": (
        FACTOR,
        lambda w, X: sigmoid(w.W @ X) + sigmoid(total(w.a, w.b)) * total(w.c, w.d).exp() * X,
        9 + 1,
    ),
    "a matrix and an addition of low rank": (LOW, lambda w, X: sigmoid(w.W @ X + w.B @ (w.A @ X)), 9),
    "a multiple of an addition, less a matrix, by rows": (
        LOW,
        lambda w, X: sigmoid((3 * (X.T @ w.A.T) @ w.B.T - X.T @ w.W.T).T),
        9,
    ),
    "a column times an addition": (
        LOW | {"g": (3, 1)},
        lambda w, X: sigmoid(w.W @ X + w.g * (w.B @ (w.A @ X))),
        9,
    ),
    "the same in one matrix": (LOW, lambda w, X: sigmoid((w.W + w.B @ w.A) @ X), 9),
    "the same twice": (
        LOW | {"V": (3, 3)},
        lambda w, X: sigmoid(w.W @ X + w.B @ (w.A @ X)) + (w.V + w.B @ w.A) @ X,
        9 + 9,
    ),
    # W times the sum of a, and b . b and c . b
    "copies of a token": (ROW, copies, 9 + 2),
    "what reads the matrix alone sees the addition, too": (
        LOW,
        lambda w, X: sigmoid(w.W @ X + w.B @ (w.A @ X)) + w.W @ X,
        9 + 6 - 1,
    ),
    "an addition of low rank alone": (LOW, lambda w, X: sigmoid(w.B @ (w.A @ X)) + w.W @ X, 9 + 6 - 1),
    "exponentials that cancel": (
        FACTOR,
        lambda w, X: w.W @ X + total(w.a, w.b).exp() * (-total(w.a, w.b)).exp() * (w.c * w.d) * X,
        9,
    ),
    # one number, the column and the matrix; no entry of the row is unseen by itself
    "a row before the squares of a column that is seen": (
        {"a": (1, 1), "b": (1, 3), "c": (3, 1), "M": (3, 3)},
        lambda w, X: (w.b @ (w.c * w.c) - w.a) * (w.M @ X).exp() + 3 * w.c,
        1 + 3 + 9,
    ),
    "an exponential twice": (
        FACTOR,
        lambda w, X: sigmoid(w.W @ X) + concatenate([(k * total(w.a, w.b)).exp() * X[[0]] for k in (1, 2, 3)]),
        9 + 1,
    ),
}


def first(w: Any, X: Elements) -> Elements:
    return w.A @ X + w.a


NARROW: Shapes = {"A": (4, 2), "a": (4, 1), "W": (4, 4), "b": (4, 1)}
NEURONS: Shapes = {"A": (4, 2), "a": (4, 1), "V": (3, 4), "c": (3, 1), "W": (4, 3), "b": (4, 1)}
MEAN = np.ones((3, 1), dtype=int)

# X is 2 x 3, so that A X + a with ones below it has 3 dimensions: as often as W reads it with b, 4 * 3 numbers are seen
COLUMNS: dict[str, tuple[Shapes, Callable[[Any, Elements], Elements], int]] = {
    "means": (NARROW, lambda w, X: first(w, X) * (w.W @ (first(w, X) @ MEAN) / 3 + w.b), 12 + 12 - 4),
    "sums": (NARROW, lambda w, X: first(w, X) * (w.W @ (first(w, X) @ MEAN) + w.b), 12 + 12 - 4),
    "a multiple": (NARROW, lambda w, X: sigmoid(first(w, X)) + sigmoid(w.b - 5 * (w.W @ (2 * first(w, X)))), 12 + 12),
    "two maps": (
        NEURONS | {"B": (4, 4), "d": (4, 1)},
        lambda w, X: first(w, X) + w.W @ sigmoid(w.V @ (w.B @ first(w, X) + w.d) + w.c) + w.b,
        12 + 9 + 12,
    ),
    "neurons beside": (NEURONS, lambda w, X: first(w, X) + w.W @ sigmoid(w.V @ first(w, X) + w.c) + w.b, 12 + 9 + 12),
    # as W a is seen beside b
    "the product twice": (
        NARROW,
        lambda w, X: sigmoid(first(w, X)) + sigmoid(w.W @ first(w, X) + w.b) * sigmoid(w.W @ first(w, X)),
        12 + 16,
    ),
}
"""Products with a column added, which are multiplied by weights: all else is seen of A, a, and of what follows."""


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_that_are_added_pass_through_weights(name: str) -> None:
    """The rank of a Jacobian in floats is the count, and the bound is proven."""
    shapes, text, dimension = COLUMNS[name]
    net = written(shapes, text, width=2, tokens=3)
    theta = algatt.sample(net, algatt.Weights, field=Reals(), seed=1)
    inputs = np.random.default_rng(0).standard_normal((16, 2, 3))
    values = np.linalg.svd(algatt.jacobian(net, theta, inputs), compute_uv=False)
    assert (values > 1e-9 * values[0]).sum() == dimension
    report = algatt.dimension(net)
    assert (report.value, report.status) == (dimension, "proven")


@pytest.mark.parametrize("name", SEEN)
def test_dimensions_are_those_of_what_is_seen(name: str) -> None:
    """The rank of a Jacobian in floats is the count, and no bound is below it."""
    shapes, text, dimension = SEEN[name]
    net = written(shapes, text, width=3, tokens=3)
    report = algatt.dimension(net)
    theta = algatt.sample(net, algatt.Weights, field=Reals(), seed=1)
    inputs = np.random.default_rng(0).standard_normal((8, 3, 3))
    values = np.linalg.svd(algatt.jacobian(net, theta, inputs), compute_uv=False)
    assert (values > 1e-9 * values[0]).sum() == dimension
    assert dimension <= (report.upper or report.value)
    if name not in ("a difference of exponentials", "exponentials that cancel", "an exponential twice"):
        assert (report.value, report.status) == (dimension, "proven")


def test_exponents_that_depend_on_each_other_are_left_alone() -> None:
    """Their exponentials are tied, so that residues of them may not be any."""
    for name in ("exponentials that cancel", "an exponential twice"):
        shapes, text, _ = SEEN[name]
        assert all("a" not in one.made.names for one in composites_of(written(shapes, text, width=3, tokens=3)))


@pytest.mark.parametrize("function", [lambda Y: Y.exp().exp(), lambda Y: Y.entrywise(Erf())], ids=["exp exp", "erf"])
def test_functions_for_which_no_residues_stand_are_left_alone(function: Callable[[Elements], Elements]) -> None:
    """What they are taken of is seen by itself: two numbers of four columns, though their difference is one."""

    def text(w: Any, X: Elements) -> Elements:
        return w.U @ ((function(total(w.a, w.b)) - total(w.c, w.d).exp()) * sigmoid(w.W @ X))

    (family,) = composites_of(written(FACTOR, text, width=3, tokens=3))
    assert family.dimension == 12 - 2


@pytest.mark.parametrize("name", [*SEEN, *COLUMNS])
def test_elements_leave_the_function(name: str) -> None:
    shapes, text, _ = SEEN.get(name) or COLUMNS[name]
    net = written(shapes, text, width=3 if name in SEEN else 2, tokens=3)
    theta = algatt.sample(net, algatt.Weights, field=Reals(), seed=1)
    inputs = np.random.default_rng(0).standard_normal((4, *net.input_shape))
    before = algatt.evaluate(net, theta, inputs)
    for family in composites_of(net):
        moved = algatt.act(family.element(theta, seed=2), theta)
        assert np.linalg.norm(algatt.flatten(moved) - algatt.flatten(theta)) > 0.1
        np.testing.assert_allclose(algatt.evaluate(net, moved, inputs), before, rtol=1e-9, atol=1e-9)


POLYNOMIAL: dict[str, tuple[Shapes, Callable[[Any, Elements], Elements]]] = {
    "an addition of low rank": (LOW, lambda w, X: (w.W @ X + w.B @ (w.A @ X)) * (w.W @ X + w.B @ (w.A @ X))),
    "means": (NARROW, COLUMNS["means"][1]),
}


@pytest.mark.parametrize("field", [PrimeField(), Rationals()], ids=str)
@pytest.mark.parametrize("name", POLYNOMIAL)
def test_elements_are_exact(name: str, field: Field) -> None:
    shapes, text = POLYNOMIAL[name]
    net = written(shapes, text, width=shapes["A"][1], tokens=3)
    (family,) = composites_of(net)
    theta = algatt.sample(net, algatt.Weights, field=field, seed=1)
    moved = algatt.act(family.element(theta, seed=2), theta)
    assert moved != theta
    inputs = algatt.sample_inputs(net, field=field, count=3)
    assert (algatt.evaluate(net, moved, inputs) == algatt.evaluate(net, theta, inputs)).all()


def test_elements_act_where_they_change_nothing() -> None:
    shapes, text, _ = SEEN["a matrix and an addition of low rank"]
    net = written(shapes, text, width=3, tokens=3)
    (family,) = composites_of(net)
    assert (family.name, family.dimension) == ("unseen directions of W, B, A", 15 - 9)
    assert family in algatt.symmetries(net)
    theta, other = (algatt.sample(net, algatt.Weights, field=PrimeField(), seed=seed) for seed in (1, 2))
    with pytest.raises(algatt.errors.InvalidArgument, match="changes the function at this point"):
        algatt.act(family.element(theta), other)
    with pytest.raises(algatt.errors.InvalidArgument, match="unseen directions of W, B, A"):
        algatt.certify(net)
