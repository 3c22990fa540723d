"""What the columns of results add up to, if all columns of a result add up to the same.

The cases are those of "Sums of columns are known" in docs/theory/arrows.md. A sum is a polynomial in the sums of
results with one column: a mapping from powers of these to coefficients; without terms it is zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from .constants import known_constants
from .program import Instruction, sizes

__all__ = ["Polynomial", "Powers", "column_sums", "powers_times", "product_of_sums"]

Powers = tuple[tuple[int, int], ...]
"""The results with one column whose sums are multiplied, each with its exponent, in order."""

Polynomial = Mapping[Powers, Fraction]

MOST_TERMS = 100
"""A sum with more terms counts as one that is not known."""


def powers_times(one: Powers, other: Powers) -> Powers:
    """Return a product of powers."""
    exponents = dict(one)
    for number, exponent in other:
        exponents[number] = exponents.get(number, 0) + exponent
    return tuple(sorted((number, exponent) for number, exponent in exponents.items() if exponent))


def product_of_sums(one: Polynomial, other: Polynomial) -> dict[Powers, Fraction] | None:
    """Return a product of polynomials; None if it has too many terms."""
    if len(one) * len(other) > MOST_TERMS:
        return None
    found: dict[Powers, Fraction] = {}
    for left, x in one.items():
        for right, y in other.items():
            powers = powers_times(left, right)
            found[powers] = found.get(powers, Fraction(0)) + x * y
    return {powers: value for powers, value in found.items() if value}


def column_sums(
    program: Sequence[Instruction], *, units: tuple[int, int] | None
) -> tuple[dict[int, Polynomial], dict[int, Polynomial], dict[int, Polynomial]]:
    """Return what all columns of results add up to, by number, the same for the rows of constants, and what all entries
    of constants are.

    Parameters
    ----------
    program : sequence of Instruction
        The program.
    units : (int, int) or None
        From which row and which column on the columns of its input are unit vectors; None if they never are.
    """
    constants = known_constants(program)
    found: dict[int, Polynomial] = {}
    of_rows: dict[int, Polynomial] = {}
    entries: dict[int, Polynomial] = {}
    for number, one in enumerate(program):
        if number in constants:
            rows = constants[number]
            across = {sum(row, Fraction(0)) for row in rows}
            down = {sum(column, Fraction(0)) for column in zip(*rows, strict=True)}
            if len(across) == 1:
                of_rows[number] = constant_polynomial(across.pop())
            if len(down) == 1:
                found[number] = constant_polynomial(down.pop())
            if all(entry == rows[0][0] for row in rows for entry in row):
                entries[number] = constant_polynomial(rows[0][0])
            continue
        total = sum_of_columns(number, program, found, entries, units)
        if total is not None and len(total) > MOST_TERMS:
            total = None
        if total is None and sizes(one.shape)[1] == 1:
            total = {((number, 1),): Fraction(1)}
        if total is not None:
            found[number] = total
    return found, of_rows, entries


def constant_polynomial(value: Fraction) -> Polynomial:
    """Return a number as a polynomial."""
    return {(): value} if value else {}


def sum_of_columns(
    number: int,
    program: Sequence[Instruction],
    found: Mapping[int, Polynomial],
    entries: Mapping[int, Polynomial],
    units: tuple[int, int] | None,
) -> Polynomial | None:
    """Return what the columns of a result add up to because of its operands; None if nothing is known."""
    one = program[number]
    parts = [found.get(operand) for operand in one.operands]
    if one.operation == "centre":
        return {}
    if one.operation == "input" and units == (0, 0):
        return {(): Fraction(1)}
    if one.operation == "take" and units is not None and program[one.operands[0]].operation == "input":
        height, (rows, columns) = sizes(program[one.operands[0]].shape)[0], one.argument
        if tuple(rows) == tuple(range(units[0], height)) and all(column >= units[1] for column in columns):
            return {(): Fraction(1)}
    if one.operation == "negate" and parts[0] is not None:
        return {powers: -value for powers, value in parts[0].items()}
    if one.operation == "add" and parts[0] is not None and parts[1] is not None:
        if any(sizes(program[operand].shape)[0] != sizes(one.shape)[0] for operand in one.operands):
            return None
        found_sum = dict(parts[0])
        for powers, value in parts[1].items():
            found_sum[powers] = found_sum.get(powers, Fraction(0)) + value
        return {powers: value for powers, value in found_sum.items() if value}
    if one.operation == "product" and parts[0] is not None:  # 1^T L R = f 1^T R if 1^T L = f 1^T
        if not parts[0]:
            return {}
        return None if parts[1] is None else product_of_sums(parts[0], parts[1])
    if one.operation == "multiply":
        for total, part, other in zip(parts, one.operands, one.operands[::-1], strict=True):
            if is_reciprocal_of_sum(program, entries, other, part):
                return {(): Fraction(1)}
            if total == {} and sizes(program[other].shape)[0] == 1:
                return {}
    return None


def is_reciprocal_of_sum(
    program: Sequence[Instruction], entries: Mapping[int, Polynomial], number: int, part: int
) -> bool:
    """Return whether a result is 1 / 1^T x for another one x."""
    one = program[number]
    if one.operation != "reciprocal":
        return False
    below = program[one.operands[0]]
    if below.operation != "product" or below.operands[1] != part or sizes(below.shape)[0] != 1:
        return False
    return entries.get(below.operands[0]) == {(): Fraction(1)}
