"""Products entry by entry: what the type checker accepts stays, by differences; what moves is refused."""

from __future__ import annotations

import pytest

from moved_programs import claim_of, reason
from type_rules import (
    ACCEPTED,
    AV,
    DIAGONAL,
    MN,
    MOVES,
    ROW,
    UMX,
    Case,
    between,
    check,
    columns,
    first,
    lines,
    rows,
    through,
    units,
)

ABV = "tensor A : 2 x 2; tensor B : 2 x 2; tensor V : 2 x 2; "
CONSTANT = through("constant [1 2 3 1 2 3]").replace("product %0 %4", "multiply %3 %4 : 2 x 3; product %0 %5")

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


@pytest.mark.parametrize("case", ENTRYWISE, ids=first)
def test_a_rule(case: Case) -> None:
    check(case)


def test_all_vector_fields_are_looked_at() -> None:
    """The last matrix unit is the only one that does not commute."""
    claim = between(basis=units((0, 0), (0, 1), (1, 0), (1, 1)))
    text = f"{UMX}constant [1 1 1 1 1 1] : 2 x 3; multiply %3 %4 : 2 x 3; product %0 %5 : 2 x 3"
    assert reason(lines(text), claim) is None
    text = f"{MN}multiply %3 %4 : 2 x 3"
    alike = claim_of([2], {"M": [rows()], "N": [rows(0, -1)]}, units((0, 0), (1, 1), (1, 0)))
    assert reason(lines(text), alike) is not None
