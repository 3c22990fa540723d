"""Identities of means, lengths, gains and biases."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from algatt.programs.identities.looking import is_row, is_weights_column, pairs, spans

if TYPE_CHECKING:
    from algatt.programs.rewriting import Rewriting

__all__ = [
    "centred_factor",
    "centred_twice",
    "centring_matrix",
    "column_outside",
    "mean_square_less_square_of_mean",
    "spread_column",
]


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
