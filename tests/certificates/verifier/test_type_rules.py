"""Each rule of the type checker, on a program of its own: what it accepts stays, by differences; what moves it refuses;
and what stays but no rule proves is said to be so.
"""

from __future__ import annotations

from typing import Any

import pytest

from algatt.certificates.verifier import types
from algatt.certificates.verifier.limits import Refused
from moved_programs import claim_of, moves, reason

ACCEPTED, MOVES, UNPROVED = "accepted", "moves", "stays, but no rule says so"


def rows(space: int = 0, coefficient: Any = 1, over: bool = False, gains: Any = ()) -> list[Any]:
    return ["rows", space, coefficient, over, [list(gain) for gain in gains]]


def columns(space: int = 0, coefficient: Any = 1, over: bool = False, gains: Any = ()) -> list[Any]:
    return ["columns", space, coefficient, over, [list(gain) for gain in gains]]


def lines(text: str) -> list[str]:
    return [line.strip().replace(" :", "  :") for line in text.split(";")]


def units(*places: tuple[int, int]) -> list[list[int]]:
    return [[0, i, j, 1] for i, j in places]


SKEW = [[0, 0, 1, -1, 0, 1, 0, 1]]
DIAGONAL = units((0, 0), (1, 1))
NUMBER = [[0, 0, 0, 1]]

# two matrices behind each other, with an operation between them: instruction 3 is M X, the last one is U times the rest
UMX = "tensor U : 2 x 2; tensor M : 2 x 2; input : 2 x 3; product %1 %2 : 2 x 3; "
# the same for three vectors
UMX3 = "tensor U : 3 x 3; tensor M : 3 x 3; input : 3 x 3; product %1 %2 : 3 x 3; "
# a matrix of tensors, whose columns are read: instruction 2
AV = "tensor A : 2 x 2; tensor V : 2 x 3; "

Case = tuple[str, str, dict[str, Any], str]


def through(operation: str, shape: str = "2 x 3", start: str = UMX) -> str:
    return f"{start}{operation} : {shape}; product %0 %4 : {'3 x 3' if start == UMX3 else '2 x 3'}"


def between(coefficient: Any = -1, **options: Any) -> dict[str, Any]:
    """M moves by S, U by the opposite."""
    return claim_of(
        [3 if options.pop("three", False) else 2], {"M": [rows()], "U": [columns(0, coefficient)]}, **options
    )


PRODUCTS: list[Case] = [
    ("product", f"{UMX}product %0 %3 : 2 x 3", between(), ACCEPTED),
    ("product, alike", f"{UMX}product %0 %3 : 2 x 3", between(1), MOVES),
    ("product, half", f"{UMX}product %0 %3 : 2 x 3", between("-1/2"), MOVES),
    ("product, one alone", f"{UMX}product %0 %3 : 2 x 3", claim_of([2], {"M": [rows()]}), MOVES),
    (
        "product with s",
        "tensor U : 2 x 2; tensor M : 2 x 2; product %1 %1 : 2 x 2; product %0 %2 : 2 x 2",
        claim_of([1], {"M": [rows()], "U": [rows(0, -2)]}),
        ACCEPTED,
    ),
    (
        "product with another s",
        "tensor U : 2 x 2; tensor M : 2 x 2; product %1 %1 : 2 x 2; product %0 %2 : 2 x 2",
        claim_of([1], {"M": [rows()], "U": [rows(0, -1)]}),
        MOVES,
    ),
    (
        "transpose",
        "tensor K : 2 x 2; tensor Q : 2 x 2; transpose %0 : 2 x 2; product %2 %1 : 2 x 2",
        claim_of([2], {"K": [rows(0, -1, True)], "Q": [rows()]}),
        ACCEPTED,
    ),
    (
        "transpose, not transposed",
        "tensor K : 2 x 2; tensor Q : 2 x 2; transpose %0 : 2 x 2; product %2 %1 : 2 x 2",
        claim_of([2], {"K": [rows(0, -1)], "Q": [rows()]}),
        MOVES,
    ),
    ("negate", through("negate %3"), between(), ACCEPTED),
    ("negate, alike", through("negate %3"), between(1), MOVES),
]

BMX = (
    "tensor U : 2 x 2; tensor M : 2 x 2; input : 2 x 3; product %1 %2 : 2 x 3; tensor b : 1 x 3; "
    "add %3 %4 : 2 x 3; product %0 %5 : 2 x 3"
)
CMX = (
    "tensor U : 2 x 2; tensor M : 2 x 2; input : 2 x 3; product %1 %2 : 2 x 3; tensor c : 2 x 1; "
    "add %4 %3 : 2 x 3; product %0 %5 : 2 x 3"
)
AC = "tensor A : 3 x 2; tensor V : 2 x 2; tensor c : 3 x 1; add %0 %2 : 3 x 2; product %3 %1 : 3 x 2"
ROW_AND_COLUMN = "tensor b : 1 x 3; tensor c : 2 x 1; add %0 %1 : 2 x 3"
SWAP = [[0, 0, 1, 1, 0, 1, 0, 1, 1, 0, 0, 1]]

