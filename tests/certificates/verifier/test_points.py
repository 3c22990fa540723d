"""What is chosen by chance, and what functions do at numbers: by formulas that share no code with the verifier."""

from __future__ import annotations

import hashlib
from fractions import Fraction

import flint
import pytest

from algatt.certificates.verifier.directions import formula
from algatt.certificates.verifier.fields import (
    SLOPES,
    NoValue,
    RealBalls,
    Residues,
    Undecided,
    entrywise,
    precision,
    words_of,
)
from algatt.certificates.verifier.kinds import is_regular, verify_bytes, weights_of
from algatt.certificates.verifier.network import Interpreter, network_of
from algatt.certificates.verifier.program import fraction
from small_words import document, family, head, symmetry, told

pytestmark = pytest.mark.sample(1000)  # all cases, always: what is called verified rests on them

TWO = "T: tensor 1 x 2; U: tensor 2 x 1; X: input 1 x 1; a: product T U; Y: product a X"

FUNCTIONS = {
    "erf": lambda x: 2 / flint.arb.pi().sqrt() * (-x * x).exp(),
    "exp": lambda x: x.exp(),
    "log": lambda x: 1 / x,
    "reciprocal": lambda x: -1 / x**2,
    "sigmoid": lambda x: x.exp() / (1 + x.exp()) ** 2,
    "sqrt": lambda x: x ** flint.arb(-0.5) / 2,
}


def words(key: str, count: int) -> list[int]:
    """Return words of 64 bits, the least significant byte first, from one long number."""
    total = int.from_bytes(hashlib.shake_256(key.encode()).digest(8 * count), "little")
    return [total >> 64 * k & 2**64 - 1 for k in range(count)]


def test_entries_of_a_column_are_multiplied_into_rows() -> None:
    M = flint.fmpq_mat(2, 3, [1, 2, 3, 4, 5, 6])
    assert entrywise(M, flint.fmpq_mat(2, 1, [10, 100])).entries() == [10, 20, 30, 400, 500, 600]
    assert entrywise(M, M).entries() == [1, 4, 9, 16, 25, 36]


def test_words_are_those_of_the_page() -> None:
    assert words_of("a text", 5) == words("a text", 5)


def test_real_weights_are_those_of_the_page() -> None:
    claims = {**head(TWO), "point": {"seed": 7, "scales": [3, -2]}}
    drawn = weights_of(network_of(claims), claims, "key")(RealBalls())
    numbers = [Fraction(2 * (w >> 40) + 1 - 2**24, 2**23) for w in words("algatt/1/7/weights", 4)]
    expected = {"T": [x * 8 for x in numbers[:2]], "U": [x / 4 for x in numbers[2:]]}
    for name, listed in expected.items():
        assert [Fraction(*map(int, (x.fmpq().p, x.fmpq().q))) for x in drawn[name].entries()] == listed
    assert (drawn["T"].nrows(), drawn["U"].nrows()) == (1, 2)


@pytest.mark.parametrize("note", range(4))
def test_a_real_minor_is_at_the_inputs_of_its_point(note: int) -> None:
    """Whatever else stands in the file: of gates that are shut rows are zero."""
    text = "T: tensor 3 x 1; U: tensor 1 x 3; b: tensor 3 x 1; X: input 1 x 1; t: product T X; a: add t b; "
    claims = head(text + "p: positive a; r: multiply p a; Y: product U r")
    network = network_of(claims)
    point = {"seed": 1, "scales": [0, 0, -9]}
    with precision(64):
        tensors = weights_of(network, {**claims, "point": point}, "")(RealBalls())
        inputs = [RealBalls().random(f"algatt/1/1/input/{k}", 1, 1) for k in range(40)]
        seen = [Interpreter(network.program, RealBalls(), tensors).forward(X)[-4] for X in inputs]
    rows = [k for k, a in enumerate(seen) if a[0, 0] > 0][:1]
    assert rows
    more = {"kind": "dimension", "rows": rows, "columns": [3], "families": [], "directions": [], "point": point}
    assert told(document({**claims, **more}).replace(b'"test"', f'"{note}"'.encode())) == ""


@pytest.mark.parametrize("row", range(3))
@pytest.mark.parametrize(("entry", "regular"), [("1", True), ("1 +/- 0.9", True), ("1 +/- 1.1", False)])
@pytest.mark.parametrize("beside", ["0", "0.5 +/- 0.95"])
def test_matrices_are_regular_if_each_row_is_near_enough(row: int, entry: str, regular: bool, beside: str) -> None:
    """Balls around a matrix with an inverse; one row of them is wide."""
    M = flint.arb_mat(3, 3, [int(k % 4 == 0) for k in range(9)])
    M[row, row] = flint.arb(entry)
    M[row, (row + 1) % 3] = flint.arb(beside)
    assert is_regular(M, 128) is (regular and (beside == "0" or entry == "1"))


