"""Conditions under which residues stand for functions, at functions for which they hold or fail by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import algatt
from algatt import PrimeField, Weights
from algatt.errors import ConditionFailed
from algatt.fields import Erf, Log
from algatt.maps import program as program_of
from algatt.maps.elementary.conditions import Conditions, check_conditions, check_products, check_squares, observe
from algatt.maps.elementary.reading import read
from given_residues import give_residues
from written_networks import written

FIELD = PrimeField(8388587)


def checked(function: Any, width: int = 1, tokens: int = 1, seed: int = 0, **shapes: tuple[int, int]) -> Conditions:
    """Check the conditions for a function of tensors."""
    net = written(shapes, function, width=width, tokens=tokens)
    theta = algatt.sample(net, Weights, field=FIELD, seed=seed)
    tensors = {name: element.raw for name, element in zip(theta.names(), theta.elements, strict=True)}
    return check_conditions(read(program_of(net)), FIELD, tensors, seed, {})


@pytest.fixture
def zero_at_input_3(monkeypatch):
    """Let all entries of one input be zero, as long as it is not drawn anew."""

    give_residues(monkeypatch, {"input/3": 0}.get)


def test_exponents_that_are_independent_for_all_weights_together():
    # e^(a x) and e^(b x): at one pair (a, b) the differences have rank 1.
    report = checked(lambda w, X: (w.A @ X).exp(), A=(2, 1))
    assert (report.exponents, report.weights, report.roots) == (2, 2, 0)
    # e^(a_1 x), ..., e^(a_4 x) need four.
    assert checked(lambda w, X: (w.A @ X).exp(), A=(4, 1)).weights == 4
    # e^(a x) and e^(b y) need one, and two differences of inputs.
    report = checked(lambda w, X: (w.A * X).exp(), width=2, A=(2, 1))
    assert (report.exponents, report.weights, report.inputs) == (2, 1, 3)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("factor", "dependent"),
    [(lambda a, b: a + b, True), (lambda a, b: 2 * a - 3 * b, True), (lambda a, b: a * b, False)],
)
def test_exponents_that_depend_on_others_for_all_weights(factor, dependent, seed):
    def function(w: Any, X: Any) -> Any:
        return (w.A @ X).exp() + (w.B @ X).exp() + (factor(w.A, w.B) @ X).exp()

    shapes = {"A": (1, 1), "B": (1, 1)}
    if dependent:
        with pytest.raises(ConditionFailed, match="1 of 3 exponents depend on the others"):
            checked(function, seed=seed, **shapes)
    else:
        assert checked(function, seed=seed, **shapes).exponents == 3


def test_the_density_of_an_error_function_is_an_exponential_of_the_square():
    # erf(u)' is a multiple of e^-u^2, and of nothing else that is here: u^2 is looked at, not u.
    def density(factor: Any) -> Any:
        return lambda w, X: (w.A @ X).entrywise(Erf()) + (factor * ((w.A @ X) * (w.A @ X))).exp()

    for factor in (-1, 2):
        with pytest.raises(ConditionFailed, match="1 of 2 exponents depend on the others"):
            checked(density(factor), A=(1, 1))
    for other in (lambda w, X: (-(w.A @ X)).exp(), lambda w, X: ((w.B - w.A) @ X).entrywise(Erf())):
        report = checked(
            lambda w, X, other=other: (w.A @ X).entrywise(Erf()) + (w.B @ X).entrywise(Erf()) + other(w, X),
            A=(1, 1),
            B=(1, 1),
        )
        assert report.exponents == 3
        assert report.rests_on == ("erf not being elementary (Liouville, Ostrowski 1946)",)


def test_logarithms_of_many_exponentials_and_functions_need_as_many_inputs():
    def function(w: Any, X: Any) -> Any:
        v = w.B @ X
        return (w.A @ X).exp() + (v * v + 1).entrywise(Log())

    report = checked(function, A=(30, 1), B=(30, 1))
    assert (report.exponents, report.roots, report.rests_on) == (30, 30, ())


def root(one: Any) -> Any:
    return one.sqrt()


def log(one: Any) -> Any:
    return one.entrywise(Log())


@pytest.mark.parametrize(
    ("function", "name", "factors"),
    [
        (root, "sqrt", lambda u, v: (u * u * v * v, u)),
        (root, "sqrt", lambda u, v: (u, u * v * v)),
        (root, "sqrt", lambda u, v: (u, v, u * v)),
        (root, "sqrt", lambda u, v: (v, u * u * u, u * v)),
        (log, "log", lambda u, v: (u, v, u * v)),
        (log, "log", lambda u, v: (v, u * u * u, u * v)),
        (log, "log", lambda u, v: (u, v, u * v * v)),
    ],
)
def test_every_root_and_logarithm_is_looked_at(function, name, factors):
    def network(w: Any, X: Any) -> Any:
        u, v = (w.A @ X) ** 2 + 1, (w.B @ X) ** 2 + 1
        return sum((function(one) for one in factors(u, v)), 0 * u)

    with pytest.raises(ConditionFailed, match=f"arguments of {name}"):
        checked(network, A=(1, 1), B=(1, 1))


def test_roots_without_exponentials_are_looked_at():
    assert checked(lambda w, X: ((w.A @ X) ** 2 + 1).sqrt(), A=(1, 1)).roots == 1
    with pytest.raises(ConditionFailed, match="arguments of sqrt"):
        checked(lambda w, X: ((w.A @ X) ** 2).sqrt(), A=(1, 1))


def number_of(function: Any) -> tuple[Any, int]:
    """Return the reading of a network of two tokens with one root or logarithm, and its number."""
    reading = read(program_of(written({"A": (1, 1)}, lambda w, X: function(w.A @ X), width=1, tokens=2)))
    return reading, (*reading.roots, *reading.logarithms)[0]


@pytest.mark.parametrize(
    ("characters", "rank"),
    [
        ([[1, 1], [1, 1], [1, 1]], 0),
        ([[0, 0], [0, 0], [-1, -1]], 0),  # no place
        ([[0, 1], [0, 1], [-1, -1]], 0),  # functions of the weights alone, of which one is no square
        ([[0, 0], [1, 1], [0, 0], [-1, -1]], 1),
        ([[1, 0], [0, 1], [1, 0], [-1, -1]], 1),  # the product is a function of the weights times a square
        ([[-1, -1], [-1, -1]], 0),
        ([[0, 0], [1, 0], [0, 1]], 2),
        ([[1, 0], [0, 0], [1, 1], [-1, -1]], 2),
    ],
)
def test_characters_of_places_have_a_rank(characters, rank):
    rows = np.array(characters, dtype=np.int8)
    for function, check in ((root, check_squares), (log, check_products)):
        if rank < 2:
            with pytest.raises(ConditionFailed, match="have a rank below 2"):
                check(*number_of(function), rows)
        else:
            check(*number_of(function), rows)


@pytest.mark.usefixtures("zero_at_input_3")
@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (lambda x: (x / x).exp(), "exponents depend"),  # 1, but for a zero divided by zero
        (lambda x: (x / x + 8).sqrt(), "arguments of sqrt"),  # 9, or 8
        (lambda x: (x / x + 8).entrywise(Log()), "arguments of log"),
        (lambda x: (x * x).sqrt(), "arguments of sqrt"),  # no square at 0
        (lambda x: (x * x).sqrt() + (x * x + 1).sqrt(), "arguments of sqrt"),
    ],
)
def test_inputs_without_a_place_say_nothing(function, reason):
    with pytest.raises(ConditionFailed, match=reason):
        checked(lambda w, X: w.A * function(X), A=(1, 1))


def test_no_place_at_all():
    with pytest.raises(ConditionFailed, match="at all inputs that were drawn a denominator vanishes"):
        checked(lambda w, X: (w.A @ X).exp() / (X - X), A=(1, 1))


def test_conditions_that_fail_name_what_depends():
    def function(w: Any, X: Any) -> Any:
        u = w.A @ X
        return u.exp() @ (w.B @ u).exp() + (u + u[[1, 0]]).exp()

    with pytest.raises(ConditionFailed, match=r"2 of 5 exponents .* shape 2 x 1 \(line \d+ of the program\)$"):
        checked(function, A=(2, 1), B=(1, 2))


def test_inputs_are_looked_at_in_parts(monkeypatch):
    def function(w: Any, X: Any) -> Any:
        return (w.A @ X).exp() + ((w.A @ X) ** 2 + 1).sqrt()

    net = written({"A": (1, 2)}, function, width=2, tokens=2)
    theta = algatt.sample(net, Weights, field=FIELD, seed=0)
    arguments = (read(program_of(net)), FIELD, {"A": theta.elements[0].raw}, 0, {}, 9)
    whole = observe(*arguments)
    monkeypatch.setattr("algatt.maps.elementary.conditions.BLOCK", 1)
    parts = observe(*arguments)
    assert len(whole.exponents) == 9
    assert (parts.exponents == whole.exponents).all()
    assert (parts.numbers == whole.numbers).all()
    for number, found in whole.characters.items():
        assert (parts.characters[number] == found).all()
