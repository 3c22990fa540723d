"""Families that were accepted though they move the value, and files that took too long: what an attacker found."""

from __future__ import annotations

from typing import Any

import pytest

from algatt.certificates.verifier import directions as verifier_directions
from algatt.certificates.verifier.directions import Leibniz, Moves
from algatt.certificates.verifier.fields import Residues
from algatt.certificates.verifier.limits import Refused
from algatt.certificates.verifier.network import network_of
from algatt.certificates.verifier.program import parse
from small_words import family, head, read, refutation, symmetry
from words_oracle import moves

TURNED_SHARES = (
    "T: tensor 2 x 2; b: tensor 2 x 1; A: input 2 x 2; K: constant 2 x 2 [0 1 2 0]; w: constant 2 x 1 [1 1]; "
    "one: constant 1 x 2 [1 1]; e: exp A; total: product one e; inverse: reciprocal total; P: multiply e inverse; "
    "Pt: transpose P; k: product K T; kp: product k Pt; s: product kp w; Y: add s b"
)


@pytest.mark.parametrize("c", ["-1", "-1/2", "-2"])
def test_constants_keep_their_size_when_words_are_turned(c: str) -> None:
    """A constant is normal by its first entry, and its transpose by another one."""
    claims = head(TURNED_SHARES)
    word: list[Any] = [c, [["constant", 2, 2, [0, 1, 1, 1, 0, 2]], ["free"], ["ones", 2, 1]]]
    claim = {"name": "f", "free": [2, 2], "moves": {"T": [[1, [["free"]]]], "b": [word]}}
    assert (refutation(claims, claim) == "") is (c == "-1")
    assert moves(*read(claims, claim)) is (c != "-1")


@pytest.mark.parametrize("operands", ["C m", "m C"])
@pytest.mark.parametrize("c", ["1", "2"])
def test_constants_of_one_number_do_not_move(operands: str, c: str) -> None:
    text = f"T: tensor 2 x 2; U: tensor 2 x 2; X: input 2 x 2; C: constant 2 x 2 [{c} {c} {c} {c}]; t: product T X; "
    claims = head(f"{text}m: product U t; Y: multiply {operands}")
    assert refutation(claims, family(None, T="T", U="- U")) == ""
    for multiple in ("", "2 ", "1/2 "):
        claim = family(None, T=f"- {multiple}T")
        assert moves(*read(claims, claim)) is True
        assert refutation(claims, claim) != ""


def test_a_column_that_moves_by_products_that_are_zero() -> None:
    """Its first entry times a column in which that entry is zero."""
    claims = head("x: tensor 2 x 1; X: input 2 x 2; r: reciprocal x; Y: multiply r X")
    claim = family(None, x="E(2,2,0,0) D(x) E(2,1,1,0)")
    assert refutation(claims, claim) == ""
    assert moves(*read(claims, claim)) is False


@pytest.mark.parametrize("end", [" :", "", "  : 1:", " x:  : 1"])
def test_long_lines_are_read_once(end: str) -> None:
    with pytest.raises(Refused):
        parse(["add" + " %1" * 100_000 + end])


MANY = " ".join(map(str, range(1, 20_000)))

LARGE = {
    "parts": f"T: tensor 20000 x 1; Y: take T [[{MANY}] [0]]",
    "means": "T: tensor 20000 x 1; Y: centre T",
    "what is joined": "T: tensor 20000 x 1; U: tensor 20000 x 1; Y: concatenate T U 0",
}


@pytest.mark.parametrize("name", LARGE)
def test_large_matrices_are_refused_before_they_are_made(name: str) -> None:
    with pytest.raises(Refused, match="smaller"):
        head(LARGE[name])


def test_large_constants_of_words_are_refused_before_they_are_made() -> None:
    claim = family(None, T=" ".join(["1(300,300)"] * 60))
    assert "refused: " in symmetry(head("T: tensor 300 x 300; Y: negate T"), claim, directions=[0])


def test_steps_for_directions_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifier_directions, "MOST_STEPS_OF_DIRECTIONS", 10**5)
    claims = head("B: tensor 60 x 60; U: tensor 60 x 60; Y: negate B")
    found = symmetry(claims, family((60, 1), U="B D(B S) B"), directions=[3600 + k for k in range(60)])
    assert "claims.families is of" in found
    assert "steps" in found


def test_sums_of_many_sums_are_refused() -> None:
    """A sum of columns is opened, and so are those within it, thousands of times."""
    claims = head("A: tensor 2 x 2; T: tensor 2 x 2; X: input 2 x 2; a: product A X")
    lines = claims["program"]
    lines += [f"add %{3 + k} %2  : 2 x 2" for k in range(4000)]
    lines += ["constant [1 1]  : 1 x 2", "product %4004 %4003  : 1 x 2", "multiply %4005 %1  : 2 x 2"]
    found = symmetry(claims, family(None, T="1(2,2)"), directions=[4])
    assert found.startswith("refused: words is of results that open in too many others")


def test_zero_that_moves_is_no_crash() -> None:
    """Words of T - T are none, and those of its derivative may be."""
    claims = head("T: tensor 2 x 1; n: negate T; z: add T n; one: constant 1 x 2 [1 1]; Y: product one z")
    column: list[Any] = ["diagonal", [["ones", 2, 2], ["constant", 2, 2, [0, 0, 1, 1, 1, 2]], ["tensor", "T"]], 2]
    claim = {**family(None), "moves": {"T": [[1, [column, ["constant", 2, 1, [0, 0, 3, 1, 0, 5]]]]]}}
    assert refutation(claims, claim) == ""
    assert moves(*read(claims, claim)) is False


