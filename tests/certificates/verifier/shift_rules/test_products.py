"""Transposes and products of matrices in shifts: what stays is accepted, what moves the value is refused.

Whether the value moves is known by hand, and computed by differentiation over the reals beside it.
"""

from __future__ import annotations

from typing import Any

import pytest

from shift_rules import ACCEPTED, BC, FALSE, SOFT, SOFT_OF_TWO, WX, B, C, Q, R, S, check, columns, less, rows

CASES: dict[str, tuple[Any, ...]] = {
    # transpose
    "transposed": (
        f"{B}k: tensor 1 x 3; {WX}Z: add Y b; T: transpose Z; A: add T k",
        [columns("b"), rows("k", less())],
        ACCEPTED,
    ),
    "transposed rows": (
        f"{R}k: tensor 2 x 1; {WX}Z: add Y r; T: transpose Z; A: add T k",
        [rows("r"), columns("k", less())],
        ACCEPTED,
        2,
    ),
    "a transposed scale": (f"{R}{WX}Z: add Y r; {SOFT}T: transpose e; A: product T P", [rows("r")], FALSE, 2),
    # product
    "rows on the left": (
        "W: tensor 3 x 3; M: tensor 3 x 3; U: tensor 3 x 3; Z: product W M; A: add Z U",
        [rows("W"), rows("U", less(("right", "M")))],
        ACCEPTED,
    ),
    "rows on the left, by another": (
        "W: tensor 3 x 3; M: tensor 3 x 3; U: tensor 3 x 3; Z: product W M; A: add Z U",
        [rows("W"), rows("U", less(("left", "M")))],
        FALSE,
    ),
    "columns on the left": (
        f"u: tensor 3 x 1; {B}W: tensor 3 x 3; Z: product W u; A: add Z b",
        [columns("W"), columns("b", less(("sum", "u", 1)))],
        ACCEPTED,
    ),
    "columns on the left, whole": (
        f"u: tensor 3 x 1; {B}W: tensor 3 x 3; Z: product W u; A: add Z b",
        [columns("W"), columns("b", less())],
        FALSE,
    ),
    "columns before sums that differ": (
        f"{B}{C}{WX}Z: add Y b; T: transpose X; F: product T X; M: product Z F; A: add M c",
        BC,
        FALSE,
    ),
    "a scale on the left": (f"{R}{WX}Z: add Y r; {SOFT}M: tensor 2 x 2; A: product e M", [rows("r")], FALSE, 2),
    "columns on the right": (
        f"{B}{C}W: tensor 3 x 3; X: input 3 x 2; Z: add X b; Y: product W Z; A: add Y c",
        [columns("b"), columns("c", less(("left", "W")))],
        ACCEPTED,
    ),
    "columns on the right, by another": (
        f"{B}{C}W: tensor 3 x 3; X: input 3 x 2; Z: add X b; Y: product W Z; A: add Y c",
        [columns("b"), columns("c", less(("right", "W")))],
        FALSE,
    ),
    "columns on the right of a transpose": (
        f"{B}{C}K: tensor 3 x 3; W: transpose K; X: input 3 x 2; Z: add X b; Y: product W Z; A: add Y c",
        [columns("b"), columns("c", less(("right", "K")))],
        ACCEPTED,
    ),
    "rows on the right of equal sums": (
        f"{R}{WX}Z: add Y r; k: constant 3 x 3 [1 1 0 0 1 1 2 0 0]; M: product k Z; N: negate Z; "
        "A: add M N; F: add A N",
        [rows("r")],
        ACCEPTED,
        2,
    ),
    "rows on the right of unequal sums": (
        f"{R}{WX}Z: add Y r; k: constant 3 x 3 [1 1 0 0 1 1 2 0 1]; M: product k Z; N: negate Z; "
        "A: add M N; F: add A N",
        [rows("r")],
        FALSE,
        2,
    ),
    "a number on the right": (
        f"{S}{C}{WX}Z: add X s; M: product W Z; A: add M c",
        [rows("s"), columns("c", less(("spread", 3), ("left", "W")))],
        ACCEPTED,
        1,
    ),
    "rows on the right of transposed weights": (
        f"{R}q: tensor 1 x 2; {WX}Z: add Y Y; {SOFT}T: transpose P; F: add X r; M: product T F; A: add M q",
        [rows("r"), rows("q", less())],
        ACCEPTED,
        2,
    ),
    "rows on the right of a transpose with equal columns": (
        f"{R}q: tensor 1 x 2; {WX}k: constant 3 x 2 [1 2 2 1 0 3]; "
        "T: transpose k; Z: add Y r; M: product T Z; A: add M q",
        [rows("r"), rows("q", less(by=-3))],
        FALSE,
        2,
    ),
    "a number on the left of a transpose": (
        f"{S}{C}{WX}k: constant 3 x 2 [1 1 2 0 0 2]; T: transpose k; Z: add Y s; M: product Z T; A: add M c",
        [rows("s"), columns("c", [-2, [("spread", 3)]])],
        ACCEPTED,
        1,
    ),
    "a number on the left of a transpose, taken once": (
        f"{S}{C}{WX}k: constant 3 x 2 [1 1 2 0 0 2]; T: transpose k; Z: add Y s; M: product Z T; A: add M c",
        [rows("s"), columns("c", [-1, [("spread", 3)]])],
        FALSE,
        1,
    ),
    "rows on the left of a transpose": (
        f"{R}q: tensor 1 x 3; {WX}k: constant 3 x 2 [1 1 2 0 0 2]; "
        "T: transpose k; Z: add Y r; M: product Z T; A: add M q",
        [rows("r"), rows("q", less(("left", "k")))],
        ACCEPTED,
        2,
    ),
    "rows on the left of a constant": (
        f"{Q}W: tensor 3 x 3; k: constant 3 x 2 [1 0 1 1 0 1]; M: product W k; A: add M q",
        [rows("W"), rows("q", less(("right", "k")))],
        ACCEPTED,
    ),
    "a number on the left of weights": (
        f"{S}{C}{WX}G: tensor 2 x 3; z: add Y s; Z: product G X; {SOFT_OF_TWO}p: add P P; M: product z p; A: add M c",
        [rows("s"), columns("c", [-2, [("spread", 3)]])],
        ACCEPTED,
        1,
    ),
    "a column and a number on the right": (
        f"{S}{B}{C}{WX}y: add X b; Z: add y s; M: product W Z; A: add M c",
        [
            columns("b"),
            rows("s", [1, [("take", [0])]]),
            columns("c", less(("left", "W")), less(("take", [0]), ("spread", 3), ("left", "W"))),
        ],
        ACCEPTED,
    ),
    "rows on the right of a tensor": (f"{R}{C}{WX}Z: add X r; M: product W Z; A: add M c", [rows("r")], FALSE, 2),
    "both factors": (
        f"{B}u: tensor 3 x 1; W: tensor 3 x 3; Z: product W u; A: add Z b",
        [
            columns("W"),
            columns("u"),
            columns("b", less(("sum", "u", 1)), less(("left", "W"))),
        ],
        ACCEPTED,
    ),
}
"""A program, how tensors move, what is true of it, and the size of v, if it is not 3, and gains."""


@pytest.mark.parametrize("name", CASES)
def test_what_stays_is_accepted_and_what_moves_is_refused(name: str) -> None:
    check(*CASES[name])
