"""Constants that are a part of tensors: which they are is derived by hand, beside each; dimensions are exact ranks."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import algatt
from algatt import Network, PrimeField, Weights, verbs
from algatt.fields import Elements, concatenate
from algatt.geometry.dimensions.declared import check_symmetries
from algatt.geometry.dimensions.question import Question
from algatt.layers import Affine, Causal, Heads, RelativeBias, Residual
from algatt.maps import program as program_of
from algatt.symmetry.arrows.constants import absorb_constants
from algatt.symmetry.typed.symmetry import spaces_beside_constants
from written_networks import written

SHAPES = {"b": (3, 1), "c": (3, 1), "P": (3, 2), "t": (4, 1), "r": (1, 2)}

SPREAD = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [1, 0, 0, 0]])

CASES = {
    # W X + b + 1 = W X + (b + 1)
    "a bias": (lambda w, X: power(w.W @ X + w.b + 1), "W b", {"b": [[1], [1], [1]]}),
    "a multiple": (lambda w, X: power((w.W @ X + w.b) * 2 - 3), "W b", {"b": [["-3/2"]] * 3}),
    "a negative": (lambda w, X: power(1 - (w.W @ X + w.b)), "W b", {"b": [[-1]] * 3}),
    "transposed": (
        lambda w, X: power((w.W @ X + w.P).T + np.array([[1, 2, 3], [4, 5, 6]])),
        "W P",
        {"P": [[1, 4], [2, 5], [3, 6]]},
    ),
    # entries 0 and 1 of t are read, in rows 0, 1 and 0: constants 5, 7, 5 are of this form, 5, 7, 6 are not
    "placed": (
        lambda w, X: power(w.W @ X + SPREAD @ w.t + np.array([[5], [7], [5]])),
        "W t",
        {"t": [[5], [7], [0], [0]]},
    ),
    "not of the form": (lambda w, X: power(w.W @ X + SPREAD @ w.t + np.array([[5], [7], [6]])), "W t", {}),
    "taken": (lambda w, X: power((w.W @ X + w.c)[[1, 0]] + np.array([[1], [2]])), "W c", {"c": [[2], [1], [0]]}),
    "joined": (
        lambda w, X: power(concatenate([w.W @ X + w.b, X]) + np.array([[1], [2], [3], [0], [0], [0]])),
        "W b",
        {"b": [[1], [2], [3]]},
    ),
    "joined side by side": (
        lambda w, X: power(concatenate([w.W @ X + w.b, X], axis=1) + np.array([[1, 1, 0, 0]] * 3)),
        "W b",
        {"b": [[1]] * 3},
    ),
    "joined with what is not": (
        lambda w, X: power(concatenate([w.W @ X + w.b, X]) + np.array([[1], [2], [3], [0], [0], [1]])),
        "W b",
        {},
    ),
    # tied: both sums have to be of one constant
    "twice the same": (lambda w, X: power(w.W @ power(w.W @ X + w.b + 1) + w.b + 1), "W b", {"b": [[1]] * 3}),
    "twice another": (lambda w, X: power(w.W @ power(w.W @ X + w.b + 1) + w.b + 2), "W b", {}),
    "once": (lambda w, X: power(w.W @ power(w.W @ X + w.b + 1) + w.b), "W b", {}),
    "read beside": (lambda w, X: power(w.W @ X + w.b + 1) * w.b, "W b", {}),
    "the value": (lambda w, X: w.W @ X + w.b, "W b", {}),
    "and the value": (lambda w, X: power(w.W @ X + w.b + 1) + w.b, "W b", {}),
    "a wide constant": (lambda w, X: power(w.W @ X + (w.b + np.array([[1, 2]] * 3))), "W b", {}),
    "centred in another sum": (
        lambda w, X: power(w.W @ X + w.b + 1) + power(w.W @ X + (w.b.centre() + 1)),
        "W b",
        {},
    ),
    "centred before": (lambda w, X: power((w.W @ X + w.b).centre() + 1), "W b", {}),
    "a square of it": (lambda w, X: power(w.W @ X + w.b * w.b + 1), "W b", {}),
    # an identity matrix in a skip around a linear layer stands on the wrong side of X
    "no constant": (lambda w, X: power(w.W @ X + w.b + X), "W b", {}),
    "an identity": (lambda w, X: (w.W + np.eye(3, dtype=np.int64)) @ X, "W", {"W": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}),
    # of two biases the first takes it
    "two biases": (lambda w, X: power(w.W @ X + w.b + w.c + 1), "W b c", {"b": [[1]] * 3}),
}


def power(Y):
    return Y * Y * Y


def network(name):
    text, tensors, _ = CASES[name]
    return written({one: SHAPES.get(one, (3, 3)) for one in tensors.split()}, text)


@pytest.mark.parametrize("name", CASES)
def test_constants_that_are_a_part_of_tensors(name):
    net = network(name)
    program, offsets = absorb_constants(program_of(net))
    expected = {
        tensor: tuple(tuple(Fraction(entry) for entry in row) for row in rows)
        for tensor, rows in CASES[name][2].items()
    }
    assert {one.tensor: one.entries for one in offsets} == expected
    # the program of the tensors with constants in them has the values of that without
    field = PrimeField()
    theta = verbs.sample(net, Weights, field=field, seed=1)
    X = Elements(field, verbs.draw_array(field, shape=(4, *net.input_shape), seed=1, label="inputs"))
    tensors = dict(theta.tensors)
    for one in offsets:
        tensors[one.tensor] = tensors[one.tensor] + one.array
    value = algatt.programs.interpret.interpret(program, field, tensors, X)
    assert np.array_equal(value.raw, verbs.evaluate(net, theta, X).raw)


@pytest.mark.parametrize("name", CASES)
def test_spaces_beside_constants_leave_values(name, values_stay):
    net = network(name)
    check_symmetries(Question(net), seed=2)
    for family in verbs.symmetries(net):
        if "constants" in family.name:
            assert values_stay(net, family)


def test_scores_with_a_constant_and_biases_count_up_to_a_factor(values_stay):
    """k^T q + b + 1 is multiplied by c if k is, and b + 1: the weights are the same."""
    net = Network(Residual(Heads(1, width=2, score=Affine(1, 1), position=RelativeBias(4, 4))), tokens=3, width=3)
    (family,) = (one for one in verbs.symmetries(net) if "constants" in one.name)
    assert set(family.tensors) == {"heads.K_1", "heads.bias"}
    assert values_stay(net, family)
    report = algatt.dimension(net)
    # 6 + 6 + 6 + 6 + 4 parameters less 4 of keys, 4 of values, a bucket that is not seen, and this factor
    assert (report.value, report.status) == (28 - 4 - 4 - 1 - 1, "proven")


def test_without_biases_there_is_no_factor():
    net = Network(Residual(Heads(1, width=2, score=Affine(1, 1), mask=Causal())), tokens=3, width=3)
    assert spaces_beside_constants(net) == ()


def test_elements_over_finite_fields_are_exact():
    net = network("a multiple")
    theta = verbs.sample(net, Weights, field=PrimeField(8388593), seed=3)
    X = Elements(theta.field, verbs.draw_array(theta.field, shape=(2, 3, 2), seed=3, label="inputs"))
    families = [one for one in verbs.symmetries(net) if "constants" in one.name]
    for family in families:
        moved = verbs.act(family.element(theta, 1), theta)
        assert np.array_equal(verbs.evaluate(net, moved, X).raw, verbs.evaluate(net, theta, X).raw)


def test_constants_beside_large_tensors_stay(monkeypatch):
    monkeypatch.setattr("algatt.symmetry.arrows.constants.MOST_ENTRIES", 5)
    assert absorb_constants(program_of(network("a bias")))[1] == ()
