"""Unembeddings, and how their numbers are read."""

import math
from fractions import Fraction

import numpy as np
import pytest

from algatt.errors import InvalidArgument
from algatt.layers import Capped, Logits, Probabilities, Unembedding

U = [[1, 0, 2], [0, -1, 1], [2, 2, 0], [-1, 0, 1]]
B = [[1], [0], [-2], [1]]
X = [[1, 2], [0, -1], [1, 1]]
LOGITS = [[sum(U[v][k] * X[k][j] for k in range(3)) + B[v][0] for j in range(2)] for v in range(4)]
TENSORS = {"unembedding.U": U, "unembedding.b": B}


def softmax(columns):
    """The softmax of each column of a list of rows, by its definition."""
    sums = [sum(math.exp(row[j]) for row in columns) for j in range(2)]
    return [[math.exp(row[j]) / sums[j] for j in range(2)] for row in columns]


def test_logits_are_the_numbers_themselves(is_value):
    is_value(Unembedding(4, bias=True), TENSORS, X, LOGITS)
    without = [[entry - b for entry in row] for row, (b,) in zip(LOGITS, B, strict=True)]
    is_value(Unembedding(4, reading=Logits()), {"unembedding.U": U}, X, without)


def test_probabilities_are_their_softmax(is_real_value, value):
    from algatt.fields import Reals

    layer = Unembedding(4, bias=True, reading=Probabilities())
    is_real_value(layer, TENSORS, X, softmax(LOGITS))
    assert np.allclose(value(layer, TENSORS, X, Reals()).sum(axis=0), 1, rtol=1e-14)
    is_real_value(
        layer, {"unembedding.U": np.array(U) + [[3, 1, 4]], "unembedding.b": np.array(B) + 7}, X, softmax(LOGITS)
    )


@pytest.mark.parametrize("cap", [2, 0.75, Fraction(5, 3)])
def test_capped_numbers_are_the_cap_times_a_hyperbolic_tangent(is_real_value, cap):
    capped = [[float(cap) * math.tanh(entry / float(cap)) for entry in row] for row in LOGITS]
    is_real_value(Unembedding(4, bias=True, reading=Capped(cap)), TENSORS, X, capped)
    is_real_value(Unembedding(4, bias=True, reading=Capped(cap, Probabilities())), TENSORS, X, softmax(capped))


def test_slots_that_hold_something_else_are_refused():
    with pytest.raises(InvalidArgument, match=r"^reading was 'logits'; it should be Logits\(\) or Probabilities\(\)$"):
        Unembedding(4, reading="logits")
    with pytest.raises(InvalidArgument, match=r"^reading was 3; it should be Logits\(\) or Probabilities\(\)$"):
        Capped(30, 3)
    with pytest.raises(InvalidArgument, match=r"^cap was 0; it should be a positive number$"):
        Capped(0)
    with pytest.raises(InvalidArgument, match=r"^cap was -1; it should be a finite number >= 0$"):
        Capped(-1)
    with pytest.raises(InvalidArgument, match=r"^bias was 1; it should be True or False$"):
        Unembedding(4, bias=1)
    with pytest.raises(InvalidArgument, match=r"^vocabulary was 0; it should be an integer >= 1$"):
        Unembedding(0)