SUMS: list[Case] = [
    (
        "sum",
        "tensor A : 2 x 2; tensor B : 2 x 2; tensor C : 2 x 2; add %1 %2 : 2 x 2; product %0 %3 : 2 x 2",
        claim_of([2], {"A": [columns(0, -1)], "B": [rows()], "C": [rows()]}),
        ACCEPTED,
    ),
    (
        "sum, one alone",
        "tensor A : 2 x 2; tensor B : 2 x 2; tensor C : 2 x 2; add %1 %2 : 2 x 2; product %0 %3 : 2 x 2",
        claim_of([2], {"A": [columns(0, -1)], "B": [rows()]}),
        MOVES,
    ),
    (
        "sum with s",
        "tensor A : 2 x 2; tensor B : 2 x 2; tensor C : 2 x 2; add %1 %2 : 2 x 2; product %0 %3 : 2 x 2",
        claim_of([1], {"A": [columns(0, -1)], "B": [rows()], "C": [columns()]}),
        ACCEPTED,
    ),
    (
        "sum with another s",
        "tensor A : 2 x 2; tensor B : 2 x 2; tensor C : 2 x 2; add %1 %2 : 2 x 2; product %0 %3 : 2 x 2",
        claim_of([1], {"A": [columns(0, -1)], "B": [rows()], "C": [columns(0, 2)]}),
        MOVES,
    ),
    (
        "sum, on the columns",
        "tensor A : 2 x 2; tensor B : 2 x 2; tensor C : 2 x 2; add %1 %2 : 2 x 2; product %3 %0 : 2 x 2",
        claim_of([2], {"A": [rows(0, -1)], "B": [columns()], "C": [columns()]}),
        ACCEPTED,
    ),
    (
        "sum, on the columns, one alone",
        "tensor A : 2 x 2; tensor B : 2 x 2; tensor C : 2 x 2; add %1 %2 : 2 x 2; product %3 %0 : 2 x 2",
        claim_of([2], {"A": [rows(0, -1)], "B": [columns()]}),
        MOVES,
    ),
    (
        "row spread",
        BMX,
        claim_of([2], {"M": [rows()], "U": [columns(0, -1)]}, [[0, 0, 0, 1, 0, 0, 1, -1, 0, 1, 0, 2, 0, 1, 1, -2]]),
        ACCEPTED,
    ),
    ("row spread, one place", BMX, claim_of([2], {"M": [rows()], "U": [columns(0, -1)]}, units((0, 0))), MOVES),
    (
        "row spread, columns' sums",
        BMX,
        claim_of([2], {"M": [rows()], "U": [columns(0, -1)]}, [[0, 0, 0, 1, 0, 1, 0, -1]]),
        MOVES,
    ),
    (
        "row spread with o",
        BMX,
        claim_of([2, 1], {"M": [rows()], "b": [rows(1)], "U": [columns(0, -1)]}, SWAP),
        ACCEPTED,
    ),
    (
        "row spread with o, on its columns",
        BMX,
        claim_of([2, 1], {"M": [rows()], "b": [columns(1)], "U": [columns(0, -1)]}, SWAP),
        ACCEPTED,
    ),
    (
        "row spread with another o",
        BMX,
        claim_of([2, 1], {"M": [rows()], "b": [rows(1, 2)], "U": [columns(0, -1)]}, SWAP),
        MOVES,
    ),
    (
        "row spread with no o",
        BMX,
        claim_of([2], {"M": [rows()], "U": [columns(0, -1)]}, [[0, 0, 1, 1, 0, 1, 0, 1]]),
        MOVES,
    ),
    ("column spread", CMX, claim_of([2], {"M": [rows()], "c": [rows()], "U": [columns(0, -1)]}), ACCEPTED),
    ("column spread, left behind", CMX, between(), MOVES),
    (
        "column spread with o",
        AC,
        claim_of([2, 1], {"A": [columns()], "c": [rows(1)], "V": [rows(0, -1)]}, SWAP),
        ACCEPTED,
    ),
    (
        "column spread with another o",
        AC,
        claim_of([2, 1], {"A": [columns()], "c": [rows(1, -1)], "V": [rows(0, -1)]}, SWAP),
        MOVES,
    ),
    ("column spread, one place", AC, claim_of([2], {"A": [columns()], "V": [rows(0, -1)]}, units((0, 1))), MOVES),
    (
        "column spread, sums of rows",
        AC,
        claim_of([2], {"A": [columns()], "V": [rows(0, -1)]}, [[0, 0, 0, 1, 0, 0, 1, -1]]),
        MOVES,
    ),
    (
        "column spread, sums of columns",
        AC,
        claim_of([2], {"A": [columns()], "V": [rows(0, -1)]}, [[0, 0, 0, 1, 0, 1, 0, -1]]),
        ACCEPTED,
    ),
    (
        "number spread",
        "tensor A : 2 x 2; tensor n : 1 x 1; tensor V : 1 x 1; add %0 %1 : 2 x 2; multiply %3 %2 : 2 x 2",
        claim_of([1], {"A": [rows()], "n": [columns()], "V": [rows(0, -1)]}),
        ACCEPTED,
    ),
    (
        "number spread, otherwise",
        "tensor A : 2 x 2; tensor n : 1 x 1; tensor V : 1 x 1; add %0 %1 : 2 x 2; multiply %3 %2 : 2 x 2",
        claim_of([1], {"A": [rows()], "n": [columns(0, 2)], "V": [rows(0, -1)]}),
        MOVES,
    ),
    (
        "row and column",
        ROW_AND_COLUMN,
        claim_of([1], {"c": [rows(), columns(0, -1)], "b": [rows(0, 2), columns(0, -2)]}),
        ACCEPTED,
    ),
    ("row and column that moves", ROW_AND_COLUMN, claim_of([1], {"c": [rows()]}), MOVES),
    ("row that moves and column", ROW_AND_COLUMN, claim_of([1], {"b": [rows()]}), MOVES),
    (
        "plus zero",
        through("constant [0 0 0 0 0 0]").replace("product %0 %4", "add %3 %4 : 2 x 3; product %0 %5"),
        between(),
        ACCEPTED,
    ),
    (
        "zero plus",
        through("constant [0 0 0 0 0 0]").replace("product %0 %4", "add %4 %3 : 2 x 3; product %0 %5"),
        between(),
        ACCEPTED,
    ),
    (
        "plus a constant",
        through("constant [0 0 0 0 0 1]").replace("product %0 %4", "add %3 %4 : 2 x 3; product %0 %5"),
        between(),
        MOVES,
    ),
]

MN = "tensor M : 2 x 2; tensor N : 2 x 2; input : 2 x 3; product %0 %2 : 2 x 3; product %1 %2 : 2 x 3; "
ABV = "tensor A : 2 x 2; tensor B : 2 x 2; tensor V : 2 x 2; "
CONSTANT = through("constant [1 2 3 1 2 3]").replace("product %0 %4", "multiply %3 %4 : 2 x 3; product %0 %5")
ROW = "tensor q : 1 x 2; product %4 %2 : 1 x 3; "

