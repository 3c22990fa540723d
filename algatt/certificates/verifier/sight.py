"""Entries of tensors that the value of a program does not depend on.

From the end of the program to its beginning each operation says which entries of its operands it reads for those
entries of its result that are seen. The rules are those of docs/theory/arrows.md. A set of entries is a list of rows,
each an integer with a bit for each column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from .limits import MOST_STEPS, Refused, in_a_line
from .program import FUNCTIONS, Instruction, sizes

__all__ = ["check_unseen"]

Bits = list[int]
"""For each row the columns, as bits."""


def check_unseen(
    program: Sequence[Instruction], entries: Iterable[tuple[str, int, int]], *, near: bool = False
) -> str | None:
    """Say which entry of a tensor the value may depend on, or return None if it depends on none of them.

    Parameters
    ----------
    program : sequence of Instruction
        The program.
    entries : iterable of (str, int, int)
        Names of tensors, rows and columns.
    near : bool, optional
        Whether to ask for small changes alone, at almost all weights and at finitely many inputs: what is read of
        choices, which are zeros and ones, stays.

    Raises
    ------
    Refused
        If this takes too many steps.
    """
    steps = 0
    for one in program:
        operands = [sizes(program[operand].shape) for operand in one.operands]
        steps += sizes(one.shape)[0] + (3 * operands[0][0] * operands[0][1] if one.operation == "product" else 0)
    if steps > MOST_STEPS:
        raise Refused("program", f"one of {steps} steps", f"one of at most {MOST_STEPS} steps")
    seen = seen_bits(program, near=near)
    for name, i, j in entries:
        if name in seen and seen[name][i] >> j & 1:
            return f"the value may depend on entry ({i}, {j}) of {in_a_line(name)}"
    return None


CHOICES = ("positive", "largest")
"""Operations whose values are zeros and ones."""


def seen_bits(program: Sequence[Instruction], *, near: bool = False) -> dict[str, Bits]:
    """Return which entries of the tensors that a program reads its value may depend on; asked of what is `near`, on
    which it depends in other ways than by choices.
    """
    filled = filled_entries(program)
    seen: list[Bits] = [[0] * sizes(one.shape)[0] for one in program]
    height, width = sizes(program[-1].shape)
    seen[-1] = [all_bits(width)] * height
    found: dict[str, Bits] = {}
    for number in range(len(program) - 1, -1, -1):
        one, here = program[number], seen[number]
        if one.operation == "tensor":
            found[one.argument] = here
        if not any(here) or (near and one.operation in CHOICES):
            continue
        shapes = [sizes(program[operand].shape) for operand in one.operands]
        rule = READ.get(one.operation, all_entries)
        for operand, part in zip(
            one.operands, rule(one, here, [filled[operand] for operand in one.operands], shapes), strict=True
        ):
            seen[operand] = [old | new for old, new in zip(seen[operand], part, strict=True)]
    return found


def all_bits(width: int) -> int:
    """Return a row of ones."""
    return (1 << width) - 1


def all_entries(one: Instruction, seen: Bits, filled: Sequence[Bits], shapes: Sequence[tuple[int, int]]) -> list[Bits]:
    """Nothing is known of the operation."""
    return [[all_bits(width)] * height for height, width in shapes]


def same_entries(one: Instruction, seen: Bits, filled: Sequence[Bits], shapes: Sequence[tuple[int, int]]) -> list[Bits]:
    """Each entry is made of the same entries of the operands."""
    return [collected(seen, shape) for shape in shapes]


def collected(seen: Bits, shape: tuple[int, int]) -> Bits:
    """Return which entries are read of what is spread."""
    height, width = shape
    if height < len(seen):
        whole = 0
        for row in seen:
            whole |= row
        seen = [whole]
    return [int(row > 0) for row in seen] if width == 1 else seen


def spread_bits(rows: Bits, operand: tuple[int, int], shape: tuple[int, int]) -> Bits:
    """Return a set of entries of what is spread."""
    if operand[1] < shape[1]:
        rows = [all_bits(shape[1]) if row else 0 for row in rows]
    return rows * shape[0] if operand[0] < shape[0] else rows


def read_of_factors(
    one: Instruction, seen: Bits, filled: Sequence[Bits], shapes: Sequence[tuple[int, int]]
) -> list[Bits]:
    """What meets a zero is not read."""
    shape = sizes(one.shape)
    parts = []
    for own, other in ((0, 1), (1, 0)):
        beside = spread_bits(filled[other], shapes[other], shape)
        parts.append(collected([row & some for row, some in zip(seen, beside, strict=True)], shapes[own]))
    return parts


def read_of_product(
    one: Instruction, seen: Bits, filled: Sequence[Bits], shapes: Sequence[tuple[int, int]]
) -> list[Bits]:
    """L_ik is read if R_kj is not zero for an entry (i, j) that is seen; R_kj likewise."""
    left, right = filled
    first = [sum((1 << k) for k, row in enumerate(right) if row & here) for here in seen]
    second = [0] * len(right)
    for i, here in enumerate(seen):
        for k in places_of(left[i]) if here else ():
            second[k] |= here
    return [first, second]


def places_of(row: int) -> Iterable[int]:
    """Iterate over the bits of a row."""
    return (k for k, bit in enumerate(reversed(f"{row:b}")) if bit == "1")


def bits_of(places: Iterable[int]) -> int:
    """Return a row with these bits."""
    row = 0
    for place in places:
        row |= 1 << place
    return row


def turned_bits(rows: Bits, width: int) -> Bits:
    """Return a set of entries of the transposed matrix."""
    columns = [0] * width
    for i, row in enumerate(rows):
        for j in places_of(row):
            columns[j] |= 1 << i
    return columns


def read_of_part(one: Instruction, seen: Bits, filled: Sequence[Bits], shapes: Sequence[tuple[int, int]]) -> list[Bits]:
    rows, columns = one.argument
    found = [0] * shapes[0][0]
    for place, row in enumerate(rows):
        found[row] |= bits_of(columns[j] for j in places_of(seen[place]))
    return [found]


def read_of_join(one: Instruction, seen: Bits, filled: Sequence[Bits], shapes: Sequence[tuple[int, int]]) -> list[Bits]:
    parts, start = [], 0
    for height, width in shapes:
        if one.argument == 0:
            parts.append(seen[start : start + height])
            start += height
        else:
            parts.append([row >> start & all_bits(width) for row in seen])
            start += width
    return parts


READ: dict[str, Callable[..., list[Bits]]] = {
    **dict.fromkeys(("add", "negate", "reciprocal", *FUNCTIONS), same_entries),
    "transpose": lambda one, seen, filled, shapes: [turned_bits(seen, sizes(one.shape)[1])],
    "multiply": read_of_factors,
    "product": read_of_product,
    "take": read_of_part,
    "concatenate": read_of_join,
}
"""Which entries of the operands an operation reads; of all others, every entry is read."""


def filled_entries(program: Sequence[Instruction]) -> list[Bits]:
    """Return for each result which of its entries may be other than zero."""
    filled: list[Bits] = []
    for one in program:
        height, width = sizes(one.shape)
        rule = FILLED.get(one.operation)
        operands = [(filled[operand], sizes(program[operand].shape)) for operand in one.operands]
        filled.append([all_bits(width)] * height if rule is None else rule(one, operands))
    return filled


Operands = Sequence[tuple[Bits, tuple[int, int]]]


def filled_constant(one: Instruction, operands: Operands) -> Bits:
    height, width = sizes(one.shape)
    rows = (one.argument[i * width : (i + 1) * width] for i in range(height))
    return [bits_of(j for j, entry in enumerate(row) if entry) for row in rows]


def filled_sum(one: Instruction, operands: Operands) -> Bits:
    left, right = (spread_bits(rows, shape, sizes(one.shape)) for rows, shape in operands)
    return [x | y for x, y in zip(left, right, strict=True)]


def filled_multiple(one: Instruction, operands: Operands) -> Bits:
    left, right = (spread_bits(rows, shape, sizes(one.shape)) for rows, shape in operands)
    return [x & y for x, y in zip(left, right, strict=True)]


def filled_product(one: Instruction, operands: Operands) -> Bits:
    """An entry is zero if a factor is in each of its terms."""
    (left, _), (right, _) = operands
    found = []
    for row in left:
        here = 0
        for k in places_of(row):
            here |= right[k]
        found.append(here)
    return found


def filled_part(one: Instruction, operands: Operands) -> Bits:
    rows, columns = one.argument
    return [bits_of(place for place, j in enumerate(columns) if operands[0][0][row] >> j & 1) for row in rows]


def filled_join(one: Instruction, operands: Operands) -> Bits:
    if one.argument == 0:
        return [row for rows, _ in operands for row in rows]
    found, start = [0] * sizes(one.shape)[0], 0
    for rows, (_, width) in operands:
        found = [row | part << start for row, part in zip(found, rows, strict=True)]
        start += width
    return found


FILLED: dict[str, Callable[[Instruction, Any], Bits]] = {
    "constant": filled_constant,
    "add": filled_sum,
    "multiply": filled_multiple,
    "negate": lambda one, operands: operands[0][0],
    "transpose": lambda one, operands: turned_bits(operands[0][0], operands[0][1][1]),
    "product": filled_product,
    "take": filled_part,
    "concatenate": filled_join,
}
"""Which entries of a result may be other than zero; of all others, every entry may be."""
