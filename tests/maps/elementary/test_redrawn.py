"""What is drawn anew before a root: what was drawn last, so that the places at which conditions are looked at are true
ones; also where residues of several kinds are known by one instruction.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import Elementary, PrimeField, Weights
from algatt.errors import ConditionFailed
from algatt.fields import Elements, Erf, Log
from algatt.maps import program as program_of
from algatt.maps.elementary.drawing import DrawnValues
from algatt.maps.elementary.reading import read
from algatt.maps.elementary.ties import tie_exponents
from algatt.programs import Program
from replayed_places import contradictions
from written_networks import written

FIELD = PrimeField(8388587)
SHAPES = {"A": (1, 2), "B": (1, 2), "C": (1, 1)}


def tied_inputs(w: Any, X: Any) -> Any:
    """B sqrt(1 + e^X + e^2X) + C A X, of two numbers B and two numbers C A."""
    return w.B @ (1 + X.exp() + (X + X).exp()).sqrt() + w.C * (w.A @ X)


def tied_transposes(w: Any, X: Any) -> Any:
    """B sqrt(1 + X^2 + e^X + e^(X^T)) + C A X, entry by entry."""
    return w.B @ (1 + X * X + X.exp() + X.T.exp()).sqrt() + w.C * (w.A @ X)


def tied_error_functions(w: Any, X: Any) -> Any:
    """With u = erf(A X): B X sqrt(2 + e^u + e^2u) + C u, where no number is redundant."""
    u = (w.A @ X).entrywise(Erf())
    return w.B @ X * (2 + u.exp() + (u + u).exp()).sqrt() + w.C * u


def tied_logarithms(w: Any, X: Any) -> Any:
    """With u = log(1 + (A X)^2): B X sqrt(2 + e^(u x) + e^(u x) e^u) + C u."""
    u = (1 + (w.A @ X) ** 2).entrywise(Log())
    return w.B @ X * (2 + (u * X[:1]).exp() + (u * X[:1] + u * X[1:]).exp() + (u * X[1:]).exp()).sqrt() + w.C * u


@pytest.mark.parametrize(
    ("function", "tokens", "dimension"),
    [
        (tied_inputs, 3, 4),
        (tied_transposes, 2, 4),
        (tied_error_functions, 2, 5),
        (tied_error_functions, 3, 5),
        (tied_logarithms, 2, 5),
    ],
)
def test_tied_exponentials_and_what_has_their_number_are_drawn_anew(function, tokens, dimension):
    net = written({"A": (1, 2), "B": (1, 2), "C": (1, 1)}, function, width=2, tokens=tokens)
    report = algatt.dimension(net, field=algatt.Elementary())
    assert (report.lower, report.field) == (dimension, Elementary())


class Looked(DrawnValues):
    """Places whose values are computed once more with integers whenever characters are taken."""

    def characters_of(self, raw: np.ndarray) -> np.ndarray:
        characters = super().characters_of(raw)
        number = sorted((*self.reading.roots, *self.reading.logarithms))[len(self.characters)]
        before = Program(self.reading.program.instructions[:number])
        functions = {one: function for one, function in self.reading.functions.items() if one < number}
        reading = dataclasses.replace(self.reading, program=before, functions=functions)
        view: Any = SimpleNamespace(**{**vars(self), "reading": reading})
        for row in np.flatnonzero((characters >= 0).all(axis=1)):
            assert contradictions(view, row) == []
        return characters


def drawn(
    function: Callable[[Any, Any], Any], count: int, kind: type[DrawnValues] = DrawnValues, seed: int = 0
) -> DrawnValues:
    """Draw places of a function of two tokens."""
    net = written(SHAPES, function, width=2, tokens=2)
    theta = algatt.sample(net, Weights, field=FIELD, seed=seed)
    tensors = {name: element.raw for name, element in zip(theta.names(), theta.elements, strict=True)}
    reading = tie_exponents(read(program_of(net)), FIELD, {})
    return kind(reading, FIELD, tensors, seed, np.arange(count), {})


def root_behind_root(w: Any, X: Any) -> Any:
    """Roots of sums of exponentials, and of the roots."""
    first, second = (w.A @ X).exp(), (w.B @ X).exp()
    root = (first + second).sqrt()
    return w.C * (root + first).sqrt() + (second[:, [1, 0]] + root).sqrt()


def logarithm_behind_root(w: Any, X: Any) -> Any:
    """A logarithm and a root of sums of exponentials and roots."""
    root = ((w.A @ X).exp() + (w.B @ X) ** 2).sqrt()
    value = (root + (w.B @ X).exp()).entrywise(Log())
    return w.C * (value * root + root[:, :1]).sqrt() * (root * 2).exp()


def tokens_behind_tokens(w: Any, X: Any) -> Any:
    """Roots of each token, and one of their sum."""
    roots = ((w.A @ X).exp() + 1).sqrt()
    both = (roots[:, :1] + roots[:, 1:] + (w.B @ X)[:, :1].exp()).sqrt()
    return w.C * both * (roots + both).sqrt()


def random_function(seed: int) -> Callable[[Any, Any], Any]:
    """Return a function of sums, products, exponentials and roots of what was made before."""
    kinds = ["exponential", "root", "root", "sum", "product", "swap"]
    steps = np.random.default_rng(seed).integers([[len(kinds), 9, 9]] * 9).tolist()

    def function(w: Any, X: Any) -> Any:
        made = [w.A @ X, w.B @ X]
        for kind, i, j in steps:
            one, two = made[i % len(made)], made[j % len(made)]
            match kinds[kind]:
                case "exponential":
                    made.append((one * two).exp())
                case "root":
                    made.append((one * two + one + 2).sqrt())
                case "sum":
                    made.append(one + two)
                case "product":
                    made.append(one * two)
                case "swap":
                    made.append(one[:, [1, 0]] + two)
        return w.C * sum(made, 0 * made[0])

    return function


@pytest.mark.parametrize(
    "function", [root_behind_root, logarithm_behind_root, tokens_behind_tokens, tied_error_functions]
)
def test_conditions_are_looked_at_at_true_places(function):
    assert drawn(function, 8, Looked).alive.all()


@pytest.mark.parametrize("seed", [0, 3, 4])
def test_conditions_of_random_functions_are_looked_at_at_true_places(seed):
    with contextlib.suppress(ConditionFailed):  # where roots are never there with each other
        drawn(random_function(seed), 6, Looked)


def test_what_was_drawn_last_is_drawn_anew():
    def function(w: Any, X: Any) -> Any:
        return w.C * ((w.A @ X).exp() + (w.B @ X)).sqrt()

    drawing = drawn(function, 40)
    net = written(SHAPES, function, width=2, tokens=2)
    inputs = Elements.of(FIELD, algatt.sample_inputs(net, field=FIELD, seed=0, count=40))
    assert (drawing.results[drawing.reading.input] == inputs.raw).all()
    assert drawing.alive.all()
    (salts,) = (drawing.salts[base] for base in drawing.reading.bases)
    assert salts.shape == (40, 2)
    assert 20 < (salts > 0).sum() < 60  # of 80 fair coins
    assert (salts[:, 0] != salts[:, 1]).any()
    (root,) = drawing.reading.roots
    assert ((salts == 0) == (drawing.characters[root] == 1)).all()  # drawn anew where there was none


def test_what_no_exponential_changes_is_changed_by_the_input():
    drawing = drawn(lambda w, X: w.C * (w.A @ X).exp() * ((w.B @ X) ** 3 + w.B @ X).sqrt(), 40)
    assert drawing.alive.all()
    salts = drawing.salts[drawing.reading.input]
    assert 20 < (salts > 0).sum() < 60


def test_roots_with_draws_of_their_own_are_taken_again_one_by_one():
    """Nothing but the input changes the last root; with it 14 others change, for which there are exponentials."""

    def function(w: Any, X: Any) -> Any:
        a, b = w.A @ X, w.B @ X
        roots = [((a**k).exp() + k * b).sqrt() for k in range(1, 15)]
        return w.C * (b**3 + a).sqrt() + sum(roots[1:], roots[0])

    assert drawn(function, 6).alive.all()


def test_inputs_that_are_given_are_not_drawn():
    net = written(SHAPES, lambda w, X: w.C * ((w.B @ X) ** 3 + w.B @ X).sqrt(), width=2, tokens=2)
    theta = algatt.sample(net, Weights, field=FIELD, seed=0)
    tensors = {name: element.raw for name, element in zip(theta.names(), theta.elements, strict=True)}
    given = Elements.of(FIELD, algatt.sample_inputs(net, field=FIELD, seed=7, count=32)).raw
    drawing = DrawnValues(read(program_of(net)), FIELD, tensors, 0, np.arange(32), {}, inputs=given)
    assert (drawing.results[drawing.reading.input] == given).all()
    (root,) = drawing.reading.roots
    assert (drawing.alive == (drawing.characters[root] == 1).all(axis=1)).all()
    assert 1 < drawing.alive.sum() < 20  # one in four, for two tokens


def test_what_depends_on_the_weights_alone_is_divided_by():
    with pytest.raises(ZeroDivisionError, match="a denominator that depends on the weights alone is zero"):
        drawn(lambda w, X: (w.A @ X).exp() / (w.C - w.C), 2)


def test_tensors_for_each_input():
    net = written(SHAPES, lambda w, X: w.C * ((w.A @ X).exp() + (w.B @ X) ** 2).sqrt() * w.C.T, width=2, tokens=2)
    several = [
        {name: element.raw for name, element in zip(theta.names(), theta.elements, strict=True)}
        for theta in (algatt.sample(net, Weights, field=FIELD, seed=seed) for seed in range(4))
    ]
    reading = read(program_of(net))
    stacked = {name: np.stack([one[name] for one in several]) for name in several[0]}
    together = DrawnValues(reading, FIELD, stacked, 0, np.arange(4), {}, many=True)
    last = len(reading.program) - 1
    for number, tensors in enumerate(several):
        alone = DrawnValues(reading, FIELD, tensors, 0, np.array([number]), {})
        assert (together.results[last][number] == alone.results[last][0]).all()
