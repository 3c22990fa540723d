"""Certificates of networks that read numbers and tokens: random numbers are integers below 8, at which more polynomials
agree than at real numbers.
"""

from __future__ import annotations

from typing import Any

from algatt import PrimeField
from algatt.certificates.verifier.dimension import verify_dimension
from algatt.certificates.verifier.program import hash_of
from algatt.certificates.verifier.stream import words
from algatt.linalg import RowSpace

POWERS = 9


def forged_claims(by: dict[str, Any]) -> dict[str, Any]:
    """The functions w_1 x + ... + w_9 x^9 of a number x have 9 dimensions, and those of 0 .. 7 only 7."""
    program = ["tensor W  : 1 x 9", "input  : 2 x 2", "take %1 [[0] [0]]  : 1 x 1"]
    powers = [2]
    for _ in range(POWERS - 1):
        program.append(f"multiply %{powers[-1]} %2  : 1 x 1")
        powers.append(len(program) - 1)
    program.append(f"concatenate {' '.join(f'%{one}' for one in powers)} 0  : 9 x 1")
    program.append(f"product %0 %{len(program) - 1}  : 1 x 1")
    field = PrimeField()
    space, rows = RowSpace(field, POWERS), 200
    numbers = [words(0, f"input/{k}", 2)[0] % 8 for k in range(rows)]
    space.add([[pow(x, k, field.p) for k in range(1, POWERS + 1)] for x in numbers])
    assert space.rank == 7
    lower = {"rows": [*space.pivot_rows], "columns": [*space.pivot_columns], "determinant": space.determinant}
    return {
        "kind": "dimension",
        "program": program,
        "sha256": hash_of(program),
        "tensors": [["W", 1, POWERS]],
        "reads": "1 x 1 numbers (words modulo 8) and tokens",
        "dimension": 7,
        "status": "proven",
        "parameters": POWERS,
        "prime": field.p,
        "seed": 0,
        "lower_bound": {"value": 7, **lower},
        "upper_bound": {"value": 7, "rows": [], "columns": [], "determinant": 1, "families": [by]},
    }


def vanishing() -> list[list[int]]:
    """Return the coefficients of the polynomials of degrees 8 and 9, without a constant, that vanish at 0 .. 7."""
    found = [1]
    for root in range(8):
        found = [a - root * b for a, b in zip([0, *found], [*found, 0], strict=True)]
    return [[*found[1:], 0], found]


def test_no_ambient_space_is_tested_at_few_numbers():
    (reason,) = verify_dimension(forged_claims({"name": "ambient", "removes": 2, "by": "ambient"})).reasons
    assert "test no theorem and no ambient space" in reason


def test_no_theorem_is_tested_at_few_numbers():
    """Along these directions no value at an integer below 8 changes."""
    p = PrimeField().p
    tangents = [[entry for k, c in enumerate(one) if c for entry in (k, c % p)] for one in vanishing()]
    assert all(sum(c * x**k for k, c in enumerate(one, 1)) == 0 for one in vanishing() for x in range(8))
    by = {"name": "both", "removes": 2, "by": "theorem", "theorem": "declared by Somebody", "tangents": tangents}
    claims = forged_claims(by)
    claims["upper_bound"] |= {"rows": [0, 1], "columns": [7, 8]}  # where the tangents are 1 0 and -28 1
    reasons = verify_dimension(claims).reasons
    assert any("test no theorem and no ambient space" in one for one in reasons)
