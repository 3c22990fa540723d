"""Products, transposes and sums: what the type checker accepts stays, by differences; what moves is refused."""

from __future__ import annotations

import pytest

from algatt.certificates.verifier import induction
from algatt.certificates.verifier.limits import Refused
from moved_programs import claim_of, reason
from type_rules import ACCEPTED, MOVES, SWAP, UMX, Case, between, check, columns, first, lines, rows, through, units

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


CASES = [*PRODUCTS, *SUMS]


@pytest.mark.parametrize("case", CASES, ids=first)
def test_a_rule(case: Case) -> None:
    check(case)


def test_an_image_that_nothing_asks_for() -> None:
    text = f"{UMX}product %0 %3 : 2 x 3"
    assert "nothing asks for the image of instruction 4" in str(reason(lines(text), between(images={"4": [rows()]})))
    assert reason(lines(text), between()) is None


def test_time_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"{UMX}product %0 %3 : 2 x 3"
    monkeypatch.setattr(induction, "MOST_TYPED", 20)
    with pytest.raises(Refused, match="more than 20 steps"):
        reason(lines(text), between())
