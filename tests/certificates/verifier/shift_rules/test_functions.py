"""Functions, products of columns, centres and turns in shifts: what stays is accepted, what moves is refused.

Whether the value moves is known by hand, and computed by differentiation over the reals beside it.
"""

from __future__ import annotations

from typing import Any

import pytest

from shift_rules import ACCEPTED, BC, FALSE, SOFT, UNPROVED, WX, B, C, Q, R, S, check, columns, less, rows

CASES: dict[str, tuple[Any, ...]] = {
    # softmax: exp, sums of columns, reciprocals
    "softmax": (f"{R}{WX}Z: add Y r; {SOFT}", [rows("r")], ACCEPTED, 2),
    "softmax, rows of what is read": (f"{WX}Z: add Y Y; {SOFT}", [rows("W")], ACCEPTED),
    "softmax of columns": (f"{B}{WX}Z: add Y b; {SOFT}", [columns("b")], FALSE),
    "softmax of one number": (f"{B}{WX}Z: add Y b; {SOFT}", [rows("b")], ACCEPTED, 1),
    "exponentials": (f"{R}{WX}Z: add Y r; A: exp Z", [rows("r")], FALSE, 2),
    "multiplied, not divided": (f"{R}{WX}Z: add Y r; {SOFT}A: multiply e t", [rows("r")], FALSE, 2),
    "divided by itself, not its sum": (f"{R}{WX}Z: add Y r; {SOFT}A: multiply X n", [rows("r")], FALSE, 2),
    "an exponential of a scale": (f"{R}{WX}Z: add Y r; {SOFT}A: exp e", [rows("r")], FALSE, 2),
    # other functions
    "a root": (
        f"{R}{WX}Z: add Y r; {SOFT}E: multiply e e; T: product i E; q2: sqrt T; m: reciprocal q2; A: multiply e m",
        [rows("r")],
        ACCEPTED,
        2,
    ),
    "a root of another": (
        f"{R}{WX}Z: add Y r; {SOFT}q2: sqrt t; m: reciprocal q2; A: multiply e m",
        [rows("r")],
        FALSE,
        2,
    ),
    "a root of a sum": (f"{R}{WX}Z: add Y r; E: multiply Z Z; A: sqrt E", [rows("r")], FALSE, 2),
    "one over a sum": (f"{R}{WX}Z: add Y r; A: reciprocal Z", [rows("r")], FALSE, 2),
    "a sigmoid": (f"{R}{WX}Z: add Y r; A: sigmoid Z", [rows("r")], FALSE, 2),
    "a sigmoid of a scale": (f"{R}{WX}Z: add Y r; {SOFT}A: sigmoid e", [rows("r")], FALSE, 2),
    "signs": (f"{R}{WX}Z: add Y r; {SOFT}p: positive e; A: multiply p X", [rows("r")], ACCEPTED, 2),
    "signs of sums": (f"{R}{WX}Z: add Y r; p: positive Z; A: multiply p X", [rows("r")], UNPROVED, 2),
    "signs of columns": (f"{B}{WX}Z: add Y b; p: positive Z; A: multiply p X", [columns("b")], UNPROVED),
    "largest": (f"{R}{WX}Z: add Y r; p: largest Z 1; A: multiply p X", [rows("r")], ACCEPTED, 2),
    "largest of a scale": (f"{R}{WX}Z: add Y r; {SOFT}p: largest e 1; A: multiply p X", [rows("r")], ACCEPTED, 2),
    "largest of columns": (f"{B}{WX}Z: add Y b; p: largest Z 1; A: multiply p X", [columns("b")], UNPROVED),
    # column products
    "column products with a centre": (f"{WX}M: centre X; A: column_products Y M", [rows("W")], ACCEPTED),
    "a centre's column products": (f"{WX}M: centre X; A: column_products M Y", [rows("W")], ACCEPTED),
    "column products with any": (f"{WX}A: column_products Y X", [rows("W")], FALSE),
    "column products with weights": (
        f"{R}{Q}{WX}T: add X r; Z: add Y Y; {SOFT}D: column_products T P; A: add D q",
        [rows("r"), rows("q", less())],
        ACCEPTED,
        2,
    ),
    "column products with twice the weights": (
        f"{R}{Q}{WX}T: add X r; Z: add Y Y; {SOFT}F: add P P; D: column_products T F; A: add D q",
        [rows("r"), rows("q", less(by=-2))],
        ACCEPTED,
        2,
    ),
    "column products with twice the weights, taken once": (
        f"{R}{Q}{WX}T: add X r; Z: add Y Y; {SOFT}F: add P P; D: column_products T F; A: add D q",
        [rows("r"), rows("q", less())],
        FALSE,
        2,
    ),
    "column products with less weight": (
        f"{R}{Q}{WX}T: add X r; Z: add Y Y; {SOFT}D: column_products T P; A: add D q",
        [rows("r"), rows("q", less(by=-3))],
        FALSE,
        2,
    ),
    "column products of a column": (
        f"{B}{WX}Z: add Y b; M: centre X; A: column_products Z M",
        [columns("b")],
        FALSE,
    ),
    "lengths": (
        f"{R}{WX}Z: add Y r; {SOFT}D: column_products e e; q2: sqrt D; m: reciprocal q2; A: multiply e m",
        [rows("r")],
        ACCEPTED,
        2,
    ),
    "a row's column products": (
        f"{R}{WX}D: column_products r X; A: add D r",
        [rows("r")],
        FALSE,
        2,
    ),
    "column products of ones that are spread": (
        f"{R}{Q}k: tensor 1 x 2; {WX}j: constant 1 x 1 [1]; m: product j k; n: reciprocal m; "
        "o: multiply k n; T: add Y r; D: column_products T o; A: add D q",
        [rows("r"), rows("q", less())],
        FALSE,
        2,
    ),
    # centre
    "rows centred": (f"{WX}A: centre Y", [rows("W")], ACCEPTED),
    "columns centred": (
        f"{B}{C}{WX}Z: add Y b; M: centre Z; A: add M c",
        [columns("b"), columns("c", less(("centre",)))],
        ACCEPTED,
    ),
    "columns centred, whole": (f"{B}{C}{WX}Z: add Y b; M: centre Z; A: add M c", BC, FALSE),
    "a scale centred": (f"{R}{WX}Z: add Y r; {SOFT}M: centre e; A: multiply M n", [rows("r")], ACCEPTED, 2),
    "a scale centred, not divided": (f"{R}{WX}Z: add Y r; {SOFT}A: centre e", [rows("r")], FALSE, 2),
    # turns
    "a scale turned": (
        f"{R}{WX}Z: add Y r; {SOFT}T: rotate e [[0.5] [0 1]]; A: multiply T n",
        [rows("r")],
        ACCEPTED,
        2,
    ),
    "a column turned": (
        f"{B}k: tensor 2 x 1; {WX}Z: add Y b; T: rotate Z [[0.5] [0 1]]; A: add T k",
        [columns("b"), columns("k", less(("take", [0, 1])))],
        FALSE,
    ),
    "a row turned": (f"{R}{WX}Z: add Y r; T: rotate Z [[0.5] [0 1]]; A: centre T", [rows("r")], FALSE, 2),
    "a scaled column turned": (
        f"{S}u: tensor 3 x 1; Z: add u s; {SOFT}T: rotate e [[0.5] [0 1]]; A: multiply T n",
        [rows("s")],
        ACCEPTED,
        1,
    ),
}
"""A program, how tensors move, what is true of it, and the size of v, if it is not 3, and gains."""


@pytest.mark.parametrize("name", CASES)
def test_what_stays_is_accepted_and_what_moves_is_refused(name: str) -> None:
    check(*CASES[name])
