"""Changes that other tensors take up: biases, rows and streams; derived by hand, beside each program."""

from __future__ import annotations

import pytest

from small_programs import soft, square


def stream(w, X):
    """A layer of three neurons with a skip."""
    return X + (w.V @ square(w.W @ X + w.c) + w.u)


def repeated(w, X):
    """Two blocks with the same tensors behind a bias a of what they read: each centres what it is given, and what
    neurons with a skip of their own make of it, and has a bias b in the end.
    """
    Y = X + w.a
    for _ in range(2):
        Y = (Y + (square(w.W @ Y + w.c) + w.u)).centre() + w.b
    return w.N @ Y + w.v


CASES = {
    # a is added before each block and behind the last one: W a from c, what centring leaves of a from b, and N a from
    # the last bias, v; which takes up what N makes of columns that are centred, as b does what centring leaves of u
    "repeated blocks": (
        repeated,
        "W N a b c u v",
        {"a columns": "b c v", "N columns": "v", "u columns": "b"},
    ),
    # what is added to one of two biases is taken from the other
    "two biases": (lambda w, X: w.W @ X + w.a + w.b, "W a b", {"a columns": "b"}),
    "to the left": (lambda w, X: w.b + (w.a + w.W @ X), "W a b", {"a columns": "b"}),
    # the bias of another branch, in a sum that is read here alone: b_O and b_down of parallel parts
    "branches": (lambda w, X: X + ((w.W @ X + w.a) + (w.V @ X + w.b)), "W V a b", {"W rows": "V", "a columns": "b"}),
    "branch that is read again": (
        lambda w, X: ((w.W @ X + w.a) + (w.V @ X + w.b)) * (w.V @ X + w.b),
        "W V a b",
        {},
    ),
    # P.T + v 1^T for P + 1 v^T, of which the first rows are read
    "transposed and cut": (lambda w, X: w.W @ X + w.b + w.P[:2].T, "W b P", {"b columns": "P"}),
    # row 0 is seen beside row 3 alone, row 1 beside itself
    "other rows": (lambda w, X: w.W @ X + w.P[[3, 1]].T + w.P.T[:, :2], "W P", {"P columns": ""}),
    # an absorber that is read again is none
    "read again": (lambda w, X: (w.W @ X + w.a + w.b) * w.b, "W a b", {}),
    # beside it another bias takes up what is added
    "read again beside a free one": (
        lambda w, X: (w.W @ X + w.b + (w.u + w.c)) * w.c,
        "W b u c",
        {"b columns": "u"},
    ),
    "twice": (lambda w, X: w.W @ X + w.a + (w.b + w.b), "W a b", {"a columns": "b"}),  # v / 2 is taken from b
    "a constant": (lambda w, X: w.W @ X + w.a + 3, "W a", {}),
    # one number is both a column and a row of equal entries: b + v 1 and r - v 1^T
    "row and column": (lambda w, X: w.W @ X + w.b + w.r, "W b r", {"b rows": "r"}),
    "number": (lambda w, X: w.W @ X + w.s + w.b, "W s b", {"s columns": "b"}),
    # b takes up what is added to c, in the order in which it is read, but c takes nothing up, as its rows are reordered
    "absorber in another order": (lambda w, X: w.W @ X + w.b + w.c[[2, 0, 1]], "W b c", {"c columns": "b"}),
    "number in all rows": (lambda w, X: (w.W @ X + w.s)[[2, 0, 1]] + w.c, "W s c", {"s columns": "c"}),
    "half of a bias": (lambda w, X: (w.W @ X + w.b) / 2 + w.c, "W b c", {"b columns": "c"}),
    # a row is added as well, of the first two entries: the third alone may be taken up, or twice a number
    "as a row, too": (lambda w, X: w.W @ X + w.b + w.b[:2].T + w.c, "W b c", {"b columns": "c", "b rows": "c"}),
    # what is known in part, or depends on the input, is taken up by nothing
    "known in part": (lambda w, X: w.W @ X + w.b + X @ X.T @ w.b + w.c, "W b c", {}),
    "times an input": (lambda w, X: (w.W @ X + w.b) * X.sum(axis=1) + w.c, "W b c", {}),
    "row by row, taken up": (lambda w, X: (w.W @ X + w.r) * w.q + w.t, "W r q t", {"r rows": "t"}),
    # a stream that is read before another bias takes the change away: W b v from c, v from u
    "stream": (lambda w, X: stream(w, X + w.b), "W V b c u", {"b columns": "c u"}),
    "stream in another order": (
        lambda w, X: w.u + (w.V @ square(w.W @ (X + w.b) + w.c) + (X + w.b)),
        "W V b c u",
        {"b columns": "c u"},
    ),
    # what takes up several changes: V v of a head, and v of the stream
    "stream and values": (
        lambda w, X: X + w.b + (w.V @ (X + w.b) @ soft(X.T @ X) + w.u),
        "V b u",
        {"b columns": "u"},
    ),
    # tied layers: all that moves, moves in both; W takes up nothing, as it is no summand
    "tied": (lambda w, X: stream(w, stream(w, X + w.b) + w.b), "W V b c u", {"b columns": "c u"}),
    # with s, which is read twice, any v; without it those with L v = 0
    "two readers with one bias": (
        lambda w, X: square(w.L @ (X + w.b) + w.s) + square(w.L @ (X * 2 + w.b) + w.s) + (w.W @ (X + w.b) + w.c),
        "L W b s c",
        {"b columns": "s c"},
    ),
    "tied to what is read": (lambda w, X: stream(w, X + w.b) + w.c * X, "W V b c u", {}),
    # what two biases in a row may take up is taken up by the first
    "rows of a sum": (lambda w, X: w.r + (w.W @ X + w.q), "W r q", {"r rows": "q"}),
}
"""A program, the tensors that it reads, and its shifts with what absorbs each."""


@pytest.mark.parametrize("name", CASES)
def test_the_shifts_of_small_programs(name, has_shifts):
    has_shifts(*CASES[name])
