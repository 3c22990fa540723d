"""Roots and logarithms: characters and arguments that show that residues stand for them, and real points."""

from __future__ import annotations

import hashlib
import itertools
from typing import Any

import pytest

from algatt.certificates.verifier.conditions import check_conditions
from algatt.certificates.verifier.elementary import Refuted
from algatt.certificates.verifier.limits import Refused
from elementary_conditions import (
    EXP,
    FOUR,
    ONE_EXP,
    X,
    arguments,
    below_the_root,
    is_square,
    rank_of,
    reasons,
    spanning,
    stream,
)
from elementary_networks import P, claims_of, condition_of, places_of_lines

ROOT = (*X, "multiply %2 %2  : 1 x 2", "constant [1]  : number", "add %3 %4  : 1 x 2", "sqrt %5  : 1 x 2")
"""The root of 1 + u^2, which exists for all real inputs."""


@pytest.mark.parametrize("numbers", list(itertools.combinations(range(6), 3)), ids=str)
def test_characters_span_what_those_of_the_definition_span(numbers: tuple[int, ...]) -> None:
    characters = [tuple(map(is_square, below_the_root(number))) for number in numbers]
    found = reasons(ROOT, claims_of([], [condition_of(None, _6=[[0, number] for number in numbers])]))
    assert (found == []) == (rank_of(characters) == 2)


def test_one_more_place_than_roots_is_claimed_and_with_the_same_weights() -> None:
    chosen = spanning(2, below_the_root)
    for places in (chosen[:2], [*chosen, chosen[0]], []):
        assert "of 2 arguments at instruction 6" in reasons(ROOT, claims_of([], [condition_of(None, _6=places)]))[0]
    for places in ([[w, n] for w, (_, n) in enumerate(chosen)], [*chosen, [1, 0]]):
        assert "the only one with its weights" in reasons(ROOT, claims_of([], [condition_of(None, _6=places)]))[0]


@pytest.mark.parametrize(
    "more",
    [
        ("multiply %2 %2  : 1 x 2", "sqrt %3  : 1 x 2"),
        ("multiply %2 %2  : 1 x 2", "constant [2]  : number", "multiply %3 %4  : 1 x 2", "sqrt %5  : 1 x 2"),
        ("multiply %2 %2  : 1 x 2", "tensor B  : 1 x 1", "multiply %3 %4  : 1 x 2", "sqrt %5  : 1 x 2"),
        ("take %2 [[0] [0]]  : 1 x 1", "concatenate %3 %3 1  : 1 x 2", "sqrt %4  : 1 x 2"),
        ("column_products %2 %2  : 1 x 2", "transpose %2  : 2 x 1", "multiply %3 %3  : 1 x 2", "sqrt %5  : 1 x 2"),
        ("tensor B  : 1 x 1", "sqrt %3  : 1 x 1"),
    ],
    ids=["a square", "twice a square", "a weight times a square", "twice the same", "a fourth power", "a weight"],
)
def test_squares_are_never_seen_not_to_be_squares(more: tuple[str, ...]) -> None:
    lines = (*X, *more)
    name = f"_{len(lines) - 1}"
    for weights in range(2):
        for numbers in itertools.combinations(range(6), 3):
            places = [[weights, number] for number in numbers]
            assert reasons(lines, claims_of([], [condition_of(None, **{name: places})])) != []
    apart = [[weights, 0] for weights in range(3)]
    assert reasons(lines, claims_of([], [condition_of(None, **{name: apart})])) != []