ENTRYWISE: list[Case] = [
    (
        "entries, diagonal",
        f"{MN}multiply %3 %4 : 2 x 3",
        claim_of([2], {"M": [rows()], "N": [rows(0, -1)]}, DIAGONAL),
        ACCEPTED,
    ),
    (
        "entries, not diagonal",
        f"{MN}multiply %3 %4 : 2 x 3",
        claim_of([2], {"M": [rows()], "N": [rows(0, -1)]}, units((0, 1))),
        MOVES,
    ),
    ("entries, alike", f"{MN}multiply %3 %4 : 2 x 3", claim_of([2], {"M": [rows()], "N": [rows()]}, DIAGONAL), MOVES),
    (
        "entries, diagonal on the columns",
        f"{ABV}multiply %0 %1 : 2 x 2; product %3 %2 : 2 x 2",
        claim_of([2], {"A": [columns()], "V": [rows(0, -1)]}, DIAGONAL),
        ACCEPTED,
    ),
    (
        "entries, not diagonal on the columns",
        f"{ABV}multiply %0 %1 : 2 x 2; product %3 %2 : 2 x 2",
        claim_of([2], {"A": [columns()], "V": [rows(0, -1)]}, units((0, 1))),
        MOVES,
    ),
    ("entries of a row", f"{UMX}{ROW}multiply %3 %5 : 2 x 3; product %0 %6 : 2 x 3", between(), ACCEPTED),
    (
        "entries of a row that moves",
        f"{UMX}{ROW}multiply %5 %3 : 2 x 3; product %0 %6 : 2 x 3",
        claim_of([1], {"q": [rows()], "U": [rows(0, -1)]}),
        ACCEPTED,
    ),
    (
        "entries of a row that moves, alone",
        f"{UMX}{ROW}multiply %5 %3 : 2 x 3; product %0 %6 : 2 x 3",
        claim_of([1], {"q": [rows()]}),
        MOVES,
    ),
    ("entries of a constant with equal rows", CONSTANT, between(), ACCEPTED),
    ("entries of a constant with other rows", CONSTANT.replace("[1 2 3 1 2 3]", "[1 2 3 1 2 4]"), between(), MOVES),
    (
        "entries of a constant with equal columns",
        f"{AV}constant [1 1 2 2] : 2 x 2; multiply %0 %2 : 2 x 2; product %3 %1 : 2 x 3",
        claim_of([2], {"A": [columns()], "V": [rows(0, -1)]}),
        ACCEPTED,
    ),
    (
        "entries of a constant with other columns",
        f"{AV}constant [1 1 2 3] : 2 x 2; multiply %0 %2 : 2 x 2; product %3 %1 : 2 x 3",
        claim_of([2], {"A": [columns()], "V": [rows(0, -1)]}),
        MOVES,
    ),
    (
        "times zero",
        f"{UMX}constant [0] : number; multiply %3 %4 : 2 x 3; product %0 %5 : 2 x 3",
        claim_of([2], {"M": [rows()]}),
        ACCEPTED,
    ),
    (
        "times one",
        f"{UMX}constant [1] : number; multiply %3 %4 : 2 x 3; product %0 %5 : 2 x 3",
        claim_of([2], {"M": [rows()]}),
        MOVES,
    ),
]

G = f"{UMX}tensor g : 2 x 1; "
GAIN = f"{G}multiply %4 %3 : 2 x 3; product %0 %5 : 2 x 3"
TWO = f"{G}tensor h : 2 x 1; multiply %3 %4 : 2 x 3; multiply %6 %5 : 2 x 3; product %0 %7 : 2 x 3"
BACK = f"{G}multiply %4 %3 : 2 x 3; transpose %5 : 3 x 2; product %6 %0 : 3 x 2"
ROW_GAIN = f"{AV}tensor g : 1 x 2; multiply %0 %2 : 2 x 2; product %3 %1 : 2 x 3"
BIAS = f"{G}tensor c : 2 x 1; multiply %4 %3 : 2 x 3; add %6 %5 : 2 x 3; product %0 %7 : 2 x 3"


def gained(part: list[Any], **more: list[Any]) -> dict[str, Any]:
    return claim_of([2], {"M": [rows()], "U": [part], **more})


GAINS: list[Case] = [
    ("gain", GAIN, gained(columns(0, -1, gains=[(4, 1)])), ACCEPTED),
    ("gain, ignored", GAIN, gained(columns(0, -1)), MOVES),
    ("gain, inverse", GAIN, gained(columns(0, -1, gains=[(4, -1)])), MOVES),
    ("gain, twice", GAIN, gained(columns(0, -1, gains=[(4, 1), (4, 1)])), MOVES),
    ("gain, transposed", GAIN, gained(columns(0, -1, True, gains=[(4, 1)])), MOVES),
    ("gain of a diagonal matrix", GAIN, claim_of([2], {"M": [rows()], "U": [columns(0, -1)]}, DIAGONAL), ACCEPTED),
    ("gain that moves", GAIN, claim_of([2], {"g": [rows()], "U": [columns(0, -1)]}, DIAGONAL), ACCEPTED),
    (
        "gain that moves, not diagonal",
        GAIN,
        claim_of([2], {"g": [rows()], "U": [columns(0, -1)]}, units((0, 1))),
        MOVES,
    ),
    (
        "gain that moves with what it multiplies",
        GAIN,
        claim_of(
            [2, 1], {"M": [rows()], "g": [rows(1)], "U": [columns(0, -1, gains=[(4, 1)])]}, [[0, 0, 1, 1, 1, 0, 0, 1]]
        ),
        MOVES,
    ),
    (
        "gain whose entries move differently",
        GAIN,
        claim_of(
            [2, 2],
            {"M": [rows()], "g": [rows(1)], "U": [columns(0, -1, gains=[(4, 1)])]},
            [[0, 0, 1, 1, 1, 0, 0, 1]],
        ),
        MOVES,
    ),
    (
        "gain that does not move, though its sides do",
        GAIN,
        claim_of(
            [2, 1],
            {"M": [rows()], "g": [rows(1), columns(1, -1)], "U": [columns(0, -1, gains=[(4, 1)])]},
            [[0, 0, 1, 1, 1, 0, 0, 1]],
        ),
        ACCEPTED,
    ),
    ("two gains", TWO, gained(columns(0, -1, gains=[(4, 1), (5, 1)])), ACCEPTED),
    ("two gains, one ignored", TWO, gained(columns(0, -1, gains=[(5, 1)])), MOVES),
    ("gain of what is written", GAIN, claim_of([2], {"M": [rows(gains=[(4, -1)])], "U": [columns(0, -1)]}), ACCEPTED),
    (
        "gain of what is written, inverse",
        GAIN,
        claim_of([2], {"M": [rows(gains=[(4, 1)])], "U": [columns(0, -1)]}),
        MOVES,
    ),
    ("gain, then transposed", BACK, gained(rows(0, -1, True, gains=[(4, -1)])), ACCEPTED),
    ("gain, then transposed, inverse", BACK, gained(rows(0, -1, True, gains=[(4, 1)])), MOVES),
    ("row gain", ROW_GAIN, claim_of([2], {"A": [columns()], "V": [rows(0, -1, gains=[(2, -1)])]}), ACCEPTED),
    ("row gain, inverse", ROW_GAIN, claim_of([2], {"A": [columns()], "V": [rows(0, -1, gains=[(2, 1)])]}), MOVES),
    ("row gain, ignored", ROW_GAIN, claim_of([2], {"A": [columns()], "V": [rows(0, -1)]}), MOVES),
    ("gain and bias", BIAS, gained(columns(0, -1, gains=[(4, 1)]), c=[rows(gains=[(4, 1)])]), ACCEPTED),
    ("gain and bias without", BIAS, gained(columns(0, -1, gains=[(4, 1)]), c=[rows()]), MOVES),
    (
        "gain and a row that is spread",
        f"{G}tensor b : 1 x 3; multiply %4 %3 : 2 x 3; add %6 %5 : 2 x 3; product %0 %7 : 2 x 3",
        claim_of(
            [2],
            {"M": [rows()], "U": [columns(0, -1, gains=[(4, 1)])]},
            [[0, 0, 0, 1, 0, 0, 1, -1, 0, 1, 0, 2, 0, 1, 1, -2]],
        ),
        MOVES,
    ),
    (
        "gain that is no tensor",
        f"{G}negate %4 : 2 x 1; multiply %5 %3 : 2 x 3; product %0 %6 : 2 x 3",
        gained(columns(0, -1, gains=[(4, 1)])),
        UNPROVED,
    ),
    (
        "gain, then a constant",
        f"{G}multiply %4 %3 : 2 x 3; constant [1 1 0 1] : 2 x 2; product %6 %5 : 2 x 3; product %0 %7 : 2 x 3",
        claim_of(
            [2], {"M": [rows()], "U": [columns(0, -1, gains=[(4, 1)])]}, units((0, 1)), {"7": [rows(gains=[(4, 1)])]}
        ),
        UNPROVED,
    ),
    (
        "gain, then another constant",
        f"{G}multiply %4 %3 : 2 x 3; constant [1 0 0 2] : 2 x 2; product %6 %5 : 2 x 3; product %0 %7 : 2 x 3",
        claim_of(
            [2], {"M": [rows()], "U": [columns(0, -1, gains=[(4, 1)])]}, units((0, 1)), {"7": [rows(gains=[(4, 1)])]}
        ),
        MOVES,
    ),
    (
        "gain, then joined",
        f"{G}multiply %4 %3 : 2 x 3; concatenate %5 0 : 2 x 3; product %0 %6 : 2 x 3",
        gained(columns(0, -1, gains=[(4, 1)])),
        UNPROVED,
    ),
    (
        "gain, then turned",
        f"{G}multiply %4 %3 : 2 x 3; rotate %5 [[1.0] [1]] : 2 x 3; product %0 %6 : 2 x 3",
        claim_of([2], {"M": [rows()], "U": [columns(0, -1, gains=[(4, 1)])]}, SKEW),
        MOVES,
    ),
]

