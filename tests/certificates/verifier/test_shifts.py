"""Each rule of shifts on a program of its own: what stays is accepted, what moves the value is refused. Whether the
value moves is known by hand, and computed by differentiation over the reals beside it.
"""

from __future__ import annotations

from typing import Any

import pytest

from shifted_programs import refusal, shifted, value_moves

ACCEPTED, FALSE, UNPROVED = "accepted", "false", "its derivative is zero, but no rule says so"

WX = "W: tensor 3 x 3; X: input 3 x 2; Y: product W X; "
B, C, R, Q, S = (
    f"{name}: tensor {shape}; "
    for name, shape in zip("bcrqs", ("3 x 1", "3 x 1", "1 x 2", "1 x 2", "1 x 1"), strict=True)
)
SOFT_OF_TWO = "e: exp Z; i: constant 1 x 2 [1 1]; t: product i e; n: reciprocal t; P: multiply e n; "
SOFT = "e: exp Z; i: constant 1 x 3 [1 1 1]; t: product i e; n: reciprocal t; P: multiply e n; "
HALF = "h: constant 1 x 1 [1/2]; "

V: list[Any] = [[1, []]]
"""The vector v."""


def columns(name: str, *words: Any) -> list[Any]:
    return [name, "columns", list(words) or V]


def rows(name: str, *words: Any) -> list[Any]:
    return [name, "rows", list(words) or V]


def less(*factors: Any, by: Any = -1) -> list[Any]:
    """Minus a product of matrices, applied to v."""
    return [by, [list(one) for one in factors]]


BC = [columns("b"), columns("c", less())]
"""What is added to b is taken from c."""

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
    # attention
    "keys": (
        f"K: tensor 3 x 3; {B}{WX}k: product K X; l: add k b; T: transpose l; Z: product T Y; {SOFT_OF_TWO}",
        [columns("b")],
        ACCEPTED,
    ),
    "queries": (
        f"K: tensor 3 x 3; {B}{WX}k: product K X; l: add Y b; T: transpose k; Z: product T l; {SOFT_OF_TWO}",
        [columns("b")],
        FALSE,
    ),
    "turned keys": (
        "K: tensor 2 x 3; b: tensor 2 x 1; W: tensor 2 x 3; X: input 3 x 2; q: product W X; "
        "k: product K X; l: add k b; y: rotate l [[0.5] [0 1]]; T: transpose y; Z: product T q; "
        f"{SOFT_OF_TWO}",
        [columns("b")],
        FALSE,
        2,
    ),
    "keys without softmax": (
        f"K: tensor 3 x 3; {B}{WX}k: product K X; l: add k b; T: transpose l; Z: product T Y",
        [columns("b")],
        FALSE,
    ),
    "values": (
        f"{B}{C}{WX}G: tensor 3 x 3; T: transpose X; g: product G X; F: product T g; f: exp F; "
        "j: constant 1 x 2 [1 1]; u: product j f; m: reciprocal u; P: multiply f m; Z: add Y b; "
        "H: product Z P; A: add H c",
        BC,
        ACCEPTED,
    ),
    "values by weights without sums": (
        f"{B}{C}{WX}G: tensor 3 x 3; T: transpose X; g: product G X; F: product T g; f: exp F; "
        "Z: add Y b; H: product Z f; A: add H c",
        BC,
        FALSE,
    ),
    "a stream": (
        f"{B}{C}u: tensor 3 x 1; {WX}x: add X b; y: product W x; z: add y c; q: multiply z z; o: add q x; A: add o u",
        [columns("b"), columns("c", less(("left", "W"))), columns("u", less())],
        ACCEPTED,
    ),
    "a stream with another reader": (
        f"{B}{C}u: tensor 3 x 1; w: tensor 1 x 3; {WX}x: add X b; y: product W x; z: add y c; "
        "q: multiply z z; o: add q x; p: add o u; v: product w x; s: multiply v v; A: add p s",
        [columns("b"), columns("c", less(("left", "W"))), columns("u", less())],
        FALSE,
    ),
    # biases of norms before matrices without a bias
    "a norm's bias": (
        f"{B}W: tensor 3 x 3; X: input 3 x 2; x: centre X; z: add x b; A: product W z",
        [columns("b"), columns("W", less(("left", "W"), ("sum", "b", -1)))],
        ACCEPTED,
    ),
    "a norm's bias, multiplied": (
        f"{B}W: tensor 3 x 3; X: input 3 x 2; x: centre X; z: add x b; A: product W z",
        [columns("b"), columns("W", less(("left", "W"), ("sum", "b", 1)))],
        FALSE,
    ),
    "a bias after no norm": (
        f"{B}W: tensor 3 x 3; X: input 3 x 2; z: add X b; A: product W z",
        [columns("b"), columns("W", less(("left", "W"), ("sum", "b", -1)))],
        FALSE,
    ),
    "a reader of a norm that reads more": (
        f"{B}W: tensor 3 x 3; X: input 3 x 2; x: centre X; z: add x b; a: product W z; y: product W X; A: add a y",
        [columns("b"), columns("W", less(("left", "W"), ("sum", "b", -1)))],
        FALSE,
    ),
    # gains
    "behind a gain": (
        f"g: tensor 3 x 1; {B}{C}W: tensor 3 x 3; X: input 3 x 2; x: centre X; y: multiply g x; "
        "z: add y b; a: product W z; A: add a c",
        [columns("W"), columns("c", less(("sum", "b", 1)))],
        ACCEPTED,
        3,
        (("y", "readers"),),
    ),
    "behind a gain that is not folded": (
        f"g: tensor 3 x 1; {B}{C}W: tensor 3 x 3; X: input 3 x 2; x: centre X; y: multiply g x; "
        "z: add y b; a: product W z; A: add a c",
        [columns("W"), columns("c", less(("sum", "b", 1)))],
        FALSE,
    ),
    "before a gain": (
        f"g: tensor 3 x 1; {B}{C}{WX}y: add Y b; z: multiply g y; A: add z c",
        BC,
        ACCEPTED,
        3,
        (("z", "writers"),),
    ),
    "before a gain that is not folded": (
        f"g: tensor 3 x 1; {B}{C}{WX}y: add Y b; z: multiply g y; A: add z c",
        BC,
        FALSE,
    ),
    # tensors that are the value, or that nothing reads
    "the value": ("W: tensor 3 x 3", [rows("W")], FALSE),
    "not read": (f"U: tensor 3 x 3; {WX}", [rows("U")], ACCEPTED),
}
"""A program, how tensors move, what is true of it, and the size of v, if it is not 3, and gains."""


