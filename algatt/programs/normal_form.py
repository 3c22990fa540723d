"""The normal form of a program, and where its tensors lie in those of the program.

Two texts of one computation, as attention with one matrix for queries, keys and values or with a matrix for each head,
have one normal form up to the names of tensors: what every question asks.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

from algatt.programs.rewriting import needed, rewritten
from algatt.programs.trace import Instruction, Program
from algatt.programs.uses import Uses

__all__ = ["NormalForm", "Part", "normal_form"]


@dataclass(frozen=True)
class Part:
    """A tensor of a normal form: some rows and columns of a tensor of the program.

    Parameters
    ----------
    name : str
        Its name.
    tensor : str
        The tensor of the program.
    rows, columns : tuple of int
        The rows and columns.
    """

    name: str
    tensor: str
    rows: tuple[int, ...]
    columns: tuple[int, ...]


@dataclass(frozen=True)
class NormalForm:
    """A program in normal form.

    Parameters
    ----------
    program : Program
        The program.
    parts : tuple of Part
        Its tensors that are parts of those of the program that was given; of each of these tensors the parts cover
        every entry once.
    """

    program: Program
    parts: tuple[Part, ...]


@functools.lru_cache(maxsize=64)
def normal_form(program: Program) -> NormalForm:
    """Return the normal form of a program: rewritten by the rules, and tensors that are read in disjoint parts that
    cover them cut into these.
    """
    program = rewritten(program)
    uses = Uses(program)
    names: dict[int, str] = {}
    parts: list[Part] = []
    for number, one in enumerate(program.instructions):
        if one.operation == "tensor":
            taken = [uses[user] for user in uses.users[number]]
            if number != len(program) - 1 and are_parts(one, taken):
                for user, part in zip(uses.users[number], taken, strict=True):
                    rows, columns = part.argument
                    names[user] = name_of_part(one, rows, columns)
                    parts.append(Part(names[user], one.argument, rows, columns))
    return NormalForm(with_parts(program, names), tuple(parts))


def are_parts(tensor: Instruction, users: list[Instruction]) -> bool:
    """Return whether a tensor is only read in disjoint parts that cover it."""
    if len(users) < 2 or any(one.operation != "take" for one in users):
        return False
    height, width = tensor.shape
    seen: set[tuple[int, int]] = set()
    count = 0
    for one in users:
        rows, columns = one.argument
        seen.update((row, column) for row in rows for column in columns)
        count += len(rows) * len(columns)
    return count == len(seen) == height * width


def name_of_part(tensor: Instruction, rows: tuple[int, ...], columns: tuple[int, ...]) -> str:
    """Return the name of a part: that of the tensor, with the first and the last of the rows and columns that are not
    all of them, counted from one, or with each if there are gaps between them.
    """
    name = str(tensor.argument)
    for axis, numbers, size in zip(("rows", "columns"), (rows, columns), tensor.shape, strict=True):
        if numbers != tuple(range(size)):
            first, last = numbers[0], numbers[-1]
            ends = (first, last) if numbers == tuple(range(first, last + 1)) else numbers
            name += f".{axis}_{'_'.join(str(number + 1) for number in ends)}"
    return name


def with_parts(program: Program, names: dict[int, str]) -> Program:
    """Return a program in which parts of tensors are tensors of their own."""
    instructions = [
        Instruction("tensor", (), names[number], one.shape) if number in names else one
        for number, one in enumerate(program.instructions)
    ]
    return needed(instructions, len(program) - 1)
