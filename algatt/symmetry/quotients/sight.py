"""Which entries of the results of a program its value depends on.

From the end of the program to its beginning each operation says which entries of its operands are needed for those
entries of its result that are. Entries that are multiplied by zeros of the code are not needed; nor are those of which
no part is taken. docs/theory/motions.md has the rules with their proof.

What is true of all entries, or of none, is one number that is spread (`everywhere`): large tensors cost nothing.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from algatt.fields import Function
from algatt.programs import Instruction, Program
from algatt.programs.interpret import FUNCTIONS
from algatt.symmetry.hidden.collapsed import collapsed

Entries = np.ndarray
"""For each entry of a result, as a matrix, whether something is true of it."""

Sizes = tuple[int, int]


@functools.lru_cache(maxsize=4096)
def everywhere(value: bool, shape: Sizes) -> Entries:
    """Return what is true of all entries, or of none, without a number for each; such arrays cannot be written to."""
    return np.broadcast_to(np.bool_(value), shape)


def common(entries: Entries) -> bool | None:
    """Return what is known to be the same for all entries, or None."""
    return bool(entries[0, 0]) if entries.strides == (0, 0) and entries.size else None


def settled(entries: Entries) -> Entries:
    """Return entries, as a number that is spread if they are all the same."""
    if common(entries) is None and (entries.all() or not entries.any()):
        return everywhere(bool(entries.all()), entries.shape)
    return entries


def is_any(entries: Entries) -> bool:
    """Return whether something is true of an entry."""
    same = common(entries)
    return bool(entries.any()) if same is None else same


def is_all(entries: Entries) -> bool:
    """Return whether something is true of all entries."""
    same = common(entries)
    return bool(entries.all()) if same is None else same


def opposite(entries: Entries) -> Entries:
    """Return where something is not true."""
    same = common(entries)
    return ~entries if same is None else everywhere(not same, entries.shape)


def both(one: Entries, two: Entries, shape: Sizes) -> Entries:
    """Return where two things are true, each spread over a shape."""
    known = common(one), common(two)
    if False in known:
        return everywhere(False, shape)
    if known == (True, True):
        return everywhere(True, shape)
    return np.broadcast_to(two if known[0] else one if known[1] else one & two, shape)


def either(one: Entries, two: Entries, shape: Sizes) -> Entries:
    """Return where one of two things is true, each spread over a shape."""
    return opposite(both(opposite(one), opposite(two), shape))


def seen_entries(program: Program, *, near: bool = False) -> dict[int, Entries]:
    """Return for each result that the value depends on, by its number, which of its entries it may depend on; if it is
    asked `near` weights in general position alone, nothing is needed of what only chooses.
    """
    zeros = zero_entries(program)
    last = len(program) - 1
    seen: dict[int, Entries] = {last: everywhere(True, sizes(program.instructions[last]))}
    for number in range(last, -1, -1):
        one = program.instructions[number]
        if number not in seen or not one.operands or (near and one.operation in CHOICES):
            continue
        parts = needed(one, settled(seen[number]), [zeros[operand] for operand in one.operands])
        for operand, part in zip(one.operands, parts, strict=True):
            if is_any(part):
                seen[operand] = either(part, seen[operand], part.shape) if operand in seen else part
    return seen


CHOICES = ("positive", "largest")
"""Operations whose values are zeros and ones, which stay for small changes of what is not zero, and has no ties."""


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
        zeros.append(everywhere(False, sizes(one)) if found is None else settled(found))
    return zeros


def zeros_of_constant(one: Instruction, operands: list[Entries]) -> Entries:
    return np.array([not entry for entry in one.argument], dtype=bool).reshape(sizes(one))


def zeros_of_product(one: Instruction, operands: list[Entries]) -> Entries | None:
    """An entry is zero if in each of its terms a factor is."""
    left, right = operands
    return opposite(meet(opposite(left), opposite(right))) if is_any(left) or is_any(right) else None


def zeros_of_take(one: Instruction, operands: list[Entries]) -> Entries:
    return part_of(operands[0], one)


def part_of(entries: Entries, one: Instruction) -> Entries:
    """Return the entries that a part takes."""
    same = common(entries)
    rows, columns = one.argument
    return entries[list(rows)][:, list(columns)] if same is None else everywhere(same, sizes(one))


def joined(operands: list[Entries], one: Instruction) -> Entries:
    """Return the entries of what is put together."""
    if len({common(operand) for operand in operands}) == 1 and common(operands[0]) is not None:
        return everywhere(bool(common(operands[0])), sizes(one))
    return np.concatenate(operands, axis=one.argument)


ZEROS: dict[str, Callable[[Instruction, list[Entries]], Entries | None]] = {
    "constant": zeros_of_constant,
    "add": lambda one, operands: both(operands[0], operands[1], sizes(one)),
    "multiply": lambda one, operands: either(operands[0], operands[1], sizes(one)),
    "negate": lambda one, operands: operands[0],
    "transpose": lambda one, operands: operands[0].T,
    "product": zeros_of_product,
    "take": zeros_of_take,
    "concatenate": lambda one, operands: joined(operands, one),
}
"""Where a result is zero, given where its operands are; of other operations nothing is known."""


def needed(one: Instruction, seen: Entries, zeros: list[Entries]) -> list[Entries]:
    """Return which entries of the operands are needed for those entries of a result that are seen."""
    rule = NEEDED.get(one.operation)
    if rule is not None:
        return rule(one, seen, zeros)
    if one.operation in FUNCTIONS or isinstance(one.argument, Function):
        return [seen]
    return [everywhere(True, zero.shape) for zero in zeros]


def gathered(seen: Entries, shape: Sizes) -> Entries:
    """Return which entries of an operand are needed that is spread over a result."""
    same = common(seen)
    if same is not None:
        return everywhere(same, shape)
    for axis in (0, 1):
        if shape[axis] < seen.shape[axis]:
            seen = np.logical_or.reduce(seen, axis=axis, keepdims=True)
    return seen


def needed_for_multiply(one: Instruction, seen: Entries, zeros: list[Entries]) -> list[Entries]:
    """What meets a zero is not needed."""
    left, right = zeros
    return [
        gathered(settled(both(seen, opposite(other), seen.shape)), own.shape)
        for own, other in ((left, right), (right, left))
    ]


def needed_for_product(one: Instruction, seen: Entries, zeros: list[Entries]) -> list[Entries]:
    """An entry is needed if it is a factor of a term without a zero."""
    left, right = zeros
    return [meet(seen, opposite(right.T)), meet(opposite(left.T), seen)]


def meet(left: Entries, right: Entries) -> Entries:
    """Return where a row of the left meets a column of the right, both being true at some place."""
    shape = left.shape[0], right.shape[1]
    if False in (common(left), common(right)):
        return everywhere(False, shape)
    if is_all(left):
        if common(right):
            return everywhere(True, shape)
        return settled(np.broadcast_to(right.any(axis=0), shape))
    if is_all(right):
        return np.broadcast_to(left.any(axis=1, keepdims=True), shape)
    return (left.astype(np.float64) @ right.astype(np.float64)) > 0


def needed_for_take(one: Instruction, seen: Entries, zeros: list[Entries]) -> list[Entries]:
    rows, columns = one.argument
    found = np.zeros(zeros[0].shape, dtype=bool)
    found[np.ix_(rows, columns)] = seen
    return [found]


def needed_for_concatenate(one: Instruction, seen: Entries, zeros: list[Entries]) -> list[Entries]:
    same = common(seen)
    if same is not None:
        return [everywhere(same, zero.shape) for zero in zeros]
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


@dataclass(frozen=True)
class Unseen:
    """Entries of a tensor that the value does not depend on.

    Parameters
    ----------
    tensor : str
        The tensor.
    rows, columns : tuple of int
        Where they are: entry k in row ``rows[k]`` and column ``columns[k]``.
    """

    tensor: str
    rows: tuple[int, ...]
    columns: tuple[int, ...]


def find_unseen(program: Program) -> tuple[Unseen, ...]:
    """Return the entries of the tensors of a program, by tensor, that its value does not depend on: all of those that
    only meet in shares what cancels there.
    """
    left = collapsed(program)
    numbers = {one.argument: number for number, one in enumerate(left.instructions) if one.operation == "tensor"}
    seen = seen_entries(left)
    found = []
    for name, shape in program.tensors.items():
        entries = seen.get(numbers[name]) if name in numbers else np.zeros(shape, dtype=bool)
        if len(shape) == 2 and entries is not None and not is_all(entries):
            rows, columns = np.nonzero(~entries)
            found.append(Unseen(name, tuple(rows.tolist()), tuple(columns.tolist())))
    return tuple(found)


def find_choosing(program: Program) -> tuple[Unseen, ...]:
    """Return the tensors of a program of which nothing is seen but what they choose, as a vector that takes part in the
    choice of experts alone: at each input, small changes of it change nothing.
    """
    near = seen_entries(program, near=True)
    hidden = [
        number
        for number, one in enumerate(program.instructions)
        if one.operation == "tensor" and len(one.shape) == 2 and number not in near
    ]
    seen = seen_entries(program) if hidden else {}
    found = []
    for number in hidden:
        one = program.instructions[number]
        if number in seen:
            rows, columns = np.indices(one.shape)
            found.append(Unseen(one.argument, tuple(rows.ravel().tolist()), tuple(columns.ravel().tolist())))
    return tuple(found)