@pytest.mark.parametrize("name", CASES)
def test_what_stays_is_accepted_and_what_moves_is_refused(name: str) -> None:
    text, moves, verdict, *rest = CASES[name]
    network, shift = shifted(text, moves, *rest)
    assert value_moves(network, shift) == (verdict == FALSE)
    assert (refusal(network, shift) is None) == (verdict == ACCEPTED)


@pytest.mark.parametrize(("tokens", "moves"), [(True, False), (False, True)])
def test_columns_of_tokens_add_up_to_one(tokens: bool, moves: bool) -> None:
    text = "E: tensor 4 x 3; b: tensor 3 x 1; X: input 4 x 2; T: transpose E; Y: product T X; A: add Y b"
    network, shift = shifted(text, [rows("E"), columns("b", less())], tokens=tokens)
    assert value_moves(network, shift) == moves
    assert (refusal(network, shift) is None) != moves


WEIGHTS = f"G: tensor 2 x 3; Z: product G X; {SOFT_OF_TWO}"

SUMS: dict[str, tuple[str, Any, str]] = {
    "weights": ("F: add P P", -2, ACCEPTED),
    "a negative": ("F: negate P", 1, ACCEPTED),
    "a sum with a row": ("k: tensor 1 x 2; F: add P k", -1, FALSE),
    "a sum with a row of ones": (
        "k: tensor 1 x 2; l: constant 1 x 1 [1]; s: product l k; m: reciprocal s; o: multiply k m; F: add P o",
        -2,
        FALSE,
    ),
    "a sum with another": ("F: add P e", -1, FALSE),
    "another in a sum": ("F: add e P", -1, FALSE),
    "a constant": ("F: constant 2 x 2 [1 2 3 2]", -4, ACCEPTED),
    "a constant with other sums": ("F: constant 2 x 2 [1 2 3 3]", -4, FALSE),
    "a product": ("k: constant 2 x 2 [1 0 1 2]; F: product k P", -2, ACCEPTED),
    "a product, taken once": ("k: constant 2 x 2 [1 0 1 2]; F: product k P", -1, FALSE),
    "a product with other sums": ("k: constant 2 x 2 [1 0 1 3]; F: product k P", -2, FALSE),
    "a product that ends otherwise": ("k: constant 2 x 2 [1 0 1 2]; F: product k e", -2, FALSE),
    "a product with a column": ("u: tensor 2 x 1; k: take P [[0] [0 1]]; F: product u k", -1, FALSE),
    "weights by a row": ("F: multiply P t", -1, FALSE),
    "weights by a matrix": ("F: multiply P e", -1, FALSE),
    "other sums": ("f: multiply e e; F: multiply f n", -1, FALSE),
    "twice the sums": ("j: constant 1 x 2 [2 2]; s: product j e; m: reciprocal s; F: multiply e m", -1, FALSE),
    "unequal sums": ("j: constant 1 x 2 [1 2]; s: product j e; m: reciprocal s; F: multiply e m", -1, FALSE),
    "two rows of sums": (
        "j: constant 2 x 2 [1 1 1 1]; s: product j e; m: reciprocal s; F: multiply e m",
        -1,
        UNPROVED,
    ),
    "sums from the other side": (
        "j: constant 2 x 1 [1 1]; s: product e j; m: reciprocal s; F: multiply e m",
        -1,
        FALSE,
    ),
    "no reciprocal": ("F: multiply e t", -1, FALSE),
}
"""What weights become, and by how much of v a bias takes the change of values up."""