PAIRS = f"{MN}column_products %3 %4 : 1 x 3"
ABU = "tensor A : 2 x 2; tensor B : 2 x 2; tensor U : 2 x 2; column_products %0 %1 : 1 x 2; product %3 %2 : 1 x 2"
SPREAD = (
    "tensor q : 1 x 2; tensor M : 2 x 2; input : 2 x 3; product %0 %2 : 1 x 3; product %1 %2 : 2 x 3; "
    "column_products %3 %4 : 1 x 3"
)
QBM = "tensor q : 1 x 3; tensor B : 2 x 3; column_products %0 %1 : 1 x 3"
COLUMN = "tensor c : 2 x 1; tensor M : 2 x 2; input : 2 x 3; product %1 %2 : 2 x 3; column_products %3 %0 : 1 x 3"

COLUMN_PRODUCTS: list[Case] = [
    ("columns", PAIRS, claim_of([2], {"M": [rows()], "N": [rows(0, -1, True)]}), ACCEPTED),
    ("columns, not transposed", PAIRS, claim_of([2], {"M": [rows()], "N": [rows(0, -1)]}), MOVES),
    ("columns with s", ABU, claim_of([1], {"A": [rows()], "U": [rows(0, -1)]}), ACCEPTED),
    ("columns with another s", ABU, claim_of([1], {"A": [rows()], "U": [rows(0, -2)]}), MOVES),
    ("columns, diagonal", ABU, claim_of([2], {"A": [columns()], "U": [rows(0, -1)]}, DIAGONAL), ACCEPTED),
    ("columns, the others diagonal", ABU, claim_of([2], {"B": [columns()], "U": [rows(0, -1)]}, DIAGONAL), ACCEPTED),
    ("columns, not diagonal", ABU, claim_of([2], {"A": [columns()], "U": [rows(0, -1)]}, units((0, 1))), MOVES),
    (
        "columns, the others not diagonal",
        ABU,
        claim_of([2], {"B": [columns()], "U": [rows(0, -1)]}, units((0, 1))),
        MOVES,
    ),
    ("columns and a row", SPREAD, claim_of([2], {"M": [rows()]}, [[0, 0, 0, 1, 0, 1, 0, -1]]), ACCEPTED),
    ("columns and a row, sums of rows", SPREAD, claim_of([2], {"M": [rows()]}, [[0, 0, 0, 1, 0, 0, 1, -1]]), MOVES),
    (
        "columns and a row that moves",
        QBM,
        claim_of([2, 1], {"B": [rows()], "q": [columns(1, -1)]}, SWAP, {"2": [rows(1)]}),
        ACCEPTED,
    ),
    (
        "columns and a row that moves otherwise",
        QBM,
        claim_of([2, 1], {"B": [rows()], "q": [columns(1)]}, SWAP, {"2": [rows(1)]}),
        MOVES,
    ),
    ("columns and a row, that does not move", SPREAD, claim_of([2, 1], {"M": [rows()]}, SWAP, {"5": [rows(1)]}), MOVES),
    ("columns and a column", COLUMN, claim_of([2], {"M": [rows()], "c": [rows(0, -1, True)]}), ACCEPTED),
    ("columns and a column, not transposed", COLUMN, claim_of([2], {"M": [rows()], "c": [rows(0, -1)]}), MOVES),
    (
        "columns and a constant column",
        COLUMN.replace("tensor c", "constant [1 1]"),
        claim_of([2], {"M": [rows()]}, [[0, 0, 0, 1, 0, 1, 0, -1]]),
        ACCEPTED,
    ),
    (
        "columns and another constant column",
        COLUMN.replace("tensor c", "constant [1 2]"),
        claim_of([2], {"M": [rows()]}, [[0, 0, 0, 1, 0, 1, 0, -1]]),
        MOVES,
    ),
    (
        "a column and constant columns",
        "tensor c : 2 x 1; tensor u : 3 x 1; constant [1 0 1 0 1 1] : 2 x 3; column_products %0 %2 : 1 x 3; "
        "product %3 %1 : 1 x 1",
        claim_of([1], {"c": [rows()], "u": [rows(0, -1)]}),
        ACCEPTED,
    ),
]

