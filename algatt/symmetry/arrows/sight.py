"""Which entries of the results of a program its value depends on.

From the end of the program to its beginning each operation says which entries of its operands are needed for those
entries of its result that are. Entries that are multiplied by zeros of the code are not needed; nor are those of which
no part is taken. docs/theory/arrows.md has the rules with their proof.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from algatt.fields import Function, Instruction, Program
from algatt.maps.interpret import FUNCTIONS

__all__ = ["seen_entries"]

Entries = np.ndarray
"""For each entry of a result, as a matrix, whether something is true of it."""

Sizes = tuple[int, int]


def seen_entries(program: Program) -> dict[int, Entries]:
    """Return for each result that the value depends on, by its number, which of its entries it may depend on."""
    zeros = zero_entries(program)
    last = len(program) - 1
    seen: dict[int, Entries] = {last: np.ones(sizes(program.instructions[last]), dtype=bool)}
    for number in range(last, -1, -1):
        one = program.instructions[number]
        if number not in seen or not one.operands:
            continue
        parts = needed(one, seen[number], [zeros[operand] for operand in one.operands])
        for operand, part in zip(one.operands, parts, strict=True):
            if part.any():
                seen[operand] = part | seen[operand] if operand in seen else part
    return seen


def sizes(one: Instruction) -> Sizes:
    """Return the numbers of rows and columns of a result."""
    height, width = ((1, 1) + one.shape)[-2:]
    return height, width


def zero_entries(program: Program) -> list[Entries]:
    """Return for each result which of its entries are zero, whatever weights and input are, as far as this is seen."""
    zeros: list[Entries] = []
    for one in program.instructions:
        rule = ZEROS.get(one.operation)
        found = None if rule is None else rule(one, [zeros[operand] for operand in one.operands])
        zeros.append(np.zeros(sizes(one), dtype=bool) if found is None else found)
    return zeros


def zeros_of_constant(one: Instruction, operands: list[Entries]) -> Entries:
    return np.array([not entry for entry in one.argument], dtype=bool).reshape(sizes(one))


def zeros_of_product(one: Instruction, operands: list[Entries]) -> Entries | None:
    """An entry is zero if in each of its terms a factor is."""
    left, right = operands
    return ~meet(~left, ~right) if left.any() or right.any() else None


def zeros_of_take(one: Instruction, operands: list[Entries]) -> Entries:
    rows, columns = one.argument
    return operands[0][list(rows)][:, list(columns)]


ZEROS: dict[str, Callable[[Instruction, list[Entries]], Entries | None]] = {
    "constant": zeros_of_constant,
    "add": lambda one, operands: np.broadcast_to(operands[0] & operands[1], sizes(one)),
    "multiply": lambda one, operands: np.broadcast_to(operands[0] | operands[1], sizes(one)),
    "negate": lambda one, operands: operands[0],
    "transpose": lambda one, operands: operands[0].T,
    "product": zeros_of_product,
    "take": zeros_of_take,
    "concatenate": lambda one, operands: np.concatenate(operands, axis=one.argument),
}
"""Where a result is zero, given where its operands are; of other operations nothing is known."""


def needed(one: Instruction, seen: Entries, zeros: list[Entries]) -> list[Entries]:
    """Return which entries of the operands are needed for those entries of a result that are seen."""
    rule = NEEDED.get(one.operation)
    if rule is not None:
        return rule(one, seen, zeros)
    if one.operation in FUNCTIONS or isinstance(one.argument, Function):
        return [seen]
    return [np.ones(zero.shape, dtype=bool) for zero in zeros]


def gathered(seen: Entries, shape: Sizes) -> Entries:
    """Return which entries of an operand are needed that is spread over a result."""
    for axis in (0, 1):
        if shape[axis] < seen.shape[axis]:
            seen = np.logical_or.reduce(seen, axis=axis, keepdims=True)
    return seen


def needed_for_multiply(one: Instruction, seen: Entries, zeros: list[Entries]) -> list[Entries]:
    """What meets a zero is not needed."""
    left, right = zeros
    return [gathered(seen & ~right, left.shape), gathered(seen & ~left, right.shape)]


def needed_for_product(one: Instruction, seen: Entries, zeros: list[Entries]) -> list[Entries]:
    """An entry is needed if it is a factor of a term without a zero."""
    left, right = zeros
    return [meet(seen, ~right.T), meet(~left.T, seen)]


def meet(left: Entries, right: Entries) -> Entries:
    """Return where a row of the left meets a column of the right, both being true at some place."""
    if left.all():
        return np.broadcast_to(right.any(axis=0), (left.shape[0], right.shape[1]))
    if right.all():
        return np.broadcast_to(left.any(axis=1, keepdims=True), (left.shape[0], right.shape[1]))
    return (left.astype(np.float64) @ right.astype(np.float64)) > 0


def needed_for_take(one: Instruction, seen: Entries, zeros: list[Entries]) -> list[Entries]:
    rows, columns = one.argument
    found = np.zeros(zeros[0].shape, dtype=bool)
    np.logical_or.at(found, np.ix_(rows, columns), seen)
    return [found]


def needed_for_concatenate(one: Instruction, seen: Entries, zeros: list[Entries]) -> list[Entries]:
    ends = np.cumsum([zero.shape[one.argument] for zero in zeros])[:-1]
    return np.split(seen, ends, axis=one.argument)


NEEDED: dict[str, Callable[[Instruction, Entries, list[Entries]], list[Entries]]] = {
    "add": lambda one, seen, zeros: [gathered(seen, zero.shape) for zero in zeros],
    "multiply": needed_for_multiply,
    "negate": lambda one, seen, zeros: [seen],
    "transpose": lambda one, seen, zeros: [seen.T],
    "product": needed_for_product,
    "take": needed_for_take,
    "concatenate": needed_for_concatenate,
    "reciprocal": lambda one, seen, zeros: [seen],
}
"""Which entries of the operands an operation needs; functions of one variable need the same, all others everything."""
