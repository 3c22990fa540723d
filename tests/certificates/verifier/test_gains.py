"""Gains are folded if the program without them has the same value at other weights, and not else."""

from __future__ import annotations

import pytest

from algatt.certificates.verifier.gains import Unfolded, fold_all
from algatt.certificates.verifier.interpreter import Interpreter
from algatt.certificates.verifier.limits import Refused
from algatt.certificates.verifier.modular import Residues
from algatt.certificates.verifier.program import parse
from shifted_programs import assembled

FIELD = Residues(2**31 - 1)

G = "g: tensor 3 x 1; "
WX = "W: tensor 3 x 3; U: tensor 3 x 3; b: tensor 3 x 1; X: input 3 x 2; Y: product W X; "
Z = f"{G}{WX}Z: multiply g Y; "

FOLDED = {
    "a reader": (f"{Z}A: product U Z", "readers"),
    "to the right": (f"{G}{WX}Z: multiply Y g; A: product U Z", "readers"),
    "a reader behind a bias": (f"{Z}B: add Z b; A: product U B", "readers"),
    "two readers": (f"{Z}V: tensor 2 x 3; B: add b Z; p: product U B; q: product V Z; A: concatenate p q 0", "readers"),
    "a reader that reads twice": (f"{Z}B: add b Z; p: product U B; q: product U Z; A: add p q", "readers"),
    "a writer": (f"{Z}A: negate Z", "writers"),
    "the value": (Z, "writers"),
    "writers and a bias": (
        f"{G}{WX}p: product U X; q: add Y p; r: add b q; Z: multiply g r",
        "writers",
    ),
}

KEPT = {
    "a gain that is used elsewhere": (f"{Z}B: add Z g; A: product U B", "readers"),
    "a gain that is used beside": (f"{Z}p: product U Z; A: add p g", "readers"),
    "a gain that is no tensor": (f"{G}{WX}n: negate g; Z: multiply n Y; A: product U Z", "readers"),
    "a gain in a row": (f"r: tensor 1 x 2; {WX}Z: multiply r Y; A: product U Z", "readers"),
    "a gain that spreads what it multiplies": (
        f"{G}{WX}y: take Y [[0] [0 1]]; Z: multiply g y; A: product U Z",
        "readers",
    ),
    "no product": (f"{G}{WX}Z: add Y g; A: product U Z", "readers"),
    "the value": (Z, "readers"),
    "a value behind a bias": (f"{Z}p: product U Z; A: add Z b", "readers"),
    "a function that reads": (f"{Z}A: exp Z", "readers"),
    "a product from the other side": (f"{Z}T: tensor 2 x 3; A: product Z T", "readers"),
    "a product with no tensor": (f"{Z}u: negate U; A: product u Z", "readers"),
    "a reader that reads the rest": (f"{Z}p: product U Z; q: product U X; A: add p q", "readers"),
    "a reader that is read": (f"{Z}p: product U Z; A: product U p", "readers"),
    "a reader that a function reads": (f"{Z}p: product U Z; u: exp U; A: product u p", "readers"),
    "a bias that is used elsewhere": (f"{Z}B: add Z b; p: product U B; A: add p b", "readers"),
    "a bias for each token": (f"{Z}c: tensor 3 x 2; B: add Z c; A: product U B", "readers"),
    "a bias in a row": (f"{Z}c: tensor 1 x 2; B: add Z c; A: product U B", "readers"),
    "a sum with no tensor": (f"{Z}B: add Z X; A: product U B", "readers"),
    "a sum with itself": (f"{Z}B: add Z Z; A: product U B", "readers"),
    "a sum that something else reads": (f"{Z}B: add Z b; p: product U B; A: multiply p B", "readers"),
    "a writer that is read": (f"{Z}A: add Z Y", "writers"),
    "a matrix that is used elsewhere": (f"{Z}p: product W Z; A: add p p", "writers"),
    "a bias that is written and read": (f"{G}{WX}y: add Y b; Z: multiply g y; A: add Z b", "writers"),
    "a bias in all rows": (f"{G}{WX}r: tensor 1 x 2; y: add Y r; Z: multiply g y", "writers"),
    "a sum of a sum with itself": (f"{G}{WX}y: add Y Y; Z: multiply g y", "writers"),
    "no sum": (f"{G}{WX}y: negate Y; Z: multiply g y", "writers"),
    "a matrix that is multiplied by itself": (f"{G}{WX}y: product W W; Z: multiply g y", "writers"),
    "a product without a tensor": (f"{G}{WX}u: negate U; y: product u X; Z: multiply g y", "writers"),
    "the input": (f"{G}{WX}y: add Y X; Z: multiply g y", "writers"),
}


@pytest.mark.parametrize("name", FOLDED)
def test_the_program_without_a_gain_has_the_same_value(name: str) -> None:
    text, way = FOLDED[name]
    lines, numbers = assembled(text)
    program = parse(lines)
    folded = fold_all(program, [(numbers["Z"], way)])
    shapes = {one.argument: one.shape for one in program if one.operation == "tensor"}
    tensors = dict(zip(shapes, FIELD.weights(1, list(shapes.values())), strict=True))
    X = FIELD.vectors(1, 0, 3, 2)
    value = Interpreter(program, FIELD, tensors).forward(X)[len(program) - 1]
    others = folded.folded(FIELD, tensors) | {"g": FIELD.matrix(3, 1, [0, 0, 0])}
    assert Interpreter(folded.program, FIELD, others).forward(X)[folded.value] == value
    assert set(folded.factors) != set()


@pytest.mark.parametrize("name", KEPT)
def test_what_changes_more_is_not_folded(name: str) -> None:
    text, way = KEPT[name]
    lines, numbers = assembled(text)
    with pytest.raises(Unfolded):
        fold_all(parse(lines), [(numbers["Z"], way)])


def test_a_gain_is_folded_once() -> None:
    lines, numbers = assembled(f"{Z}A: product U Z")
    with pytest.raises(Unfolded):
        fold_all(parse(lines), [(numbers["Z"], "readers")] * 2)
    with pytest.raises(Unfolded):
        fold_all(parse(lines), [(99, "readers")])


def test_a_matrix_that_reads_a_gain_and_is_written_into_another_is_multiplied_from_both_sides() -> None:
    lines, numbers = assembled(f"{Z}h: tensor 3 x 1; p: product U Z; A: multiply h p")
    folded = fold_all(parse(lines), [(numbers["Z"], "readers"), (numbers["A"], "writers")])
    tensors = {name: FIELD.matrix(3, 1, [2, 3, 5]) for name in "gh"} | {"U": FIELD.matrix(3, 3, [1] * 9)}
    assert folded.folded(FIELD, tensors)["U"] == FIELD.matrix(3, 3, [4, 6, 10, 6, 9, 15, 10, 15, 25])


def test_a_gain_that_another_one_changed_is_not_folded() -> None:
    lines, numbers = assembled(f"{Z}A: product U Z")
    folded = fold_all(parse(lines), [])
    folded.factors["g"] = [("rows", "h", 1)]
    with pytest.raises(Unfolded):
        folded.fold(numbers["Z"], "readers")


def test_a_gain_with_a_zero_is_refused() -> None:
    lines, numbers = assembled(f"{Z}A: product U Z")
    folded = fold_all(parse(lines), [(numbers["Z"], "readers")])
    tensors = {"g": FIELD.matrix(3, 1, [2, 0, 5]), "U": FIELD.matrix(3, 3, [1] * 9)}
    with pytest.raises(Refused):
        folded.folded(FIELD, tensors)