CENTRE = through("centre %3", "3 x 3", UMX3)
# a transposition of coordinates, and what keeps the sum and the third coordinate apart from it
KEEPS_MEANS = [[0, 0, 1, 1, 0, 1, 0, 1, 0, 2, 2, 1]]
TURN = through("rotate %3 [[1.0] [0 1 2]]")
FOUR = (
    "tensor U : 4 x 4; tensor M : 4 x 4; input : 4 x 3; product %1 %2 : 4 x 3; "
    "rotate %3 [[1.0 ANGLE] POSITIONS] : 4 x 3; product %0 %4 : 4 x 3"
)
MIXES_PAIRS = [[0, 0, 2, 1, 0, 1, 3, 1]]
MIRRORS_PAIRS = [[0, 0, 2, 1, 0, 1, 3, -1]]
DROPPED = (
    "tensor U : 2 x 2; tensor M : 3 x 3; input : 3 x 3; product %1 %2 : 3 x 3; "
    "rotate %3 [[1.0] [0 1 2]] : 2 x 3; product %0 %4 : 2 x 3"
)
TURNED_COLUMNS = "tensor A : 2 x 2; tensor V : 2 x 2; rotate %0 [[1.0] [0 POSITION]] : 2 x 2; product %2 %1 : 2 x 2"
TURNED_COLUMN = "tensor A : 2 x 1; tensor V : 3 x 2; rotate %0 [[1.0] [0 1 2]] : 2 x 3; product %2 %1 : 2 x 2"


def four(angle: str, positions: str = "[0 1 2]") -> str:
    return FOUR.replace("ANGLE", angle).replace("POSITIONS", positions)


def of_four(basis: Any) -> dict[str, Any]:
    return claim_of([4], {"M": [rows()], "U": [columns(0, -1)]}, basis)


PLACES: list[Case] = [
    ("centre", CENTRE, between(three=True, basis=KEEPS_MEANS, images={"4": [rows()]}), ACCEPTED),
    ("centre, no image", CENTRE, between(three=True, basis=KEEPS_MEANS), UNPROVED),
    ("centre, another image", CENTRE, between(three=True, basis=units((0, 1)), images={"4": [rows()]}), MOVES),
    ("centre, zero", CENTRE, claim_of([3], {"M": [rows()]}, [[0, 0, 0, 1, 0, 1, 0, 1, 0, 2, 0, 1]]), ACCEPTED),
    ("centre, not zero", CENTRE, claim_of([3], {"M": [rows()]}, [[0, 0, 0, 1, 0, 1, 0, 1]]), MOVES),
    ("turn", TURN, between(basis=SKEW), ACCEPTED),
    ("turn, not skew", TURN, between(basis=DIAGONAL), MOVES),
    ("turn of columns alike", TURN.replace("[0 1 2]", "[2 2 2]"), between(basis=SKEW), ACCEPTED),
    ("turn by one position, not skew", TURN.replace("[0 1 2]", "[2]"), between(basis=DIAGONAL), MOVES),
    ("no turn", TURN.replace("[0 1 2]", "[0 0 0]"), between(), ACCEPTED),
    ("turns by equal angles", four("1.0"), of_four(MIXES_PAIRS), ACCEPTED),
    ("turns by other angles", four("0.5"), of_four(MIXES_PAIRS), MOVES),
    ("turns by opposite angles", four("-1.0"), of_four(MIXES_PAIRS), MOVES),
    ("turns by opposite angles, mirrored", four("-1.0"), of_four(MIRRORS_PAIRS), ACCEPTED),
    ("turns by equal angles, mirrored", four("1.0"), of_four(MIRRORS_PAIRS), MOVES),
    ("turn by the angle 0", four("0.0"), of_four(units((2, 3))), ACCEPTED),
    ("turn by another angle", four("0.1"), of_four(units((2, 3))), MOVES),
    ("turn, row dropped", DROPPED, claim_of([3], {"M": [rows()]}, units((2, 0), (2, 2))), ACCEPTED),
    ("turn, row not dropped", DROPPED, claim_of([3], {"M": [rows()]}, units((0, 2))), MOVES),
    (
        "turn, image of rows",
        DROPPED,
        claim_of(
            [3, 2],
            {"M": [rows()], "U": [columns(1, -1)]},
            [[0, 0, 1, -1, 0, 1, 0, 1, 1, 0, 1, -1, 1, 1, 0, 1]],
            {"4": [rows(1)]},
        ),
        ACCEPTED,
    ),
    (
        "turn, image of other rows",
        DROPPED,
        claim_of(
            [3, 2],
            {"M": [rows()], "U": [columns(1, -1)]},
            [[0, 0, 1, -1, 0, 1, 0, 1, 1, 0, 1, 1, 1, 1, 0, -1]],
            {"4": [rows(1)]},
        ),
        MOVES,
    ),
    (
        "turned columns, diagonal",
        TURNED_COLUMNS.replace("POSITION", "1"),
        claim_of([2], {"A": [columns()], "V": [rows(0, -1)]}, DIAGONAL),
        ACCEPTED,
    ),
    (
        "turned columns, not diagonal",
        TURNED_COLUMNS.replace("POSITION", "1"),
        claim_of([2], {"A": [columns()], "V": [rows(0, -1)]}, units((0, 1))),
        MOVES,
    ),
    (
        "columns turned alike",
        TURNED_COLUMNS.replace("0 POSITION", "1 1"),
        claim_of([2], {"A": [columns()], "V": [rows(0, -1)]}),
        ACCEPTED,
    ),
    ("turned column", TURNED_COLUMN, claim_of([1], {"A": [columns()], "V": [rows(0, -1)]}), ACCEPTED),
    ("turned column, otherwise", TURNED_COLUMN, claim_of([1], {"A": [columns()], "V": [rows(0, -2)]}), MOVES),
]

PART = (
    "tensor U : 2 x 2; tensor M : 3 x 3; input : 3 x 3; product %1 %2 : 3 x 3; "
    "take %3 [[2 0] [0 1 2]] : 2 x 3; product %0 %4 : 2 x 3"
)
COLUMNS = "tensor A : 3 x 3; tensor V : 2 x 2; take %0 [[0 1 2] [2 0]] : 3 x 2; product %2 %1 : 3 x 2"
BELOW = (
    "tensor U : 2 x 3; tensor M : 2 x 2; tensor N : 1 x 2; input : 2 x 3; product %1 %3 : 2 x 3; "
    "product %2 %3 : 1 x 3; concatenate %4 %5 0 : 3 x 3; product %0 %6 : 2 x 3"
)
BESIDE = "tensor A : 2 x 2; tensor B : 2 x 1; tensor V : 3 x 2; concatenate %0 %1 1 : 2 x 3; product %3 %2 : 2 x 2"
BLOCKS = [[0, i, j, 1, 1, i, j, 1] for i in range(2) for j in range(2)]
LATER_BLOCKS = [[0, i, j, 1, 1, i + 1, j + 1, 1] for i in range(2) for j in range(2)]
TWO_SCALES = "tensor A : 2 x 2; tensor B : 1 x 2; tensor V : 3 x 3; concatenate %0 %1 0 : 3 x 2; product %2 %3 : 3 x 2"

