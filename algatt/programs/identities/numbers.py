"""Identities by which numbers stand in front."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING, Any

from algatt.programs.identities.looking import pairs

if TYPE_CHECKING:
    from algatt.programs.rewriting import Rewriting

__all__ = [
    "like_terms",
    "numbers_added",
    "numbers_before_joined",
    "numbers_before_turns",
    "numbers_in_front",
    "numbers_of_lengths",
    "reciprocal_of_constant",
    "reciprocal_of_multiple",
    "root_of_multiple",
]


def reciprocal_of_constant(made: Rewriting, operand: int) -> int | None:
    """The reciprocals of numbers that are not 0 are numbers."""
    entries = made.entries(operand)
    if entries is None or not all(entries.flat):
        return None
    return made.constant(Fraction(1) / entries)


def reciprocal_of_multiple(made: Rewriting, operand: int) -> int | None:
    """1 / (c A) = (1 / c) (1 / A) for c that is not 0."""
    inner, factor = made.without_factor(operand)
    return None if factor in (0, 1) else made.scaled(made.write("reciprocal", inner), 1 / factor)


def root_of_multiple(made: Rewriting, operand: int) -> int | None:
    """The root of c^2 A is c times that of A, for c > 0."""
    inner, factor = made.without_factor(operand)
    if factor == 1 or factor <= 0:
        return None
    above, below = (isqrt(number) for number in (factor.numerator, factor.denominator))
    root = Fraction(above, below)
    return made.scaled(made.write("sqrt", inner), root) if root * root == factor else None


def numbers_in_front(made: Rewriting, left: int, right: int) -> int | None:
    """(c A) * B = c (A * B)."""
    (left, one), (right, two) = made.without_factor(left), made.without_factor(right)
    return None if one * two == 1 else made.scaled(made.combined("multiply", left, right), one * two)


def numbers_added(made: Rewriting, left: int, right: int) -> int | None:
    """(A + c) + d = A + (c + d) for constants c and d."""
    for constant, total in ((left, right), (right, left)):
        if made[constant].operation == "constant":
            for inner, other in pairs(made, total, "add"):
                if made[inner].operation == "constant":
                    return made.combined("add", other, made.combined("add", inner, constant))
    return None


def like_terms(made: Rewriting, left: int, right: int) -> int | None:
    """C A + d A = (c + d) A and c A + c B = c (A + B)."""
    (first, one), (second, two) = made.without_factor(left), made.without_factor(right)
    if first == second and one + two != 0:
        return made.scaled(first, one + two)
    constants = "constant" in (made[first].operation, made[second].operation)
    return made.scaled(made.combined("add", first, second), one) if one == two not in (0, 1) and not constants else None


def numbers_of_lengths(made: Rewriting, left: int, right: int) -> int | None:
    """The products of columns of c A and d B are c d times those of A and B."""
    (left, one), (right, two) = made.without_factor(left), made.without_factor(right)
    return None if one * two == 1 else made.scaled(made.record("column_products", left, right), one * two)


def numbers_before_turns(made: Rewriting, operand: int, argument: Any) -> int | None:
    """C A turned is c times A turned."""
    inner, factor = made.without_factor(operand)
    return None if factor == 1 else made.scaled(made.write("rotate", inner, argument=argument), factor)


def numbers_before_joined(made: Rewriting, *operands: int, argument: Any) -> int | None:
    """[c A; c B] = c [A; B]."""
    given = [made.without_factor(operand) for operand in operands]
    common = {factor for _, factor in given}
    if len(common) > 1 or common <= {0, 1}:
        return None
    return made.scaled(made.joined(tuple(inner for inner, _ in given), argument), common.pop())
