"""Independence of exponents, seen where it holds, and nowhere else; exponents as multiples of their base."""

from __future__ import annotations

from typing import Any

import pytest

from algatt.certificates.verifier.conditions import check_conditions
from algatt.certificates.verifier.elementary import ERF, Refuted
from algatt.certificates.verifier.limits import Refused
from elementary_conditions import (
    EXP,
    FOUR,
    ONE_EXP,
    X,
    arguments,
    reasons,
    spanning,
)
from elementary_networks import P, claims_of, condition_of, places_of_lines


def test_independent_exponents_are_seen_at_one_more_place_than_there_are() -> None:
    assert reasons(EXP, claims_of(ONE_EXP, [condition_of(FOUR[:3])])) == []
    for places in (FOUR[:2], FOUR[:4], []):
        assert "differences of 2 exponents" in reasons(EXP, claims_of(ONE_EXP, [condition_of(places)]))[0]
    for places in ([[0, 0], [1, 1], [2, 2]], [[0, 0], [0, 1], [1, 2]], [*FOUR[:3], [1, 0]]):
        assert "the only one with its weights" in reasons(EXP, claims_of(ONE_EXP, [condition_of(places)]))[0]
    twice = [[0, 0], [0, 1], [0, 1]]
    assert reasons(EXP, claims_of(ONE_EXP, [condition_of(twice)])) == [
        "2 exponents of an input are not seen to be independent"
    ]


def test_the_determinant_of_differences_is_that_of_the_definition() -> None:
    places = [arguments(number) for number in range(3)]
    (a, b), (c, d) = ([x - y for x, y in zip(one, places[0], strict=True)] for one in places[1:])
    determinant = (a * d - b * c) % P
    claims = claims_of(ONE_EXP, [condition_of(FOUR[:3])])
    claims["conditions"][0]["exponents"]["determinant"] = determinant
    assert check_conditions(places_of_lines(EXP, claims)) == []
    claims["conditions"][0]["exponents"]["determinant"] = determinant + 1
    assert f"is {determinant}, not {determinant + 1}" in check_conditions(places_of_lines(EXP, claims))[0]


@pytest.mark.parametrize(
    ("more", "exponents"),
    [
        (("negate %2  : 1 x 2", "exp %2  : 1 x 2", "exp %3  : 1 x 2"), [[4, 2, 1, "1"], [5, 3, 1, "1"]]),
        (("constant [1]  : number", "add %2 %3  : 1 x 2", "exp %2  : 1 x 2", "exp %4  : 1 x 2"),
         [[5, 2, 1, "1"], [6, 4, 1, "1"]]),
        (("tensor B  : 1 x 1", "add %2 %3  : 1 x 2", "exp %2  : 1 x 2", "exp %4  : 1 x 2"),
         [[5, 2, 1, "1"], [6, 4, 1, "1"]]),
    ],
    ids=["opposite", "up to a number", "up to a weight"],
)  # fmt: skip
def test_dependent_exponents_are_never_seen_to_be_independent(more: tuple[str, ...], exponents: list[Any]) -> None:
    for places in (FOUR, [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]], [[w, w] for w in range(5)]):
        assert reasons((*X, *more), claims_of(exponents, [condition_of(places)])) != []


def test_an_exponent_of_weights_alone_is_not_seen_to_be_independent() -> None:
    lines = (*X, "exp %1  : 1 x 2", "multiply %2 %3  : 1 x 2")
    for places in (FOUR[:3], [[0, 0], [1, 0], [2, 0]], [[0, 0], [0, 1], [1, 0], [1, 1]]):
        assert reasons(lines, claims_of([[3, 1, 1, "1"]], [condition_of(places)])) != []


def test_multiples_by_weights_are_seen_at_several_weights() -> None:
    lines = ("input  : 1 x 1", "tensor A  : 1 x 1", "multiply %1 %0  : 1 x 1", "exp %0  : 1 x 1", "exp %2  : 1 x 1")
    exponents = [[3, 0, 1, "1"], [4, 2, 1, "1"]]
    assert reasons(lines, claims_of(exponents, [condition_of([[0, 0], [0, 1], [1, 0], [1, 1]])])) == []
    assert reasons(lines, claims_of(exponents, [condition_of([[0, 0], [0, 1], [0, 2]])])) != []


