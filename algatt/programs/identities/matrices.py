"""Identities of products, means and lengths, and of exponentials that are divided by the sums of their columns."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from algatt.programs.identities.entries import (
    factors,
    is_ones,
    is_row,
    is_sum_of,
    is_total,
    is_weights_column,
    pairs,
    spans,
    terms,
)
from algatt.programs.parts import taken

if TYPE_CHECKING:
    from algatt.programs.rewriting import Rewriting

MOST_SCORES = 2**22
"""Constants that are added to more scores than these stay as they are."""


def product_from_the_right(made: Rewriting, left: int, right: int) -> int | None:
    """(A B) C = A (B C) for weights A and B."""
    one = made[left]
    if one.operation != "product" or not made.is_weights(left):
        return None
    outer, inner = one.operands
    return made.multiplied(outer, made.multiplied(inner, right))


def sums_before_weights(made: Rewriting, left: int, right: int) -> int | None:
    """(W A) c = W (A c) for weights W and a column of numbers c, such as sums of tokens; 1^T S comes before S 1 for
    scores S.
    """
    one = made[left]
    if one.operation != "product" or made[right].operation != "constant" or made[right].shape[1] != 1:
        return None
    weights, inner = one.operands
    if made[weights].operation == "constant" and all(made.axes[inner]):
        return None
    return made.multiplied(weights, made.multiplied(inner, right)) if made.axes[weights] == (False, False) else None


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
    """[A; B] C = [A C; B C] for weights A and B."""
    one = made[left]
    if one.operation != "concatenate" or one.argument != 0 or not made.is_weights(left):
        return None
    return made.joined(tuple(made.multiplied(part, right) for part in one.operands), 0)


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


def weights_added_to_joined(made: Rewriting, left: int, right: int) -> int | None:
    """[A, B] + [C, D] = [A + C, B + D] for weights C and D, of which each has a place for each token, as positions."""
    for joined, other in ((left, right), (right, left)):
        one = made[joined]
        if one.operation != "concatenate" or one.argument != 1 or made[other].shape != one.shape:
            continue
        if not made.is_weights(other) or made.is_weights(joined) or not made.axes[joined][1]:
            continue
        ends = np.cumsum([0, *(made[part].shape[1] for part in one.operands)]).tolist()
        rows = tuple(range(one.shape[0]))
        parts = [taken(made, other, rows, tuple(range(*pair))) for pair in itertools.pairwise(ends)]
        return made.joined(tuple(made.combined("add", *pair) for pair in zip(one.operands, parts, strict=True)), 1)
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


def shift_before_softmax(made: Rewriting, left: int, right: int) -> int | None:
    """E / 1^T E, with E = exp(A + 1 r) * M, is the same without r, for every row r; with E = e * r without r, if r is a
    row of exponentials; and with constants that are 0 in the first place of each column that M shows.
    """
    for columns, below in ((left, right), (right, left)):
        if made[below].operation != "reciprocal" or not is_sum_of(made, made[below].operands[0], columns):
            continue
        given = factors(made, columns)
        kept = [without_rows(made, factor, made[columns].shape, given) for factor in given]
        left_over = [number for number in kept if number is not None]
        if left_over == given or not left_over:
            continue
        found = made.product_of(left_over)
        if made[found].shape != made[columns].shape:
            continue
        sums = made.multiplied(made.ones(1, made[columns].shape[0]), found)
        return made.combined("multiply", found, made.write("reciprocal", sums))
    return None


def exponentials_of_joined(made: Rewriting, operand: int) -> int | None:
    """exp([A; B]) = [exp(A); exp(B)]."""
    one = made[operand]
    if one.operation != "concatenate" or one.argument != 0:
        return None
    return made.joined(tuple(made.write("exp", part) for part in one.operands), 0)


def mask_of(made: Rewriting, given: list[int], shape: tuple[int, ...]) -> np.ndarray:
    """Return which entries of an entrywise product are not 0 by constants among the factors."""
    entries = [made.entries(factor) for factor in given]
    zeros = [one == 0 for one in entries if one is not None]
    return ~np.logical_or.reduce([np.zeros(shape, dtype=bool), *(np.broadcast_to(one, shape) for one in zeros)])


def without_rows(made: Rewriting, factor: int, shape: tuple[int, ...], given: list[int]) -> int | None:
    """Return a factor without the rows that a softmax of a shape drops; None if all of it is dropped."""
    one = made[factor]
    if one.operation != "exp" or shape[0] < 2:
        return factor
    if is_row(made, factor) and is_total(made, one.operands[0]):
        return None
    summands = terms(made, one.operands[0])
    kept = [uncentred(made, term) for term in summands if not (is_row(made, term) and is_total(made, term))]
    kept = [term for number in kept for term in from_first_shown(made, number, shape, given)]
    return factor if not kept or kept == summands else made.write("exp", made.sum_of(kept))


def from_first_shown(made: Rewriting, term: int, shape: tuple[int, ...], given: list[int]) -> list[int]:
    """Return constants less those in the first place of each column that is shown, 0 where nothing is: none if all are
    0, a column if all columns are equal; other terms as they are.
    """
    entries = made.entries(term)
    if entries is None or math.prod(shape) > MOST_SCORES:
        return [term]
    shown = mask_of(made, given, shape)
    if not shown.any(axis=0).all():
        return [term]
    whole = np.broadcast_to(entries, shape)
    found = (whole - whole[shown.argmax(axis=0), range(shape[1])]) * shown.astype(int)
    if not found.any():
        return []
    return [made.constant(found[:, :1] if (found == found[:, :1]).all() else found)]


def uncentred(made: Rewriting, number: int) -> int:
    """Return a result to which its means are added again, if they were taken off."""
    inner, factor = made.without_factor(number)
    return made.scaled(made[inner].operands[0], factor) if made[inner].operation == "centre" else number


def normalised_values(made: Rewriting, left: int, right: int) -> int | None:
    """(V E) * (1 / 1^T E) = V (E * (1 / 1^T E)), as columns are divided; also where (V K^T) Q stands for V (K^T Q)."""
    for values, below in ((left, right), (right, left)):
        one = made[values]
        if made[below].operation != "reciprocal" or one.operation != "product":
            continue
        mixed, columns = one.operands
        sums = made[below].operands[0]
        if is_sum_of(made, sums, columns):
            return made.multiplied(mixed, made.combined("multiply", columns, below))
        first, total = made[mixed], made[sums]
        if first.operation == total.operation == "product" and is_ones(made, total.operands[0]):
            scores = total.operands[1]
            if made[scores].operation == "product" and made[scores].operands == (first.operands[1], columns):
                return made.multiplied(first.operands[0], made.combined("multiply", scores, below))
    return None


def mask_before_exponential(made: Rewriting, left: int, right: int) -> int | None:
    """exp(A * M) * M = exp(A) * M for a matrix M of zeros and ones, as both are 0 where M is."""
    for mask, exponential in ((left, right), (right, left)):
        one = made[exponential]
        for other, masked in pairs(made, one.operands[0], "multiply") if one.operation == "exp" else ():
            entries = made.entries(mask) if other == mask else None
            if entries is None or not all(entry in (0, 1) for entry in entries.flat):
                continue
            if made[masked].shape == one.shape and is_total(made, masked):
                return made.combined("multiply", made.write("exp", masked), mask)
    return None


MOST_ENTRIES = 2**16
"""Maximum number of entries of a matrix that chooses columns: these are 256 of as many tokens."""


def chosen_columns(made: Rewriting, left: int, right: int) -> int | None:
    """A S is some columns of A, for tokens as columns and a matrix S of which each column has one 1 and zeros, below
    that of the column before. Where columns of S are zero, the columns of A that it does not choose are left out.
    """
    entries = made.entries(right)
    if entries is None or not made.axes[left][1] or not all(entry in (0, 1) for entry in entries.flat):
        return None
    ones = entries != 0
    rows, places = tuple(range(made[left].shape[0])), ones.argmax(axis=0)[ones.any(axis=0)]
    if (ones.sum(axis=0) > 1).any() or (np.diff(places) <= 0).any() or not len(places):
        return None
    if len(places) < ones.shape[1] and len(places) == len(ones):
        return None
    found = taken(made, left, rows, tuple(places.tolist()))
    return found if len(places) == ones.shape[1] else made.multiplied(found, made.constant(entries[places]))


def columns_beside_zeros(made: Rewriting, *parts: int, argument: int) -> int | None:
    """[0, A S_1, 0, ...] = A S for columns A S_1, ... of one matrix, or a multiple of it, whose columns are tokens."""
    if argument != 1:
        return None
    zeros = [made.number_in(part) == 0 for part in parts]
    shown = [made.without_factor(part) for part, zero in zip(parts, zeros, strict=True) if not zero]
    if not any(zeros) or not shown or len({factor for _, factor in shown}) > 1:
        return None
    found = [source_of(made, part) for part, _ in shown]
    (source, rows, _), factor = found[0], shown[0][1]
    columns = [column for one in found for column in one[2]]
    if any(one[:2] != (source, rows) for one in found) or not made.axes[source][1]:
        return None
    filled = np.repeat(np.logical_not(zeros), [made[part].shape[1] for part in parts])
    if columns != sorted(set(columns)) or len(columns) * len(filled) > MOST_ENTRIES:
        return None
    choice = np.full((len(columns), len(filled)), Fraction(0), dtype=object)
    choice[range(len(columns)), np.flatnonzero(filled)] = Fraction(1)
    return made.scaled(made.multiplied(taken(made, source, rows, tuple(columns)), made.constant(choice)), factor)


def source_of(made: Rewriting, number: int) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    """Return the result of which another one is rows and columns, with these; of others the result itself."""
    one = made[number]
    if one.operation == "take":
        return one.operands[0], *one.argument
    height, width = one.shape
    return number, tuple(range(height)), tuple(range(width))
