"""Which programs are of parts, by hand: an axis of length 5 has a hub of 2 and three copies of 1."""

from __future__ import annotations

import pytest

from algatt.certificates.verifier.limits import Refused
from algatt.certificates.verifier.network import network_of
from algatt.certificates.verifier.pieces import Cut, cut_of
from small_words import head

pytestmark = pytest.mark.sample(1000)  # all cases, always: what is called verified rests on them

START = "T: tensor 5 x 5; V: tensor 3 x 5; b: tensor 5 x 1; X: input 5 x 3; t: product T X; "

ROWS, COLUMNS = " ".join(["1 2 3"] * 5), " ".join(f"{k} {k} {k} {k} {k}" for k in (1, 2, 3))

OTHER = " ".join(map(str, range(1, 16)))

OF_PARTS = {
    "a map": "Y: transpose t",
    "two maps": "Y: product V t",
    "a square of a map": "U: product T T; u: product U X; Y: product V u",
    "squares of weights": "U: multiply T T; u: product U X; Y: product V u",
    "a function times what vanishes": "e: exp t; g: multiply e t; Y: product V g",
    "one over weights": "r: reciprocal b; m: multiply r t; Y: product V m",
    "a bias": "Y: add t b",
    "a constant that is equal in all rows": f"C: constant 5 x 3 [{ROWS}]; m: multiply t C; Y: product V m",
    "a constant that is equal in all columns": f"C: constant 3 x 5 [{COLUMNS}]; W: multiply V C; Y: product W t",
    "a gate behind": "v: product V t; Y: positive v",
    "lengths": "Y: column_products t t",
}

SUM = "a sum over what does not vanish outside of parts"
CONSTANT = "a constant that is not the same along an axis that is cut"

OF_NO_PARTS = {
    "a sum of rows": ("o: constant 1 x 5 [1 1 1 1 1]; Y: product o t", SUM),
    "a sum by weights in all copies": ("w: transpose b; Y: product w t", SUM),
    "a bias between": ("a: add t b; Y: product V a", SUM),
    "a function between": ("e: exp t; Y: product V e", SUM),
    "values of weights": ("Y: product V b", SUM),
    "a root": ("s: sqrt t; Y: product V s", "sqrt along an axis that is cut"),
    "a gate": ("p: positive t; Y: multiply p t", "positive along an axis that is cut"),
    "the largest": ("l: largest t 1; Y: multiply l t", "largest along an axis that is cut"),
    "one over a result": ("r: reciprocal t; Y: multiply r t", "reciprocal along an axis that is cut"),
    "one over a matrix": ("r: reciprocal T; Y: product r t", "reciprocal along an axis that is cut"),
    "rows that differ": (f"C: constant 5 x 3 [{OTHER}]; Y: multiply t C", CONSTANT),
    "columns that differ": (f"C: constant 3 x 5 [{OTHER}]; W: multiply V C; Y: product W t", CONSTANT),
    "one row that differs": (f"C: constant 5 x 3 [{ROWS[:-1]}4]; Y: multiply t C", CONSTANT),
    "an identity": ("Y: centre t", CONSTANT),
}


def cut(text: str) -> Cut:
    return cut_of(network_of(head(START + text)), {"copies": 3, "cuts": [[2, 1]]})


@pytest.mark.parametrize("name", OF_PARTS)
def test_programs_of_parts(name: str) -> None:
    assert cut(OF_PARTS[name]).sizes == {5: (2, 1)}


def test_inputs_vanish_with_one_index_outside_and_with_both() -> None:
    """Both axes of the input are cut: rows of e X outside of parts vanish by entries of X with both indices there."""
    claims = head("T: tensor 5 x 5; X: input 5 x 5; e: exp X; a: product e X; b: product a e; Y: product b T")
    with pytest.raises(Refused, match=SUM):  # b is no input
        cut_of(network_of(claims), {"copies": 3, "cuts": [[2, 1]]})
    claims = head("X: input 5 x 5; e: exp X; a: product e X; Y: product a e")
    assert cut_of(network_of(claims), {"copies": 3, "cuts": [[2, 1]]}).sizes == {5: (2, 1)}


@pytest.mark.parametrize("name", OF_NO_PARTS)
def test_other_programs_are_refused(name: str) -> None:
    text, what = OF_NO_PARTS[name]
    with pytest.raises(Refused) as caught:
        cut(text)
    assert f"of a program with {what}" in str(caught.value)


@pytest.mark.parametrize(("i", "j", "pieces"), [(0, 1, [0]), (1, 2, [0, 1]), (2, 2, [0, 1]), (2, 3, [2]), (0, 3, [])])
def test_pieces_own_what_they_have_beyond_those_before(i: int, j: int, pieces: list[int]) -> None:
    """The first has the hub and a copy; another copy, and two copies, what is not of the hub or of one of them."""
    assert [piece for piece in range(3) if Cut(3, {5: (2, 1)}).owns(piece, (5, 5), i, j)] == pieces


def test_pieces_are_as_many_as_pairs_of_copies() -> None:
    assert Cut(5, {}).times == (1, 4, 10)