def test_long_fractions_are_refused() -> None:
    """Entries of powers of a constant grow with each of a thousand lines; sums have the products of denominators."""
    K = " ".join(str(2**1000 + k) for k in range(9))
    chain = "; ".join(f"{'abc'[k % 3]}: product K {'cab'[k % 3]}" for k in range(30))
    claims = head(f"T: tensor 3 x 3; U: tensor 3 x 3; X: input 3 x 1; K: constant 3 x 3 [{K}]; c: product T X; {chain}")
    assert "long fractions" in symmetry(claims, family(None, T="U"), directions=[0])
    terms = [[f"1/{2**1000 + k}", [["constant", 2, 1, [0, 0, 1, 1, 0, k]]]] for k in range(1, 30)]
    claim = {**family(None), "moves": {"T": terms}}
    assert "long fractions" in symmetry(head("T: tensor 2 x 1; Y: negate T"), claim, directions=[0])
    power: Any = ["constant", 1, 1, [0, 0, str(2**2000)]]
    for _ in range(3):
        power = ["diagonal", [power, ["tensor", "T"]], 9]
    claim = {**family(None), "moves": {"T": [[1, [power, ["tensor", "T"]]]]}}
    assert "long fractions" in symmetry(head("T: tensor 1 x 1; Y: negate T"), claim, directions=[0])


def test_inputs_of_numbers_and_tokens_have_values() -> None:
    """A block of numbers of one row and one column, and a token beside it."""
    text = "T: tensor 2 x 3; U: tensor 2 x 2; X: input 3 x 2; y: product T X; Y: product U y"
    claims = head(text, "1 x 1 numbers and tokens")
    assert symmetry(claims, family((2, 2), U="- U S", T="S T"), directions=[6, 7, 8, 9]) == ""
    claims = head(text.replace("input 3 x 2", "input 3 x 3"), "1 x 1 numbers and tokens")  # the second token is 1
    assert symmetry(claims, family((2, 2), U="- U S", T="S T"), directions=[6, 7, 8, 9]) == ""


def test_directions_of_all_families_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    claims = head("W: tensor 1 x 1; Y: negate W")
    claims["tensors"] += [["T", 2, 2], ["U", 2, 2]]
    families = [family((1, 2), T="1(2,1) S"), family((1, 2), U="1(2,1) S")]
    assert symmetry(claims, *families, directions=[1, 2, 5, 6]) == ""
    monkeypatch.setattr(verifier_directions, "MOST_DIRECTIONS", 3)
    assert "of 4 directions" in symmetry(claims, *families, directions=[1, 2, 5, 6])


def test_work_with_turns_is_counted() -> None:
    """A constant before 20 rows that are turned is solved for: 20^3 multiplications."""
    angles = " ".join(["1.0"] * 10)
    claims = head(f"Q: tensor 20 x 1; X: input 1 x 1; q: product Q X; Y: rotate q [[{angles}] [1]]")
    network, directions = read(claims, family(None, Q="Q"))
    calculus = Leibniz(network.program, network.units, network.work, tokens=False)
    before = calculus.work.left
    with pytest.raises(Moves):
        calculus.run((1, 1), directions.moves)
    assert before - calculus.work.left > 20**3


def test_tokens_stand_below_and_beside_numbers() -> None:
    """A block of one number, and two tokens, 2 and 0, in the rows 3 and 1."""
    network = network_of(head("E: tensor 2 x 4; X: input 4 x 3; Y: product E X", "1 x 1 numbers and tokens"))
    entries = network.input_of(Residues(97), [5, 2, 0]).entries()
    assert [int(x) for x in entries] == [5, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]


@pytest.mark.parametrize("reads", ["2 x 2 numbers and tokens", "3 x 1 numbers and tokens", "4 x 3 numbers and tokens"])
def test_there_are_tokens_below_and_beside_numbers(reads: str) -> None:
    """Without a row or a column of tokens, sums of columns of numbers would be taken for one."""
    text = "E: tensor 2 x 3; b: tensor 2 x 1; X: input 3 x 2; e: product E X; Y: add e b"
    shift = family((2, 1), E="S 1(1,3)", b="- S")
    with pytest.raises(Refused, match="fewer numbers"):
        network_of(head(text, reads))
    assert refutation(head(text, "tokens"), shift) == ""


def test_who_reads_nothing_reads_no_tokens() -> None:
    with pytest.raises(Refused, match="fewer numbers"):
        network_of(head("T: tensor 2 x 2; Y: negate T", "tokens"))


def test_sums_that_do_not_move_stand_for_themselves() -> None:
    """s / s is one for a sum s of a weight and a constant, of which the words are two."""
    text = "b: tensor 1 x 1; U: tensor 1 x 1; V: tensor 1 x 1; X: input 1 x 1; c: constant 1 x 1 [1]; s: add b c; "
    claims = head(f"{text}r: reciprocal s; p: multiply U s; q: multiply p r; y: add q V; Y: multiply y X")
    assert refutation(claims, family(None, U="1(1,1)", V="- 1(1,1)")) == ""
    assert refutation(claims, family(None, U="1(1,1)", V="1(1,1)")) != ""


def test_multiples_of_an_entry_do_not_stand_for_themselves() -> None:
    """One over -T is minus one over T."""
    text = "T: tensor 1 x 1; U: tensor 1 x 1; V: tensor 1 x 1; X: input 1 x 1; n: negate T; r: reciprocal T; "
    claims = head(f"{text}q: reciprocal n; a: multiply U r; c: multiply V q; y: add a c; Y: multiply y X")
    assert refutation(claims, family(None, U="1(1,1)", V="1(1,1)")) == ""
    assert refutation(claims, family(None, U="1(1,1)", V="- 1(1,1)")) != ""
