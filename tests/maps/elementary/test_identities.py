"""Identities between results of programs: those that hold by the laws of rings are proved, and no others."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from algatt import PrimeField
from algatt.errors import ConditionFailed
from algatt.fields import Elements, Exp, Function, Log
from algatt.layers import ReLU
from algatt.maps import program as program_of
from algatt.maps.elementary import ties
from algatt.maps.elementary.reading import read
from algatt.maps.elementary.ties import is_zero, small_fraction, tie_exponents
from algatt.programs import Program, Trace
from algatt.verbs import activate, concatenate
from written_networks import written

FIELD = PrimeField(8388587)


def below(*parts: Elements, axis: int = -2) -> Elements:
    """Put matrices below each other, or side by side."""
    return Elements(parts[0].field, concatenate(parts[0].field, tuple(part.raw for part in parts), axis=axis))


def traced(function: Any) -> Program:
    """Return the program of a function of two by two matrices X and W, and a number n."""
    trace = Trace()
    X, W = Elements(trace, trace.input((2, 2))), Elements(trace, trace.tensor("W", (2, 2)))
    return trace.program(function(X, W, Elements(trace, trace.tensor("n", (1, 1)))).raw)


def proved(function: Any) -> list[bool]:
    """Return for each entry whether it is proved to be zero."""
    program = traced(function)
    last = len(program) - 1
    count = int(np.prod(program.instructions[last].shape))
    return [is_zero(program, [(last, entry, Fraction(1))]) for entry in range(count)]


HOLD = {
    "distributive": lambda X, W, n: X @ (W + X) - X @ W - X @ X,
    "associative": lambda X, W, n: (X @ W) @ X - X @ (W @ X),
    "transposed product": lambda X, W, n: (X @ W).T - W.T @ X.T,
    "transposed sum": lambda X, W, n: (X + W).T - W.T - X.T,
    "commutative": lambda X, W, n: X * W - W * X,
    "scalar": lambda X, W, n: (n * X) @ W - n * (X @ W),
    "squares": lambda X, W, n: (X + W) * (X - W) - X * X + W * W,
    "cubes": lambda X, W, n: (X - 1) * (X * X + X + 1) - X * X * X + 1,
    "binomial with constants": lambda X, W, n: (X + 3) * (X + 3) - X * X - 6 * X - 9,
    "fractions": lambda X, W, n: X * Fraction(1, 3) + X * Fraction(2, 3) - X,
    "zero": lambda X, W, n: 0 * X,
    "row of a product": lambda X, W, n: (X @ W)[[1], :] - X[[1], :] @ W,
    "columns in another order": lambda X, W, n: (X @ W)[:, [1, 0]] - X @ W[:, [1, 0]],
    "rows in another order": lambda X, W, n: (X @ W)[[1, 0], :] - X[[1, 0], :] @ W,
    "rows of two": lambda X, W, n: below(X, W)[[2, 3], :] - W,
    "columns of two": lambda X, W, n: below(X, W, axis=-1)[:, [2, 3]] - W,
    "product of two": lambda X, W, n: below(X, W, axis=-1) @ below(W, X) - X @ W - W @ X,
    "products of columns": lambda X, W, n: X.column_products(W) - np.ones((1, 2), dtype=int) @ (X * W),
    "trace of a commutator": lambda X, W, n: (
        np.ones((1, 2), dtype=int) @ ((X @ W - W @ X) * np.eye(2, dtype=int)) @ np.ones((2, 1), dtype=int)
    ),
    "means": lambda X, W, n: np.ones((1, 2), dtype=int) @ X.centre(),
    "centred columns": lambda X, W, n: X.centre() - X + Fraction(1, 2) * (np.ones((2, 2), dtype=int) @ X),
    "of exponentials": lambda X, W, n: (X.exp() + W) * X.exp() - X.exp() * X.exp() - W * X.exp(),
}

FAIL = {
    "rows are not centred": lambda X, W, n: X.centre() @ np.ones((2, 1), dtype=int),
    "of centred columns": lambda X, W, n: X.centre() - W.centre(),
    "matrices do not commute": lambda X, W, n: X @ W - W @ X,
    "a product is not entrywise": lambda X, W, n: X @ W - X * W,
    "X is no transpose, off the diagonal": lambda X, W, n: (X - X.T)[[0], [1]],
    "products of columns are sums": lambda X, W, n: X.column_products(W) - (X * W)[[0], :],
    "powers": lambda X, W, n: X * X - X,
    "powers of products": lambda X, W, n: X * X * W - X * W * W,
    "double": lambda X, W, n: X + X - X * X,
    "a sign": lambda X, W, n: X - (-X),
    "a factor": lambda X, W, n: 2 * X - X,
    "a fraction": lambda X, W, n: X * Fraction(1, 2) - X,
    "constants": lambda X, W, n: (X + 1) - (X + 2),
    "constant entries": lambda X, W, n: (X + np.array([[1, 2], [3, 4]])) - (X + np.array([[4, 3], [2, 1]])),
    "other tensors": lambda X, W, n: X - W,
    "entries of exponentials": lambda X, W, n: X.exp() - W.exp(),
    "rows": lambda X, W, n: X[[0], :] - X[[1], :],
    "columns": lambda X, W, n: X[:, [0]] - X[:, [1]],
    "rows in another order": lambda X, W, n: X[[1, 0], :] - X,
    "parts in another order": lambda X, W, n: below(X, W) - below(W, X),
    "below or beside": lambda X, W, n: below(X, W)[[0, 1], :] - below(X, W, axis=-1)[:, [2, 3]],
    "reciprocals": lambda X, W, n: X.reciprocal() - X,
    "exponentials of sums": lambda X, W, n: (X + W).exp() - X.exp() * W.exp(),
    "gates": lambda X, W, n: activate(ReLU(), X) - X,
    "a mean": lambda X, W, n: X.centre() - X,
    "a number": lambda X, W, n: n * X - X,
    "one": lambda X, W, n: 0 * X + 1,
}


@pytest.mark.parametrize("function", HOLD.values(), ids=HOLD.keys())
def test_what_holds_is_proved(function):
    assert all(proved(function))


@pytest.mark.parametrize("function", FAIL.values(), ids=FAIL.keys())
def test_what_does_not_hold_is_not_proved(function):
    assert not any(proved(function))


def test_coefficients_and_entries_are_taken():
    program = traced(lambda X, W, n: (2 * X) @ W + X @ W)
    names = [one.operation for one in program.instructions]
    (once,) = (
        number
        for number, one in enumerate(program.instructions)
        if one.operation == "product" and one.operands == (names.index("input"), names.index("tensor"))
    )
    last, half = len(program) - 1, Fraction(1, 2)
    assert is_zero(program, [(last, 2, Fraction(1)), (once, 2, Fraction(-3))])
    assert is_zero(program, [(last, 3, half), (once, 3, -3 * half)])
    assert not is_zero(program, [(last, 2, Fraction(1)), (once, 2, Fraction(-2))])
    assert not is_zero(program, [(last, 2, Fraction(1)), (once, 1, Fraction(-3))])
    assert not is_zero(program, [(last, 2, Fraction(1)), (once, 2, Fraction(3))])
    assert not is_zero(program, [(last, 2, Fraction(1))])


@pytest.mark.parametrize("function", [HOLD["squares"], FAIL["matrices do not commute"]])
def test_what_is_too_long_is_not_proved(function, monkeypatch):
    monkeypatch.setattr(ties, "MOST_TERMS", 1)
    assert not any(proved(function))


def test_constants_at_the_end_of_an_expansion_are_numbers(monkeypatch):
    monkeypatch.setattr(ties, "DEPTH", 1)
    program = traced(lambda X, W, n: (X + 1) * (X + np.ones((2, 2), dtype=int)))
    first, second = (k for k, one in enumerate(program.instructions) if one.operation == "add")
    assert is_zero(program, [(first, 1, Fraction(1)), (second, 1, Fraction(-1))])


@dataclass(frozen=True)
class Sine(Function):
    """A function of which nothing is known."""


@dataclass(frozen=True)
class Doubled(Exp):
    """A function that says to be an exponential, with other values."""


@pytest.mark.parametrize("function", [Sine(), Doubled()])
def test_functions_without_a_rule_are_told(function):
    net = written({"A": (1, 1)}, lambda w, X: (w.A @ X).entrywise(function), width=1, tokens=1)
    with pytest.raises(ConditionFailed, match="has no rule modulo p; write it in exp, log, sqrt, erf"):
        read(program_of(net))


@pytest.mark.parametrize(
    "function",
    [lambda u: u.exp(), lambda u: u.sqrt(), lambda u: u.entrywise(Log()), lambda u: activate(ReLU(), u)],
)
def test_functions_of_weights_alone_are_told(function):
    net = written({"A": (1, 1)}, lambda w, X: function(w.A * w.A + 1) * X, width=1, tokens=1)
    with pytest.raises(ConditionFailed, match="does not depend on the input, of shape"):
        read(program_of(net))


@pytest.mark.parametrize(
    ("residue", "fraction"),
    [
        (1, Fraction(1)),
        (FIELD.p - 1, Fraction(-1)),
        ((FIELD.p + 1) // 2, Fraction(1, 2)),
        ((FIELD.p - 1) // 2, Fraction(-1, 2)),
        (64, Fraction(64)),
        (FIELD.p - 64, Fraction(-64)),
        (65, None),
        (FIELD.p - 65, None),
        (65 * pow(66, -1, FIELD.p) % FIELD.p, None),
        (0, Fraction(0)),
    ],
)
def test_fractions_are_those_with_numbers_up_to_64(residue, fraction):
    assert small_fraction(residue, FIELD.p) == fraction


def tied(function: Any) -> Any:
    """Return the ties of a function of A X, D X and E X, of one number each."""
    shapes = {"A": (1, 2), "D": (1, 2), "E": (1, 2)}
    net = written(shapes, lambda w, X: function(w.A @ X, w.D @ X, w.E @ X), width=2, tokens=1)
    reading = read(program_of(net))
    return reading, tie_exponents(reading, FIELD, {}).ties


@pytest.mark.parametrize(
    ("function", "powers"),
    [
        # Exponents in order of evaluation; those before are free. Columns: powers of the y of each.
        (lambda u, v, t: u.exp() + v.exp() + (u + v).exp(), [[1, 0], [0, 1], [1, 1]]),
        (lambda u, v, t: u.exp() + v.exp() + (u - v).exp(), [[1, 0], [0, 1], [1, -1]]),
        (lambda u, v, t: u.exp() + v.exp() + (u - v * Fraction(2, 3)).exp(), [[1, 0], [0, 3], [1, -2]]),
        (lambda u, v, t: (2 * u).exp() + v.exp() + (u + v).exp(), [[2, 0], [0, 1], [1, 1]]),
        (
            lambda u, v, t: (u * Fraction(1, 2)).exp() + (3 * v).exp() + (-5 * (u + v)).exp(),
            [[1, 0], [0, 3], [-10, -5]],
        ),
        (
            lambda u, v, t: u.exp() + v.exp() + t.exp() + (u + v).exp() + (v + t * Fraction(1, 2)).exp(),
            [[1, 0, 0], [0, 1, 0], [0, 0, 2], [1, 1, 0], [0, 1, 1]],
        ),
        (lambda u, v, t: (u + v - u - v).exp() + t.exp(), [[0], [1]]),
    ],
)
def test_ties_have_the_powers_of_the_relations(function, powers):
    reading, ties = tied(function)
    order = [reading.exponents[number].base for number in sorted(reading.exponents)]
    found = [np.abs(ties.powers[base]).tolist() for base in order]
    signs = [int(np.sign(reading.exponents[number].power)) for number in sorted(reading.exponents)]
    assert [one[0] for one in found] == np.abs(powers).tolist()
    for base, sign, row in zip(order, signs, powers, strict=True):
        assert (sign * ties.powers[base][0]).tolist() == row


@pytest.mark.parametrize(
    "function",
    [
        lambda u, v, t: u.exp() + v.exp() + t.exp(),
        lambda u, v, t: u.exp() + (u + 1).exp(),  # a relation up to a constant
        lambda u, v, t: u.exp() + (65 * u + 0 * v + v - v).exp(),  # with a large coefficient
        lambda u, v, t: (u * u).sqrt().exp() + u.exp(),
        lambda u, v, t: (u / v).exp() + (u * v / v / v).exp(),  # equal, but not as polynomials
    ],
)
def test_what_is_not_proved_is_not_tied(function):
    assert tied(function)[1] is None
