"""The normal form of a program, and where its tensors lie in those of the program.

Two texts of one computation, as attention with one matrix for queries, keys and values or with a matrix for each head,
have one normal form up to the names of tensors: what every question asks.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from algatt.fields import Elements
from algatt.programs.digest import digest
from algatt.programs.interpret import Instruction, Program
from algatt.programs.rewriting import rewritten
from algatt.programs.uses import Uses, bypass, needed


@dataclass(frozen=True)
class TensorPart:
    """A tensor of a normal form: some rows and columns of a tensor of the program.

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
    added : tuple of Fraction, optional
        The entries of a constant that is added to them, row by row; nothing unless given.
    """

    name: str
    tensor: str
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    turned: bool = False
    added: tuple[Fraction, ...] = ()

    @property
    def shape(self) -> tuple[int, int]:
        """Its shape."""
        shape = len(self.rows), len(self.columns)
        return shape[::-1] if self.turned else shape

    def of(self, whole: Elements) -> Elements:
        """Return the part of a tensor."""
        part = whole[self.rows, self.columns]
        part = part + self.constant if self.added else part
        return part.T if self.turned else part

    @property
    def constant(self) -> np.ndarray:
        """What is added, or one number if that is the same everywhere."""
        shape = (1, 1) if len(self.added) == 1 else (len(self.rows), len(self.columns))
        return np.array(self.added, dtype=object).reshape(shape)


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
    parts: tuple[TensorPart, ...]

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
    """Return the normal form of a program: rewritten by the rules, with tensors that are read in disjoint parts that
    cover them cut into these, those turned that multiply tokens as rows, and constants that are added to tensors which
    nothing else reads, or numbers to all that is made of them, a part of these.
    """
    program = rewritten(program, apart=True)
    uses = program.uses
    named: dict[int, TensorPart] = {}
    for number in cut_tensors(uses):
        one = uses[number]
        for user in uses.users[number]:
            rows, columns = uses[user].argument
            named[user] = TensorPart(name_of_part(one, rows, columns), one.argument, rows, columns)
    parts = {part.name: part for part in named.values()}
    program, constants = without_constants(with_parts(program, named))
    uses, changed = program.uses, {}
    for whole, entries in constants.items():
        part = part_of(whole, parts)
        parts[part.name] = dataclasses.replace(part, added=entries)
    for number in turned_tensors(uses):
        part = part_of(uses[number], parts)
        parts[part.name] = dataclasses.replace(part, turned=True)
        changed.update(dict.fromkeys(uses.users[number], parts[part.name]))
    if changed:
        program = rewritten(with_parts(program, changed), apart=True)
    return NormalForm(program, tuple(parts.values()))


def part_of(tensor: Instruction, parts: Mapping[str, TensorPart]) -> TensorPart:
    """Return the part of a tensor that another one is: all of itself, if it is none of the parts."""
    name, (height, width) = str(tensor.argument), tensor.shape
    return parts.get(name, TensorPart(name, name, tuple(range(height)), tuple(range(width))))


def without_constants(program: Program) -> tuple[Program, dict[Instruction, tuple[Fraction, ...]]]:
    """Return the program of the tensors with the constants in them that are added to them, or the numbers that are
    added to all that is made of them, as those of W x + b + 1 = W x + (b + 1), and the entries of these constants.
    """
    found: dict[Instruction, tuple[Fraction, ...]] = {}
    added = any(is_added(program.uses, number) for number in range(len(program)))
    for tensor in [one for one in program.instructions if added and one.operation == "tensor"]:
        while (beside := constant_beside(program.uses, program.instructions.index(tensor)))[1]:
            entries, before = beside[0], found.get(tensor, (Fraction(0),))
            size = max(len(entries), len(before))
            pairs = zip(entries * (size // len(entries)), before * (size // len(before)), strict=True)
            program, found[tensor] = bypass(program, beside[1]), tuple(one + two for one, two in pairs)
    return program, found


def is_added(uses: Uses, number: int) -> bool:
    """Return whether a result is a number of the code that is added to something, or a constant added to a tensor."""
    sums = [uses[user] for user in uses.users[number] if uses[user].operation == "add"]
    tensors = any(uses[operand].operation == "tensor" for one in sums for operand in one.operands)
    return bool(sums) and uses[number].operation == "constant" and (tensors or number_of(uses, number) is not None)


def number_of(uses: Uses, number: int) -> Fraction | None:
    """Return the number that all entries of a constant are; None if there is none."""
    entries = set(uses[number].argument) if uses[number].operation == "constant" else ()
    return Fraction(*entries) if len(entries) == 1 else None


def constant_beside(uses: Uses, tensor: int) -> tuple[tuple[Fraction, ...], dict[int, int]]:
    """Return the entries of the constant that, added to a tensor, does what constants do that are added to it, or
    numbers to all that is made of it, and these sums, each with what they are added to; no sums if there is none.
    """
    rates, sums, found = {tensor: Fraction(1)}, dict[int, int](), set[tuple[Fraction, ...]]()
    pending = sorted(set(uses.users[tensor]))
    while pending:
        number = pending.pop(0)
        one, rate = uses[number], rate_of(uses, number, rates)
        constant, whole = sorted(one.operands, key=rates.__contains__) if one.operation == "add" else (number, number)
        entries = entries_added(uses, constant, one.shape if whole == tensor else None)
        if entries and uses[whole].shape == one.shape:
            sums[number] = whole
            found.add(tuple(entry / rates[whole] for entry in entries))
        elif rate and uses.users[number]:
            rates[number] = rate
            pending = sorted({*pending, *uses.users[number]})
        else:
            return (), {}
    return (found.pop(), sums) if len(found) == 1 else ((), {})


def entries_added(uses: Uses, number: int, shape: Sequence[int] | None) -> tuple[Fraction, ...]:
    """Return the number that all entries of a constant are, or the entries of a constant of a shape; none otherwise."""
    same = number_of(uses, number)
    if same is not None:
        return (same,)
    return uses[number].argument if (uses[number].operation, uses[number].shape) == ("constant", shape) else ()


def rate_of(uses: Uses, number: int, rates: Mapping[int, Fraction]) -> Fraction | None:
    """Return how much is added to all entries of a result if one is added to those of a tensor; None if what is added
    is not the same everywhere, or not told here.
    """
    one = uses[number]
    inside = [rates.get(operand) for operand in one.operands]
    known = [rate for rate in inside if rate is not None]
    if one.operation == "add":
        return sum(known, Fraction(0))
    if one.operation in ("transpose", "take", "negate", "concatenate"):
        signed = -known[0] if one.operation == "negate" else known[0]
        return signed if len(set(inside)) == 1 else None
    if one.operation not in ("multiply", "product") or len(known) == 2:
        return None
    other = one.operands[inside[0] is not None]
    if one.operation == "multiply":
        factors = {number_of(uses, other)}
    elif uses[other].operation == "constant":
        entries = np.array(uses[other].argument, dtype=object).reshape(uses[other].shape)
        factors = {Fraction(total) for total in entries.sum(axis=int(inside[0] is None))}
    else:
        return None
    factor = factors.pop()
    return known[0] * factor if not factors and factor is not None else None


def turned_tensors(uses: Uses) -> list[int]:
    """Return the tensors of which nothing but the transpose is read, as a factor before what is computed of the input:
    (x W)^T = W^T x^T. Those of embeddings, which multiply the input itself, stay.
    """
    return [
        number
        for number, one in enumerate(uses.program.instructions)
        if one.operation == "tensor"
        and uses.users[number]
        and all(uses[user].operation == "transpose" and is_left_factor(uses, user) for user in uses.users[number])
    ]


def is_left_factor(uses: Uses, number: int) -> bool:
    """Return whether a result is the left factor of products with what is computed of the input, and nothing else."""
    factors = [(uses[user].operation, uses[user].operands) for user in uses.users[number]]
    return bool(factors) and all(
        operation == "product" and operands[0] == number != operands[1] and not is_read(uses, operands[1])
        for operation, operands in factors
    )


def is_read(uses: Uses, number: int) -> bool:
    """Return whether a result is the input, rows and columns of it, or does not depend on it."""
    while uses[number].operation == "take":
        (number,) = uses[number].operands
    return uses[number].operation == "input" or not depends_on_input(uses, number)


def depends_on_input(uses: Uses, number: int) -> bool:
    """Return whether a result depends on the input."""
    pending, seen = [number], {number}
    while pending:
        one = uses[pending.pop()]
        if one.operation == "input":
            return True
        new = [operand for operand in one.operands if operand not in seen]
        seen.update(new)
        pending += new
    return False


def cut_tensors(uses: Uses) -> list[int]:
    """Return the tensors that are only read in disjoint parts that cover them."""
    return [
        number
        for number, one in enumerate(uses.program.instructions)
        if one.operation == "tensor" and are_parts(one, [uses[user] for user in uses.users[number]])
    ]


def is_cut(program: Program) -> bool:
    """Return whether a part of a tensor is a factor of a product that depends on more than tensors."""
    uses = program.uses
    return any(is_factor(uses, part) for number in cut_tensors(uses) for part in uses.users[number])


def is_factor(uses: Uses, number: int) -> bool:
    """Return whether a result, or its transpose, is a factor of a product that depends on more than tensors."""
    return any(
        (uses[user].operation == "product" and not uses.is_rational(user))
        or (uses[user].operation == "transpose" and is_factor(uses, user))
        for user in uses.users[number]
    )


def are_parts(tensor: Instruction, users: list[Instruction]) -> bool:
    """Return whether a tensor is only read in disjoint parts that cover it."""
    if not users or len(tensor.shape) != 2 or any(one.operation != "take" for one in users):
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


def with_parts(program: Program, named: Mapping[int, TensorPart]) -> Program:
    """Return a program in which parts of tensors are tensors of their own."""
    instructions = [
        Instruction("tensor", (), named[number].name, named[number].shape) if number in named else one
        for number, one in enumerate(program.instructions)
    ]
    return needed(instructions, len(program) - 1)
