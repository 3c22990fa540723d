"""Parts that are taken or joined: what the type checker accepts stays, by differences; what moves is refused."""

from __future__ import annotations

import pytest

from moved_programs import claim_of
from type_rules import ACCEPTED, MOVES, Case, between, check, columns, first, rows, through, units

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


@pytest.mark.parametrize("case", PARTS, ids=first)
def test_a_rule(case: Case) -> None:
    check(case)
