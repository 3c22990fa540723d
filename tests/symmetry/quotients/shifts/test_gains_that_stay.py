"""Gains that stay, as something else than matrices reads what they multiply: W + v (1/g)^T.

What is expected is derived by hand: (1/g)^T (g * C X) is zero, as columns of C X add up to zero, and (1/g)^T b is a
number, so that W (g * C X + b) changes by a column.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest

import algatt
from algatt import Network, PrimeField, Weights, verbs
from algatt.fields import concatenate
from algatt.layers import Feedforward, LayerNorm, Power, Residual
from algatt.maps import program
from algatt.symmetry import ShiftSymmetry, Symmetry
from algatt.symmetry.motions.shifts import solve_shifts
from small_programs import small_program, square


def kept(w, X):
    """Return the columns of a norm, without the division, and what reads them besides."""
    Y = w.a * X.centre() + w.b
    return Y + square(w.W @ Y + w.c)


def families(net: Network) -> dict[str, Symmetry]:
    """Return the shifts over gains by their names."""
    return {one.name: one for one in verbs.members(ShiftSymmetry, net) if one.shift.gain is not None}


CASES = {
    # seen by a matrix and a skip: a bias takes the constant up
    "a bias": (kept, "W a b c", {"columns of W over a": ("W", "c")}),
    # without a constant nothing is left
    "no bias of the norm": (
        lambda w, X: w.a * X.centre() + square(w.W @ (w.a * X.centre()) + w.c),
        "W a c",
        {"columns of W over a": ("W",)},
    ),
    # nor does anything take up what is left
    "no bias of the reader": (
        lambda w, X: w.a * X.centre() + w.b + square(w.W @ (w.a * X.centre() + w.b)),
        "W a b",
        {},
    ),
    "columns with any sums": (lambda w, X: w.a * X + square(w.W @ (w.a * X)), "W a", {}),
    # two gains: no row is divided by both
    "two gains": (
        lambda w, X: (
            w.a * X.centre() + w.b * X.centre() + square(w.W @ (w.a * X.centre())) * (w.W @ (w.b * X.centre()))
        ),
        "W a b",
        {},
    ),
    "twice the same gain": (
        lambda w, X: w.a * X.centre() + square(w.W @ (w.a * X.centre())) * (w.W @ (w.a * square(X).centre())),
        "W a",
        {"columns of W over a": ("W",)},
    ),
    # one bias takes up what is added to both, as (1/g)^T b is the same number
    "twice beside a bias": (
        lambda w, X: kept(w, X) * square(w.W @ (w.a * square(X).centre() + w.b) + w.c),
        "W a b c",
        {"columns of W over a": ("W", "c")},
    ),
    "twice with two biases of norms": (
        lambda w, X: kept(w, X) * square(w.W @ (w.a * square(X).centre() + w.u) + w.c),
        "W a b c u",
        {},
    ),
    # a reader of the first column, beside all of them
    "a column of several": (
        lambda w, X: concatenate([w.a * X.centre() + w.b, square(w.W @ (w.a * X.centre() + w.b)[:, :1] + w.c)], axis=1),
        "W a b c",
        {"columns of W over a": ("W", "c")},
    ),
    "its rows in another order": (
        lambda w, X: kept(w, X) * square(w.W @ (w.a * X.centre() + w.b)[[2, 0, 1]] + w.c),
        "W a b c",
        {},
    ),
    # a matrix that is read elsewhere is seen there
    "read elsewhere": (
        lambda w, X: w.W + w.a * X.centre() @ (X.T @ X) @ (X.T @ w.W) + w.W @ (w.a * X.centre()) @ X.T,
        "W a",
        {},
    ),
    # a product on the other side asks for sums of rows
    "on the right": (lambda w, X: w.a * X.centre() + (w.a * X.centre()).T.T @ X.T @ w.W @ X, "W a", {}),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_found_and_that_values_stay(values_stay: Callable[..., bool], name: str) -> None:
    text, tensors, expected = CASES[name]
    net = small_program(text, tensors)
    found = families(net)
    assert {one: family.tensors for one, family in found.items()} == expected
    assert all(values_stay(net, family, seed) for family in found.values() for seed in (1, 2))


def tied(w, X):
    """Return the transpose of what W makes of unit vectors, centred and read by W again."""
    Y = w["a"] * square(w["W"].T @ X + w["u"]).centre() + w["b"]
    return w["W"] @ Y + w["c"]


@pytest.mark.parametrize("missing", ["", "u", "c"])
def test_a_matrix_that_is_also_an_embedding_moves_by_multiples_of_one_row(missing: str) -> None:
    """W + c 1 (1/g)^T adds c/g to all unit vectors, which positions u take up, and a number to the value, which a bias
    does: neither may be missing.
    """
    net = small_program(lambda w, X: tied({one: 0 if one == missing else w[one] for one in "Wuabc"}, X), "W u a b c")
    shifts = solve_shifts(program(net), units=(0, 0)).shifts
    found = [one for one in shifts if one.gain is not None]
    if missing:
        assert found == []
        return
    (shift,) = found
    assert (shift.name, shift.ray) == ("rows of W over a", True)
    assert [(one.tensor, one.kind) for one in shift.absorbed] == [("u", "columns"), ("c", "columns")]
    theta = verbs.sample(net, Weights, field=PrimeField(), seed=1).tensors
    tangents = shift.tangents(theta)
    inverse, ones = theta["a"].reciprocal(), np.ones((3, 1), dtype=np.int64)
    assert np.array_equal(tangents["W"].raw, (ones @ inverse.T).raw[None])
    assert np.array_equal(tangents["u"].raw, (-inverse).raw[None])
    assert np.array_equal(tangents["c"].raw, (-(ones @ (inverse.T @ theta["b"]))).raw[None])


NORMS = [(gain, bias, read) for gain, bias, read in itertools.product((True, False), repeat=3) if read or not bias]
"""Whether the first norm has a gain and a bias, and whether the neurons have biases: if the norm has one they have."""


@pytest.mark.parametrize(("gain", "bias", "read"), NORMS)
def test_counts_of_networks_behind_a_norm_are_exact(gain: bool, bias: bool, read: bool) -> None:
    """Two norms and m = 3 neurons beside a skip between them, d = 4. Each neuron has a factor (m). The second norm sees
    neither the means of the columns of D (m) nor that of the bias beside it (1 if there is one). Each row of U is seen
    modulo one number, as its constant is free, or zero (m). A bias of the first norm is taken up by those behind (d).
    """
    net = Network(
        LayerNorm(gain=gain, bias=bias) >> Residual(Feedforward(3, Power(3), bias=read)) >> LayerNorm(),
        tokens=2,
        width=4,
    )
    report = algatt.dimension(net)
    assert (report.status, report.lower) == ("proven", report.upper)
    assert algatt.symmetry.symbolic_symmetries(net).upper == report.upper
    removed = 3 + 3 + read + 3 + 4 * bias
    assert net.parameters - report.upper == removed
