"""Changes in products, by constants, and in parts that are taken or joined; derived by hand, beside each program."""

from __future__ import annotations

import numpy as np
import pytest

from algatt.fields import concatenate
from small_programs import soft

ONES = np.ones((3, 3), dtype=np.int64)

CASES = {
    "turned biases": (lambda w, X: (w.W @ X + w.b)[:2].rotate((0.5,), (0, 1)) + w.c[:2], "W b c", {}),
    # one column of weights: (W + c 1^T) u = W u + c (1^T u); W (u + v) = W u + W v; (W + 1 v^T) u = W u + 1 (v^T u)
    "one column": (
        lambda w, X: X + (w.W @ w.u + w.b),
        "W u b",
        {"W columns": "b", "W rows": "b", "u columns": "b"},
    ),
    "a column and its sum": (
        lambda w, X: X + (w.W @ (w.u - w.V @ w.a) + w.b),
        "W V u a b",
        {
            "W columns": "b",
            "W rows": "b",
            "V columns": "u",
            "V rows": "u",
            "u columns": "b",
            "a columns": "u",
        },
    ),
    # what is taken along by constants: 3 (Y + 1 r^T) - 1 1^T (Y + 1 r^T) = 3 Y - 1 1^T Y
    "constants": (lambda w, X: w.W @ X * 3 - ONES @ (w.W @ X), "W", {"W rows": ""}),
    "other constants": (lambda w, X: w.W @ X * 2 - ONES @ (w.W @ X), "W", {}),
    "unequal constants": (lambda w, X: w.W @ X * 3 - (ONES + np.diag([1, 0, -1])) @ (w.W @ X), "W", {}),
    # in normal form it is not there
    "times zero": (lambda w, X: X + (w.W @ X) * 0, "W", {}),
    # b * a + c: a row may be multiplied by a row, a column by a column
    "column by column": (lambda w, X: (w.W @ X + w.b) * w.a + w.c, "W a b c", {"b columns": "c"}),
    # quotients of polynomials in the weights, as which it is known what c takes up
    "by a transposed matrix": (lambda w, X: w.N.T @ (X[:2] + w.v) + w.c, "N v c", {"v columns": "c"}),
    "times a product of columns": (
        lambda w, X: (w.W @ X + w.b) * w.a.column_products(w.u) + w.c,
        "W a u b c",
        {"b columns": "c"},
    ),
    "times a centred column": (
        lambda w, X: (w.W @ X + w.b) * w.a.centre() + w.c,
        "W a b c",
        {"b columns": "c", "a rows": ""},
    ),
    "times a turned column": (
        lambda w, X: (w.N @ X + w.v) * w.a[:2].rotate((0.5,), (1,)) + w.e,
        "N a v e",
        {"v columns": "e"},
    ),
    "times a part of a column": (lambda w, X: (w.W @ X + w.b) * w.d[:3] + w.c, "W d b c", {"b columns": "c"}),
    "times a joined column": (
        lambda w, X: (w.W @ X + w.b) * concatenate([w.s, w.v]) + w.c,
        "W s v b c",
        {"b columns": "c"},
    ),
    "times a product of two columns": (
        lambda w, X: (w.W @ X + w.b) * (w.a * w.u) + w.c,
        "W a u b c",
        {"b columns": "c"},
    ),
    # no quotient of polynomials
    "times an exponential": (lambda w, X: (w.W @ X + w.b) * w.a.exp() + w.c, "W a b c", {}),
    "times a root": (lambda w, X: (w.W @ X + w.b) * w.a.sqrt() + w.c, "W a b c", {}),
    "row by row": (lambda w, X: soft((w.W @ X + w.r) * w.q), "W r q", {"W rows": "", "r rows": ""}),
    "row by column": (lambda w, X: soft((w.W @ X + w.r) * w.a), "W r a", {}),
    "column by row": (lambda w, X: (w.W @ X + w.b) * w.r + w.c, "W b r c", {}),
    "square": (lambda w, X: (w.W @ X + w.b) * (w.W @ X + w.b) + w.c, "W b c", {}),
    # rows taken in another order, or put below others
    "permuted": (lambda w, X: (w.W @ X + w.b)[[2, 0, 1]] + w.c, "W b c", {"b columns": "c"}),
    "some rows": (lambda w, X: (w.W @ X + w.b)[[2, 0]] + w.c[:2], "W b c", {"b rows": "c"}),
    # the order stands outside, and r, which softmax does not see, is not read
    "columns in another order": (lambda w, X: soft((w.W @ X + w.r)[:, [1, 0]]), "W r", {"W rows": ""}),
    "below": (lambda w, X: concatenate([w.W @ X + w.b, w.V @ X]) + w.d, "W V b d", {"b columns": "d"}),
    "side by side": (
        lambda w, X: concatenate([w.W @ X + w.b, w.V @ X + w.b], axis=1) + w.c,
        "W V b c",
        {"b columns": "c"},
    ),
    "on one side": (lambda w, X: concatenate([w.W @ X + w.b, w.V @ X], axis=1) + w.c, "W V b c", {}),
    "rows below": (
        lambda w, X: soft(concatenate([w.W @ X + w.r, w.V @ X + w.r])),
        "W V r",
        {"W rows": "V", "r rows": ""},
    ),
    "product with itself": (lambda w, X: w.M @ w.M @ X, "M", {}),
    "unequal rows below": (
        lambda w, X: soft(concatenate([w.W @ X + w.r, w.V @ X + w.r * 2])),
        "W V r",
        {"W rows": "V"},
    ),
}
"""A program, the tensors that it reads, and its shifts with what absorbs each."""


@pytest.mark.parametrize("name", CASES)
def test_the_shifts_of_small_programs(name, has_shifts):
    has_shifts(*CASES[name])
