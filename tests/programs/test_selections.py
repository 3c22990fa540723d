"""Columns that are chosen, and zeros beside them, in normal form, and what looks like it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import algatt
from algatt.architectures.network import arrange
from algatt.fields import Elements, Reals, concatenate
from algatt.maps import program
from algatt.programs.normal_form import normal_form
from written_networks import written

BEFORE = np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]])
"""Each token has the one before it."""

ENDS = np.array([[1, 0], [0, 0], [0, 1]])
"""The first token, and the last one."""


def network(text: Any) -> algatt.Network:
    return written({"A": (4, 4), "B": (4, 4), "g": (4, 1), "h": (4, 1), "b": (4, 1)}, text, width=4, tokens=3)


def digest_of(text: Any) -> str:
    return normal_form(program(network(text))).digest()


def zeros(X: Elements, count: int = 1) -> Elements:
    """Return columns of zeros as constants."""
    return Elements.of(X.field, np.zeros((X.shape[-2], count), dtype=np.int64))


def beside(*parts: Elements) -> Elements:
    return concatenate(parts, axis=1)


SAME = {
    "zeros before": (lambda w, X: beside(zeros(X), (w.A @ X)[:, :2]), lambda w, X: w.A @ X @ BEFORE),
    "a multiple": (lambda w, X: beside(zeros(X), 3 * (w.A @ X)[:, :2]), lambda w, X: 3 * (w.A @ X @ BEFORE)),
    "zeros between": (
        lambda w, X: beside((w.A @ X)[:, :1], zeros(X), (w.A @ X)[:, 2:]),
        lambda w, X: w.A @ X @ np.diag([1, 0, 1]),
    ),
    "zeros behind all": (
        lambda w, X: w.B @ beside(w.A @ X, zeros(X, 2)).exp(),
        lambda w, X: w.B @ (w.A @ X @ np.eye(3, 5, dtype=int)).exp(),
    ),
    "rows of tokens": (
        lambda w, X: w.B @ concatenate([zeros(X).T, (w.A @ X).T[:2]]).T,
        lambda w, X: w.B @ (w.A @ X @ BEFORE),
    ),
    "columns by a matrix": (lambda w, X: (w.A @ X).exp() @ ENDS, lambda w, X: (w.A @ X).exp()[:, [0, 2]]),
    "all columns by a matrix": (lambda w, X: (w.A @ X).exp() @ np.eye(3, dtype=int), lambda w, X: (w.A @ X).exp()),
}
APART = {
    "other columns": (lambda w, X: beside(zeros(X), (w.A @ X)[:, 1:]), SAME["zeros before"][0]),
    "ones": (lambda w, X: beside(zeros(X) + 1, (w.A @ X)[:, :2]), SAME["zeros before"][0]),
    "another matrix": (lambda w, X: beside(zeros(X), (w.B @ X)[:, :1], (w.A @ X)[:, 1:2]), SAME["zeros before"][0]),
    "two multiples": (
        lambda w, X: beside(zeros(X), (w.A @ X)[:, :1], 2 * (w.A @ X)[:, 1:2]),
        SAME["zeros before"][0],
    ),
    "a column twice": (lambda w, X: beside(zeros(X), (w.A @ X)[:, :1], (w.A @ X)[:, :1]), SAME["zeros before"][0]),
    "columns in another order": (lambda w, X: (w.A @ X).exp() @ ENDS[::-1], SAME["columns by a matrix"][1]),
    "two ones": (lambda w, X: (w.A @ X).exp() @ (ENDS + ENDS[::-1]), SAME["columns by a matrix"][1]),
    "a two": (lambda w, X: (w.A @ X).exp() @ (2 * ENDS), SAME["columns by a matrix"][1]),
    "half": (lambda w, X: (w.A @ X).exp() @ ENDS[:, :1] * 0, SAME["columns by a matrix"][1]),
}
TEXTS = [text for pairs in (SAME, APART) for texts in pairs.values() for text in texts]


@pytest.mark.parametrize("name", SAME)
def test_texts_of_one_selection_are_one(name: str) -> None:
    one, other = (digest_of(text) for text in SAME[name])
    assert one == other


@pytest.mark.parametrize("name", APART)
def test_other_selections_stay(name: str) -> None:
    one, other = (digest_of(text) for text in APART[name])
    assert one != other


@pytest.mark.parametrize("number", range(len(TEXTS)))
def test_values_of_selections_stay(number: int) -> None:
    net = network(TEXTS[number])
    theta, X = (
        algatt.sample(net, algatt.Weights, field=Reals(), seed=1),
        algatt.sample_inputs(net, seed=1, field=Reals()),
    )
    arrangement = arrange(net)
    found = algatt.evaluate(arrangement.network, arrangement.forth(theta), X)
    np.testing.assert_allclose(found, algatt.evaluate(net, theta, X), rtol=1e-9, atol=1e-12)


def test_channels_before_a_convolution_keep_their_scale() -> None:
    """Each channel of a depthwise convolution, padded by zeros, may be scaled before it and back after it."""

    def padded(w: Any, X: Elements) -> Elements:
        Y = w.A @ X
        return w.B @ (beside(zeros(X), Y[:, :2]) * w.g + Y * w.h + w.b).exp()

    def shifted(w: Any, X: Elements) -> Elements:
        Y = w.A @ X
        return w.B @ (Y @ BEFORE * w.g + Y * w.h + w.b).exp()

    one, other = algatt.dimension(network(padded)), algatt.dimension(network(shifted))
    assert (one.value, one.upper) == (other.value, other.upper)
    assert one.parameters - one.upper >= 4  # a scale for each channel


def test_columns_of_a_table_that_is_one_column_turned_by_every_position() -> None:
    """The columns chosen are those of the result; the constant that is turned has one."""

    def text(w: Any, X: Elements) -> Elements:
        table = Elements.of(X.field, np.array([[1], [0], [1], [0]])).rotate((0.5, 1.0), (0, 1, 2))
        return ((w.A @ X) * table)[:, [1, 2]] + (X * table)[:, [2, 0]]

    net = network(text)
    theta = algatt.sample(net, algatt.Weights, field=Reals(), seed=1)
    X = algatt.sample_inputs(net, seed=1, field=Reals())
    arrangement = arrange(net)
    found = algatt.evaluate(arrangement.network, arrangement.forth(theta), X)
    np.testing.assert_allclose(found, algatt.evaluate(net, theta, X), rtol=1e-9, atol=1e-12)
