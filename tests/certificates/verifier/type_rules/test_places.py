"""Means and rotations: what the type checker accepts stays, by differences; what moves is refused."""

from __future__ import annotations

from typing import Any

import pytest

from moved_programs import claim_of, reason
from type_rules import (
    ACCEPTED,
    DIAGONAL,
    MOVES,
    SKEW,
    UMX3,
    UNPROVED,
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


@pytest.mark.parametrize("case", PLACES, ids=first)
def test_a_rule(case: Case) -> None:
    check(case)


def test_an_image_of_columns_is_none_of_rows() -> None:
    centred = lines(CENTRE)
    assert reason(centred, between(three=True, basis=KEEPS_MEANS, images={"4": [columns()]})) is not None
    assert reason(centred, between(three=True, basis=KEEPS_MEANS, images={"4": [rows(0, 2)]})) is not None
