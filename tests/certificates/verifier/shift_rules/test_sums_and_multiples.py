"""Sums, negatives and multiples in shifts: what stays is accepted, what moves the value is refused.

Whether the value moves is known by hand, and computed by differentiation over the reals beside it.
"""

from __future__ import annotations

from typing import Any

import pytest

from shift_rules import ACCEPTED, BC, FALSE, HALF, SOFT, WX, B, C, Q, R, S, check, columns, less, rows

CASES: dict[str, tuple[Any, ...]] = {
    # add
    "two biases": (f"{B}{C}{WX}Z: add Y b; A: add Z c", BC, ACCEPTED),
    "two biases, alike": (f"{B}{C}{WX}Z: add Y b; A: add Z c", [columns("b"), columns("c")], FALSE),
    "half of it": (f"{B}{C}{WX}Z: add Y b; A: add Z c", [columns("b"), columns("c", less(by="-1/2"))], FALSE),
    "one alone": (f"{B}{C}{WX}Z: add Y b; A: add Z c", [columns("b")], FALSE),
    "twice": (
        f"{B}{C}{WX}Z: add b b; T: add Y Z; A: add T c",
        [columns("b"), columns("c", less(by=-2))],
        ACCEPTED,
    ),
    "used again": (f"{B}{C}{WX}Z: add Y b; T: add Z c; A: multiply T b", BC, FALSE),
    "a row from a row": (f"{R}{Q}{WX}Z: add Y r; A: add Z q", [rows("r"), rows("q", less())], ACCEPTED, 2),
    "a number from a column": (
        f"{S}{C}{WX}Z: add Y s; A: add Z c",
        [columns("s"), columns("c", less(("spread", 3)))],
        ACCEPTED,
        1,
    ),
    "a number from a row": (
        f"{S}{R}{WX}Z: add Y s; A: add Z r",
        [rows("s"), rows("r", less(("spread", 2)))],
        ACCEPTED,
        1,
    ),
    "a column from a row": (
        f"{B}{R}{WX}Z: add Y b; A: add Z r",
        [rows("b"), rows("r", less(("spread", 2)))],
        ACCEPTED,
        1,
    ),
    "rows from columns": (
        "A: tensor 3 x 2; D: tensor 3 x 2; Z: add A D; F: add Z Z",
        [rows("A", [1, [("spread", 2)]]), columns("D", less(("spread", 3)))],
        ACCEPTED,
        1,
    ),
    "scales that are equal": (
        f"{R}{WX}Z: add Y r; {HALF}F: add Z h; g: exp F; {SOFT}a: add e g; A: multiply a n",
        [rows("r")],
        ACCEPTED,
        2,
    ),
    "scales that differ": (
        f"{R}{WX}Z: add Y r; F: multiply Z r; F2: add Z Z; g: exp F2; {SOFT}a: add e g; A: multiply a n",
        [rows("r")],
        FALSE,
        2,
    ),
    "a scale and none": (f"{R}{WX}Z: add Y r; {SOFT}a: add e X; A: multiply a n", [rows("r")], FALSE, 2),
    # negate
    "a negative": (f"{B}{C}{WX}Z: add Y b; N: negate Z; A: add N c", [columns("b"), columns("c")], ACCEPTED),
    "a negative, opposite": (f"{B}{C}{WX}Z: add Y b; N: negate Z; A: add N c", BC, FALSE),
    "a negative row": (f"{R}{Q}{WX}Z: add Y r; N: negate Z; A: add N q", [rows("r"), rows("q")], ACCEPTED, 2),
    "a negative scale": (f"{R}{WX}Z: add Y r; {SOFT}N: negate e; A: multiply N n", [rows("r")], ACCEPTED, 2),
    # multiply
    "half": (
        f"{B}{C}{WX}{HALF}Z: add Y b; M: multiply Z h; A: add M c",
        [columns("b"), columns("c", less(by="-1/2"))],
        ACCEPTED,
    ),
    "half, taken whole": (f"{B}{C}{WX}{HALF}Z: add Y b; M: multiply Z h; A: add M c", BC, FALSE),
    "half of a row": (
        f"{R}{Q}{WX}{HALF}Z: add Y r; M: multiply Z h; A: add M q",
        [rows("r"), rows("q", less(by="-1/2"))],
        ACCEPTED,
        2,
    ),
    "a column by a column": (
        f"a: tensor 3 x 1; {B}{C}{WX}Z: add Y b; M: multiply Z a; A: add M c",
        [columns("b"), columns("c", less(("times", "a")))],
        ACCEPTED,
    ),
    "a column by another": (f"a: tensor 3 x 1; {B}{C}{WX}Z: add Y b; M: multiply Z a; A: add M c", BC, FALSE),
    "a row by a row": (f"{R}{Q}{WX}T: add Y r; Z: multiply T q; {SOFT}", [rows("r")], ACCEPTED, 2),
    "a row by a row, taken up": (
        f"k: tensor 1 x 2; {R}{Q}{WX}T: add Y r; M: multiply T q; A: add M k",
        [rows("r"), rows("k", less(("times", "q")))],
        ACCEPTED,
        2,
    ),
    "a row by a column": (f"{R}a: tensor 3 x 1; {WX}T: add Y r; Z: multiply T a; {SOFT}", [rows("r")], FALSE, 2),
    "a column by a row": (f"{B}{C}{Q}{WX}Z: add Y b; M: multiply Z q; A: add M c", BC, FALSE),
    "a number by a column": (
        f"{S}{C}a: tensor 3 x 1; {WX}Z: add Y s; M: multiply Z a; A: add M c",
        [rows("s"), columns("c", less(("spread", 3), ("times", "a")))],
        ACCEPTED,
        1,
    ),
    "a column by a number": (
        f"{S}{B}{C}{WX}Z: add Y b; M: multiply Z s; A: add M c",
        [columns("b"), columns("c", less(("sum", "s", 1)))],
        ACCEPTED,
    ),
    "a column by one over a number": (
        f"{S}{B}{C}{WX}Z: add Y b; M: multiply Z s; A: add M c",
        [columns("b"), columns("c", less(("sum", "s", -1)))],
        FALSE,
    ),
    "by itself": (f"{B}{C}{WX}Z: add Y b; M: multiply Z Z; A: add M c", BC, FALSE),
    "two scales": (
        f"{R}{WX}Z: add Y r; {SOFT}E: multiply e e; N: multiply n n; A: multiply E N",
        [rows("r")],
        ACCEPTED,
        2,
    ),
    "a scale too many": (f"{R}{WX}Z: add Y r; {SOFT}E: multiply e e; A: multiply E n", [rows("r")], FALSE, 2),
    "a scale of a column": (
        f"{S}u: tensor 3 x 1; Z: add u s; {SOFT}X: input 3 x 2; A: multiply P X",
        [rows("s")],
        ACCEPTED,
        1,
    ),
    "a scale that is spread": (
        f"{S}{R}u: tensor 3 x 1; {WX}k: add u s; f: exp k; l: constant 1 x 3 [1 1 1]; m: product l f; o: reciprocal m; "
        "Z: add Y r; e: exp Z; A: multiply e o",
        [rows("s"), rows("r", [1, [("spread", 2)]])],
        ACCEPTED,
        1,
    ),
    "a column by a matrix, before sums that are zero": (
        f"{B}K: tensor 2 x 2; {WX}Z: add Y b; M: multiply Z X; T: centre K; A: product M T",
        [columns("b")],
        FALSE,
    ),
}
"""A program, how tensors move, what is true of it, and the size of v, if it is not 3, and gains."""


@pytest.mark.parametrize("name", CASES)
def test_what_stays_is_accepted_and_what_moves_is_refused(name: str) -> None:
    check(*CASES[name])
