"""What a family of shifts may say, its directions by hand, and what a forged one costs."""

from __future__ import annotations

from typing import Any

import pytest

from algatt.certificates.verifier import column_sums, movements, vectors
from algatt.certificates.verifier.claims import Network
from algatt.certificates.verifier.directions import directions_of
from algatt.certificates.verifier.limits import Refused
from algatt.certificates.verifier.modular import Residues
from algatt.certificates.verifier.program import parse
from algatt.certificates.verifier.shifts import check_shift, shift_of_claim, tangents_of_shift
from shifted_programs import assembled, shifted

FIELD = Residues(101)

TEXT = (
    "b: tensor 3 x 1; c: tensor 3 x 1; W: tensor 3 x 3; V: tensor 2 x 3; s: tensor 1 x 1; X: input 3 x 2; "
    "k: constant 3 x 3 [1 0 0 0 1 0 0 0 1]; e: exp X; x: exp s; "
    "T: transpose X; M: product X T; m: take X [[0 1 2] [0]]; z: add X b; y: product W z; A: add y c"
)
LINES, NUMBERS = assembled(TEXT)
PROGRAM = parse(LINES)
NETWORK = Network(PROGRAM, "", {one.argument: one.shape for one in PROGRAM if one.operation == "tensor"}, False)

GOOD: dict[str, Any] = {
    "name": "columns of b",
    "removes": 3,
    "by": "shift",
    "gains": [],
    "size": 3,
    "units": [0, 1, 2],
    "moves": [["b", "columns", [[1, []]]], ["c", "columns", [[-1, [["left", NUMBERS["W"]]]]]]],
}


def moved(*words: Any, tensor: str = "c", kind: str = "columns") -> dict[str, Any]:
    return {"moves": [[tensor, kind, list(words)]]}


def word(*factors: Any) -> dict[str, Any]:
    return moved([1, [list(factor) for factor in factors]])


BAD: dict[str, dict[str, Any]] = {
    "no size": {"size": 0},
    "a size that is text": {"size": "3"},
    "a size that is true": {"size": True},
    "another size": {"size": 2},
    "a unit beyond": {"units": [0, 3]},
    "units that are none": {"units": 3},
    "a unit below": {"units": [-1]},
    "moves that are none": {"moves": {}},
    "a move that is none": {"moves": [["b", "columns"]]},
    "a move of nothing": {"moves": [["d", "columns", [[1, []]]]]},
    "a move of a number": {"moves": [[3, "columns", [[1, []]]]]},
    "a move of a list": {"moves": [[["b"], "columns", [[1, []]]]]},
    "a move along a diagonal": {"moves": [["b", "diagonal", [[1, []]]]]},
    "a tensor that moves twice": {"moves": [["b", "columns", [[1, []]]], ["b", "columns", [[2, []]]]]},
    "no words": moved(),
    "a word that is none": moved([1]),
    "a word with no list": moved([1, 2]),
    "no coefficient": moved(["x", []]),
    "zero": moved([0, []]),
    "one half of two": moved(["2/4", []]),
    "one over zero": moved(["1/0", []]),
    "a float": moved([0.5, []]),
    "a long coefficient": moved([2**2048, []]),
    "a vector of another size": moved([1, []], tensor="s"),
    "rows of another size": moved([1, []], kind="rows"),
    "two sizes": moved([1, []], [1, [["left", NUMBERS["V"]]]]),
    "two sizes, of which the last one fits": moved([1, [["left", NUMBERS["V"]]]], [1, []]),
    "a factor that is none": moved([1, [2]]),
    "an empty factor": word([]),
    "a factor with no name": word([2, 3]),
    "a factor with another name": word(["up", 3]),
    "a factor that is text": moved([1, ["left"]]),
    "two factors in one": word(["left", NUMBERS["W"], NUMBERS["W"]]),
    "a matrix that does not fit": word(["left", NUMBERS["c"]]),
    "a transpose that does not fit": word(["right", NUMBERS["V"]]),
    "a diagonal that does not fit": word(["times", NUMBERS["W"]]),
    "no instruction": word(["left", len(LINES)]),
    "an instruction below": word(["left", -1]),
    "what depends on the input": word(["left", NUMBERS["M"]]),
    "a transpose that depends on the input": word(["right", NUMBERS["M"]]),
    "a diagonal that depends on the input": word(["times", NUMBERS["m"]]),
    "a sum that depends on the input": word(["sum", NUMBERS["m"], 1]),
    "no quotient of polynomials": word(["sum", NUMBERS["x"], 1]),
    "sums of several columns": word(["sum", NUMBERS["W"], 1]),
    "a square of a sum": word(["sum", NUMBERS["b"], 2]),
    "a power of nothing": word(["sum", NUMBERS["b"]]),
    "a part beyond": word(["take", [0, 1, 3]]),
    "a part that is none": word(["take", 3]),
    "an empty part": word(["take", []]),
    "a centre of something": word(["centre", 3]),
    "a vector that is spread": word(["spread", 3]),
    "a place beyond": word(["place", 1, 3]),
    "a place below": word(["place", -1, 3]),
    "a length that no result has": word(["place", 0, 50], ["take", [0, 1, 2]]),
    "a length that no result is spread to": word(["take", [0]], ["spread", 50], ["take", [0, 1, 2]]),
    "gains that are none": {"gains": {}},
    "a gain that is none": {"gains": [3]},
    "a gain that nothing is done with": {"gains": [[3, "folded"]]},
    "a gain that is text": {"gains": [["3", "readers"]]},
    "too many gains": {"gains": [[3, "readers"]] * 20_001},
    "something else": {"more": 1},
}


