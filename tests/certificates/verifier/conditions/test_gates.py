"""Gates of real inputs, and conditions for each pattern of them."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from algatt.certificates.verifier.elementary import Refuted
from algatt.certificates.verifier.limits import Refused
from elementary_conditions import (
    EXP,
    FOUR,
    ONE_EXP,
    X,
    below_the_root,
    reasons,
    spanning,
)
from elementary_networks import claims_of, condition_of, places_of_lines

GATED = ("input  : 8 x 1", "tensor A  : 2 x 8", "tensor B  : 2 x 1", "product %1 %0  : 2 x 1",
         "add %3 %2  : 2 x 1", "positive %4  : 2 x 1", "multiply %4 %5  : 2 x 1",
         "largest %4 1  : 2 x 1", "multiply %6 %7  : 2 x 1")  # fmt: skip


def odd_numbers(label: str, count: int) -> list[int]:
    """Return the real numbers of a label, in units of 2^-23, as the page on certificates says them."""
    octets = hashlib.shake_256(f"algatt/1/0/{label}".encode("ascii")).digest(8 * count)
    words = [int.from_bytes(octets[8 * k : 8 * k + 8], "little") for k in range(count)]
    return [2 * (word >> 40) + 1 - 2**24 for word in words]


def pattern(number: int) -> str:
    """Return the gates of a real input: A, of 8 columns, is divided by 4, and the bias B by 16."""
    weights, x = odd_numbers("weights", 18), odd_numbers(f"input/{number}", 8)
    rows = [weights[:8], weights[8:16]]
    values = [
        4 * sum(a * b for a, b in zip(row, x, strict=True)) + weights[16 + k] * 2**23 for k, row in enumerate(rows)
    ]
    bits = [int(value > 0) for value in values] + [int(values[k] > values[1 - k]) for k in (0, 1)]
    return f"{int(''.join(map(str, bits)), 2):x}"


def test_patterns_are_those_of_real_inputs() -> None:
    true = [pattern(number) for number in range(40)]
    assert len(set(true)) > 3
    assert reasons(GATED, claims_of([], [], gates={"dropped": [], "open": true})) == []
    dropped = claims_of(
        [], [], gates={"dropped": [0, 3], "open": [one for k, one in enumerate(true) if k not in (0, 3)]}
    )
    assert reasons(GATED, dropped) == []
    for k, one in enumerate(true):
        wrong = [*true[:k], "f" if one != "f" else "0", *true[k + 1 :]]
        assert reasons(GATED, claims_of([], [], gates={"dropped": [], "open": wrong})) == [
            f"real input {k} has other gates"
        ]


def test_precision_is_doubled_until_gates_are_decided() -> None:
    """Of 1 + 2^-300 u no ball of 128 or 256 bits knows u."""
    lines = (*X, f"constant [1/{2**300}]  : number", "multiply %2 %3  : 1 x 2", "constant [1]  : number",
             "add %4 %5  : 1 x 2", "negate %5  : number", "add %6 %7  : 1 x 2", "positive %8  : 1 x 2")  # fmt: skip
    weights = odd_numbers("weights", 2)
    true = []
    for number in range(4):
        x = odd_numbers(f"input/{number}", 4)
        bits = [int(weights[0] * x[k] + weights[1] * x[2 + k] > 0) for k in range(2)]
        true.append(str(2 * bits[0] + bits[1]))
    assert reasons(lines, claims_of([], [], gates={"dropped": [], "open": true})) == []


@pytest.mark.parametrize(
    "gates",
    [
        {"dropped": [], "open": []},
        {"dropped": [], "open": ["10"]},
        {"dropped": [], "open": ["g"]},
        {"dropped": [], "open": ["F"]},
        {"dropped": [], "open": [3]},
        {"dropped": [1], "open": ["f"]},
        {"dropped": [1, 0], "open": ["f", "f", "f"]},
        {"dropped": [0, 0], "open": ["f"]},
        {"open": ["f"]},
    ],
    ids=str,
)
def test_patterns_are_written_in_one_way(gates: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        places_of_lines(GATED, claims_of([], [], gates=gates))


def test_without_gates_there_are_no_patterns() -> None:
    with pytest.raises(Refused):
        places_of_lines(EXP, claims_of(ONE_EXP, [condition_of(FOUR[:3])], gates={"dropped": [], "open": [""]}))


def test_a_gate_that_is_not_decided_is_no_pattern() -> None:
    lines = (*X, "negate %2  : 1 x 2", "add %2 %3  : 1 x 2", "positive %4  : 1 x 2")
    found = reasons(lines, claims_of([], [], gates={"dropped": [], "open": ["0"]}))
    assert "nothing is known of real input 0" in found[0]


def test_conditions_are_shown_for_each_pattern_on_which_they_depend() -> None:
    """Where a gate is closed the exponent vanishes."""
    before = (*X, "positive %2  : 1 x 2", "multiply %2 %3  : 1 x 2", "exp %4  : 1 x 2")
    exponents = [[5, 4, 1, "1"]]
    both = condition_of(FOUR[:3])
    for opened, expected in ((["3"], []), (["1"], ["2 exponents of an input are not seen to be independent"])):
        found = reasons(before, claims_of(exponents, [both], gates={"dropped": [], "open": opened}))
        assert [text for text in found if "other gates" not in text] == expected
    for count in (0, 1, 3):
        with pytest.raises(Refuted, match="patterns of gates"):
            places_of_lines(
                before, claims_of(exponents, [both] * count, gates={"dropped": [], "open": ["3", "2", "3"]})
            )
    found = reasons(before, claims_of(exponents, [both] * 2, gates={"dropped": [], "open": ["3", "0", "3"]}))
    assert "2 exponents of an input are not seen to be independent" in found
    after = (*X, "positive %2  : 1 x 2", "exp %2  : 1 x 2", "multiply %3 %4  : 1 x 2")
    claims = claims_of([[4, 2, 1, "1"]], [both], gates={"dropped": [], "open": ["3", "0", "3"]})
    assert [text for text in reasons(after, claims) if "other gates" not in text] == []


def test_roots_are_looked_at_with_each_pattern_on_which_they_depend() -> None:
    """Where a gate is closed the root is that of a square."""
    lines = (*X, "positive %2  : 1 x 2", "multiply %2 %2  : 1 x 2", "add %3 %4  : 1 x 2", "sqrt %5  : 1 x 2")
    evidence = condition_of(None, _6=spanning(2, below_the_root))
    for opened, squares in (("3", False), ("1", True), ("0", True)):
        found = reasons(lines, claims_of([], [evidence], gates={"dropped": [], "open": [opened]}))
        assert any("instruction 6" in text for text in found) is squares
