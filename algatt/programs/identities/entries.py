"""Identities of numbers, entrywise products and functions of one variable, and what identities ask of results."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from algatt.programs.uses import KnownSign

if TYPE_CHECKING:
    from algatt.programs.rewriting import Rewriting

PARTIAL = {"reciprocal", "sqrt", "log"}
"""Operations of this package without a value at some numbers."""


def pairs(made: Rewriting, number: int, operation: str) -> list[tuple[int, int]]:
    """Return the operands of a sum or an entrywise product in both orders; nothing of other results."""
    one = made[number]
    # both have two operands, which the type of all instructions does not say
    return [one.operands, one.operands[::-1]] if one.operation == operation else []  # type: ignore[list-item]


def factors(made: Rewriting, number: int) -> list[int]:
    """Return what is multiplied entry by entry, products of products being taken apart."""
    one = made[number]
    return [each for part in one.operands for each in factors(made, part)] if one.operation == "multiply" else [number]


def terms(made: Rewriting, number: int) -> list[int]:
    """Return what is added, sums of sums being taken apart."""
    one = made[number]
    return [each for part in one.operands for each in terms(made, part)] if one.operation == "add" else [number]


def same_shape(made: Rewriting, one: int, other: int) -> bool:
    """Return whether two results have one shape, so that neither is spread."""
    return made[one].shape == made[other].shape


def fills(made: Rewriting, whole: int, part: int) -> bool:
    """Return whether a part of a sum is not spread in it."""
    return made[whole].shape == made[part].shape


def is_row(made: Rewriting, number: int) -> bool:
    """Return whether all rows of a result are one where it is spread over more: it has one row, or no axes."""
    shape = made[number].shape
    return len(shape) < 2 or shape[0] == 1


def is_weights_column(made: Rewriting, number: int) -> bool:
    """Return whether a result is a column of weights."""
    shape = made[number].shape
    return len(shape) == 2 and shape[1] == 1 and shape[0] > 1 and made.is_weights(number)


def spans(made: Rewriting, number: int) -> bool:
    """Return whether a result is a matrix with tokens as columns and more than one row."""
    return made.axes[number] == (False, True) and made[number].shape[0] > 1


def is_sum_of(made: Rewriting, sums: int, columns: int) -> bool:
    """Return whether a result is the row of the sums of columns."""
    one = made[sums]
    return one.operation == "product" and one.operands[1] == columns and is_ones(made, one.operands[0])


def is_ones(made: Rewriting, number: int) -> bool:
    """Return whether a result is a row of ones."""
    return made[number].shape[0] == 1 and made.number_in(number) == 1


def is_total(made: Rewriting, number: int) -> bool:
    """Return whether a result has a value at all weights and inputs: it is made without functions that are not of this
    package, and without quotients, roots and logarithms but those of positive numbers.
    """
    pending, seen = [number], set()
    while pending:
        one = made[pending.pop()]
        partial = one.operation in PARTIAL and made.signs[one.operands[0]] is not KnownSign.POSITIVE
        if partial or "." in one.operation:
            return False
        new = [operand for operand in one.operands if operand not in seen]
        seen.update(new)
        pending += new
    return True


def reciprocal_of_constant(made: Rewriting, operand: int) -> int | None:
    """The reciprocals of numbers that are not 0 are numbers."""
    entries = made.entries(operand)
    if entries is None or not all(entries.flat):
        return None
    return made.constant(Fraction(1) / entries)


def exponential_of_zeros(made: Rewriting, operand: int) -> int | None:
    """exp(0) = 1."""
    entries = made.entries(operand)
    return made.constant(entries + 1) if entries is not None and not entries.any() else None


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
    """(c A) * B = c (A * B), if not B alone is weights."""
    for number, other in ((left, right), (right, left)):
        if made.keeps_number(made.without_factor(number)[0], other):
            inner, factor = made.without_factor(number)
            return None if factor == 1 else made.scaled(made.combined("multiply", inner, other), factor)
    (left, one), (right, two) = made.without_factor(left), made.without_factor(right)
    return None if one == two == 1 else made.scaled(made.combined("multiply", left, right), one * two)


def numbers_added(made: Rewriting, left: int, right: int) -> int | None:
    """(A + c) e + d = A e + (c e + d) for constants c and d and a number e."""
    for constant, total in ((left, right), (right, left)):
        if made[constant].operation == "constant":
            whole, factor = made.without_factor(total)
            for inner, other in pairs(made, whole, "add"):
                if made[inner].operation == "constant":
                    numbers = made.combined("add", made.scaled(inner, factor), constant)
                    return made.combined("add", made.scaled(other, factor), numbers)
    return None


def more_of_the_largest(made: Rewriting, left: int, right: int) -> int | None:
    """L + (M - L) = M, if L and M are where the largest entries of one result are, of M more than of L."""
    for one, other in ((left, right), (right, left)):
        for more, less in pairs(made, other, "add"):
            inner, factor = made.without_factor(less)
            given = made[one], made[more]
            if factor == -1 and inner == one and all(each.operation == "largest" for each in given):
                return more if given[0].operands == given[1].operands else None
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
    return None if one == two == 1 else made.scaled(made.record("column_products", left, right), one * two)


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


def sigmoid_of_exponentials(made: Rewriting, operand: int) -> int | None:
    """1 / (1 + exp(-A)) is the logistic function of A."""
    for one, exponential in pairs(made, operand, "add"):
        if made.number_in(one) == 1 and made[exponential].operation == "exp" and fills(made, operand, exponential):
            return made.write("sigmoid", made.scaled(made[exponential].operands[0], Fraction(-1)))
    return None


def reciprocal_of_exponential(made: Rewriting, operand: int) -> int | None:
    """1 / exp(A) = exp(-A)."""
    one = made[operand]
    return made.write("exp", made.scaled(one.operands[0], Fraction(-1))) if one.operation == "exp" else None


def root_of_reciprocal(made: Rewriting, operand: int) -> int | None:
    """The root of 1 / A is 1 over that of A."""
    one = made[operand]
    return made.write("reciprocal", made.write("sqrt", *one.operands)) if one.operation == "reciprocal" else None


def gate_of_gated(made: Rewriting, operand: int) -> int | None:
    """A * (A > 0) and c A, for c > 0, are positive where A is; so is (A > 0) itself."""
    inner, factor = made.without_factor(operand)
    if factor > 0 and factor != 1:
        return made.write("positive", inner)
    if made[operand].operation == "positive":
        return operand
    for gate, other in pairs(made, operand, "multiply"):
        if made[gate].operation == "positive" and made[gate].operands[0] == other:
            return gate
    return None


def gate_twice(made: Rewriting, left: int, right: int) -> int | None:
    """(A > 0) * (A > 0) = (A > 0)."""
    given, others = factors(made, left), factors(made, right)
    kept = [one for one in others if not (made[one].operation == "positive" and one in given)]
    return None if kept == others else made.product_of([left, *kept])


def beside_factors(made: Rewriting, left: int, right: int) -> int | None:
    """(A * B) * C = A * (B * C), where an identity knows B * C."""
    for whole, last in ((left, right), (right, left)):
        given = factors(made, whole) if made[last].operation == "sigmoid" else []
        for place, factor in enumerate(given if len(given) > 1 else ()):
            found = sigmoid_of_quotient(made, factor, last)
            if found is not None:
                return made.product_of([*given[:place], found, *given[place + 1 :]])
    return None


def sigmoid_of_quotient(made: Rewriting, left: int, right: int) -> int | None:
    """exp(A) times the logistic function of -A is the logistic function of A."""
    for first, second in ((left, right), (right, left)):
        if made[first].operation == "exp" and made[second].operation == "sigmoid" and same_shape(made, first, second):
            (exponent,), (argument,) = made[first].operands, made[second].operands
            if argument == made.scaled(exponent, Fraction(-1)):
                return made.write("sigmoid", exponent)
    return None


def tanh_of_exponentials(made: Rewriting, left: int, right: int) -> int | None:
    """(exp(A) - 1) / (exp(A) + 1) is twice the logistic function of A, less 1."""
    for first, second in ((left, right), (right, left)):
        if made[second].operation == "sigmoid" and same_shape(made, first, second):
            (argument,) = made[second].operands
            for one, exponential in pairs(made, first, "add"):
                if made.number_in(one) == -1 and made[exponential].operation == "exp":
                    (exponent,) = made[exponential].operands
                    if argument == made.scaled(exponent, Fraction(-1)):
                        twice = made.scaled(made.write("sigmoid", exponent), Fraction(2))
                        return made.combined("add", twice, made.constant(np.array(Fraction(-1))))
    return None


def tanh_of_two_exponentials(made: Rewriting, left: int, right: int) -> int | None:
    """(exp(A) - exp(-A)) / (exp(A) + exp(-A)) is twice the logistic function of 2 A, less 1."""
    for first, second in ((left, right), (right, left)):
        if made[second].operation != "reciprocal" or not same_shape(made, first, second):
            continue
        below = set(made[made[second].operands[0]].operands)
        for one, minus in pairs(made, first, "add"):
            other, factor = made.without_factor(minus)
            if factor == -1 and {one, other} == below and made[one].operation == made[other].operation == "exp":
                if made[made[second].operands[0]].operation != "add":
                    continue
                (exponent,), (opposite,) = made[one].operands, made[other].operands
                if opposite == made.scaled(exponent, Fraction(-1)):
                    twice = made.write("sigmoid", made.scaled(exponent, Fraction(2)))
                    return made.combined("add", made.scaled(twice, Fraction(2)), made.constant(np.array(Fraction(-1))))
    return None


def turned_by_tables(made: Rewriting, left: int, right: int) -> int | None:
    """Y * C + (P Y) * S, with a permutation P of rows with signs, is a constant matrix times Y for each column.

    It is a rotation if C has the cosines and S the sines of multiples of one angle for both rows of each pair, by the
    tables of `algatt.fields.circle_points`. Tables of other numbers need not lie on the circle: of the rows Y' of Y
    for which the rows of C are c, and those of S are s or -s, it is Y' * c + (P' Y') * s, the rows c and s being
    spread.
    """
    if not (is_product(made, left) and is_product(made, right)):
        return None
    from algatt.programs.identities.tables import is_multiple_of_table, rows_in, sum_of
    from algatt.programs.identities.turns import by_columns

    if not (is_multiple_of_table(made, left) and is_multiple_of_table(made, right)):
        return None
    rows = [sum_of(pair) for pair in zip(rows_in(made, left), rows_in(made, right), strict=True)]
    found = by_columns(made, rows)
    return None if found is None or sorted(made[found].operands) == sorted((left, right)) else found


def is_product(made: Rewriting, number: int) -> bool:
    """Return whether a result is an entrywise product, or the negative of one, or rows of one."""
    one = made[number]
    return one.operation == "multiply" or (one.operation in ("negate", "take") and is_product(made, one.operands[0]))
