"""Parts and joins of matrices in shifts: what stays is accepted, what moves the value is refused.

Whether the value moves is known by hand, and computed by differentiation over the reals beside it.
"""

from __future__ import annotations

from typing import Any

import pytest

from shift_rules import ACCEPTED, BC, FALSE, SOFT, WX, B, C, Q, R, S, check, columns, less, rows

CASES: dict[str, tuple[Any, ...]] = {
    # parts
    "rows in another order": (
        f"{B}{C}{WX}Z: add Y b; T: take Z [[2 0 1] [0 1]]; A: add T c",
        [columns("b"), columns("c", less(("take", [2, 0, 1])))],
        ACCEPTED,
    ),
    "rows in two orders": (
        f"{B}{C}{WX}Z: add Y b; T: take Z [[2 0 1] [0 1]]; U: take Z [[1 0 2] [0 1]]; D: add T U; A: add D c",
        [columns("b"), columns("c", less(("take", [2, 0, 1])), less(("take", [1, 0, 2])))],
        ACCEPTED,
    ),
    "rows in two orders, taken in one": (
        f"{B}{C}{WX}Z: add Y b; T: take Z [[2 0 1] [0 1]]; U: take Z [[1 0 2] [0 1]]; D: add T U; A: add D c",
        [columns("b"), columns("c", less(("take", [2, 0, 1]), by=-2))],
        FALSE,
    ),
    "rows in their order": (f"{B}{C}{WX}Z: add Y b; T: take Z [[2 0 1] [0 1]]; A: add T c", BC, FALSE),
    "columns in another order": (
        f"{R}{Q}{WX}Z: add Y r; T: take Z [[0 1] [1 0]]; A: add T q",
        [rows("r"), rows("q", less(("take", [1, 0])))],
        ACCEPTED,
        2,
    ),
    "columns in their order": (
        f"{R}{Q}{WX}Z: add Y r; T: take Z [[0 1] [1 0]]; A: add T q",
        [rows("r"), rows("q", less())],
        FALSE,
        2,
    ),
    "scales in another order": (
        f"{R}{WX}Z: add Y r; {SOFT}T: take e [[0] [1 0]]; N: take n [[0] [1 0]]; A: multiply T N",
        [rows("r")],
        ACCEPTED,
        2,
    ),
    "scales in two orders": (
        f"{R}{WX}Z: add Y r; {SOFT}T: take e [[0] [1 0]]; A: multiply T n",
        [rows("r")],
        FALSE,
        2,
    ),
    "a part of a scale": (f"{R}{WX}Z: add Y r; {SOFT}A: take e [[0] [1 0]]", [rows("r")], FALSE, 2),
    "a number in some columns": (
        f"{S}{C}{WX}Z: add Y s; T: take Z [[0 1 2] [1]]; A: add T c",
        [rows("s"), columns("c", less(("spread", 3)))],
        ACCEPTED,
        1,
    ),
    "a number in parts": (
        f"{S}k: tensor 2 x 1; {WX}Z: add Y s; T: take Z [[2 0] [0 1]]; A: add T k",
        [rows("s"), columns("k", less(("spread", 2)))],
        ACCEPTED,
        1,
    ),
    # joins
    "below": (
        f"{B}d: tensor 6 x 1; {WX}Z: add Y b; J: concatenate Z Y 0; A: add J d",
        [columns("b"), columns("d", less(("place", 0, 6)))],
        ACCEPTED,
    ),
    "below, elsewhere": (
        f"{B}d: tensor 6 x 1; {WX}Z: add Y b; J: concatenate Z Y 0; A: add J d",
        [columns("b"), columns("d", less(("place", 3, 6)))],
        FALSE,
    ),
    "above": (
        f"{B}d: tensor 6 x 1; {WX}Z: add Y b; J: concatenate Y Z 0; A: add J d",
        [columns("b"), columns("d", less(("place", 3, 6)))],
        ACCEPTED,
    ),
    "equal rows below": (
        f"{R}{WX}Z: add Y r; N: add X r; J: concatenate Z N 0; A: centre J",
        [rows("r")],
        ACCEPTED,
        2,
    ),
    "rows above nothing": (f"{R}{WX}Z: add Y r; J: concatenate Z X 0; A: centre J", [rows("r")], FALSE, 2),
    "nothing above rows": (f"{R}{WX}Z: add Y r; J: concatenate X Z 0; A: centre J", [rows("r")], FALSE, 2),
    "a number above nothing": (
        f"{S}d: tensor 6 x 1; {WX}Z: add Y s; J: concatenate Z X 0; A: add J d",
        [rows("s"), columns("d", less(("spread", 3), ("place", 0, 6)))],
        ACCEPTED,
        1,
    ),
    "equal scales below": (
        f"{R}{WX}Z: add Y r; {SOFT}J: concatenate e t 0; A: multiply J n",
        [rows("r")],
        ACCEPTED,
        2,
    ),
    "a scale above nothing": (
        f"{R}{WX}Z: add Y r; {SOFT}J: concatenate e X 0; A: multiply J n",
        [rows("r")],
        FALSE,
        2,
    ),
    "equal columns side by side": (
        f"{B}{C}{WX}Z: add Y b; N: add X b; J: concatenate Z N 1; A: add J c",
        BC,
        ACCEPTED,
    ),
    "columns beside nothing": (f"{B}{C}{WX}Z: add Y b; J: concatenate Z X 1; A: add J c", BC, FALSE),
    "nothing beside columns": (f"{B}{C}{WX}Z: add Y b; J: concatenate X Z 1; A: add J c", BC, FALSE),
    "rows side by side": (
        f"{R}k: tensor 1 x 4; {WX}Z: add Y r; J: concatenate X Z 1; A: add J k",
        [rows("r"), rows("k", less(("place", 2, 4)))],
        ACCEPTED,
        2,
    ),
    "rows side by side, elsewhere": (
        f"{R}k: tensor 1 x 4; {WX}Z: add Y r; J: concatenate X Z 1; A: add J k",
        [rows("r"), rows("k", less(("place", 0, 4)))],
        FALSE,
        2,
    ),
    "scales side by side": (
        f"{R}{WX}Z: add Y r; {SOFT}J: concatenate e X 1; o: constant 1 x 2 [1 1]; N: concatenate n o 1; "
        "A: multiply J N",
        [rows("r")],
        ACCEPTED,
        2,
    ),
    "a scale beside nothing": (f"{R}{WX}Z: add Y r; {SOFT}A: concatenate X e 1", [rows("r")], FALSE, 2),
    "a number beside nothing": (
        f"{S}{B}{WX}Z: add Y s; J: concatenate Z X 1; A: add J b",
        [rows("s"), columns("b", less(("spread", 3)))],
        FALSE,
        1,
    ),
    "a number side by side": (
        f"{S}{B}{WX}Z: add Y s; N: add X s; J: concatenate Z N 1; A: add J b",
        [rows("s"), columns("b", less(("spread", 3)))],
        ACCEPTED,
        1,
    ),
    "a number in rows below": (
        f"{S}w: tensor 1 x 3; {WX}a: product w X; k: add a s; J: concatenate k k k 0; M: add J Y; Z: add M M; {SOFT}",
        [rows("s")],
        ACCEPTED,
        1,
    ),
}
"""A program, how tensors move, what is true of it, and the size of v, if it is not 3, and gains."""


@pytest.mark.parametrize("name", CASES)
def test_what_stays_is_accepted_and_what_moves_is_refused(name: str) -> None:
    check(*CASES[name])
