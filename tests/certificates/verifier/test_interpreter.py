"""Programs that the verifier evaluates and differentiates, against the package's own evaluation and Jacobian."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import verbs
from algatt.certificates.make.network import program_lines
from algatt.certificates.verifier.balls import RealBalls, precision
from algatt.certificates.verifier.interpreter import Interpreter, NoValue
from algatt.certificates.verifier.modular import Residues
from algatt.certificates.verifier.program import parse
from algatt.fields import Elements, Erf, Log, Positive, Sigmoid, concatenate
from algatt.layers import Layer, Tensors

P = 8388593


@dataclass(frozen=True, repr=False)
class Formula(Layer):
    """A formula in the tensors A (2 x 3), B (3 x 2), c (3 x 1) and d (1 x 2), for inputs X of 3 x 2."""

    formula: Callable[..., Elements]


@verbs.tensors.method
def tensors_of_formula(layer: Formula, shape: tuple) -> dict[str, tuple[int, ...]]:
    return {"A": (2, 3), "B": (3, 2), "c": (3, 1), "d": (1, 2)}


@verbs.apply.method
def apply_formula(layer: Formula, w: Tensors, X: Elements) -> Elements:
    return layer.formula(w, X)


ONES = np.ones((2, 3), dtype=np.int64)

RING = {
    "sum": lambda w, X: w.B + X,
    "sum of a row and a column": lambda w, X: w.d + w.c,
    "sum of a number": lambda w, X: X + w.d[[0], [1]],
    "spread column": lambda w, X: X + w.c,
    "spread row": lambda w, X: w.d + X,
    "negative": lambda w, X: -(w.A @ X),
    "products": lambda w, X: w.B * X,
    "products with a column": lambda w, X: w.c * X,
    "products with a row": lambda w, X: X * w.d,
    "square": lambda w, X: w.B * w.B * X,
    "transpose": lambda w, X: w.A.T * X,
    "product": lambda w, X: w.A @ X,
    "product of tensors": lambda w, X: w.B @ (w.A @ (w.B @ (w.A @ X))),
    "product with a constant": lambda w, X: ONES @ (w.B * X),
    "column products": lambda w, X: w.B.column_products(w.A.T * X),
    "column products with a spread column": lambda w, X: w.c.column_products(w.B + X),
    "column products with a spread row": lambda w, X: w.d.column_products(w.B * X),
    "centred": lambda w, X: (w.B * X).centre(),
    "turned": lambda w, X: (w.A @ X).rotate((0.25,), (1, 3)),
    "turned, rows being dropped": lambda w, X: (w.B * X).rotate((1.5,), (2, 0)),
    "turned by one position": lambda w, X: (w.A @ X).rotate((0.5,), (3,)),
    "turned, one column being spread": lambda w, X: w.c.rotate((1.0,), (1, 2)) * X[[0, 1], [0, 1]],
    "part": lambda w, X: (w.B * X)[[2, 0], [1]],
    "below each other": lambda w, X: concatenate([w.A @ X, w.B * X, X], axis=0),
    "side by side": lambda w, X: concatenate([X, w.B, w.c], axis=1),
    "reciprocal": lambda w, X: (w.A @ X).reciprocal(),
    "quotient": lambda w, X: (w.A @ X) / (w.d * w.d + 1),
}

FUNCTIONS = {
    "exp": lambda w, X: (w.A @ X).exp(),
    "log": lambda w, X: ((w.A @ X) ** 2 + 1).entrywise(Log()),
    "sqrt": lambda w, X: ((w.A @ X) ** 2 + 1).sqrt(),
    "erf": lambda w, X: (w.A @ X).entrywise(Erf()),
    "sigmoid": lambda w, X: (w.A @ X).entrywise(Sigmoid()),
    "gate": lambda w, X: (w.A @ X).entrywise(Positive()) * w.d,
    "largest": lambda w, X: (w.B * X).largest(2) * w.c,
}


def network(formula: Callable[..., Elements]) -> algatt.Network:
    return algatt.Network(Formula(formula), tokens=2, width=3)


def rows_of(net: algatt.Network, interpreter: Interpreter, results: Any, slopes: Any) -> list[list[Any]]:
    """Return the Jacobian as the verifier computes it, row by row."""
    program = interpreter.program
    height, width = program[-1].shape
    rows = []
    for output in range(height * width):
        unit = interpreter.field.matrix(height, width, [int(k == output) for k in range(height * width)])
        by = interpreter.backward(results, unit, slopes)
        row: list[Any] = []
        for name, shape in verbs.coordinates(net).items():
            row += by[name].entries() if name in by else [0] * int(np.prod(shape))
        rows.append(row)
    return rows


@pytest.mark.parametrize("p", [P, 2**61 - 31])
@pytest.mark.parametrize("name", RING)
def test_values_and_derivatives_modulo_p(name, p):
    net = network(RING[name])
    program, field = parse(program_lines(net)), Residues(p)
    shapes = verbs.coordinates(net)
    prime = algatt.PrimeField(p)
    theta = algatt.sample(net, algatt.Weights, field=prime, seed=2)
    X = algatt.sample_inputs(net, field=prime, seed=2, start=4, count=1)
    interpreter = Interpreter(program, field, dict(zip(shapes, field.weights(2, list(shapes.values())), strict=True)))
    results = interpreter.forward(field.vectors(2, 4, 3, 2))
    value = [int(entry) for entry in results[len(program) - 1].entries()]
    assert value == [int(entry) for entry in algatt.evaluate(net, theta, X).ravel()]
    expected = [[int(entry) for entry in row] for row in algatt.jacobian(net, theta, X)]
    assert [[int(entry) for entry in row] for row in rows_of(net, interpreter, results, {})] == expected


@pytest.mark.parametrize("name", [*RING, *FUNCTIONS])
def test_values_and_derivatives_of_balls(name):
    net = network({**RING, **FUNCTIONS}[name])
    program, field = parse(program_lines(net)), RealBalls()
    shapes = verbs.coordinates(net)
    theta = algatt.sample(net, algatt.Weights, field=algatt.Balls(53), seed=2)
    X = algatt.sample_inputs(net, field=algatt.Balls(53), seed=2, start=4, count=1)
    expected = algatt.jacobian(net, theta, X)
    with precision(100):
        weights = field.weights(2, list(shapes.values()), [0] * 4)
        interpreter = Interpreter(program, field, dict(zip(shapes, weights, strict=True)))
        results = interpreter.forward(field.vectors(2, 4, 3, 2))
        rows = rows_of(net, interpreter, results, interpreter.slopes(results))
    values = [float(entry) for entry in results[len(program) - 1].entries()]
    np.testing.assert_allclose(values, [float(one) for one in algatt.evaluate(net, theta, X).ravel()], rtol=1e-9)
    for row, other in zip(rows, expected, strict=True):
        np.testing.assert_allclose([float(one) for one in row], [float(one) for one in other], rtol=1e-9, atol=1e-12)


def test_there_is_no_value_where_something_is_divided_by_zero():
    program = parse(["tensor a  : 1 x 1", "reciprocal %0  : 1 x 1"])
    field = Residues(7)
    with pytest.raises(NoValue):
        Interpreter(program, field, {"a": field.matrix(1, 1, [0])}).forward(None)


def test_unit_angles_of_both_kinds_of_primes_are_those_of_the_package():
    """Turning by the angle 1 is what the package has as a public verb."""
    for p in (8388593, 8388587, 1048583):  # 1 and 3 modulo 4
        cosines, sines = verbs.circle_points(algatt.PrimeField(p), angles=(1.0, 0.5), positions=(1, 2))
        found = Residues(p).circle((1.0, 0.5), (1, 2))
        assert [list(map(int, part)) for part in found] == [list(map(int, part.ravel())) for part in (cosines, sines)]
