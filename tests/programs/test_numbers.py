"""Numbers of the code that are a part of tensors: which they are is derived by hand, values are compared at points."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import PrimeField, Weights, verbs
from algatt.fields import Elements, concatenate
from algatt.maps import program as program_of
from algatt.programs.interpret import interpret
from algatt.programs.normal_form import normal_form
from written_networks import written

SHAPES = {"W": (3, 3), "b": (3, 1), "c": (3, 1), "P": (2, 3), "t": (1, 4), "V": (2, 3)}

PLACED = np.array([[1, 0], [0, 0], [0, 1], [0, 0]])  # entries 0 and 2 of t, one for each token

FAR = np.array([[2, 0], [0, 0], [0, 1], [0, 0]])


def cube(Y: Elements) -> Elements:
    return Y * Y * Y


CASES: dict[str, tuple[Callable[[Any, Elements], Elements], str, dict[str, Fraction]]] = {
    "a bias": (lambda w, X: cube(w.W @ X + w.b + 1), "W b", {"b": Fraction(1)}),
    "a multiple": (lambda w, X: cube((w.W @ X + w.b) * 2 - 3), "W b", {"b": Fraction(-3, 2)}),
    "a negative": (lambda w, X: cube(1 - (w.W @ X + w.b)), "W b", {"b": Fraction(-1)}),
    "rows": (lambda w, X: cube((X.T @ w.W + w.P + 2).T), "W P", {"P": Fraction(2)}),
    "a part": (lambda w, X: cube((w.W @ X + w.b)[[1, 0]] + 5), "W b", {"b": Fraction(5)}),
    "in its places": (lambda w, X: cube(w.W @ X + w.t @ PLACED - 4), "W t", {"t": Fraction(-4)}),
    "joined": (lambda w, X: cube(concatenate([w.b, w.b[[0]]]) + 1) @ X[[0]], "b", {"b": Fraction(1)}),
    "twice the same": (lambda w, X: cube(w.W @ cube(w.W @ X + w.b + 1) + w.b + 1), "W b", {"b": Fraction(1)}),
    "of two biases the first": (lambda w, X: cube(w.W @ X + w.b + w.c + 1), "W b c", {"b": Fraction(1)}),
    "two tensors": (
        lambda w, X: w.V @ cube(w.W @ cube(w.W @ X + w.b + 1) + w.c + 2),
        "W V b c",
        {"b": Fraction(1), "c": Fraction(2)},
    ),
    # and near misses
    "other numbers": (lambda w, X: cube(w.W @ X + w.t @ FAR - 4), "W t", {}),
    "twice another": (lambda w, X: cube(w.W @ cube(w.W @ X + w.b + 1) + w.b + 2), "W b", {}),
    "once": (lambda w, X: cube(w.W @ cube(w.W @ X + w.b + 1) + w.b), "W b", {}),
    "read beside": (lambda w, X: cube(w.W @ X + w.b + 1) * w.b, "W b", {}),
    "the value": (lambda w, X: w.W @ X + w.b, "W b", {}),
    "and the value": (lambda w, X: cube(w.W @ X + w.b + 1) + w.b, "W b", {}),
    "a number for each row": (lambda w, X: cube(w.W @ X + w.b + np.array([[1], [2], [1]])), "W b", {}),
    "centred before": (lambda w, X: cube((w.W @ X + w.b).centre() + 1), "W b", {}),
    "a square of it": (lambda w, X: cube(w.W @ X + w.b * w.b + 1), "W b", {}),
    "joined with what is not": (lambda w, X: cube(concatenate([w.b, X[:, [0]]]) + 1) @ X[[0]], "b", {}),
    "lost": (lambda w, X: cube(w.W @ X + (w.b - w.b[[1, 2, 0]]) + 1), "W b", {}),
}
"""A text, its tensors, and the numbers that are a part of them."""


@pytest.mark.parametrize("name", CASES)
def test_numbers_that_are_a_part_of_tensors(name: str) -> None:
    text, tensors, expected = CASES[name]
    net = written({one: SHAPES[one] for one in tensors.split()}, text)
    form = normal_form(program_of(net))
    assert {part.tensor: Fraction(*part.added) for part in form.parts if part.added} == expected
    field = PrimeField()
    theta = verbs.sample(net, Weights, field=field, seed=1)
    X = Elements(field, verbs.draw_array(field, shape=(4, *net.input_shape), seed=1, label="inputs"))
    parts = {part.name: part.of(theta.tensors[part.tensor]) for part in form.parts}
    value = interpret(form.program, field, dict(theta.tensors) | parts, X)
    assert np.array_equal(value.raw, verbs.evaluate(net, theta, X).raw)


def test_scales_of_rows_are_found_beside_numbers() -> None:
    """V (W X + b + 1)^3 stays where rows of W and of b + 1 are multiplied, and columns of V divided by the cube."""
    text = lambda w, X: w.V @ cube(w.W @ X + w.b + 1)  # noqa: E731
    net = written({one: SHAPES[one] for one in "WbV"}, text)
    report = algatt.dimension(net)
    assert (report.value, report.status, report.parameters) == (15, "proven", 18)
    assert algatt.verify(algatt.certify(net)).ok
    (family,) = algatt.symmetries(net)
    theta = algatt.sample(net, Weights, seed=0)
    moved = algatt.act(family.element(theta, seed=1), theta)
    assert (moved.tensors["b"].raw != theta.tensors["b"].raw).any()
    assert algatt.same_function(net, theta, moved).equal