def test_all_roots_before_a_root_have_to_exist() -> None:
    """The second root is looked at where the first one exists: without salts at few inputs."""
    lines = ("input  : 1 x 1", "constant [1]  : number", "multiply %0 %0  : 1 x 1", "add %2 %1  : 1 x 1",
             "sqrt %3  : 1 x 1", "add %4 %1  : 1 x 1", "sqrt %5  : 1 x 1")  # fmt: skip

    def first(number: int) -> int:
        return (1 + stream(f"input/{number}", 1)[0] ** 2) % P

    exists = {number: is_square(first(number)) for number in range(12)}
    assert 2 < sum(exists.values()) < 10
    start = next([[0, a], [0, b]] for a in range(12) for b in range(12) if exists[a] and not exists[b])
    for a, b in itertools.combinations(range(12), 2):
        found = reasons(lines, claims_of([], [condition_of(None, _4=start, _6=[[0, a], [0, b]])]))
        if exists[a] and exists[b]:
            roots = [min(s, P - s) for s in (pow(first(n), (P + 1) // 4, P) for n in (a, b))]
            assert (found == []) == (is_square(roots[0] + 1) != is_square(roots[1] + 1))
        else:
            assert "a root of instruction 4 does not exist" in found[0]


def test_an_argument_that_vanishes_shows_nothing() -> None:
    lines = (*X, "negate %2  : 1 x 2", "add %2 %3  : 1 x 2", "sqrt %4  : 1 x 2")
    assert any("is zero" in text for text in reasons(lines, claims_of([], [condition_of(None, _5=FOUR[:3])])))


def test_each_root_has_its_own_evidence() -> None:
    for roots in ({}, {"_5": FOUR}, {"_6": FOUR, "_7": FOUR}):
        with pytest.raises((Refuted, Refused)):
            places_of_lines(ROOT, claims_of([], [condition_of(None, **roots)]))
    with pytest.raises(Refuted, match="not there"):
        places_of_lines(ROOT, claims_of([], [condition_of(FOUR, _6=FOUR)]))
    with pytest.raises(Refuted, match="not about those"):
        places_of_lines(EXP, claims_of(ONE_EXP, [condition_of(None)]))


@pytest.mark.parametrize("salts", [[1], [1, 0, 0], [0, 0], [1, -1], [1, "1"], [1, 2**64]])
def test_places_have_a_salt_for_each_column_before_a_root(salts: list[Any]) -> None:
    with pytest.raises(Refused):
        places_of_lines(ROOT, claims_of([], [condition_of(None, _6=[[0, 0, *salts]])]))
    with pytest.raises(Refused):
        places_of_lines(ROOT, claims_of([], [condition_of(None, _6=FOUR)], places={"salts": [[0, *salts]], "sum": 0}))


def test_salts_are_in_the_order_of_inputs() -> None:
    for rows in ([[1, 1, 1], [0, 1, 1]], [[1, 1, 1], [1, 1, 1]], [[1]], [3]):
        with pytest.raises(Refused):
            places_of_lines(ROOT, claims_of([], [condition_of(None, _6=FOUR)], places={"salts": rows, "sum": 0}))


def test_residues_after_an_instruction_have_no_salts_in_its_evidence() -> None:
    """The first root is before the exponential, of which the second one is taken."""
    lines = (*ROOT, "exp %2  : 1 x 2", "add %7 %6  : 1 x 2", "sqrt %8  : 1 x 2")
    chosen = spanning(2, below_the_root)
    claims = claims_of([[7, 2, 1, "1"]], [condition_of([], _6=[[*chosen[0], 0, 0, 1, 0], *chosen[1:]], _9=[])])
    assert any("salts of what is not drawn" in text for text in reasons(lines, claims))


def test_logarithms_of_exponentials_are_refused() -> None:
    """log e^u = u is no new variable."""
    lines = (*X, "exp %2  : 1 x 2", "log %3  : 1 x 2")
    for numbers in itertools.islice(itertools.combinations(range(8), 5), 20):
        claims = claims_of([[3, 2, 1, "1"]], [condition_of(FOUR, _4=[[0, number] for number in numbers])])
        assert any("instruction 4" in text for text in reasons(lines, claims))


def test_exponentials_before_a_logarithm_are_looked_at_with_it() -> None:
    """At three places the characters of e alone span everything."""
    lines = (*X, "exp %2  : 1 x 2", "log %3  : 1 x 2")

    def drawn(number: int) -> list[int]:
        octets = hashlib.shake_256(f"algatt/1/0/exp/2/{number}".encode("ascii")).digest(800)
        words = [int.from_bytes(octets[k : k + 8], "little") for k in range(0, 800, 8)]
        return [word % (P - 1) + 1 for word in words if word < (P - 1) * (2**64 // (P - 1))][:2]

    claims = claims_of([[3, 2, 1, "1"]], [condition_of(FOUR, _4=spanning(2, drawn))])
    assert any("instruction 4" in text for text in reasons(lines, claims))


def test_logarithms_that_differ_by_a_number_are_refused() -> None:
    lines = (*X, "constant [3]  : number", "multiply %2 %3  : 1 x 2", "log %2  : 1 x 2", "log %4  : 1 x 2")
    chosen = spanning(2, arguments)
    for numbers in itertools.islice(itertools.combinations(range(8), 5), 20):
        claims = claims_of([], [condition_of(FOUR, _5=chosen, _6=[[0, number] for number in numbers])])
        assert any("instruction 6" in text for text in reasons(lines, claims))
    claims = claims_of([], [condition_of(FOUR, _5=chosen, _6=chosen)])
    assert any("instruction 6" in text for text in reasons(lines, claims))


@pytest.mark.parametrize("function", ["sqrt", "log"])
def test_some_real_input_has_a_value(function: str) -> None:
    """The root of -1 - u^2 has places modulo p, and no real value."""
    lines = (*X, "multiply %2 %2  : 1 x 2", "constant [1]  : number", "add %3 %4  : 1 x 2")
    exponents = FOUR[:3] if function == "log" else None
    claims = claims_of([], [condition_of(exponents, _6=spanning(2, below_the_root))])
    assert reasons((*lines, f"{function} %5  : 1 x 2"), claims) == []
    negated = (*lines, "negate %5  : 1 x 2", f"{function} %6  : 1 x 2")
    chosen = spanning(2, lambda number: [-x % P for x in below_the_root(number)])
    found = reasons(negated, claims_of([], [condition_of(exponents, _7=chosen)]))
    assert found == ["the network has no value at 8 real inputs"]


def test_sums_are_those_of_all_residues_that_have_salts() -> None:
    lines = (*ROOT, "exp %2  : 1 x 2", "constant [5]  : number", "add %7 %8  : 1 x 2", "sqrt %9  : 1 x 2")
    chosen = spanning(2, below_the_root)
    inputs = sum(sum(stream(f"input/{number}", 4)) for _, number in chosen) % P
    claims = claims_of([[7, 2, 1, "1"]], [condition_of([], _6=chosen, _10=[])])
    for claimed, expected in ((inputs, False), (inputs + 1, True), (0, True)):
        claims["conditions"][0]["roots"][0]["sum"] = claimed
        found = check_conditions(places_of_lines(lines, claims))
        assert any(f"instruction 6 have the sum {inputs}, not" in text for text in found) is expected
    lines = ("input  : 1 x 1", "sqrt %0  : 1 x 1", "negate %0  : 1 x 1", "exp %2  : 1 x 1")
    claims = claims_of([[3, 2, 1, "1"]], [condition_of([], _1=[])])
    squares = [number for number in range(20) if is_square(stream(f"input/{number}", 1)[0])][:2]
    claims["conditions"][0]["exponents"]["places"] = [[0, number] for number in squares]
    total = sum(stream(f"input/{number}", 1)[0] for number in squares) % P
    for claimed in (total, total - 1):
        claims["conditions"][0]["exponents"]["sum"] = claimed
        found = check_conditions(places_of_lines(lines, claims))
        assert any(f"exponents have the sum {total}, not" in text for text in found) is (claimed != total)