@pytest.mark.parametrize("name", SUMS)
def test_sums_of_columns_are_known(name: str) -> None:
    weights, factor, verdict = SUMS[name]
    text = f"{B}{C}{WX}{WEIGHTS}{weights}; y: add Y b; H: product y F; A: add H c"
    network, shift = shifted(text, [columns("b"), columns("c", less(by=factor))])
    assert value_moves(network, shift) == (verdict == FALSE)
    assert (refusal(network, shift) is None) == (verdict == ACCEPTED)


CENTRED = {
    "a centre": ("F: centre X", ACCEPTED),
    "a negative": ("f: centre X; F: negate f", ACCEPTED),
    "a sum": ("f: centre X; F: add f f", ACCEPTED),
    "a sum with a row": ("f: centre X; k: tensor 1 x 2; F: add f k", FALSE),
    "scaled": ("f: centre X; k: tensor 1 x 2; F: multiply f k", ACCEPTED),
    "scaled, to the left": ("f: centre X; k: tensor 1 x 2; F: multiply k f", ACCEPTED),
    "scaled entry by entry": ("f: centre X; F: multiply f X", FALSE),
    "mixed": ("f: centre X; k: transpose X; l: product k X; F: product f l", ACCEPTED),
    "mixed before": ("k: centre X; M: tensor 3 x 3; F: product M k", FALSE),
    "by a row": ("f: tensor 1 x 2; F: multiply X f", FALSE),
}
"""What is read, and whether its columns add up to zero."""


@pytest.mark.parametrize("name", CENTRED)
def test_sums_of_columns_are_zero(name: str) -> None:
    read, verdict = CENTRED[name]
    network, shift = shifted(f"W: tensor 3 x 3; X: input 3 x 2; {read}; A: product W F", [columns("W")])
    assert value_moves(network, shift) == (verdict == FALSE)
    assert (refusal(network, shift) is None) == (verdict == ACCEPTED)


def test_the_sum_of_a_column_times_a_row_of_ones() -> None:
    """1^T u 1^T = (1^T u) 1^T."""
    text = (
        f"{B}{C}{WX}u: tensor 2 x 1; k: tensor 1 x 2; l: constant 1 x 1 [1]; s: product l k; m: reciprocal s; "
        "o: multiply k m; F: product u o; y: add Y b; H: product y F; A: add H c"
    )
    for factor, accepted in ((("sum", "u", 1), True), (("sum", "u", -1), False)):
        network, shift = shifted(text, [columns("b"), columns("c", less(factor))])
        assert value_moves(network, shift) != accepted
        assert (refusal(network, shift) is None) == accepted


def test_products_of_sums() -> None:
    """The sums of weights and of u 1^T are 1 + s, so that those of the product with itself are 1 + 2 s + s s."""
    text = (
        f"{B}{C}{WX}{WEIGHTS}u: tensor 2 x 1; k: tensor 1 x 2; l: constant 1 x 1 [1]; g: product l k; m: reciprocal g; "
        "o: multiply k m; U: product u o; L: add P U; F: product L L; y: add Y b; H: product y F; A: add H c"
    )
    once = ("sum", "u", 1)
    for factor, accepted in ((-2, True), (-1, False)):
        network, shift = shifted(text, [columns("b"), columns("c", less(), less(once, by=factor), less(once, once))])
        assert value_moves(network, shift) != accepted
        assert (refusal(network, shift) is None) == accepted
