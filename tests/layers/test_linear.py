"""X -> W X + b, entry by entry."""

import numpy as np
import pytest

from algatt.errors import InvalidArgument
from algatt.layers import Linear

W = [[1, 2, -3], [0, 5, 4]]
X = [[2, 7], [1, -1], [3, 0]]


def test_each_entry_of_the_value_is_a_sum_of_products(is_value):
    product = [[sum(W[i][k] * X[k][j] for k in range(3)) for j in range(2)] for i in range(2)]
    is_value(Linear(2), {"linear.W": W}, X, product)
    shifted = [[entry + b for entry in row] for row, b in zip(product, (10, -4), strict=True)]
    is_value(Linear(2, bias=True), {"linear.W": W, "linear.b": [[10], [-4]]}, X, shifted)


def test_batches_are_mapped_one_by_one(value):
    from algatt.fields import Reals

    batch = np.arange(24.0).reshape(4, 3, 2)
    tensors = {"linear.W": W, "linear.b": [[1], [2]]}
    values = value(Linear(2, bias=True), tensors, batch, Reals())
    for one, expected in zip(batch, values, strict=True):
        assert np.array_equal(value(Linear(2, bias=True), tensors, one, Reals()), expected)


def test_a_width_is_a_positive_integer_and_a_bias_true_or_false():
    with pytest.raises(InvalidArgument, match=r"^width was 0; it should be an integer >= 1$"):
        Linear(0)
    with pytest.raises(InvalidArgument, match=r"^bias was 'false'; it should be True or False$"):
        Linear(2, bias="false")
