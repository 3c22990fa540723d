"""Programs with only those rows, columns and entries of results that are read.

A class token or the last token may be taken before a norm or after it: in a program where each result has the tokens
that are read, both are one.
"""

from __future__ import annotations

from collections.abc import Sequence

from algatt.programs.interpret import Instruction, Program
from algatt.programs.parts import taken
from algatt.programs.rewriting import Axes, Rewriting, token_axes
from algatt.programs.uses import needed

Places = tuple[tuple[int, ...], tuple[int, ...]]
"""Rows and columns."""

BY_COLUMNS = ("product", "column_products", "centre", "rotate", "largest")
"""Operations of which each column is made of the same column of the last operand."""

FIXED = ("input", "tensor", "constant")
"""Results that are read as they are."""

MOST_PLACES = 2**20
"""Programs with more rows or columns of a result are left as they are."""


def live(program: Program) -> Program:
    """Return a program, each instruction of which is needed, without rows and columns of tokens that nothing reads."""
    sizes = [max(one.shape, default=1) for one in program.instructions]
    if max(sizes) > MOST_PLACES:
        return program
    axes: list[Axes] = []
    for one in program.instructions:
        axes.append(token_axes(one, axes))
    read = read_places(program, axes)
    if not any(places_of(one) != places for one, places in zip(program.instructions, read, strict=True)):
        return program
    made = Rewriting()
    numbers: list[int] = []
    for number, one in enumerate(program.instructions):
        if not all(read[number]):
            numbers.append(-1)
            continue
        given = []
        for place, operand in enumerate(one.operands):
            wanted = needed_of(program, one, place, read[number])
            if all(wanted):
                given.append(part_of(made, numbers[operand], read[operand], wanted))
        if one.operation == "take":
            numbers.append(given[0])
            continue
        argument = one.argument
        if one.operation == "rotate":
            angles, positions = argument
            argument = angles, tuple(positions[column] for column in read[number][1])
        shape = one.shape if one.operation in FIXED else None
        numbers.append(made.write(one.operation, *given, argument=argument, shape=shape))
    return needed(made.instructions, numbers[-1])


def read_places(program: Program, axes: Sequence[Axes]) -> list[Places]:
    """Return the rows and columns of each result that are read: of the value all, and all along axes that are not
    tokens.

    Parameters
    ----------
    program : Program
        The program.
    axes : sequence of (bool, bool)
        Which axes of each result are tokens.
    """
    read: list[tuple[set[int], set[int]]] = [(set(), set()) for _ in program.instructions]
    found: list[Places] = []
    for number in range(len(program) - 1, -1, -1):
        one, every = program.instructions[number], places_of(program.instructions[number])
        rows, columns = (
            tuple(sorted(read[number][axis])) if is_free(one, axis, axes[number]) else every[axis] for axis in (0, 1)
        )
        found.append(every if number == len(program) - 1 else (rows, columns))
        for place, operand in enumerate(one.operands):
            for axis, places in enumerate(needed_of(program, one, place, found[-1])):
                read[operand][axis].update(places)
    return found[::-1]


def is_free(one: Instruction, axis: int, axes: Axes) -> bool:
    """Return whether entries of a result along an axis are made each by itself, and are tokens."""
    by_columns = one.operation in BY_COLUMNS and one.operation != "product"
    return axes[axis] and one.operation not in FIXED and not (by_columns and axis == 0)


def places_of(one: Instruction) -> Places:
    """Return all rows and columns of a result; of a number one of each."""
    height, width = one.shape if len(one.shape) == 2 else (1, 1)
    return tuple(range(height)), tuple(range(width))


def needed_of(program: Program, one: Instruction, place: int, places: Places) -> Places:
    """Return the rows and columns of an operand that some of those of a result are made of."""
    rows, columns = places
    height, width = places_of(program.instructions[one.operands[place]])
    match one.operation:
        case "transpose":
            return columns, rows
        case "take":
            return tuple(one.argument[0][row] for row in rows), tuple(one.argument[1][column] for column in columns)
        case "product" if place == 0:
            return rows, width
        case "concatenate":
            start = sum(program.instructions[before].shape[one.argument] for before in one.operands[:place])
            part = height if one.argument == 0 else width
            inside = tuple(index - start for index in places[one.argument] if 0 <= index - start < len(part))
            return (inside, columns) if one.argument == 0 else (rows, inside)
        case operation if operation in BY_COLUMNS:  # the only column is turned by every position
            return height, columns if len(width) > 1 else (0,)
    return rows if len(height) > 1 else (0,), columns if len(width) > 1 else (0,)


def part_of(made: Rewriting, number: int, had: Places, wanted: Places) -> int:
    """Write some rows and columns of a result of which some are there."""
    if len(made[number].shape) < 2:
        return number
    rows, columns = (tuple(map(had[axis].index, wanted[axis])) for axis in (0, 1))
    return taken(made, number, rows, columns)
