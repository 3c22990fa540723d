"""Rows of queries and keys in halves and interleaved: an isomorphism between two networks."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt.checkpoints import to_halves, to_interleaved
from algatt.errors import InvalidArgument
from algatt.layers import Causal, Heads, Rotary


@pytest.mark.parametrize("heads", [1, 2, 3])
def test_each_is_the_inverse_of_the_other(heads: int) -> None:
    for rows in (np.random.default_rng(heads).normal(size=(6 * heads, 5)), np.arange(6 * heads)):
        np.testing.assert_array_equal(to_halves(to_interleaved(rows, heads), heads), rows)
        np.testing.assert_array_equal(to_interleaved(to_halves(rows, heads), heads), rows)


def test_row_f_goes_to_2f_and_row_f_of_the_second_half_behind_it() -> None:
    assert to_interleaved(np.arange(12), 2).tolist() == [0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11]


def test_both_networks_have_the_same_values() -> None:
    def net(layout: str) -> algatt.Network:
        heads = Heads(2, width=6, mask=Causal(), position=Rotary(layout=layout), biases="QK")
        return algatt.Network(heads, tokens=4, width=3)

    theta = algatt.sample(net("halves"), algatt.Weights, field=algatt.Reals(), seed=1)
    turned = {
        name: to_interleaved(theta[name], 1) if name.split(".")[1].lstrip("b_")[0] in "QK" else theta[name]
        for name in theta.names()
    }
    X = np.random.default_rng(0).normal(size=(3, 4))
    expected = algatt.evaluate(net("halves"), theta, X)
    np.testing.assert_allclose(
        algatt.evaluate(net("interleaved"), algatt.Weights.of(turned), X), expected, rtol=0, atol=1e-13
    )
    assert np.abs(algatt.evaluate(net("interleaved"), theta, X) - expected).max() > 0.01


def test_rows_that_are_no_heads_are_refused() -> None:
    for rows in (np.arange(6), np.array(1.0)):
        with pytest.raises(InvalidArgument, match="of 2 heads with an even number of rows each"):
            to_halves(rows, 2)
    with pytest.raises(InvalidArgument, match="heads was 0"):
        to_interleaved(np.arange(6), 0)
