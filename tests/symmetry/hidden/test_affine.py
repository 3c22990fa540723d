"""Directions of a matrix with its bias that no value depends on: counted by hand, and texts that look like such."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt import PrimeField, Reals, Weights
from algatt.errors import InvalidArgument
from algatt.fields import Elements, Sigmoid
from algatt.symmetry.arrows.members import all_directions
from written_networks import written

SHAPES = {"A": (4, 2), "a": (4, 1), "B": (4, 4), "c": (4, 1), "W": (3, 4), "b": (3, 1), "L": (4, 2)}
MEAN = np.ones((3, 1), dtype=int)
SUMS = np.array([[1, 0], [1, 1], [0, 0]])


def first(w, X):
    return w.A @ X + w.a


def square(Y):
    return Y * Y


# X is 2 x 3, so that A X + a with ones below it has 3 of 5 dimensions; L with ones below it has 2
PROGRAMS = {
    "behind a map": (lambda w, X: w.W @ first(w, X) + w.b, {"W": 3 * 2}),
    "before a function": (lambda w, X: square(w.W @ first(w, X) + w.b), {"W": 3 * 2}),
    "the bias in front": (lambda w, X: square(w.b + w.W @ (w.a + w.A @ X)), {"W": 3 * 2}),
    "behind two maps": (lambda w, X: square(w.W @ (w.B @ first(w, X) + w.c) + w.b), {"W": 3 * 2, "B": 4 * 2}),
    "means": (lambda w, X: square((w.W @ (first(w, X) @ MEAN)) / 3 + w.b), {"W": 3 * 2}),
    "sums": (lambda w, X: square(w.W @ (first(w, X) @ MEAN) + w.b), {"W": 3 * 2}),
    "a multiple": (lambda w, X: square(-5 * (w.W @ (2 * first(w, X))) + w.b), {"W": 3 * 2}),
    "weights": (lambda w, X: square((w.W @ w.L + w.b) @ X), {"W": 3 * 3}),
    "means of weights": (lambda w, X: square(((w.W @ (w.L @ MEAN[:2])) / 2 + w.b) * X[:1]), {"W": 3 * 4}),
    # and near misses
    "no bias behind": (lambda w, X: square(w.W @ (w.A @ X) + w.b), {}),
    "a function between": (lambda w, X: w.W @ square(first(w, X)) + w.b, {}),
    "the bias twice": (lambda w, X: square(w.W @ first(w, X) + w.b) + w.b, {}),
    "the matrix twice": (lambda w, X: square(w.W @ first(w, X) + w.b) + w.W @ first(w, square(X)), {}),
    "the product twice": (lambda w, X: square(w.W @ first(w, X) + w.b) + w.W @ first(w, X), {}),
    "unequal sums": (lambda w, X: square(w.W @ (first(w, X) @ SUMS) + w.b), {}),
    "a skip": (lambda w, X: square(w.W @ (first(w, X) + square(first(w, X))) + w.b), {}),
}
"""A program, and how many directions of a matrix together with its bias are not seen."""


def joints(net):
    return {one.tensor: one for one in all_directions(net) if one.bias is not None}


@pytest.mark.parametrize("name", PROGRAMS)
def test_directions_of_small_programs(name, values_stay):
    text, expected = PROGRAMS[name]
    net = written(SHAPES, text, width=2, tokens=3)
    found = joints(net)
    assert {one: family.dimension for one, family in found.items()} == expected
    theta = algatt.sample(net, Weights)
    for family in found.values():
        assert int(algatt.rank(family.tangents(theta))) == family.dimension
        assert values_stay(net, family)


def test_a_narrow_map_before_neurons_is_proven():
    """3 neurons see B (A X + a) + b through 3 x 3 numbers; what is added to the value shows A X + a as it is."""
    shapes = {"A": (4, 2), "a": (4, 1), "B": (3, 4), "b": (3, 1), "C": (4, 3)}

    def text(w, X):
        Y = w.A @ X + w.a
        return Y + w.C @ (w.B @ Y + w.b).entrywise(Sigmoid())

    report = algatt.dimension(written(shapes, text, width=2, tokens=3))
    assert (report.value, report.status) == (4 * 3 + 3 * 3 + 4 * 3, "proven")


def test_elements_act_where_nothing_is_seen_of_them_and_nowhere_else():
    text, _ = PROGRAMS["before a function"]
    net = written(SHAPES, text, width=2, tokens=3)
    family = joints(net)["W"]
    F = PrimeField(31)
    theta, other = (algatt.sample(net, Weights, field=F, seed=seed) for seed in (0, 1))
    element = family.element(theta)
    moved = algatt.act(element, theta)
    assert {name for name in theta.names() if (moved.tensors[name].raw != theta.tensors[name].raw).any()} == {"W", "b"}
    with pytest.raises(InvalidArgument, match="which changes the function"):
        algatt.act(element, other)


def test_over_the_reals_the_bias_takes_up_what_the_matrix_adds():
    text, _ = PROGRAMS["means"]
    net = written(SHAPES, text, width=2, tokens=3)
    family = joints(net)["W"]
    theta = algatt.sample(net, Weights, field=Reals(), seed=0)
    moved = algatt.act(family.element(theta), theta)
    X = algatt.sample_inputs(net, field=Reals(), count=3)
    np.testing.assert_allclose(algatt.evaluate(net, moved, X), algatt.evaluate(net, theta, X), rtol=1e-9, atol=1e-12)
    noise = Elements.of(Reals(), np.ones((3, 5)))
    with pytest.raises(InvalidArgument, match="which changes the function"):
        algatt.act(family.element_of(noise), theta)
