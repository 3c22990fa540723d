"""Functions of numbers, and values: what the type checker accepts stays, by differences; what moves is refused."""

from __future__ import annotations

import pytest

from moved_programs import claim_of
from type_rules import (
    ACCEPTED,
    AV,
    DIAGONAL,
    MN,
    MOVES,
    ROW,
    UMX,
    UNPROVED,
    Case,
    between,
    check,
    columns,
    first,
    rows,
    units,
)

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


CASES = [*FUNCTIONS, *VALUES]


@pytest.mark.parametrize("case", CASES, ids=first)
def test_a_rule(case: Case) -> None:
    check(case)
