"""Dimensions of orbits on symbols, of small programs: counted by hand, beside each, and held against exact ranks."""

from __future__ import annotations

import numpy as np
import pytest

from algatt.fields import concatenate
from algatt.symmetry import symbolic_symmetries
from small_programs import share, small_program, soft, square

FIRST_TWO = np.array([[1], [1], [0]])

CASES = {
    # 9 numbers of three biases, of which the sum is seen: each takes up what is added to another
    "a cycle of biases": (lambda w, X: square(w.W @ X + w.a + w.b + w.c), "W a b c", 9 - 3),
    # W + 1 v^T for three numbers v, and a column of three entries that is not seen; v_3 changes only these
    "a shift of what is not seen": (lambda w, X: soft(w.W @ (X * FIRST_TWO)), "W", 3 + 3 - 1),
    # W up to a factor, w and s
    "a row that is divided by itself": (lambda w, X: share(w.W @ X * (w.w @ X + w.s)), "W w s", 1 + 3 + 1),
    # W^T W leaves W up to orthogonal matrices, of which those that keep two of three rows are two
    "rows of a tied matrix": (lambda w, X: concatenate((w.W.T @ (w.W @ X), w.W[[1, 2]] @ X)), "W", 0),
}
"""A program, the tensors that it reads, and the dimension of orbits of generic weights."""


LEFT_OUT = {
    # rows and columns of two blocks: 2 + 2 - 1 each; and 8 entries beside them
    "blocks of a matrix": (
        lambda w, X: soft(w.B[:2][:, :2] @ X[:2].centre()) + soft(w.B[2:][:, 2:] @ X[1:].centre()),
        "B",
        2 * 3 + 8,
    ),
}
"""The same where more is known to move than is counted."""


@pytest.mark.parametrize("name", CASES)
def test_orbits(name, exact):
    text, tensors, count = CASES[name]
    net = small_program(text, tensors)
    answer = symbolic_symmetries(net)
    assert exact(net)[1] == count
    assert answer.orbit == count
    assert answer.dimension <= exact(net)[0]


@pytest.mark.parametrize("name", LEFT_OUT)
def test_orbits_are_larger_than_what_is_counted(name, exact):
    text, tensors, count = LEFT_OUT[name]
    net = small_program(text, tensors)
    answer = symbolic_symmetries(net)
    dimension, orbit = exact(net)
    assert orbit == count
    assert answer.orbit <= count
    assert answer.dimension <= dimension
    assert answer.others