def test_the_claim_is_good() -> None:
    family = directions_of("family", GOOD, NETWORK)
    assert family.rows == 3
    assert family.refutation(NETWORK) is None


@pytest.mark.parametrize("name", BAD)
def test_malformed_claims_are_refused(name: str) -> None:
    with pytest.raises(Refused):
        directions_of("family", {**GOOD, **BAD[name]}, NETWORK).refutation(NETWORK)


@pytest.mark.parametrize("name", GOOD)
def test_nothing_is_left_out(name: str) -> None:
    with pytest.raises(Refused):
        directions_of("family", {key: value for key, value in GOOD.items() if key != name}, NETWORK)


def test_a_gain_that_is_none_refutes() -> None:
    family = directions_of("family", {**GOOD, "gains": [[NUMBERS["y"], "readers"]]}, NETWORK)
    assert "no product with a gain" in str(family.refutation(NETWORK))


def test_a_gain_that_is_folded_does_not_move() -> None:
    """W diag(g) X changes with g alone; the program without the gain does not see it."""
    lines, numbers = assembled("g: tensor 3 x 1; W: tensor 3 x 3; X: input 3 x 2; Z: multiply g X; A: product W Z")
    network = Network(parse(lines), "", {"g": (3, 1), "W": (3, 3)}, False)
    moves = [["g", "columns", [[1, []]]]]
    family = directions_of("family", {**GOOD, "moves": moves, "gains": [[numbers["Z"], "readers"]]}, network)
    assert "is folded" in str(family.refutation(network))


def test_directions_by_hand() -> None:
    """b moves by the second unit vector, c by minus the second column of W, 4, 5, 6."""
    family = directions_of("family", {**GOOD, "units": [2, 1]}, NETWORK)
    entries = {"b": [0] * 3, "c": [0] * 3, "W": [1, 4, 7, 2, 5, 8, 3, 6, 9], "V": [0] * 6, "s": [0]}
    tensors = {name: FIELD.matrix(*NETWORK.tensors[name], values) for name, values in entries.items()}
    assert dict(family.tangents(NETWORK, FIELD, tensors, {1})) == {1: {1: 1, 3: 97, 4: 96, 5: 95}}
    assert dict(family.tangents(NETWORK, FIELD, tensors, {0})) == {0: {2: 1, 3: 94, 4: 93, 5: 92}}
    assert dict(family.tangents(NETWORK, FIELD, tensors, set())) == {}


WORDS: dict[str, tuple[Any, list[int]]] = {
    "nothing": ([[1, []]], [2, 3, 5]),
    "left": ([[1, [["left", 2]]]], [1 * 2 + 2 * 3 + 3 * 5, 4 * 2 + 5 * 3 + 6 * 5, 7 * 2 + 8 * 3 + 9 * 5]),
    "right": ([[1, [["right", 2]]]], [1 * 2 + 4 * 3 + 7 * 5, 2 * 2 + 5 * 3 + 8 * 5, 3 * 2 + 6 * 3 + 9 * 5]),
    "left, then right": ([[1, [["left", 3], ["right", 3]]]], [5, 5, 0]),
    "times": ([[1, [["times", 0]]]], [2 * 1, 3 * 10, 5 * 100]),
    "a sum": ([[1, [["sum", 0, 1]]]], [222, 333, 555]),
    "one over a sum": ([[111, [["sum", 0, -1]]]], [2, 3, 5]),
    "taken": ([[1, [["take", [2, 0, 1]]]]], [5, 2, 3]),
    "taken and placed": ([[1, [["take", [2, 0]], ["place", 1, 3]]]], [0, 5, 2]),
    "centred": ([["3/2", [["centre"]]]], [-2, -51, 5 * 51]),
    "spread": ([[1, [["take", [1]], ["spread", 3]]]], [3, 3, 3]),
    "a sum of words": ([[2, []], [-3, [["take", [2, 0, 1]]]]], [4 - 15, 6 - 6, 10 - 9]),
    "words that cancel": ([[1, []], [-1, []]], [0, 0, 0]),
}


