"""Products of columns: what the type checker accepts stays, by differences; what moves is refused."""

from __future__ import annotations

import pytest

from moved_programs import claim_of
from type_rules import ACCEPTED, DIAGONAL, MN, MOVES, SWAP, Case, check, columns, first, rows, units

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


@pytest.mark.parametrize("case", COLUMN_PRODUCTS, ids=first)
def test_a_rule(case: Case) -> None:
    check(case)