REVERSED = through("take %3 [[1 0] [0 1 2]]")

PARTS: list[Case] = [
    ("all rows in another order", REVERSED, between(basis=units((0, 0))), MOVES),
    (
        "all rows in another order, with an image",
        REVERSED,
        claim_of([2, 2], {"M": [rows()], "U": [columns(1, -1)]}, [[0, 0, 0, 1, 1, 1, 1, 1]], {"4": [rows(1)]}),
        ACCEPTED,
    ),
    (
        "part",
        PART,
        claim_of([3, 2], {"M": [rows()], "U": [columns(1, -1)]}, [[0, 2, 0, 1, 1, 0, 1, 1]], {"4": [rows(1)]}),
        ACCEPTED,
    ),
    (
        "part in another order",
        PART,
        claim_of([3, 2], {"M": [rows()], "U": [columns(1, -1)]}, [[0, 2, 0, 1, 1, 1, 0, 1]], {"4": [rows(1)]}),
        MOVES,
    ),
    ("part of what is left", PART, claim_of([3], {"M": [rows()]}, units((1, 0), (1, 1), (1, 2))), ACCEPTED),
    ("part that what is left moves", PART, claim_of([3], {"M": [rows()]}, units((0, 1))), MOVES),
    (
        "part of the columns",
        COLUMNS,
        claim_of([3, 2], {"A": [columns()], "V": [rows(1, -1)]}, [[0, 2, 0, 1, 1, 0, 1, 1]], {"2": [columns(1)]}),
        ACCEPTED,
    ),
    (
        "part of the columns in another order",
        COLUMNS,
        claim_of([3, 2], {"A": [columns()], "V": [rows(1, -1)]}, [[0, 2, 0, 1, 1, 1, 0, 1]], {"2": [columns(1)]}),
        MOVES,
    ),
    (
        "part of the columns that are left",
        COLUMNS,
        claim_of([3], {"A": [columns()]}, units((0, 1), (1, 1), (2, 1))),
        ACCEPTED,
    ),
    ("part of the columns that what is left moves", COLUMNS, claim_of([3], {"A": [columns()]}, units((1, 0))), MOVES),
    ("join", BELOW, claim_of([2, 3], {"M": [rows()], "U": [columns(1, -1)]}, BLOCKS), ACCEPTED),
    ("join at another place", BELOW, claim_of([2, 3], {"M": [rows()], "U": [columns(1, -1)]}, LATER_BLOCKS), MOVES),
    (
        "join of a second part",
        BELOW,
        claim_of([1, 3], {"N": [rows()], "U": [columns(1, -1)]}, [[0, 0, 0, 1, 1, 2, 2, 1]]),
        ACCEPTED,
    ),
    (
        "join, the first part instead",
        BELOW,
        claim_of([1, 3], {"N": [rows()], "U": [columns(1, -1)]}, [[0, 0, 0, 1, 1, 1, 1, 1]]),
        MOVES,
    ),
    ("join with s", TWO_SCALES, claim_of([1], {"A": [rows()], "B": [columns()], "V": [rows(0, -1)]}), ACCEPTED),
    (
        "join with another s",
        TWO_SCALES,
        claim_of([1], {"A": [rows()], "B": [columns(0, 2)], "V": [rows(0, -1)]}),
        MOVES,
    ),
    ("join, parts whose columns move alike", TWO_SCALES, claim_of([2], {"A": [columns()], "B": [columns()]}), MOVES),
    (
        "join, on the columns",
        TWO_SCALES.replace("product %2 %3 : 3 x 2", "product %2 %3 : 3 x 2; tensor W : 2 x 2; product %4 %5 : 3 x 2"),
        claim_of([2], {"A": [columns()], "B": [columns()], "W": [rows(0, -1)]}),
        ACCEPTED,
    ),
    (
        "join, on the columns of one",
        TWO_SCALES.replace("product %2 %3 : 3 x 2", "product %2 %3 : 3 x 2; tensor W : 2 x 2; product %4 %5 : 3 x 2"),
        claim_of([2], {"A": [columns()], "W": [rows(0, -1)]}),
        MOVES,
    ),
    ("beside", BESIDE, claim_of([2, 3], {"A": [columns()], "V": [rows(1, -1)]}, BLOCKS), ACCEPTED),
    ("beside, at another place", BESIDE, claim_of([2, 3], {"A": [columns()], "V": [rows(1, -1)]}, LATER_BLOCKS), MOVES),
]

