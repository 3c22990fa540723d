"""Gates at places modulo p, and places that do not exist: what is counted, and what is not, by hand."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import Elementary, PrimeField, Weights, verbs
from algatt.errors import ConditionFailed, SymmetryError
from algatt.fields import Elements, Log
from algatt.geometry.dimensions import bounds
from algatt.geometry.dimensions.elementary import dimension as attempts
from algatt.geometry.dimensions.elementary import dimension as places
from algatt.geometry.dimensions.elementary.patterns import gates_of_real_inputs, patterns_of
from algatt.geometry.dimensions.question import Question
from algatt.layers import GELU, Embedding, Experts, Feedforward, ReLU, Residual, SoftmaxRouter, Unembedding
from given_residues import give_residues
from written_networks import written


def relu(x: Elements) -> Elements:
    one: Elements = verbs.activate(ReLU(), x)
    return one


def numbers(function: Callable[[Any, Any], Any], names: str) -> algatt.Network:
    """Return a network of numbers, of one number."""
    return written(dict.fromkeys(names, (1, 1)), function, width=1, tokens=1)


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("function", "names", "dimension"),
    [
        (lambda w, X: w.A * relu(X) + w.B * relu(-X), "AB", 2),  # A of positive inputs, B of others
        (lambda w, X: w.A * relu(w.B * X), "AB", 1),  # A B of the inputs with the sign of B
        (lambda w, X: w.A * relu(w.B * X * X) + w.C * relu(-w.B * X * X), "ABC", 1),  # A B or -B C: B has one sign
        (lambda w, X: (w.A + relu(w.B * X * X) + relu(-w.B * X * X)) * X, "AB", 2),  # A x + |B| x^3
    ],
)
def test_gates_are_those_of_one_point_of_the_weights(function, names, dimension, seed):
    assert algatt.dimension(numbers(function, names), field=Elementary(), seed=seed).lower == dimension


@pytest.mark.parametrize("seed", range(3))
def test_rows_have_the_gates_of_several_inputs(seed):
    report = algatt.dimension(numbers(lambda w, X: w.A * relu(X) + w.B * relu(-X), "AB"), field=Elementary(), seed=seed)
    assert (report.value, report.status) == (2, "proven")


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    "function",
    [
        lambda w, X: w.A * relu(w.B * X).exp(),  # e^0 behind a gate that is closed
        lambda w, X: w.A * (relu(w.B * X) + 1).sqrt(),  # 1
        lambda w, X: w.A * (relu(w.B * X) + 1).entrywise(Log()),
    ],
)
def test_patterns_for_which_conditions_fail_are_left_out(function, seed):
    """Behind the gate that is open two parameters count."""
    report = algatt.dimension(numbers(function, "AB"), field=Elementary(), seed=seed)
    assert (report.value, report.conditions.gates) == (2, 1)
    assert report.conditions.left_out <= 1


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(4))
def test_conditions_that_fail_for_all_patterns_are_told(seed):
    """The exponents are x and x where x is positive, 0 and 3 x elsewhere."""
    net = numbers(lambda w, X: w.A * relu(X).exp() + w.B * (3 * X - 2 * relu(X)).exp(), "AB")
    with pytest.raises(ConditionFailed, match="exponents depend"):
        algatt.dimension(net, field=Elementary(), seed=seed)


def test_inputs_with_gates_at_zero_are_left_out():
    report = algatt.dimension(numbers(lambda w, X: w.A * relu(relu(w.B * X)), "AB"), field=Elementary())
    assert (report.value, report.conditions.gates) == (1, 1)


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(4))
def test_gates_that_are_at_zero_for_all_inputs_are_told(seed):
    with pytest.raises(ConditionFailed, match="the gates of a real point are not known"):
        algatt.dimension(numbers(lambda w, X: w.A * relu(X - X) + w.B, "AB"), field=Elementary(), seed=seed)


def test_gates_of_what_has_no_value_are_told():
    with pytest.raises(ConditionFailed, match="the gates of a real point are not known"):
        algatt.dimension(numbers(lambda w, X: relu(w.A * X) + (-1 - X * X).sqrt(), "A"), field=Elementary())


@pytest.mark.parametrize("function", [lambda v: v.sqrt(), lambda v: v.entrywise(Log())])
def test_functions_without_a_real_value_are_told(function):
    with pytest.raises(ConditionFailed, match="none of 8 real inputs has a value"):
        algatt.dimension(numbers(lambda w, X: w.A * function(-1 - (w.B * X) ** 2), "AB"), field=Elementary())


@pytest.mark.parametrize("seed", range(6))
def test_one_real_input_with_a_value_does(seed):
    report = algatt.dimension(numbers(lambda w, X: w.A * X.sqrt(), "A"), field=Elementary(), seed=seed)
    assert (report.value, report.status) == (1, "proven")


def test_tokens_have_the_gates_that_they_have_alone():
    net = algatt.Network(Embedding(3, 2) >> Feedforward(3, ReLU(), width=2) >> Unembedding(3), tokens=1)
    reading, chosen = places.reading_of(net), np.arange(20)[::-1]
    together = places.gates_of_inputs(net, 2, chosen)
    for gate in reading.gates:
        for row, number in enumerate(chosen):
            alone = gates_of_real_inputs(net, reading, 2, np.array([number]))[gate][0]
            assert (together[gate][row] == alone).all()
        assert len(np.unique(together[gate], axis=0)) > 1


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", [0, 1])
def test_patterns_are_those_of_the_seed(seed):
    net = algatt.Network(Residual(Feedforward(3, ReLU())), tokens=2, width=3)
    (found,) = patterns_of(net, seed).gates.values()
    (first,) = gates_of_real_inputs(net, places.reading_of(net), seed, np.arange(256)).values()
    where = [np.flatnonzero((first == pattern).all(axis=(1, 2)))[0] for pattern in found]
    assert where == sorted(where)
    assert 0 < found.mean() < 1


def test_what_the_report_says_of_gates():
    alone = algatt.dimension(algatt.Network(Residual(Feedforward(2, ReLU())), tokens=1, width=2), field=Elementary())
    assert (alone.conditions.gates in (1, 2), alone.conditions.exponents) == (True, 0)  # two neurons
    both = Residual(Feedforward(2, ReLU())) >> Residual(Feedforward(1, GELU()))
    report = algatt.dimension(algatt.Network(both, tokens=1, width=2), field=Elementary())
    assert (report.conditions.gates in (1, 2), report.conditions.exponents) == (True, 1)
    assert report.conditions.rests_on == ("erf not being elementary (Liouville, Ostrowski 1946)",)
    assert str(report.conditions).count("rests on erf") == 1


def test_experts_are_chosen_by_gates():
    # Of 2 experts of one neuron with 2 + 2 numbers one is taken, with weight 1: where it is taken is no parameter.
    net = algatt.Network(Experts(2, Feedforward(1, ReLU()), SoftmaxRouter(1, renormalize=True)), tokens=1, width=2)
    report = algatt.dimension(net, field=Elementary())
    assert report.lower == 2 * (4 - 1)  # a scale for each neuron
    assert places.reading_of(net).gates


@pytest.fixture
def zeros(monkeypatch):
    """Let the entries of some inputs be zero."""

    def of(*labels: str) -> None:
        give_residues(monkeypatch, dict.fromkeys(labels, 0).get)

    return of


def quotient() -> tuple[algatt.Network, Weights]:
    """Return A / x + B e^x, of two rows and columns, and weights."""
    net = written({"A": (2, 2), "B": (2, 2)}, lambda w, X: w.A @ (1 / X) + w.B @ X.exp(), width=2, tokens=2)
    return net, algatt.sample(net, Weights, field=Elementary(), seed=0)


def test_rows_of_inputs_without_a_place_are_left_out(zeros, monkeypatch):
    net, theta = quotient()
    which, outputs = np.arange(6), np.array([0, 1, 2, 3, 1, 2])
    before, rows = verbs.gradients_where_defined(Elementary(), net, theta, 0, which, outputs)
    zeros("input/3")
    after, others = verbs.gradients_where_defined(Elementary(), net, theta, 0, which, outputs)
    kept = [0, 1, 2, 4, 5]
    assert before.tolist() == [0, 5, 10, 15, 17, 22]
    assert after.tolist() == [before[one] for one in kept]
    assert (others.raw == rows.raw[kept]).all()
    monkeypatch.setattr(places, "BLOCK", 1)
    again, parts = verbs.gradients_where_defined(Elementary(), net, theta, 0, which, outputs)
    assert again.tolist() == after.tolist()
    assert (parts.raw == others.raw).all()


@pytest.mark.parametrize("missing", [1, 3, 17, 40])
def test_the_first_input_with_a_place_gives_all_rows(zeros, missing):
    net, theta = quotient()
    number, rows = verbs.jacobian_where_defined(Elementary(), net, theta, 0, missing)
    assert number == missing
    zeros(*(f"input/{one}" for one in range(missing)))
    first, others = verbs.jacobian_where_defined(Elementary(), net, theta, 0, 0)
    assert first == missing
    assert (others.raw == rows.raw).all()


def test_no_input_with_a_place_is_told():
    net = numbers(lambda w, X: w.A / (X - X) + X.exp(), "A")
    theta = algatt.sample(net, Weights, field=Elementary(), seed=0)
    with pytest.raises(ConditionFailed, match="at each of 1000 inputs"):
        verbs.jacobian_where_defined(Elementary(), net, theta, 0, 0)


def test_symmetries_that_are_none_are_found(monkeypatch):
    net = algatt.Softmax((2, 2), (2,), 2)
    theta = algatt.sample(net, Weights, field=PrimeField(Elementary().p), seed=0)
    places.check_symmetries_at_places(Question(net), theta, 0)
    tangents = bounds.combine_tangents
    monkeypatch.setattr(bounds, "combine_tangents", lambda *arguments: 2 * tangents(*arguments) + 1)
    with pytest.raises(SymmetryError):
        algatt.dimension(net, field=Elementary())


def test_symmetries_are_looked_at_where_there_are_places(zeros):
    net, theta = quotient()
    zeros("input/0", "input/1", "input/2")
    places.check_symmetries_at_places(Question(net), places.over_residues(Elementary(), theta), 0)


def twice(w: Any, X: Any) -> Any:
    """(B + C) e^(A X), of four numbers of which three are seen."""
    return w.B * (w.A @ X).exp() + w.C * (X.T @ w.A.T).T.exp()


TWICE = written({"A": (1, 2), "B": (1, 1), "C": (1, 1)}, twice, width=2, tokens=2)


def test_points_are_tried_over_several_primes_until_two_say_the_same(monkeypatch):
    import flint

    tried = []
    attempt = attempts.attempt_over_elementary

    def recorded(arch: Any, field: Elementary, seed: int, *others: Any) -> Any:
        tried.append((field.p, seed))
        return attempt(arch, field, seed, *others)

    monkeypatch.setattr(attempts, "attempt_over_elementary", recorded)
    report = algatt.dimension(TWICE, field=Elementary(), seed=5)
    assert (report.lower, report.upper, report.status) == (3, 4, "probable")
    assert tried == [(8388587, 5), (8388571, 6)]
    tried.clear()
    assert algatt.dimension(numbers(lambda w, X: w.A * X.exp(), "A"), field=Elementary(), seed=5).status == "proven"
    assert tried == [(8388587, 5)]
    for p in (8388587, *attempts.OTHER_PRIMES):
        assert flint.fmpz(p).is_prime()
        assert p % 4 == 3


@pytest.mark.parametrize("values", [(2, 3, 2), (3, 2, 1), (1, 2, 3)])
def test_the_best_of_several_points_is_told(values, monkeypatch):
    attempt, left = attempts.attempt_over_elementary, list(values)

    def smaller(*arguments: Any) -> Any:
        one = attempt(*arguments)
        return dataclasses.replace(one, lower=dataclasses.replace(one.lower, value=left.pop(0)))

    monkeypatch.setattr(attempts, "attempt_over_elementary", smaller)
    report = algatt.dimension(TWICE, field=Elementary())
    assert (report.lower, report.status, left) == (3, "probable", [])
