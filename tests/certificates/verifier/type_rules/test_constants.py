"""Constants: what the type checker accepts stays, by differences; what moves is refused."""

from __future__ import annotations

import pytest

from moved_programs import claim_of, moves, reason
from type_rules import ACCEPTED, MOVES, UMX, Case, G, check, columns, first, lines, rows, units

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


@pytest.mark.parametrize("case", CONSTANTS, ids=first)
def test_a_rule(case: Case) -> None:
    check(case)


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
