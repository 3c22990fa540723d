"""The normal form of a program, and where its tensors lie in those of the program.

Two texts of one computation, as attention with one matrix for queries, keys and values or with a matrix for each head,
have one normal form up to the names of tensors: what every question asks.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, replace

from algatt.fields import Elements
from algatt.programs.digest import digest
from algatt.programs.rewriting import needed, rewritten
from algatt.programs.trace import Instruction, Program
from algatt.programs.uses import Uses

__all__ = ["NormalForm", "Part", "normal_form"]


@dataclass(frozen=True)
class Part:
    """A tensor of a normal form: some rows and columns of a tensor of the program, or their transpose.

    Parameters
    ----------
    name : str
        Its name.
    tensor : str
        The tensor of the program.
    rows, columns : tuple of int
        The rows and columns.
    turned : bool, optional
        Whether it is their transpose; false unless given.
    """

    name: str
    tensor: str
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    turned: bool = False

    @property
    def shape(self) -> tuple[int, int]:
        """Its shape."""
        shape = len(self.rows), len(self.columns)
        return shape[::-1] if self.turned else shape

    def of(self, whole: Elements) -> Elements:
        """Return the part of a tensor."""
        taken = whole[self.rows, self.columns]
        return taken.T if self.turned else taken


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

    def digest(self, names: Mapping[str, str] | None = None) -> str:
        """Return one number for all texts of the computation that have this normal form, as far as the rules go.

        Parameters
        ----------
        names : mapping of str to str, optional
            Names for tensors of the normal form in the place of their own.
        """
        return digest(self.program, names)


@functools.lru_cache(maxsize=64)
def normal_form(program: Program) -> NormalForm:
    """Return the normal form of a program: rewritten by the rules, tensors that are read in disjoint parts that cover
    them cut into these, and those that are read as transposes transposed.
    """
    program = rewritten(program)
    uses = program.uses
    named: dict[int, Part] = {}
    for number, one in enumerate(program.instructions):
        users = uses.users[number]
        if one.operation != "tensor" or len(one.shape) != 2 or number == len(program) - 1:
            continue
        if users and are_parts(one, [uses[user] for user in users]):
            reads = [(user, *uses[user].argument) for user in users]
        else:
            reads = [(number, *(tuple(range(size)) for size in one.shape))]
        for read, rows, columns in reads:
            part = Part(name_of_part(one, rows, columns), one.argument, rows, columns)
            last, part = read_on(uses, read, part)
            if last != number:
                named[last] = part
    return NormalForm(with_parts(program, named), tuple(named.values()))


def read_on(uses: Uses, number: int, part: Part) -> tuple[int, Part]:
    """Return what a part of a tensor is after the transposes and permutations that are all that is read of it, with the
    number of the last one.
    """
    while len(uses.users[number]) == 1:
        one = uses[uses.users[number][0]]
        if one.operation == "transpose":
            part = replace(part, turned=not part.turned)
        elif one.operation == "take" and one.shape == uses[number].shape and not part.turned:
            rows, columns = one.argument
            rows, columns = tuple(part.rows[row] for row in rows), tuple(part.columns[column] for column in columns)
            part = replace(part, rows=rows, columns=columns)
        else:
            break
        number = uses.users[number][0]
    return number, part


def are_parts(tensor: Instruction, users: list[Instruction]) -> bool:
    """Return whether a tensor is only read in disjoint parts that cover it."""
    if any(one.operation != "take" for one in users):
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
        if sorted(numbers) != list(range(size)):
            first, last = numbers[0], numbers[-1]
            ends = (first, last) if numbers == tuple(range(first, last + 1)) else numbers
            name += f".{axis}_{'_'.join(str(number + 1) for number in ends)}"
    return name


def with_parts(program: Program, named: Mapping[int, Part]) -> Program:
    """Return a program in which parts of tensors are tensors of their own."""
    instructions = [
        Instruction("tensor", (), named[number].name, named[number].shape) if number in named else one
        for number, one in enumerate(program.instructions)
    ]
    return needed(instructions, len(program) - 1)
