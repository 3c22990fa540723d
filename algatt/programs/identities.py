"""Identities by which programs are rewritten, by the operation that they begin with: tried in order as an instruction
is about to be written, each returns the result that takes its place, or None.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from algatt.programs.turns import permutation_outside, turned_by_tables

if TYPE_CHECKING:
    from algatt.programs.rewriting import Rewriting

__all__ = ["IDENTITIES", "is_total"]

Identity = Callable[..., int | None]

PARTIAL = {"reciprocal", "sqrt", "log"}
"""Operations of this package without a value at some numbers."""


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
    if kept == others or not same_shape(made, left, right):
        return None
    return made.product_of([left, *kept])


def beside_factors(made: Rewriting, left: int, right: int) -> int | None:
    """(A * B) * C = A * (B * C), where an identity knows B * C."""
    for whole, last in ((left, right), (right, left)):
        given = factors(made, whole) if made[last].operation == "sigmoid" else []
        for place, factor in enumerate(given if len(given) > 1 else ()):
            found = sigmoid_of_quotient(made, factor, last)
            if found is not None:
                return made.product_of([*given[:place], found, *given[place + 1 :]])
    return None


def numbers_in_front(made: Rewriting, left: int, right: int) -> int | None:
    """(c A) * B = c (A * B)."""
    (left, one), (right, two) = made.without_factor(left), made.without_factor(right)
    return None if one * two == 1 else made.scaled(made.combined("multiply", left, right), one * two)


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


def shift_before_softmax(made: Rewriting, left: int, right: int) -> int | None:
    """E / 1^T E, with E = exp(A + 1 r) * M, is the same without r, for every row r; and with E = e * r without r, if r
    is a row of exponentials.
    """
    for columns, below in ((left, right), (right, left)):
        if made[below].operation != "reciprocal" or not is_sum_of(made, made[below].operands[0], columns):
            continue
        kept = [without_rows(made, factor, made[columns].shape) for factor in factors(made, columns)]
        if [number for number in kept if number is not None] == factors(made, columns):
            continue
        left_over = [number for number in kept if number is not None]
        if not left_over:
            continue
        found = made.product_of(left_over)
        if made[found].shape != made[columns].shape:
            continue
        sums = made.multiplied(made.ones(1, made[columns].shape[0]), found)
        return made.combined("multiply", found, made.write("reciprocal", sums))
    return None


def without_rows(made: Rewriting, factor: int, shape: tuple[int, ...]) -> int | None:
    """Return a factor without the rows that a softmax of a shape drops; None if all of it is dropped."""
    one = made[factor]
    if one.operation != "exp" or shape[0] < 2:
        return factor
    if is_row(made, factor) and is_total(made, one.operands[0]):
        return None
    given = terms(made, one.operands[0])
    kept = [uncentred(made, term) for term in given if not (is_row(made, term) and is_total(made, term))]
    return factor if not kept or kept == given else made.write("exp", made.sum_of(kept))


def uncentred(made: Rewriting, number: int) -> int:
    """Return a result to which its means are added again, if they were taken off."""
    inner, factor = made.without_factor(number)
    return made.scaled(made[inner].operands[0], factor) if made[inner].operation == "centre" else number


def normalised_values(made: Rewriting, left: int, right: int) -> int | None:
    """(V E) * (1 / 1^T E) = V (E * (1 / 1^T E)), as columns are divided."""
    for values, below in ((left, right), (right, left)):
        one = made[values]
        if made[below].operation == "reciprocal" and one.operation == "product":
            mixed, columns = one.operands
            if is_sum_of(made, made[below].operands[0], columns):
                return made.multiplied(mixed, made.combined("multiply", columns, below))
    return None


def mask_before_exponential(made: Rewriting, left: int, right: int) -> int | None:
    """exp(A * M) * M = exp(A) * M for a matrix M of zeros and ones, as both are 0 where M is."""
    for mask, exponential in ((left, right), (right, left)):
        entries, one = made.entries(mask), made[exponential]
        if entries is None or one.operation != "exp" or not all(entry in (0, 1) for entry in entries.flat):
            continue
        for other, masked in pairs(made, one.operands[0], "multiply"):
            if other == mask and made[masked].shape == one.shape and is_total(made, masked):
                return made.combined("multiply", made.write("exp", masked), mask)
    return None


def column_outside(made: Rewriting, left: int, right: int) -> int | None:
    """(g A) r = g (A r) and A (g r) = g (A r) for a column g and a row r that scale a matrix A."""
    for first, second in ((left, right), (right, left)):
        if not is_weights_column(made, first) and not is_row(made, first):
            for column, row in pairs(made, second, "multiply"):
                if is_weights_column(made, column) and is_row(made, row) and made.axes[row][1] and spans(made, first):
                    return made.combined("multiply", column, made.combined("multiply", first, row))
        if is_row(made, first) and made.axes[first][1]:
            for column, matrix in pairs(made, second, "multiply"):
                if is_weights_column(made, column) and spans(made, matrix):
                    return made.combined("multiply", column, made.combined("multiply", matrix, first))
    return None


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


def spread_column(made: Rewriting, left: int, right: int) -> int | None:
    """A + b (c 1^T) = A + c b, the column spread, if A has all of its rows and columns."""
    for spread, other in ((left, right), (right, left)):
        inner, factor = made.without_factor(spread)
        one = made[inner]
        if one.operation == "product" and made[other].shape == one.shape:
            column, row = one.operands
            number = made.number_in(row)
            if number is not None and made[column].shape[1] == 1:
                return made.combined("add", made.scaled(column, number * factor), other)
    return None


def mean_square_less_square_of_mean(made: Rewriting, left: int, right: int) -> int | None:
    """|a|^2 - (1^T a)^2 / m = |a - 1 (1^T a) / m|^2 for every column a with m rows."""
    for squares, squared in ((left, right), (right, left)):
        (inner, one), (other, two) = made.without_factor(squares), made.without_factor(squared)
        lengths, product = made[inner], made[other]
        if lengths.operation != "column_products" or product.operation != "multiply":
            continue
        columns, mean = lengths.operands[0], product.operands[0]
        sums = made[mean]
        if len(set(lengths.operands)) > 1 or len(set(product.operands)) > 1 or sums.operation != "product":
            continue
        number = made.number_in(sums.operands[0])
        if number is None or sums.shape[0] > 1 or sums.operands[1] != columns or not one:
            continue
        if two * number * number * made[columns].shape[0] == -one:
            return made.scaled(made.record("column_products", *[made.write("centre", columns)] * 2), one)
    return None


def centred_factor(made: Rewriting, left: int, right: int) -> int | None:
    """The products of columns with centred columns are those of both centred."""
    for centred, other in ((left, right), (right, left)):
        if made[centred].operation == "centre" and made[centred].operands[0] == other:
            return made.record("column_products", centred, centred)
    return None


def numbers_of_lengths(made: Rewriting, left: int, right: int) -> int | None:
    """The products of columns of c A and d B are c d times those of A and B."""
    (left, one), (right, two) = made.without_factor(left), made.without_factor(right)
    return None if one * two == 1 else made.scaled(made.record("column_products", left, right), one * two)


def centring_matrix(made: Rewriting, left: int, right: int) -> int | None:
    """(I - 1 1^T / m) A is A centred."""
    entries = made.entries(left)
    if entries is None or entries.shape[0] != entries.shape[1] or entries.shape[0] < 2:
        return None
    size = entries.shape[0]
    share = Fraction(1, size)
    wanted = all(entries[i, j] == (i == j) - share for i in range(size) for j in range(size))
    return made.write("centre", right) if wanted else None


def centred_twice(made: Rewriting, operand: int) -> int | None:
    """What is centred stays as it is; c A centred is c times A centred."""
    if made[operand].operation == "centre":
        return operand
    inner, factor = made.without_factor(operand)
    return None if factor == 1 else made.scaled(made.write("centre", inner), factor)


def permuted_sum(made: Rewriting, left: int, right: int) -> int | None:
    """A^T B = (P A)^T (P B) for a permutation P, as rows are added in any order."""
    turned = made[left].operation == "transpose"
    first, second = made[made[left].operands[0] if turned else left], made[right]
    if first.operation != "take" or second.operation != "take":
        return None
    rows, columns = first.argument
    order, others = (rows, columns) if turned else (columns, rows)
    shape = made[first.operands[0]].shape
    whole, beside = (shape[0], shape[1]) if turned else (shape[1], shape[0])
    given = made[second.operands[0]].shape
    if order != second.argument[0] or sorted(order) != list(range(whole)) or others != tuple(range(beside)):
        return None
    if given[0] != whole or second.argument[1] != tuple(range(given[1])):
        return None
    factor = made.transposed(first.operands[0]) if turned else first.operands[0]
    return made.multiplied(factor, second.operands[0])


def permuted_rows(made: Rewriting, left: int, right: int) -> int | None:
    """(P W) A = P (W A) for a permutation P of the rows of weights W."""
    one = made[left]
    if one.operation != "take" or made[one.operands[0]].shape != one.shape or not made.is_weights(left):
        return None
    rows, columns = one.argument
    if columns != tuple(range(one.shape[1])):
        return None
    return made.taken(made.multiplied(one.operands[0], right), rows, tuple(range(made[right].shape[1])))


def product_from_the_right(made: Rewriting, left: int, right: int) -> int | None:
    """(A B) C = A (B C) for weights A and B."""
    one = made[left]
    if one.operation != "product" or not made.is_weights(left):
        return None
    outer, inner = one.operands
    return made.multiplied(outer, made.multiplied(inner, right))


def values_before_queries(made: Rewriting, left: int, right: int) -> int | None:
    """V (K^T Q) = (V K^T) Q, where nothing else is done to the scores."""
    one = made[right]
    if one.operation != "product" or not all(made.axes[right]) or made.axes[left] != (False, True):
        return None
    keys, queries = one.operands
    return made.multiplied(made.multiplied(left, keys), queries)


def keys_of_products(made: Rewriting, left: int, right: int) -> int | None:
    """A^T (B (C A)) = (B^T A)^T (C A) for weights B and C, A having tokens as columns."""
    first, second = made[left], made[right]
    if first.operation != "transpose" or second.operation != "product" or made.axes[left] != (True, False):
        return None
    weights, inner = second.operands
    last = made[inner]
    if last.operation != "product" or last.operands[1] != first.operands[0]:
        return None
    if not all(made.is_weights(one) for one in (weights, last.operands[0])):
        return None
    return made.multiplied(made.transposed(made.multiplied(made.transposed(weights), made.transposed(left))), inner)


def rows_joined(made: Rewriting, left: int, right: int) -> int | None:
    """[A; B] C = [A C; B C] and [A, B] [C; D] = A C + B D for weights A and B."""
    one = made[left]
    if one.operation != "concatenate" or not made.is_weights(left):
        return None
    if one.argument == 0:
        return made.joined(tuple(made.multiplied(part, right) for part in one.operands), 0)
    start, found = 0, []
    columns = tuple(range(made[right].shape[1]))
    for part in one.operands:
        stop = start + made[part].shape[1]
        found.append(made.multiplied(part, made.taken(right, tuple(range(start, stop)), columns)))
        start = stop
    return made.sum_of(found)


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


def pairs(made: Rewriting, number: int, operation: str) -> list[tuple[int, int]]:
    """Return the operands of a sum or an entrywise product in both orders; nothing of other results."""
    one = made[number]
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
    """Return whether a result has a value at all weights and inputs: it is made without quotients, roots, logarithms,
    and functions that are not of this package.
    """
    pending, seen = [number], set()
    while pending:
        one = made[pending.pop()]
        if one.operation in PARTIAL or "." in one.operation:
            return False
        new = [operand for operand in one.operands if operand not in seen]
        seen.update(new)
        pending += new
    return True


IDENTITIES: dict[str, tuple[Identity, ...]] = {
    "reciprocal": (
        reciprocal_of_constant,
        sigmoid_of_exponentials,
        reciprocal_of_exponential,
        reciprocal_of_multiple,
    ),
    "sqrt": (root_of_multiple, root_of_reciprocal),
    "positive": (gate_of_gated,),
    "multiply": (
        gate_twice,
        numbers_in_front,
        sigmoid_of_quotient,
        beside_factors,
        tanh_of_exponentials,
        tanh_of_two_exponentials,
        mask_before_exponential,
        shift_before_softmax,
        normalised_values,
        column_outside,
    ),
    "add": (
        numbers_added,
        like_terms,
        spread_column,
        mean_square_less_square_of_mean,
        turned_by_tables,
    ),
    "column_products": (numbers_of_lengths, centred_factor),
    "product": (
        centring_matrix,
        permuted_sum,
        permuted_rows,
        rows_joined,
        product_from_the_right,
        values_before_queries,
        keys_of_products,
    ),
    "centre": (centred_twice,),
    "rotate": (numbers_before_turns,),
    "concatenate": (numbers_before_joined, permutation_outside),
}
"""The identities by operation."""
