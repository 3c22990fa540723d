"""Linear relations between results, proved by expanding them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from algatt.certificates.verifier.identities import is_identity
from algatt.certificates.verifier.limits import Refused
from algatt.certificates.verifier.program import parse

ONE = Fraction(1)


def holds(lines: list[str], *terms: tuple[int, int, int | Fraction], budget: int = 10**6) -> bool:
    return is_identity(parse(lines), [(number, entry, Fraction(c)) for number, entry, c in terms], [budget])


AB = ["tensor A  : 2 x 2", "tensor B  : 2 x 2", "tensor C  : 2 x 1", "tensor D  : 1 x 2"]
"""Results 0 to 3."""


@pytest.mark.parametrize(
    ("more", "terms"),
    [
        (["add %0 %1  : 2 x 2"], [(4, 1, 1), (0, 1, -1), (1, 1, -1)]),
        (["add %0 %2  : 2 x 2"], [(4, 3, 1), (0, 3, -1), (2, 1, -1)]),  # a column is repeated
        (["add %3 %0  : 2 x 2"], [(4, 2, 1), (0, 2, -1), (3, 0, -1)]),  # a row is
        (["negate %0  : 2 x 2"], [(4, 2, 1), (0, 2, 1)]),
        (["transpose %0  : 2 x 2"], [(4, 1, 1), (0, 2, -1)]),
        (["take %0 [[1] [1 0]]  : 1 x 2"], [(4, 0, 1), (0, 3, -1)]),
        (["concatenate %0 %2 1  : 2 x 3"], [(4, 5, 1), (2, 1, -1)]),
        (["concatenate %0 %3 0  : 3 x 2"], [(4, 5, 1), (3, 1, -1)]),
        (["constant [3]  : number", "multiply %4 %0  : 2 x 2"], [(5, 1, 1), (0, 1, -3)]),
        (["constant [1 0 0 1]  : 2 x 2", "product %4 %0  : 2 x 2"], [(5, 1, 1), (0, 1, -1)]),
        (["product %0 %1  : 2 x 2", "transpose %0  : 2 x 2", "transpose %1  : 2 x 2", "product %6 %5  : 2 x 2"],
         [(4, 1, 1), (7, 2, -1)]),
        (["column_products %0 %1  : 1 x 2", "transpose %0  : 2 x 2", "product %5 %1  : 2 x 2"],
         [(4, 1, 1), (6, 3, -1)]),
        (["column_products %2 %0  : 1 x 2", "transpose %2  : 1 x 2", "product %5 %0  : 1 x 2"],
         [(4, 1, 1), (6, 1, -1)]),
        (["multiply %0 %1  : 2 x 2", "multiply %1 %0  : 2 x 2"], [(4, 3, Fraction(2, 7)), (5, 3, Fraction(-2, 7))]),
    ],
)  # fmt: skip
def test_true_relations_are_proved_and_others_are_not(more: list[str], terms: list[tuple[int, int, int]]) -> None:
    lines = AB + more
    assert holds(lines, *terms)
    number, entry, coefficient = terms[0]
    assert not holds(lines, (number, entry, 2 * coefficient), *terms[1:])
    assert not holds(lines, *terms[1:])
    program = parse(lines)
    for k, (number, entry, coefficient) in enumerate(terms):
        height, width = ((1, 1) + program[number].shape)[-2:]
        for other in {entry ^ 1, entry ^ 2} & set(range(height * width)):
            assert not holds(lines, *terms[:k], (number, other, coefficient), *terms[k + 1 :])


def test_relations_of_functions_are_not_expanded() -> None:
    lines = [*AB, "exp %0  : 2 x 2", "negate %0  : 2 x 2", "exp %5  : 2 x 2", "multiply %4 %6  : 2 x 2"]
    assert not holds(lines, (4, 0, 1), (6, 0, 1))
    assert holds([*lines, "multiply %6 %4  : 2 x 2"], (7, 0, 1), (8, 0, -1))


@pytest.mark.parametrize("function", ["exp", "sqrt", "reciprocal", "centre", "positive", "sigmoid"])
def test_other_operations_are_no_sums_of_products(function: str) -> None:
    lines = [*AB, f"{function} %0  : 2 x 2", "column_products %0 %0  : 1 x 2"]
    assert not holds(lines, (4, 0, 1), (5, 0, -1))
    assert holds([*lines, "negate %4  : 2 x 2"], (4, 3, 1), (6, 3, 1))


def test_entries_that_are_not_there_are_refused() -> None:
    with pytest.raises(Refused, match="one of 4 entries"):
        holds(AB, (0, 4, 1), (0, 0, -1))


def test_expansions_end() -> None:
    """The product of n sums of two has 2^n terms: the budget ends it; and so does the number of instructions."""
    lines = [*AB, "add %0 %1  : 2 x 2"]
    for number in range(4, 9):
        lines.append(f"multiply %{number} %{number}  : 2 x 2")
    last = len(lines) - 1
    with pytest.raises(Refused, match="too long"):
        holds(lines, (last, 0, 1), (last - 1, 0, 1), budget=20)
    chain = [*AB, *(f"add %{number - 1} %0  : 2 x 2" for number in range(4, 4000))]
    joined = "concatenate " + " ".join(f"%{number}" for number in range(4, 4000)) + " 1  : 2 x 7992"
    assert not holds([*chain, joined], (4000, 7990, 1), (0, 0, -1))
