"""Readings behind several matrices."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.layers import Capped, Linear, Logits, Parallel, Probabilities, ReadAs, Unembedding


def test_several_matrices_are_read_as_one() -> None:
    both = Parallel(Linear(3, bias=True), Linear(3))
    theta = {"linear_1.W": np.eye(3, 2), "linear_1.b": np.ones((3, 1)), "linear_2.W": np.arange(6.0).reshape(3, 2)}
    X = np.array([[1.0, -2.0], [0.5, 0.25]])
    for reading in (Logits(), Probabilities(), Capped(2)):
        net = algatt.Network(both >> ReadAs(reading), tokens=2, width=2)
        one = algatt.Network(Unembedding(3, bias=True, reading=reading), tokens=2, width=2)
        expected = algatt.evaluate(
            one,
            algatt.Weights.of(
                {"unembedding.U": theta["linear_1.W"] + theta["linear_2.W"], "unembedding.b": theta["linear_1.b"]}
            ),
            X,
        )
        np.testing.assert_allclose(algatt.evaluate(net, algatt.Weights.of(theta), X), expected, rtol=1e-13)


def test_what_is_no_reading_is_refused() -> None:
    with pytest.raises(InvalidArgument, match=r"^reading was 'softmax'; it should be a reading"):
        ReadAs("softmax")  # type: ignore[arg-type]
