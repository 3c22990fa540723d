"""Rows and columns of results, written as those of what the results are made of."""

from __future__ import annotations

import functools
from bisect import bisect_right
from itertools import accumulate, groupby
from typing import TYPE_CHECKING

from algatt.programs.interpret import Instruction

if TYPE_CHECKING:
    from algatt.programs.rewriting import Rewriting

ENTRYWISE = ("add", "multiply")
"""Operations on the entries of two matrices, of which one may be spread over rows or columns."""

TOGETHER = ("product", "column_products", "centre", "rotate", "take", "concatenate", "transpose", "largest")
"""Operations that see more than one entry; all others with one operand are entrywise."""


def taken(made: Rewriting, number: int, rows: tuple[int, ...], columns: tuple[int, ...]) -> int:
    """Write some rows and columns: those of a product are the rows of one factor times the columns of the other;
    those of what was joined are parts of it.
    """
    one = made[number]
    height, width = one.shape
    if rows == tuple(range(height)) and columns == tuple(range(width)):
        return number
    entries = made.entries(number)
    if entries is not None:
        return made.constant(entries[list(rows)][:, list(columns)])
    match one.operation:
        case "take":
            inner, outer = one.argument
            chosen = tuple(inner[row] for row in rows), tuple(outer[column] for column in columns)
            return taken(made, one.operands[0], *chosen)
        case "rotate" if made.entries(one.operands[0]) is not None and columns != tuple(range(width)):
            angles, positions = one.argument
            table = part_spread(made, one.operands[0], tuple(range(height)), columns)
            argument = angles, tuple(positions[column] for column in columns)
            return taken(made, made.write("rotate", table, argument=argument), rows, tuple(range(len(columns))))
        case "transpose":
            return made.transposed(taken(made, one.operands[0], columns, rows))
        case "concatenate" if not permutes_parts(made, one, rows, columns):
            return parts_of_joined(made, one, rows, columns)
    inner, factor = made.without_factor(number)
    if factor != 1:
        return made.scaled(taken(made, inner, rows, columns), factor)
    if list(rows) != sorted(rows) or list(columns) != sorted(columns):
        return permuted(made, number, rows, columns)
    if number in made.parted and is_made_of_joined(made, number):
        return part_inside(made, number, rows, columns)
    every = tuple(range(height)), tuple(range(width))
    chosen = (rows, columns)
    inside = tuple(every[axis] if made.axes[number][axis] else chosen[axis] for axis in (0, 1))
    if inside != every and is_made_of_products(made, number):  # which tokens is asked last
        outside = tuple(chosen[axis] if made.axes[number][axis] else tuple(range(len(chosen[axis]))) for axis in (0, 1))
        return taken(made, part_inside(made, number, *inside), *outside)
    return made.record("take", number, argument=(rows, columns))


def part_inside(made: Rewriting, number: int, rows: tuple[int, ...], columns: tuple[int, ...]) -> int:
    """Write some rows and columns of a product, or of what is made entry by entry, of which nothing else is used."""
    one = made[number]
    if one.operation == "product":
        left, right = one.operands
        inner = tuple(range(made[left].shape[1]))
        return made.multiplied(taken(made, left, rows, inner), taken(made, right, inner, columns))
    return made.write(
        one.operation, *(part_spread(made, part, rows, columns) for part in one.operands), argument=one.argument
    )


def is_made_of_joined(made: Rewriting, number: int) -> bool:
    """Return whether a result is a function, a sum or an entrywise product of matrices that are joined, or of functions
    of these and numbers.
    """
    one = made[number]
    parts = one.operands if one.operation in ENTRYWISE else (number,)
    return one.operation != "concatenate" and any(is_function_of_joined(made, part) for part in parts)


def is_function_of_joined(made: Rewriting, number: int) -> bool:
    """Return whether a result is joined, or made of one that is and of numbers, entry by entry, nothing but parts of
    what stands between being used.
    """
    one = made[number]
    if one.operation == "concatenate":
        return True
    of_one = len(one.operands) == 1 and one.operation not in TOGETHER
    with_numbers = one.operation in ENTRYWISE and any(made.number_in(part) is not None for part in one.operands)
    return (
        (of_one or with_numbers)
        and number in made.parted
        and any(is_function_of_joined(made, part) for part in one.operands)
    )


def is_made_of_products(made: Rewriting, number: int) -> bool:
    """Return whether nothing but parts is taken of a result that is a product, or made of one entry by entry."""
    one = made[number]
    of_one = len(one.operands) == 1 and one.operation not in TOGETHER
    if number not in made.parted or not (of_one or one.operation in ("product", *ENTRYWISE)):
        return False
    return one.operation == "product" or any(
        is_made_of_products(made, made.without_factor(operand)[0]) for operand in one.operands
    )


def permuted(made: Rewriting, number: int, rows: tuple[int, ...], columns: tuple[int, ...]) -> int:
    """Write rows and columns in another order than theirs: the part in its order, and what orders it."""
    inside = tuple(sorted(rows)), tuple(sorted(columns))
    order = tuple(inside[0].index(row) for row in rows), tuple(inside[1].index(column) for column in columns)
    return made.record("take", taken(made, number, *inside), argument=order)


def part_spread(made: Rewriting, number: int, rows: tuple[int, ...], columns: tuple[int, ...]) -> int:
    """Write some rows and columns of an operand that may be spread over rows, columns or both."""
    if len(made[number].shape) < 2:
        return number
    height, width = made[number].shape
    made.parted.add(number)
    return taken(made, number, rows if height > 1 else (0,), columns if width > 1 else (0,))


def permutes_parts(made: Rewriting, one: Instruction, rows: tuple[int, ...], columns: tuple[int, ...]) -> bool:
    """Return whether all parts are in another order, or all rows of joined parts in another order than one of whole
    parts.
    """
    across = (rows, columns)[1 - one.argument]
    if list(across) != sorted(across):
        return True
    if one.argument != 0 or columns != tuple(range(one.shape[1])) or sorted(rows) != list(range(one.shape[0])):
        return False
    starts = list(accumulate((made[part].shape[0] for part in one.operands), initial=0))
    order = [place for place, _ in groupby(rows, key=functools.partial(bisect_right, starts))]
    return len(order) > len(one.operands) or order == sorted(order)


def parts_of_joined(made: Rewriting, one: Instruction, rows: tuple[int, ...], columns: tuple[int, ...]) -> int:
    """Write some rows and columns of what was joined, part by part as far as they stand in order."""
    chosen = rows if one.argument == 0 else columns
    starts = list(accumulate((made[part].shape[one.argument] for part in one.operands), initial=0))
    parts: list[tuple[int, list[int]]] = []
    for index in chosen:
        place = bisect_right(starts, index) - 1
        if not parts or parts[-1][0] != place:
            parts.append((place, []))
        parts[-1][1].append(index - starts[place])
    pieces = []
    for place, indices in parts:
        part = one.operands[place]
        inside = (tuple(indices), columns) if one.argument == 0 else (rows, tuple(indices))
        pieces.append(taken(made, part, *inside))
    return made.joined(tuple(pieces), one.argument)