@pytest.mark.parametrize("name", WORDS)
def test_words_by_hand(name: str) -> None:
    """v = (2, 3, 5), W = (1 2 3, 4 5 6, 7 8 9), V = (1 1 0, 0 0 0), b = (1, 10, 100)."""
    words, expected = WORDS[name]
    shift = shift_of_claim("shift", {**GOOD, **moved(*words)}, NETWORK)
    entries = {"b": [1, 10, 100], "c": [0] * 3, "W": list(range(1, 10)), "V": [1, 1, 0, 0, 0, 0], "s": [0]}
    tensors = {tensor: FIELD.matrix(*NETWORK.tensors[tensor], values) for tensor, values in entries.items()}
    found = dict(tangents_of_shift(NETWORK, shift, FIELD, tensors, {0, 1, 2}))
    total = [sum(int(found[k].get(3 + i, 0)) * v for k, v in enumerate((2, 3, 5))) for i in range(3)]
    assert [one % 101 for one in total] == [one % 101 for one in expected]


def test_sums_that_vanish_are_not_divided_by() -> None:
    shift = shift_of_claim("shift", {**GOOD, **word(["sum", 0, -1])}, NETWORK)
    entries = {"b": [1, 2, 98], "c": [0] * 3, "W": [0] * 9, "V": [0] * 6, "s": [0]}
    tensors = {name: FIELD.matrix(*NETWORK.tensors[name], values) for name, values in entries.items()}
    with pytest.raises(Refused):
        dict(tangents_of_shift(NETWORK, shift, FIELD, tensors, {0}))


def test_results_without_a_value_are_refused() -> None:
    network, shift = shifted(
        "b: tensor 3 x 1; c: tensor 3 x 1; a: tensor 3 x 1; X: input 3 x 2; "
        "n: reciprocal a; z: add X b; m: multiply z n; A: add m c",
        [["b", "columns", [[1, []]]], ["c", "columns", [[-1, [["times", "n"]]]]]],
    )
    assert check_shift(network, shift) is None
    tensors = {name: FIELD.matrix(3, 1, [1, 0, 1]) for name in "bca"}
    with pytest.raises(Refused):
        dict(tangents_of_shift(network, shift, FIELD, tensors, {0}))


def test_words_are_not_doubled_forever() -> None:
    """Each layer x + W x of a stream doubles the number of words."""
    layers = "".join(f"W{k}: tensor 3 x 3; p{k}: product W{k} x{k}; x{k + 1}: add x{k} p{k}; " for k in range(40))
    text = f"b: tensor 3 x 1; X: input 3 x 2; x0: add X b; {layers}"
    network, shift = shifted(text, [["b", "columns", [[1, []]]]])
    with pytest.raises(Refused):
        check_shift(network, shift)


def test_long_sums_count_as_those_of_one_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """W (u + w) with 1^T (u + w) = 1^T u + 1^T w, or a number of its own."""
    text = "W: tensor 3 x 2; u: tensor 2 x 1; w: tensor 2 x 1; b: tensor 3 x 1; m: add u w; Z: product W m; A: add Z b"
    two, one = [[-1, [["sum", "u", 1]]], [-1, [["sum", "w", 1]]]], [[-1, [["sum", "m", 1]]]]
    network, shift = shifted(text, [["W", "columns", [[1, []]]], ["b", "columns", two]])
    assert check_shift(network, shift) is None
    assert column_sums.product_of_sums({((1, 1),): 1}, {((2, 1),): 2}) == {((1, 1), (2, 1)): 2}
    monkeypatch.setattr(column_sums, "MOST_TERMS", 1)
    assert "value moves" in str(check_shift(network, shift))
    assert check_shift(*shifted(text, [["W", "columns", [[1, []]]], ["b", "columns", one]])) is None
    assert column_sums.product_of_sums({(): 1, ((1, 1),): 1}, {((2, 1),): 2}) is None


def test_words_are_not_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "MOST_FACTORS", 1)
    family = directions_of("family", {**GOOD, **word(["left", 2], ["left", 2])}, NETWORK)
    with pytest.raises(Refused):
        family.refutation(NETWORK)


def test_arithmetic_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "MOST_STEPS", 8)
    shift = shift_of_claim("shift", GOOD, NETWORK)
    tensors = {name: FIELD.matrix(*shape, [0] * (shape[0] * shape[1])) for name, shape in NETWORK.tensors.items()}
    with pytest.raises(Refused):
        dict(tangents_of_shift(NETWORK, shift, FIELD, tensors, {0, 1, 2}))


def test_every_operation_has_a_rule_or_ends_the_search() -> None:
    assert set(movements.MOVES) | {"tensor", "input", "constant", "erf", "log", "sigmoid"} == {
        *("tensor", "input", "constant", "add", "multiply", "negate", "reciprocal", "transpose", "product", "centre"),
        *("column_products", "rotate", "take", "concatenate", "largest"),
        *("erf", "exp", "log", "positive", "sigmoid", "sqrt"),
    }
