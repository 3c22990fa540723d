"""Results that are constants of the code, and matrices as the lists of their entries that are not zero."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from .limits import MOST_BITS
from .program import Instruction, sizes

__all__ = ["Rows", "Sparse", "centring", "is_short", "known_constants", "selection", "sparse", "turning"]

Rows = list[list[Fraction]]
"""The entries of a constant, row by row."""

MOST_FOLDED = 10**6
"""So many entries of constants are computed at most. What is not computed counts as an array that does not move, of
which nothing else is known.
"""


class Sparse(NamedTuple):
    """A constant matrix.

    Parameters
    ----------
    height, width : int
        Its shape.
    rows : list
        For each row, the columns and values of its entries that are not zero.
    columns : list
        For each column, the rows and values of them.
    """

    height: int
    width: int
    rows: list[list[tuple[int, Any]]]
    columns: list[list[tuple[int, Any]]]

    @property
    def T(self) -> Sparse:
        """The transpose."""
        return Sparse(self.width, self.height, self.columns, self.rows)


def sparse(rows: Sequence[Sequence[Any]]) -> Sparse:
    """Return a matrix of numbers."""
    listed = [[(j, value) for j, value in enumerate(row) if value] for row in rows]
    columns: list[list[tuple[int, Any]]] = [[] for _ in rows[0]]
    for i, row in enumerate(listed):
        for j, value in row:
            columns[j].append((i, value))
    return Sparse(len(rows), len(rows[0]), listed, columns)


def selection(count: int, chosen: Sequence[int]) -> Sparse:
    """Return the matrix that takes rows out of so many."""
    columns: list[list[tuple[int, Any]]] = [[] for _ in range(count)]
    for place, row in enumerate(chosen):
        columns[row].append((place, 1))
    return Sparse(len(chosen), count, [[(row, 1)] for row in chosen], columns)


def centring(size: int) -> Sparse:
    """Return the matrix n I - 1 1^T, a multiple of that which subtracts the mean."""
    return sparse([[size * (i == j) - 1 for j in range(size)] for i in range(size)])


def turning(angles: Sequence[float]) -> Sparse:
    """Return the matrix that turns each pair of rows by a right angle, times a number that is the same for angles that
    are equal, opposite for opposite ones and zero for zero.
    """
    found = {size: number for number, size in enumerate(sorted({abs(angle) for angle in angles} - {0.0}), start=1)}
    listed: list[list[tuple[int, Any]]] = []
    for pair, angle in enumerate(angles):
        speed = found.get(abs(angle), 0) * (1 if angle > 0 else -1)
        listed += [[(2 * pair + 1, -speed)], [(2 * pair, speed)]] if speed else [[], []]
    columns = [[(j, -value) for j, value in row] for row in listed]  # it is skew
    return Sparse(len(listed), len(listed), listed, columns)


def known_constants(program: Sequence[Instruction]) -> dict[int, Rows]:
    """Return the results that are made of constants by ring operations, reciprocals, parts and joins, by number."""
    known: dict[int, Rows] = {}
    left = MOST_FOLDED
    for number, one in enumerate(program):
        if one.operation == "constant":
            height, width = sizes(one.shape)
            known[number] = [list(one.argument[i * width : (i + 1) * width]) for i in range(height)]
        elif one.operation in FOLDED and all(operand in known for operand in one.operands):
            operands = [known[operand] for operand in one.operands]
            height, width = sizes(one.shape)
            left -= height * width * (len(operands[1]) if one.operation == "product" else 1)
            if left >= 0:
                result = FOLDED[one.operation](operands, one)
                if result is not None and all(is_short(entry) for row in result for entry in row):
                    known[number] = result
    return known


def is_short(value: Fraction) -> bool:
    """Return whether a number is not too long."""
    return max(value.numerator.bit_length(), value.denominator.bit_length()) <= MOST_BITS


def spread_rows(rows: Rows, shape: tuple[int, ...]) -> Rows:
    """Return an array of which one row, or one column, is repeated."""
    height, width = sizes(shape)
    wide = [row * width if len(row) < width else row for row in rows]
    return wide * height if len(wide) < height else wide


def constant_sum(operands: Sequence[Rows], one: Instruction) -> Rows:
    left, right = (spread_rows(rows, one.shape) for rows in operands)
    return [[x + y for x, y in zip(*pair, strict=True)] for pair in zip(left, right, strict=True)]


def constant_multiple(operands: Sequence[Rows], one: Instruction) -> Rows:
    left, right = (spread_rows(rows, one.shape) for rows in operands)
    return [[x * y for x, y in zip(*pair, strict=True)] for pair in zip(left, right, strict=True)]


def constant_product(operands: Sequence[Rows], one: Instruction) -> Rows:
    left, columns = operands[0], list(zip(*operands[1], strict=True))
    return [[sum((x * y for x, y in zip(row, column, strict=True)), Fraction(0)) for column in columns] for row in left]


def constant_reciprocal(operands: Sequence[Rows], one: Instruction) -> Rows | None:
    if not all(entry for row in operands[0] for entry in row):
        return None
    return [[1 / entry for entry in row] for row in operands[0]]


def constant_part(operands: Sequence[Rows], one: Instruction) -> Rows:
    rows, columns = one.argument
    return [[operands[0][i][j] for j in columns] for i in rows]


def constant_join(operands: Sequence[Rows], one: Instruction) -> Rows:
    if one.argument == 0:
        return [row for part in operands for row in part]
    return [[entry for row in rows for entry in row] for rows in zip(*operands, strict=True)]


FOLDED: Mapping[str, Any] = {
    "add": constant_sum,
    "multiply": constant_multiple,
    "negate": lambda operands, one: [[-entry for entry in row] for row in operands[0]],
    "transpose": lambda operands, one: [list(column) for column in zip(*operands[0], strict=True)],
    "product": constant_product,
    "reciprocal": constant_reciprocal,
    "take": constant_part,
    "concatenate": constant_join,
}
"""What operations make of constants."""
