"""Families by types: what is malformed, or says what makes no difference, is refused in one line; tangents by hand."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from algatt.certificates.verifier.actions import (
    Action,
    conjugated,
    is_diagonal,
    multiple_of,
    plus,
    row_sum_of,
    still,
    times,
    transposed,
)
from algatt.certificates.verifier.families import Part, action_of, tangents_of_types, typed_family
from algatt.certificates.verifier.limits import Refused
from algatt.certificates.verifier.program import parse
from moved_programs import claim_of, shapes_of

PROGRAM = parse(
    [
        "tensor U  : 2 x 2",
        "tensor M  : 2 x 2",
        "tensor g  : 2 x 1",
        "input  : 2 x 3",
        "product %1 %3  : 2 x 3",
        "multiply %2 %4  : 2 x 3",
        "product %0 %5  : 2 x 3",
    ]
)

GOOD = claim_of(
    [2, 1],
    {"M": [["rows", 0, 1, False, []]], "U": [["columns", 0, -1, False, [[2, 1]]], ["rows", 1, "1/2", False, []]]},
    [[0, 0, 1, 1, 1, 0, 0, 3]],
    {"5": [["rows", 0, 1, False, []]]},
)


def changed(*path: Any, to: Any) -> dict[str, Any]:
    claim = copy.deepcopy(GOOD)
    at: Any = claim
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = to
    return claim


U, M = ("axes", "U", 0), ("axes", "M", 0)

MALFORMED = {
    "no spaces": changed("spaces", to=[]),
    "spaces that are no list": changed("spaces", to="2"),
    "space of size 0": changed("spaces", 0, to=0),
    "space of size True": changed("spaces", 0, to=True),
    "space of another size": changed("spaces", 0, to=3),
    "another name beside": {**GOOD, "more": 1},
    "a name less": {key: value for key, value in GOOD.items() if key != "images"},
    "axes that are a list": changed("axes", to=[]),
    "a tensor that is not there": changed("axes", "W", to=GOOD["axes"]["M"]),
    "no parts": changed("axes", "M", to=[]),
    "parts that are no list": changed("axes", "M", to={}),
    "a part that is short": changed(*M, to=["rows", 0, 1, False]),
    "a part of another side": changed(*M, 0, to="row"),
    "a side that is a list": changed(*M, 0, to=[]),
    "a space that is not there": changed(*M, 1, to=2),
    "a space below zero": changed(*M, 1, to=-1),
    "a space True": changed("axes", "U", 1, 1, to=True),
    "a coefficient 0": changed(*M, 2, to=0),
    "a coefficient 1.0": changed(*M, 2, to=1.0),
    "a coefficient True": changed(*M, 2, to=True),
    "a coefficient '1'": changed(*M, 2, to="1"),
    "a coefficient '2/4'": changed(*M, 2, to="2/4"),
    "a coefficient '1/0'": changed(*M, 2, to="1/0"),
    "a coefficient of many digits": changed(*M, 2, to=10**700),
    "a fraction of many digits": changed(*M, 2, to="1/" + "3" * 10**5),
    "transposed 0": changed(*M, 3, to=0),
    "gains that are no list": changed(*M, 4, to={}),
    "a gain that is short": changed(*U, 4, to=[[2]]),
    "a gain to the power 2": changed(*U, 4, to=[[2, 2]]),
    "a gain to the power True": changed(*U, 4, to=[[2, True]]),
    "a gain that is not there": changed(*U, 4, to=[[7, 1]]),
    "a gain that is the input": changed(*U, 4, to=[[3, 1]]),
    "a gain that is a matrix": changed(*U, 4, to=[[0, 1]]),
    "many gains": changed(*U, 4, to=[[2, 1]] * 101),
    "a gain beside a number": changed("axes", "U", 1, 4, to=[[2, 1]]),
    "a number that is transposed": changed("axes", "U", 1, 3, to=True),
    "a free basis of two spaces": changed("basis", to="free"),
    "a basis that is a text": changed("basis", to="all"),
    "an element that is no list": changed("basis", 0, to=0),
    "an element that is empty": changed("basis", 0, to=[]),
    "an element that is short": changed("basis", 0, to=[0, 0, 1]),
    "an element of another space": changed("basis", 0, 0, to=2),
    "an element at another place": changed("basis", 0, 1, to=2),
    "an element at a place of a number": changed("basis", 0, 5, to=1),
    "an element with a zero": changed("basis", 0, 3, to=0),
    "an element with 1.0": changed("basis", 0, 3, to=1.0),
    "an element with many digits": changed("basis", 0, 3, to=10**700),
    "an element that stands twice": changed("basis", 0, to=[0, 0, 1, 1, 0, 0, 1, 1]),
    "images that are a list": changed("images", to=[]),
    "an image of no number": changed("images", "05", to=GOOD["images"]["5"]),
    "an image of what is not there": changed("images", "7", to=GOOD["images"]["5"]),
    "an image of another size": changed("images", "5", 0, 0, to="columns"),
    "a space that is not used": changed("spaces", to=[2, 1, 1]),
    "a space that is not used in the basis": changed("basis", 0, to=[0, 0, 1, 1]),
    "a space that acts on nothing": changed("axes", "U", to=[["columns", 0, -1, False, [[2, 1]]]]),
    "spaces with the same matrices": claim_of(
        [2, 2],
        {"M": [["rows", 0, 1, False, []]], "U": [["columns", 1, -1, False, []]]},
        [[0, 0, 1, 1, 1, 0, 1, 1], [0, 1, 1, 1, 0, 0, 0, 2, 1, 0, 0, 2, 1, 1, 1, 1]],
    ),
    "parts that cancel": claim_of(
        [2, 1],
        {"M": [["rows", 0, 1, False, []], ["rows", 1, 1, False, []]], "U": [["rows", 1, 1, False, []]]},
        [[0, 0, 0, -2, 0, 1, 1, -2, 1, 0, 0, 2]],
    ),
    "a number on columns": changed("axes", "U", 1, 0, to="columns"),
    "a number in an image": changed("images", "5", to=[["rows", 0, 1, False, []], ["rows", 1, 1, False, []]]),
    "a gain beside diagonal matrices": changed("basis", 0, to=[0, 0, 0, 1, 1, 0, 0, 3]),
}


@pytest.mark.parametrize("claim", MALFORMED.values(), ids=MALFORMED)
def test_malformed_families_are_refused_in_one_line(claim: Any) -> None:
    typed_family(GOOD, PROGRAM, shapes_of(PROGRAM))
    with pytest.raises(Refused) as refusal:
        typed_family(claim, PROGRAM, shapes_of(PROGRAM))
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 400


@pytest.mark.parametrize(
    "basis", [[[0, 0, 0, 1]], [[0, 0, 1, 1, 0, 1, 0, 1]], [[0, 0, 0, 1], [0, 0, 1, 2, 0, 1, 0, 2, 0, 1, 1, 1]]]
)
def test_symmetric_matrices_are_not_transposed(basis: Any) -> None:
    axes = {"M": [["rows", 0, 1, True, []]]}
    with pytest.raises(Refused, match="makes no difference"):
        typed_family(claim_of([2], axes, basis), PROGRAM, shapes_of(PROGRAM))
    typed_family(claim_of([2], axes, [*basis, [0, 0, 1, 1]]), PROGRAM, shapes_of(PROGRAM))
    typed_family(claim_of([2], axes), PROGRAM, shapes_of(PROGRAM))


def test_a_number_is_free_and_moves_everything() -> None:
    family = typed_family(claim_of([1], {"M": [["rows", 0, 2, False, []]]}), PROGRAM, shapes_of(PROGRAM))
    assert list(family.elements()) == [{0: {(0, 0): 1}}]
    assert action_of(family.axes["M", "rows"], 2, family.spaces, {0: {(0, 0): 1}}) == still(2, 2)


WEIGHTS = {"U": [1, 2, 3, 4], "M": [5, 6, 7, 8], "g": [2, 3]}


def test_tangents_by_hand() -> None:
    """S = E_12: M gets its second row above its first; U loses U D S D^-1 = 2/3 times its first column in its second;
    and 3/2 of U is added. Modulo 101, 1/3 is 34 and 1/2 is 51.
    """
    family = typed_family(GOOD, PROGRAM, shapes_of(PROGRAM))
    ((number, tangent),) = tangents_of_types(family, PROGRAM, shapes_of(PROGRAM), WEIGHTS, 101)
    half, third = 3 * 51, -2 * 34
    U = [half, 2 * half + third, 3 * half, 4 * half + 3 * third]
    assert number == 0
    assert tangent == {place: value % 101 for place, value in enumerate([*U, 7, 8])}


def test_tangents_of_columns_and_of_transposed_matrices() -> None:
    claim = claim_of([2], {"M": [["columns", 0, 1, False, []]], "U": [["rows", 0, -1, True, [[2, -1]]]]})
    family = typed_family(claim, PROGRAM, shapes_of(PROGRAM))
    found = dict(tangents_of_types(family, PROGRAM, shapes_of(PROGRAM), WEIGHTS, 101, wanted={1}))
    # E_12 adds the first column of M to its second; -D^-1 E_21 D adds -2/3 times the first row of U to its second
    assert found == {1: {5: 5, 7: 7, 2: -2 * 34 % 101, 3: -4 * 34 % 101}}


def test_there_is_no_tangent_where_a_gain_is_zero() -> None:
    family = typed_family(GOOD, PROGRAM, shapes_of(PROGRAM))
    for g in ([0, 3], [2, 0]):
        with pytest.raises(Refused, match="zero modulo the prime"):
            list(tangents_of_types(family, PROGRAM, shapes_of(PROGRAM), {**WEIGHTS, "g": g}, 101))


def test_a_prime_does_not_divide_denominators() -> None:
    family = typed_family(changed("axes", "U", 1, 2, to="1/101"), PROGRAM, shapes_of(PROGRAM))
    with pytest.raises(Refused, match="divides a denominator"):
        list(tangents_of_types(family, PROGRAM, shapes_of(PROGRAM), WEIGHTS, 101))


def test_actions_by_hand() -> None:
    one = Action(2, 1, {(0, 1, ()): 2, (0, 0, ()): 1})
    assert plus(one, still(2, 3), -2) == Action(2, -5, one.entries)
    assert plus(one, one, -1) == still(2)
    assert times(one, -2) == Action(2, -2, {(0, 1, ()): -4, (0, 0, ()): -2})
    marked = conjugated(one, 7, 1)
    assert marked.entries == {(0, 1, ((7, 1),)): 2, (0, 0, ()): 1}
    assert transposed(marked).entries == {(1, 0, ((7, -1),)): 2, (0, 0, ()): 1}
    assert conjugated(conjugated(marked, 3, 1), 7, -1).entries == {(0, 1, ((3, 1),)): 2, (0, 0, ()): 1}
    assert plus(one, marked, -1).entries == {(0, 1, ()): 2, (0, 1, ((7, 1),)): -2}
    assert (row_sum_of(one), row_sum_of(marked), row_sum_of(still(2, 5))) == (None, None, 5)
    assert row_sum_of(Action(2, 1, {(0, 1, ()): 2, (1, 1, ()): 2})) == 3
    assert row_sum_of(Action(2, 1, {(0, 1, ()): 2, (0, 0, ()): -2})) == 1
    assert [is_diagonal(action) for action in (one, still(2))] == [False, True]
    assert multiple_of(Action(2, 1, {(0, 0, ()): 2, (1, 1, ()): 2})) == 3
    assert multiple_of(Action(2, 1, {(0, 0, ()): 2})) is None
    assert multiple_of(Action(2, 1, {(0, 0, ()): 2, (1, 1, ()): 1})) is None
    assert multiple_of(Action(2, 1, {(0, 1, ()): 2, (1, 0, ()): 2})) is None


def test_parts_with_numbers_are_added() -> None:
    parts = (Part(0, 2, False, ()), Part(0, 3, False, ()))
    assert action_of(parts, 4, (1,), {0: {(0, 0): 7}}) == still(4, 35)


def test_gains_are_tensors() -> None:
    program = parse(["tensor g  : 2 x 1", "negate %0  : 2 x 1"])
    for instruction in (0, 1):
        claim = claim_of([2], {"g": [["rows", 0, 1, False, [[instruction, 1]]]]})
        if instruction == 0:
            typed_family(claim, program, shapes_of(program))
        else:
            with pytest.raises(Refused, match="a tensor with one column or row"):
                typed_family(claim, program, shapes_of(program))