CONSTANTS: list[Case] = []
for name, made in {
    "constant": "constant [1 0 1 1] : 2 x 2",
    "negate": "constant [0 0 -1 0] : 2 x 2; negate %0 : 2 x 2; constant [1 0 0 1] : 2 x 2; add %1 %2 : 2 x 2",
    "transpose": "constant [1 1 0 1] : 2 x 2; transpose %0 : 2 x 2",
    "add": "constant [1 0 0 1] : 2 x 2; constant [0 0 1 0] : 2 x 2; add %0 %1 : 2 x 2",
    "add a row": "constant [1 0] : 2; constant [0 0 0 1] : 2 x 2; add %0 %1 : 2 x 2",
    "add a column": "constant [0 1] : 2 x 1; constant [1 0 0 0] : 2 x 2; add %1 %0 : 2 x 2",
    "multiply": "constant [1 0 1/2 1] : 2 x 2; constant [1 5 2 1] : 2 x 2; multiply %0 %1 : 2 x 2",
    "multiply by a number": "constant [1/2 0 1/2 1/2] : 2 x 2; constant [2] : number; multiply %0 %1 : 2 x 2",
    "product": "constant [1 0 2 1] : 2 x 2; constant [1 0 -1 1] : 2 x 2; product %0 %1 : 2 x 2",
    "reciprocal": "constant [1 1 1/2 1] : 2 x 2; reciprocal %0 : 2 x 2; constant [0 -1 -1 0] : 2 x 2; "
    "add %1 %2 : 2 x 2",
    "take": "constant [5 1 1 5 1 0] : 2 x 3; take %0 [[1 0] [1 2]] : 2 x 2; constant [0 0 0 0] : 2 x 2; "
    "add %1 %2 : 2 x 2; take %3 [[0 1] [1 0]] : 2 x 2; take %4 [[1 0] [0 1]] : 2 x 2; "
    "take %5 [[1 0] [1 0]] : 2 x 2",
    "below": "constant [1 0] : 1 x 2; constant [1 1] : 1 x 2; concatenate %0 %1 0 : 2 x 2",
    "beside": "constant [1 1] : 2 x 1; constant [0 1] : 2 x 1; concatenate %0 %1 1 : 2 x 2",
}.items():
    n = made.count(";")  # C = (1 0; 1 1), and C S C^-1 for S = E_12 is (-1 1; -1 1); C^-1 S C is (1 1; -1 -1)
    before = (
        f"{made}; tensor M : 2 x 2; input : 2 x 3; product %{n + 1} %{n + 2} : 2 x 3; tensor U : 2 x 2; "
        f"product %{n} %{n + 3} : 2 x 3; product %{n + 4} %{n + 5} : 2 x 3"
    )
    image = [[0, 0, 1, 1, 1, 0, 0, -1, 1, 0, 1, 1, 1, 1, 0, -1, 1, 1, 1, 1]]
    other = [[0, 0, 1, 1, 1, 0, 0, -1, 1, 0, 1, 1, 1, 1, 0, -1, 1, 1, 1, 2]]
    behind = (
        f"{made}; tensor A : 2 x 2; product %{n + 1} %{n} : 2 x 2; tensor V : 2 x 2; product %{n + 2} %{n + 3} : 2 x 2"
    )
    turned_image = [[0, 0, 1, 1, 1, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, -1, 1, 1, 1, -1]]
    for basis, verdict in ((image, ACCEPTED), (other, MOVES)):
        claim = claim_of([2, 2], {"M": [rows()], "U": [columns(1, -1)]}, basis, {str(n + 5): [rows(1)]})
        CONSTANTS.append((f"{name}, {verdict}", before, claim, verdict))
    for basis, verdict in ((turned_image, ACCEPTED), (image, MOVES)):
        claim = claim_of([2, 2], {"A": [columns()], "V": [rows(1, -1)]}, basis, {str(n + 2): [columns(1)]})
        CONSTANTS.append((f"{name} on the right, {verdict}", behind, claim, verdict))

# C = (1 1; 0 1) commutes with E_12
SHEARED = f"{UMX}constant [1 1 0 1] : 2 x 2; product %4 %3 : 2 x 3; tensor g : 2 x 1; product %0 %5 : 2 x 3"
SAME = f"{UMX}constant [1 0 0 1] : 2 x 2; product %4 %3 : 2 x 3; product %0 %5 : 2 x 3"
CONSTANTS += [
    (
        "constant behind a gain",
        f"{G}multiply %4 %3 : 2 x 3; constant [1 1 0 1] : 2 x 2; product %6 %5 : 2 x 3; product %0 %7 : 2 x 3",
        claim_of([2], {"M": [rows()], "U": [columns(0, -1)]}, units((0, 1)), {"7": [rows()]}),
        MOVES,
    ),
    (
        "constant with an image with a gain",
        SHEARED,
        claim_of(
            [2], {"M": [rows()], "U": [columns(0, -1, gains=[(6, 1)])]}, units((0, 1)), {"5": [rows(gains=[(6, 1)])]}
        ),
        MOVES,
    ),
    (
        "constant, and a multiple",
        SHEARED,
        claim_of(
            [2, 1],
            {"M": [rows(), rows(1)], "U": [columns(0, -1), rows(1, -1)]},
            [[0, 0, 1, 1, 1, 0, 0, 3]],
            {"5": [rows()]},
        ),
        ACCEPTED,
    ),
    (
        "constant, and more than a multiple",
        SAME,
        claim_of([2, 1], {"M": [rows()], "U": [rows(1, -1)]}, [[0, 0, 0, 1, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 0, 1]]),
        MOVES,
    ),
    (
        "constant, and different multiples",
        SAME,
        claim_of([2, 1], {"M": [rows()], "U": [rows(1, -1)]}, [[0, 0, 0, 1, 0, 1, 1, 2, 1, 0, 0, 1]]),
        MOVES,
    ),
    (
        "constant, and the same multiple in all places",
        SAME,
        claim_of([2, 1], {"M": [rows()], "U": [rows(1, -1)]}, [[0, 0, 0, 1, 0, 1, 1, 1, 1, 0, 0, 1]]),
        ACCEPTED,
    ),
]

OVER = f"{UMX}{ROW}reciprocal %5 : 1 x 3; multiply %3 %6 : 2 x 3"
ROOT = f"{UMX}{ROW}sqrt %5 : 1 x 3; multiply %3 %6 : 2 x 3"
Q = "tensor M : 2 x 2; input : 2 x 3; product %0 %1 : 2 x 3; "

FUNCTIONS: list[Case] = [
    ("reciprocal", OVER, claim_of([1], {"q": [rows()], "M": [rows()]}), ACCEPTED),
    ("reciprocal, otherwise", OVER, claim_of([1], {"q": [rows()], "M": [rows(0, -1)]}), MOVES),
    (
        "reciprocal, diagonal",
        f"{MN}reciprocal %3 : 2 x 3; multiply %4 %5 : 2 x 3",
        claim_of([2], {"M": [rows()], "N": [rows()]}, DIAGONAL),
        ACCEPTED,
    ),
    ("reciprocal, not diagonal", f"{UMX}reciprocal %3 : 2 x 3; product %0 %4 : 2 x 3", between(1), MOVES),
    (
        "reciprocal, not diagonal on the columns",
        f"{AV}reciprocal %0 : 2 x 2; product %2 %1 : 2 x 3",
        claim_of([2], {"A": [columns()], "V": [rows()]}),
        MOVES,
    ),
    ("root", ROOT, claim_of([1], {"q": [rows(0, 2)], "M": [rows(0, -1)]}), ACCEPTED),
    ("root of another power", ROOT, claim_of([1], {"q": [rows(0, 1)], "M": [rows(0, -1)]}), MOVES),
    ("root by halves", ROOT, claim_of([1], {"q": [rows()], "M": [rows(0, "-1/2")]}), ACCEPTED),
    ("root, not diagonal", f"{UMX}sqrt %3 : 2 x 3; product %0 %4 : 2 x 3", between("-1/2"), MOVES),
    ("gate", f"{Q}positive %2 : 2 x 3", claim_of([2], {"M": [rows()]}, DIAGONAL), ACCEPTED),
    ("gate, not diagonal", f"{Q}positive %2 : 2 x 3", claim_of([2], {"M": [rows()]}, units((0, 1))), UNPROVED),
    (
        "gate, not diagonal on the columns",
        "tensor A : 2 x 2; positive %0 : 2 x 2",
        claim_of([2], {"A": [columns()]}, units((0, 1))),
        UNPROVED,
    ),
    ("largest", f"{Q}largest %2 1 : 2 x 3", claim_of([1], {"M": [rows()]}), ACCEPTED),
    ("largest, diagonal", f"{Q}largest %2 1 : 2 x 3", claim_of([2], {"M": [rows()]}, DIAGONAL), UNPROVED),
    (
        "largest, columns",
        "tensor A : 2 x 2; largest %0 1 : 2 x 2",
        claim_of([2], {"A": [columns()]}, DIAGONAL),
        ACCEPTED,
    ),
    (
        "largest, columns mixed",
        "tensor A : 2 x 2; largest %0 1 : 2 x 2",
        claim_of([2], {"A": [columns()]}, units((0, 1))),
        UNPROVED,
    ),
    *(
        (f"{function}, {verdict}", f"{UMX}product %0 %3 : 2 x 3; {function} %4 : 2 x 3", between(factor), verdict)
        for function in ("exp", "log", "erf", "sigmoid")
        for factor, verdict in ((-1, ACCEPTED), (1, MOVES))
    ),
    *(
        (f"{function} of what moves", f"{Q}{function} %2 : 2 x 3", claim_of([1], {"M": [rows()]}), MOVES)
        for function in ("exp", "log", "erf", "sigmoid")
    ),
]

