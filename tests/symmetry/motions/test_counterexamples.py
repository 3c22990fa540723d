"""Counterexamples: for each rule of motions a network at which it is wrong without one of its equations."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import Weights, verbs
from algatt.architectures.base import draw_inputs
from algatt.fields import Elements, Exp, Positive, Reals, Sigmoid, concatenate
from algatt.fields.motions import MotionEquations, Motions
from motions_oracle import motion_tangents
from written_networks import written

A = {"A": (2, 3)}
AB = {"A": (2, 3), "B": (2, 3)}
UA = {"A": (2, 3), "U": (2, 2)}
AWZ = {"A": (1, 3), "W": (2, 2), "Z": (2, 1)}
ONES = np.ones((1, 2), dtype=np.int64)
STEP = 0.3
"""How far weights are moved along a motion whose rule is about finite changes: gates and largest entries."""

Written = Callable[[Any, Elements], Elements]


def exp(Y: Elements) -> Elements:
    return Y.entrywise(Exp())


def softmax(Y: Elements) -> Elements:
    e = exp(Y)
    return e * (Elements.of(Y.field, np.ones((1, Y.shape[-2]), dtype=np.int64)) @ e).reciprocal()


def of_columns(function: Callable[[Elements], Elements]) -> Written:
    """Return a function of A X W, whose columns a matrix Z reads: W acts on them from the right."""
    return lambda w, X: function(w["A"] @ X @ w["W"]) @ w["Z"]


LINEAR: dict[str, tuple[str, str, dict[str, tuple[int, int]], Written]] = {
    "product, L": ("product_moving", "require_zero", UA, lambda w, X: w["U"] @ (w["A"] @ X)),
    "constant times an array": (
        "image",
        "require_intertwining",
        UA,
        lambda w, X: w["U"] @ (np.array([[1, 1], [1, 1]]) @ (w["A"] @ X)),
    ),
    "sum with a constant": (
        "require_same",
        "require_zero",
        UA,
        lambda w, X: w["U"] @ (w["A"] @ X + np.array([[1, 2], [3, 5]])),
    ),
    "sum": ("require_same", "require_zero", {**AB, "U": (2, 2)}, lambda w, X: w["U"] @ (w["A"] @ X + w["B"] @ X)),
    "spread row": (
        "spread_beside",
        "require_intertwining",
        {**UA, "c": (1, 2)},
        lambda w, X: w["U"] @ (w["A"] @ X + w["c"]),
    ),
    "row and column": (
        "add_moving",
        "require_fixed",
        {"b": (2, 1), "c": (1, 2), "U": (2, 2)},
        lambda w, X: w["U"] @ (w["b"] + w["c"]) + X[:2],
    ),
    "entrywise product, rows": (
        "multiply_moving",
        "require_diagonal",
        {**AB, "U": (2, 2)},
        lambda w, X: w["U"] @ ((w["A"] @ X) * (w["B"] @ X)),
    ),
    "mask on columns": (
        "multiply_moving",
        "require_diagonal",
        AWZ,
        of_columns(lambda Y: Y * np.array([[1, 2]])),
    ),
    "products of columns, rows": (
        "column_products_of_moving",
        "require_zero",
        AB,
        lambda w, X: (w["A"] @ X).column_products(w["B"] @ X),
    ),
    "products of columns, columns": (
        "column_products_of_moving",
        "require_diagonal",
        {**AB, "W": (2, 2), "Z": (2, 1)},
        lambda w, X: (w["A"] @ X @ w["W"]).column_products(w["B"] @ X) @ w["Z"],
    ),
    "centring": ("image", "require_intertwining", UA, lambda w, X: w["U"] @ (w["A"] @ X).centre()),
    "turns, rows": (
        "rotate_moving",
        "require_intertwining",
        UA,
        lambda w, X: w["U"] @ (w["A"] @ X).rotate((1.0,), (0, 1)),
    ),
    "turns, columns": (
        "rotate_moving",
        "require_diagonal",
        {**A, "W": (2, 2), "Z": (2, 1)},
        of_columns(lambda Y: Y.rotate((1.0,), (0, 1))),
    ),
    "some rows": ("image", "require_intertwining", {**A, "U": (2, 1)}, lambda w, X: w["U"] @ (w["A"] @ X)[:1]),
    "joined, columns": (
        "concatenate_moving",
        "require_zero",
        {"A": (1, 3), "B": (1, 3), "W": (2, 2), "Z": (2, 1)},
        lambda w, X: concatenate([w["A"] @ X @ w["W"], w["B"] @ X]) @ w["Z"],
    ),
    "joined, rows": (
        "concatenate_moving",
        "require_intertwining",
        {**AB, "U": (2, 4)},
        lambda w, X: w["U"] @ concatenate([w["A"] @ X, w["B"] @ X]).centre(),
    ),
    "reciprocal, rows": ("power", "require_diagonal", UA, lambda w, X: w["U"] @ (w["A"] @ X).reciprocal()),
    "root": ("power", "require_diagonal", UA, lambda w, X: w["U"] @ (w["A"] @ X).sqrt()),
    "any function": ("entrywise_fixed", "require_fixed", UA, lambda w, X: w["U"] @ (w["A"] @ X).entrywise(Sigmoid())),
    "exponential, L": ("exp_moving", "require_fixed", UA, lambda w, X: w["U"] @ exp(w["A"] @ X)),
    "the value, L": ("interpret_types", "require_fixed", A, lambda w, X: w["A"] @ X),
}
"""For L and R: the function of the rule, what it asks, and the network."""

SHIFTS: dict[str, tuple[str, str, dict[str, tuple[int, int]], Written]] = {
    "product, columns without a sum": ("multiplied_by", "require_no_shift", A, lambda w, X: w["A"] @ X),
    "function": (
        "entrywise_fixed",
        "require_no_shift",
        {**A, "b": (2, 1)},
        lambda w, X: (w["A"] @ X + w["b"]).entrywise(Sigmoid()),
    ),
    "row": ("times_row", "require_no_shift", {**A, "b": (2, 1)}, lambda w, X: (w["A"] @ X + w["b"]) * X[:1]),
    "entrywise product": (
        "with_products",
        "require_no_shift",
        {**AB, "b": (2, 1)},
        lambda w, X: (w["A"] @ X + w["b"]) * (w["B"] @ X),
    ),
    "reciprocal": ("power", "require_no_shift", {**A, "b": (2, 1)}, lambda w, X: (w["A"] @ X + w["b"]).reciprocal()),
    "centre": (
        "centre_moving",
        "require_no_shift",
        {**A, "b": (2, 1)},
        lambda w, X: exp(w["A"] @ X + w["b"]).centre(),
    ),
    "column products": (
        "column_products_of_moving",
        "require_no_shift",
        {**AB, "b": (2, 1)},
        lambda w, X: (w["A"] @ X + w["b"]).column_products(w["B"] @ X),
    ),
    "joined": (
        "concatenate_moving",
        "require_no_shift",
        {**AB, "c": (1, 2)},
        lambda w, X: (
            concatenate([exp(w["A"] @ X + w["c"]), exp(w["B"] @ X)]) * (ONES @ exp(w["A"] @ X + w["c"])).reciprocal()
        ),
    ),
    "factors of a sum": (
        "add_moving",
        "require_no_shift",
        {**AB, "c": (1, 2)},
        lambda w, X: (exp(w["A"] @ X + w["c"]) + exp(w["B"] @ X)) * (ONES @ exp(w["A"] @ X + w["c"])).reciprocal(),
    ),
    "factors between factors": (
        "product_moving",
        "require_no_shift",
        {**A, "c": (1, 2), "Z": (2, 2)},
        lambda w, X: exp(w["A"] @ X + w["c"]) @ w["Z"],
    ),
    "turns": (
        "rotate_moving",
        "require_no_shift",
        {**A, "b": (2, 1)},
        lambda w, X: (w["A"] @ X + w["b"]).rotate((1.0,), (0, 1)),
    ),
    "the value": ("interpret_motions", "require_no_shift", {**A, "b": (2, 1)}, lambda w, X: w["A"] @ X + w["b"]),
    "exponential": ("exp_moving", "require_zero", A, lambda w, X: softmax(w["A"] @ X)),
    "product": (
        "product_moving",
        "require_zero",
        {**A, "U": (2, 2)},
        lambda w, X: w["U"] @ (w["A"] @ X),
    ),
}
"""The same for shifts and factors."""

STEPS: dict[str, tuple[str, str, dict[str, tuple[int, int]], Written]] = {
    "gate, rows": ("positive_moving", "require_diagonal", A, lambda w, X: (w["A"] @ X).entrywise(Positive())),
    "gate, shifts": (
        "positive_moving",
        "require_no_shift",
        {**A, "b": (2, 1)},
        lambda w, X: (w["A"] @ X + w["b"]).entrywise(Positive()),
    ),
    "largest entries, rows": ("largest_moving", "require_scalar", A, lambda w, X: (w["A"] @ X).largest(1)),
    "largest entries, shifts": (
        "largest_moving",
        "require_no_shift",
        {**A, "b": (2, 1)},
        lambda w, X: (w["A"] @ X + w["b"]).largest(1),
    ),
}
"""The same for zeros and ones, which have no derivatives: the weights are moved a finite step."""


def numbers(net: algatt.Network) -> float:
    """Return how much the value changes along motions at random positive weights."""
    field = Reals()
    theta = verbs.sample(net, Weights, field=field, seed=3)
    theta = theta.replace([Elements(field, np.abs(one.raw)) for one in theta.elements])  # roots have values
    tangents = np.asarray(motion_tangents(net, theta).raw, dtype=float)
    X = Elements(field, np.abs(draw_inputs(net, field, 5, 0, 4)))
    jacobian = np.asarray(verbs.jacobian(net, theta, X).raw, dtype=float)
    return float(np.abs(jacobian @ tangents.T).max(initial=0) / np.abs(jacobian).max())


def steps(net: algatt.Network) -> float:
    """Return how much the value changes if weights go a step along each motion."""
    field = Reals()
    theta = verbs.sample(net, Weights, field=field, seed=3)
    X = Elements(field, draw_inputs(net, field, 5, 0, 50))
    before, changes = verbs.evaluate(net, theta, X).raw, [0.0]
    tangents = np.asarray(motion_tangents(net, theta).raw, dtype=float)
    for tangent in tangents[tangents.any(axis=1)]:
        start, moved = 0, []
        for one in theta.elements:
            part = tangent[start : start + one.raw.size].reshape(one.shape) / np.abs(tangent).max()
            moved.append(Elements(field, one.raw + STEP * part))
            start += one.raw.size
        changes.append(float(np.abs(verbs.evaluate(net, theta.replace(moved), X).raw - before).max()))
    return max(changes)


COUNTEREXAMPLES = {
    **{name: (numbers, *row) for name, row in (LINEAR | SHIFTS).items()},
    **{name: (steps, *row) for name, row in STEPS.items()},
}


@pytest.mark.parametrize("name", COUNTEREXAMPLES)
def test_each_rule_is_wrong_without_what_it_asks_for(name, monkeypatch):
    change, rule, asked, shapes, function = COUNTEREXAMPLES[name]
    net = written(shapes, function)
    assert change(net) < 1e-9
    owner = Motions if asked == "require_fixed" else MotionEquations
    original = getattr(owner, asked)

    def forgotten(self: Any, *given: Any, **options: Any) -> Any:
        callers = [sys._getframe(depth).f_code.co_name for depth in range(1, 4)]
        return None if rule in callers else original(self, *given, **options)

    monkeypatch.setattr(owner, asked, forgotten)
    wrong = change(net)
    assert wrong > 1e-3