def test_error_functions_have_the_exponents_of_their_densities() -> None:
    lines = (*X, "multiply %2 %2  : 1 x 2", "negate %3  : 1 x 2", "erf %2  : 1 x 2", "exp %4  : 1 x 2")
    claims = claims_of([[6, 4, 1, "1"]], [condition_of(FOUR)], rests_on=[ERF])
    assert reasons(lines, claims) == ["4 exponents of an input are not seen to be independent"]
    lines = (*X, "erf %2  : 1 x 2", "exp %2  : 1 x 2")
    assert reasons(lines, claims_of([[4, 2, 1, "1"]], [condition_of(FOUR)], rests_on=[ERF])) == []
    assert (
        "differences of 4" in reasons(lines, claims_of([[4, 2, 1, "1"]], [condition_of(FOUR[:3])], rests_on=[ERF]))[0]
    )
    for wrong in ([], ["erf"], [ERF, ERF]):
        with pytest.raises(Refuted, match="rests on"):
            places_of_lines(lines, claims_of([[4, 2, 1, "1"]], [condition_of(FOUR)], rests_on=wrong))


def test_values_of_logarithms_count_among_exponents() -> None:
    lines = (*X, "log %2  : 1 x 2", "exp %3  : 1 x 2")
    chosen = spanning(2, arguments)
    assert reasons(lines, claims_of([[4, 3, 1, "1"]], [condition_of(FOUR, _3=chosen)])) == [
        "4 exponents of an input are not seen to be independent"
    ]
    lines = (*X, "log %2  : 1 x 2", "exp %2  : 1 x 2")
    assert reasons(lines, claims_of([[4, 2, 1, "1"]], [condition_of(FOUR, _3=chosen)])) == []


HALF = (
    *X,
    "constant [1/2]  : number",
    "multiply %3 %2  : 1 x 2",
    "negate %4  : 1 x 2",
    "exp %4  : 1 x 2",
    "exp %5  : 1 x 2",
)


@pytest.mark.parametrize(
    "exponents",
    [
        [[6, 2, 1, "1/2"], [7, 2, -1, "1/2"]],
        [[6, 4, 1, "1"], [7, 4, -1, "1"]],
        [[6, 4, 2, "1/2"], [7, 4, -2, "1/2"]],
        [[6, 2, -1, "-1/2"], [7, 2, 1, "-1/2"]],
    ],
)
def test_exponents_are_multiples_of_their_base(exponents: list[list[Any]]) -> None:
    assert reasons(HALF, claims_of(exponents, [condition_of(FOUR[:3])])) == []
    for row, column, value in [
        (0, 2, 3),
        (1, 2, 3),
        (0, 3, "3"),
        (1, 3, "1/3"),
        (0, 1, 1),
        (0, 1, 3),
        (0, 0, 1),
        (1, 1, 0),
        (0, 2, 0),
        (0, 0, 7),
    ]:
        wrong = [list(one) for one in exponents]
        wrong[row][column] = value
        with pytest.raises(Refuted):
            places_of_lines(HALF, claims_of(wrong, [condition_of(FOUR[:3])]))
    for wrong in (exponents[::-1], exponents[:1], [*exponents, exponents[0]], []):
        with pytest.raises(Refuted):
            places_of_lines(HALF, claims_of(wrong, [condition_of(FOUR[:3])]))


def test_exponents_of_one_base_have_one_scale() -> None:
    with pytest.raises(Refuted, match="have the scales"):
        places_of_lines(HALF, claims_of([[6, 2, 1, "1/2"], [7, 2, 1, "-1/2"]], [condition_of(FOUR[:3])]))


@pytest.mark.parametrize("scale", ["0", "2/4", "01", "1/0", "0.5", 1, "1" * 800, "-0"])
def test_scales_are_fractions_in_lowest_terms(scale: Any) -> None:
    with pytest.raises((Refused, Refuted)):
        places_of_lines(HALF, claims_of([[6, 2, 1, scale], [7, 2, -1, scale]], [condition_of(FOUR[:3])]))


@pytest.mark.parametrize(
    "more",
    [
        ("constant [1 2]  : 1 x 2", "multiply %2 %3  : 1 x 2", "exp %4  : 1 x 2"),
        ("constant [0]  : number", "multiply %2 %3  : 1 x 2", "exp %4  : 1 x 2"),
        ("tensor B  : 1 x 1", "multiply %2 %3  : 1 x 2", "exp %4  : 1 x 2"),
        ("constant [1]  : number", "add %2 %3  : 1 x 2", "exp %4  : 1 x 2"),
    ],
    ids=["different numbers", "zero", "a weight", "a sum"],
)
def test_other_products_are_no_multiples(more: tuple[str, ...]) -> None:
    for scale in ("1", "2"):
        with pytest.raises(Refuted, match="is not 1 times"):
            places_of_lines((*X, *more), claims_of([[5, 2, 1, scale]], [condition_of(FOUR[:3])]))


def test_what_is_repeated_by_a_product_is_no_multiple() -> None:
    lines = ("input  : 1 x 1", "constant [2 2]  : 1 x 2", "multiply %0 %1  : 1 x 2", "exp %2  : 1 x 2")
    with pytest.raises(Refuted, match="is not 1 times"):
        places_of_lines(lines, claims_of([[3, 0, 1, "2"]], [condition_of(FOUR[:3])]))