VALUES: list[Case] = [
    ("the value moves", f"{Q}negate %2 : 2 x 3", claim_of([2], {"M": [rows()]}), MOVES),
    ("the value is multiplied", f"{Q}negate %2 : 2 x 3", claim_of([1], {"M": [rows()]}), MOVES),
    ("the value's sides cancel", f"{Q}negate %2 : 2 x 3", claim_of([1], {"M": [rows(), columns(0, -1)]}), ACCEPTED),
    ("the value moves on the columns", "tensor A : 2 x 2; negate %0 : 2 x 2", claim_of([2], {"A": [columns()]}), MOVES),
]

CASES = [*PRODUCTS, *SUMS, *ENTRYWISE, *GAINS, *COLUMN_PRODUCTS, *PLACES, *PARTS, *CONSTANTS, *FUNCTIONS, *VALUES]


@pytest.mark.parametrize(("text", "claim", "verdict"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_rule(text: str, claim: dict[str, Any], verdict: str) -> None:
    assert moves(lines(text), claim) == (verdict == MOVES)
    said = reason(lines(text), claim)
    assert (said is None) == (verdict == ACCEPTED), said


def test_an_image_that_nothing_asks_for() -> None:
    text = f"{UMX}product %0 %3 : 2 x 3"
    assert "nothing asks for the image of instruction 4" in str(reason(lines(text), between(images={"4": [rows()]})))
    assert reason(lines(text), between()) is None


def test_an_image_of_columns_is_none_of_rows() -> None:
    centred = lines(CENTRE)
    assert reason(centred, between(three=True, basis=KEEPS_MEANS, images={"4": [columns()]})) is not None
    assert reason(centred, between(three=True, basis=KEEPS_MEANS, images={"4": [rows(0, 2)]})) is not None


def test_a_constant_does_not_move_by_an_image() -> None:
    """S 1 = 0 for the S that are claimed, so that 1 (1 2) moves by S 1 (1 2) = 0. But (W X) * 1 (1 2) does not move by
    S, so V does not stay.
    """
    text = lines(
        "tensor V : 2 x 3; tensor W : 3 x 2; input : 2 x 2; product %1 %2 : 3 x 2; constant [1 1 1] : 3 x 1; "
        "constant [1 2] : 1 x 2; product %4 %5 : 3 x 2; multiply %3 %6 : 3 x 2; product %0 %7 : 2 x 2"
    )
    claim = claim_of([3], {"V": [columns(0, -1)]}, [[0, 0, 0, 1, 0, 0, 1, -1]], {"6": [rows()]})
    assert moves(text, claim)
    assert reason(text, claim) is not None


def test_all_vector_fields_are_looked_at() -> None:
    """The last matrix unit is the only one that does not commute."""
    claim = between(basis=units((0, 0), (0, 1), (1, 0), (1, 1)))
    text = f"{UMX}constant [1 1 1 1 1 1] : 2 x 3; multiply %3 %4 : 2 x 3; product %0 %5 : 2 x 3"
    assert reason(lines(text), claim) is None
    text = f"{MN}multiply %3 %4 : 2 x 3"
    alike = claim_of([2], {"M": [rows()], "N": [rows(0, -1)]}, units((0, 0), (1, 1), (1, 0)))
    assert reason(lines(text), alike) is not None


def test_time_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"{UMX}product %0 %3 : 2 x 3"
    monkeypatch.setattr(types, "MOST_TYPED", 20)
    with pytest.raises(Refused, match="more than 20 steps"):
        reason(lines(text), between())


def test_long_constants_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Squares of squares of numbers have too many digits: then nothing is known of them, and computing them ends."""
    squares = "; ".join(f"multiply %{k} %{k} : 2 x 2" for k in range(40))
    text = (
        f"constant [3 0 0 3] : 2 x 2; {squares}; tensor M : 2 x 2; product %40 %41 : 2 x 2; tensor U : 2 x 2; "
        "product %43 %42 : 2 x 2"
    )
    claim = claim_of([2], {"M": [rows()], "U": [columns(0, -1)]}, images={"42": [rows()]})
    assert "does not cancel" in str(reason(lines(text), claim))
    assert reason(lines(text.replace("[3 0 0 3]", "[1 0 0 1]")), claim) is None


def test_only_tensors_with_one_column_or_row_are_gains() -> None:
    """Others may have zeros, or differ from column to column: no marker stands for them."""
    claim = claim_of([2], {"M": [rows()]}, units((0, 1)))
    for made in ("tensor g : 2 x 1; negate %4 : 2 x 1", "constant [1] : number; tensor g : 2 x 3"):
        text = f"{UMX}{made}; multiply %5 %3 : 2 x 3; product %0 %6 : 2 x 3"
        assert "not diagonal" in str(reason(lines(text), claim))
    text = f"{UMX}constant [1] : number; tensor g : 2 x 1; multiply %5 %3 : 2 x 3; product %0 %6 : 2 x 3"
    assert "does not cancel" in str(reason(lines(text), claim))
