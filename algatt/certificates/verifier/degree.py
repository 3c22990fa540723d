"""How large the degrees of a program are: where a program is tested at random residues, they have to be small."""

from __future__ import annotations

from collections.abc import Sequence

from .program import FUNCTIONS, Instruction, sizes

__all__ = ["degree_of", "prime_of_hash"]


def degree_of(program: Sequence[Instruction]) -> int:
    """Return a bound of the degrees of numerators and denominators of all results, as quotients of polynomials in the
    entries of the tensors and of the input, and in the values of functions.

    Entries that are added may have different denominators.
    """
    degrees: list[tuple[int, int]] = []
    for one in program:
        parts = [degrees[operand] for operand in one.operands]
        if one.operation in ("tensor", "input", *FUNCTIONS, "largest"):
            found = (1, 0)
        elif one.operation == "constant":
            found = (0, 0)
        elif one.operation == "reciprocal":
            found = (parts[0][1], parts[0][0])
        elif one.operation in ("multiply", "product", "column_products"):
            (a, b), (c, d) = parts
            rows, columns = sizes(program[one.operands[0]].shape)
            terms = {"multiply": 1, "product": columns, "column_products": rows}[one.operation]
            found = (a + c + (terms - 1) * (b + d), terms * (b + d))
        elif one.operation == "add":
            (a, b), (c, d) = parts
            found = (max(a + d, b + c), b + d)
        elif one.operation in ("centre", "rotate"):
            terms = sizes(one.shape)[0] if one.operation == "centre" else 2
            found = (parts[0][0] + terms * parts[0][1], (terms + 1) * parts[0][1])
        else:  # parts, joins, transposes and negatives
            found = (max(a for a, _ in parts), max(b for _, b in parts))
        degrees.append(found)
    return max(max(pair) for pair in degrees)


def prime_of_hash(sha256: str) -> int:
    """Return the first prime from 2^61 plus the beginning of a hash on: nobody can write a program of this degree, as
    it would have another hash.
    """
    import flint

    number = 2**61 + int(sha256[:15], 16)
    while not flint.fmpz(number).is_prime():
        number += 1
    return number
