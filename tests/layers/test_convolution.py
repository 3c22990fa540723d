"""Convolutions, token by token by their definition; positions by the formula of the paper."""

import math

import numpy as np
import pytest

from algatt.errors import InvalidArgument
from algatt.fields import Reals
from algatt.layers import Convolution, SinusoidalPosition
from algatt.layers.base import tensor_shapes

X = [[1, -2, 4, 0, 3], [5, 1, 0, 2, -1]]
W = {1: [[1, 2], [0, 1], [3, -1]], 2: [[0, 1], [1, 1], [2, 2]], 3: [[2, 0], [-1, 3], [0, 1]]}


def by_hand(stride, bias):
    columns = []
    for centre in range(0, 5, stride):
        total = np.array(bias, dtype=np.int64)
        for number, place in enumerate((centre - 1, centre, centre + 1), start=1):
            if 0 <= place < 5:
                total = total + np.array(W[number]) @ np.array(X)[:, place]
        columns.append(total)
    return np.array(columns).T.tolist()


def test_each_value_is_of_a_token_and_its_neighbours(is_value):
    tensors = {f"convolution.W_{number}": matrix for number, matrix in W.items()}
    is_value(Convolution(3), tensors, X, by_hand(1, [0, 0, 0]))
    is_value(
        Convolution(3, stride=2, bias=True), {**tensors, "convolution.b": [[1], [-2], [5]]}, X, by_hand(2, [1, -2, 5])
    )
    single = np.array(W[2]) @ np.array(X)[:, ::4]
    is_value(Convolution(3, kernel=1, stride=4), {"convolution.W_1": W[2]}, X, single.tolist())


def test_sines_stand_above_cosines_of_angles_from_one_to_the_base(value):
    found = value(SinusoidalPosition(base=100), {}, np.zeros((6, 3)), Reals())
    for place in range(3):
        angles = [place, place / 10, place / 100]
        assert found[:, place] == pytest.approx([*map(math.sin, angles), *map(math.cos, angles)], abs=1e-15)


def test_numbers_that_do_not_fit():
    for make, message in (
        (lambda: Convolution(0), "width was 0"),
        (lambda: Convolution(2, kernel=4), "kernel was 4; it should be odd"),
        (lambda: Convolution(2, stride=0), "stride was 0"),
        (lambda: SinusoidalPosition(base=0), "base was 0"),
        (lambda: tensor_shapes(SinusoidalPosition(), (5, 2)), "even width of at least 4"),
    ):
        with pytest.raises(InvalidArgument, match=message):
            make()
