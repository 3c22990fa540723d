"""Gains: what the type checker accepts stays, by differences; what moves is refused."""

from __future__ import annotations

import pytest

from moved_programs import claim_of, reason
from type_rules import (
    ACCEPTED,
    AV,
    DIAGONAL,
    MOVES,
    SKEW,
    UMX,
    UNPROVED,
    Case,
    G,
    check,
    columns,
    first,
    gained,
    lines,
    rows,
    units,
)

GAIN = f"{G}multiply %4 %3 : 2 x 3; product %0 %5 : 2 x 3"
TWO = f"{G}tensor h : 2 x 1; multiply %3 %4 : 2 x 3; multiply %6 %5 : 2 x 3; product %0 %7 : 2 x 3"
BACK = f"{G}multiply %4 %3 : 2 x 3; transpose %5 : 3 x 2; product %6 %0 : 3 x 2"
ROW_GAIN = f"{AV}tensor g : 1 x 2; multiply %0 %2 : 2 x 2; product %3 %1 : 2 x 3"
BIAS = f"{G}tensor c : 2 x 1; multiply %4 %3 : 2 x 3; add %6 %5 : 2 x 3; product %0 %7 : 2 x 3"

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


@pytest.mark.parametrize("case", GAINS, ids=first)
def test_a_rule(case: Case) -> None:
    check(case)


def test_only_tensors_with_one_column_or_row_are_gains() -> None:
    """Others may have zeros, or differ from column to column: no marker stands for them."""
    claim = claim_of([2], {"M": [rows()]}, units((0, 1)))
    for made in ("tensor g : 2 x 1; negate %4 : 2 x 1", "constant [1] : number; tensor g : 2 x 3"):
        text = f"{UMX}{made}; multiply %5 %3 : 2 x 3; product %0 %6 : 2 x 3"
        assert "not diagonal" in str(reason(lines(text), claim))
    text = f"{UMX}constant [1] : number; tensor g : 2 x 1; multiply %5 %3 : 2 x 3; product %0 %6 : 2 x 3"
    assert "does not cancel" in str(reason(lines(text), claim))