def test_residues_are_those_of_the_page() -> None:
    """Words below the largest multiple of the prime."""
    p = 2**63 - 25
    listed = [w % p for w in words("key/tensor/0", 40) if w < 2**64 - 2**64 % p][:6]
    assert [int(x) for x in Residues(p).random("key/tensor/0", 2, 3).entries()] == listed


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("number", [0.75, 2.5])
def test_slopes(name: str, number: float) -> None:
    with precision(128):
        x = flint.arb(number)
        slope, expected = SLOPES[name](x, RealBalls().function(name, x)), FUNCTIONS[name](x)
        assert slope.overlaps(expected)
        assert slope.rel_accuracy_bits() > 100


@pytest.mark.parametrize(
    ("name", "number", "kind"),
    [
        ("reciprocal", "0", NoValue),
        ("sqrt", "0", NoValue),
        ("log", "0", NoValue),
        ("sqrt", "-1", NoValue),
        ("log", "-1", NoValue),
        ("positive", "0", Undecided),
        ("positive", "0 +/- 1", Undecided),
        ("reciprocal", "0 +/- 1", Undecided),
        ("sqrt", "0 +/- 1", Undecided),
        ("log", "1 +/- 1", Undecided),
        ("exp", "0 +/- inf", Undecided),
        ("sigmoid", "nan", Undecided),
        ("erf", "0 +/- inf", Undecided),
    ],
)
def test_numbers_without_a_value(name: str, number: str, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        RealBalls().function(name, flint.arb(number))


@pytest.mark.parametrize(("number", "value"), [("2", 1), ("-2", 0), ("1.5 +/- 1", 1), ("-1.5 +/- 1", 0)])
def test_gates(number: str, value: int) -> None:
    assert RealBalls().function("positive", flint.arb(number)) == value


def test_the_free_matrix_is_one_at_an_entry() -> None:
    """With S = 1 the velocity is zero, with any other number it is not."""
    claims = head("T: tensor 1 x 1; U: tensor 1 x 1; X: input 1 x 1; a: product T X; Y: product U a")
    assert symmetry(claims, family((1, 1), T="S T - S S T", U="- S U + S S U"), directions=[0]) == (
        "the directions are not independent in the given columns"
    )


@pytest.mark.parametrize(("at", "reason"), [([0, 0], "told apart"), ([1, 0], ""), ([0, 1], "told apart")])
def test_values_differ_in_the_entry_that_is_claimed(at: list[int], reason: str) -> None:
    claims = head("T: tensor 2 x 2; X: input 2 x 2; Y: product T X")
    found = told(
        document(claims, kind="inequality", first=[1, 2, 3, 4], second=[1, 2, 3, 5], input=[1, 1, 1, 0], entry=at)
    )
    assert reason in found if reason else found == ""


def test_weights_and_inputs_are_named_by_their_numbers() -> None:
    claims = {**head("T: tensor 2 x 2; X: input 2 x 2; Y: product T X"), "kind": "inequality"}
    claims |= {"first": [1, "-1/2", 3, 4], "second": [1, 2, 3, 5], "input": [1, 1, 1, 0], "entry": [0, 0]}
    verdict = verify_bytes(document(claims))
    names = [hashlib.sha256(text.encode()).hexdigest()[:16] for text in ("1 -1/2 3 4", "1 2 3 5", "1 1 1 0")]
    assert verdict.reasons == ()
    assert (
        f"the weights {names[0]} and {names[1]} over the reals differ: values at the input {names[2]}" in verdict.claim
    )


def test_what_a_network_reads_is_told() -> None:
    """A block of numbers, and one of unit vectors."""
    network = network_of(head("T: tensor 2 x 5; X: input 5 x 4; Y: product T X", "2 x 3 numbers and tokens"))
    assert network.in_words.endswith("has 10 parameters and reads 3 vectors of 2 numbers and 1 tokens out of 3,")


@pytest.mark.sample(14)
@pytest.mark.parametrize(
    "word",
    ["2/4", "-0", "1/1", "0/5", "01", "+1", "1.0", "1/0", "1/-2", "", f"{2**2048}", f"1/{2**2048}", "1" + 5000 * "0"],
)
def test_numbers_are_in_lowest_terms_and_short(word: str) -> None:
    with pytest.raises(ValueError, match=r"is no fraction|lowest terms|integer string conversion"):
        fraction(word)


@pytest.mark.parametrize("word", ["0", "-1/2", "3", f"{2**2048 - 1}", f"-1/{2**2048 - 1}"])
def test_numbers_are_read_as_they_are_written(word: str) -> None:
    assert str(fraction(word)) == word


def test_velocities_are_told_as_formulas() -> None:
    lines = ["tensor T  : 2 x 2", "constant [1/2]  : 1 x 1", "multiply %1 %0  : 2 x 2", "constant [1 2 3 4]  : 2 x 2"]
    lines += ["product %3 %2  : 2 x 2", "input  : 2 x 2", "transpose %5  : 2 x 2", "reciprocal %6  : 2 x 2"]
    lines += ["add %4 %7  : 2 x 2", "negate %8  : 2 x 2"]
    assert formula(lines) == "-((C[2x2] (1/2 * T)) + reciprocal(S^T))"
    assert formula(["tensor S  : 2 x 2"]) == "'S'"
