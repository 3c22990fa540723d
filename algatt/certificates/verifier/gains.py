"""Gains, folded into the matrices beside them: the program without a gain has the same value at other weights.

The conditions are those of "Gains" in docs/theory/arrows.md. Instructions keep their numbers; those that are not needed
any more are left where they are.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from .limits import MOST_INSTRUCTIONS, Refused, in_a_line, whole_number
from .modular import Matrix
from .program import Instruction, sizes

__all__ = ["FoldedProgram", "Unfolded", "fold_all", "gains_of_claim"]

WAYS = ("readers", "writers")


class Unfolded(Exception):
    """A gain cannot be folded."""


class FoldedProgram:
    """A program in which gains are folded, one after the other.

    Parameters
    ----------
    program : sequence of Instruction
        The program.

    Attributes
    ----------
    program : list of Instruction
        The program without the gains.
    value : int
        Which instruction is its value.
    users : dict of int to list of int
        Which instructions take the result of which, as far as the value needs them.
    factors : dict of str to list of (str, str, int)
        By what the entries of a tensor are multiplied: the side of the tensor, the gain and its exponent.
    gains : set of str
        The tensors that were gains: what is done with them in place of the others is not followed any more.
    """

    def __init__(self, program: Sequence[Instruction]) -> None:
        self.program = list(program)
        self.value = len(program) - 1
        self.factors: dict[str, list[tuple[str, str, int]]] = {}
        self.gains: set[str] = set()
        self.users: dict[int, list[int]] = {}
        self.find_users()

    def find_users(self) -> None:
        """Find what takes what."""
        self.users = {self.value: []}
        for number in range(self.value, -1, -1):
            if number in self.users:
                for operand in dict.fromkeys(self.program[number].operands):
                    self.users.setdefault(operand, []).append(number)

    def shape(self, number: int) -> tuple[int, int]:
        """Return the numbers of rows and columns of a result."""
        return sizes(self.program[number].shape)

    def is_tensor(self, number: int, height: int | None = None, width: int | None = None) -> bool:
        """Return whether a result is a tensor, of a height and a width if they are given."""
        rows, columns = self.shape(number)
        return self.program[number].operation == "tensor" and height in (None, rows) and width in (None, columns)

    def is_taken_by(self, number: int, user: int) -> bool:
        """Return whether a result is used by one instruction alone; the value is used by none."""
        return self.users.get(number) == [user]

    def fold(self, number: int, way: str) -> None:
        """Fold the gain of an instruction into what reads its result, or into what is written into it.

        Raises
        ------
        Unfolded
            If that changes more than the statement says.
        """
        one = self.program[number]
        if one.operation != "multiply":
            raise Unfolded(f"instruction {number} is no product with a gain")
        height = self.shape(number)[0]
        for g, Y in (one.operands, one.operands[::-1]):
            is_gain = self.is_tensor(g, height, 1) and self.is_taken_by(g, number) and g != Y
            if is_gain and self.shape(Y) == self.shape(number) and self.program[g].argument not in self.factors:
                break
        else:
            raise Unfolded(f"instruction {number} is no product with a gain that is used once")
        columns, rows, divided = list[int](), list[int](), list[int]()
        if way == "readers":
            columns, divided = self.readers(number)
        else:
            rows = self.writers(Y, number, height)
        gain = self.program[g].argument
        for tensors, side, exponent in ((columns, "columns", 1), (rows, "rows", 1), (divided, "rows", -1)):
            for tensor in tensors:
                self.factors.setdefault(self.program[tensor].argument, []).append((side, gain, exponent))
        self.gains.add(gain)
        self.bypass(number, Y)

    def readers(self, number: int) -> tuple[list[int], list[int]]:
        """Return the matrices that read g * Y or g * Y + b and nothing else, and these b."""
        heads, biases = [number], list[int]()
        for user in self.users[number]:
            if self.program[user].operation == "add":
                others = [operand for operand in self.program[user].operands if operand != number]
                if len(others) != 1 or not self.is_tensor(others[0], self.shape(number)[0], 1):
                    raise Unfolded(f"instruction {user} adds no bias to the product with a gain")
                if not self.is_taken_by(others[0], user):
                    raise Unfolded(f"the bias of instruction {user} is used elsewhere")
                heads.append(user)
                biases.append(others[0])
        matrices = list[int]()
        for head in heads:
            if head == self.value:
                raise Unfolded(f"the value is instruction {head}, which has a gain")
            for user in self.users[head]:
                if head == number and user in heads:
                    continue
                one = self.program[user]
                if one.operation != "product" or not self.is_tensor(one.operands[0]):
                    raise Unfolded(f"instruction {user} reads a gain, and is no product with a tensor")
                matrices.append(one.operands[0])
        for matrix in matrices:
            for user in self.users[matrix]:
                one = self.program[user]
                if one.operation != "product" or one.operands[1] not in heads:
                    raise Unfolded(f"instruction {user} uses a tensor that reads a gain")
        return list(dict.fromkeys(matrices)), biases

    def writers(self, number: int, user: int, height: int) -> list[int]:
        """Return the tensors of which a result is a sum, alone or as the left factors of products."""
        found, pending = list[int](), [(number, user)]
        while pending:
            number, user = pending.pop()
            one = self.program[number]
            if not self.is_taken_by(number, user) or self.shape(number)[0] != height:
                raise Unfolded(f"instruction {number} is used elsewhere, or is spread before a gain")
            if one.operation == "add" and one.operands[0] != one.operands[1]:
                pending += [(operand, number) for operand in one.operands]
            elif one.operation == "tensor":
                found.append(number)
            elif one.operation == "product" and self.is_tensor(one.operands[0]):
                if not self.is_taken_by(one.operands[0], number) or one.operands[0] == one.operands[1]:
                    raise Unfolded(f"the tensor of instruction {number} is used elsewhere")
                found.append(one.operands[0])
            else:
                raise Unfolded(f"instruction {number}, before a gain, is no sum of products with tensors")
        return found

    def bypass(self, number: int, other: int) -> None:
        """Replace a result by an earlier one."""
        for user in self.users[number]:
            one = self.program[user]
            operands = tuple(other if operand == number else operand for operand in one.operands)
            self.program[user] = dataclasses.replace(one, operands=operands)
        if number == self.value:
            self.value = other
        self.find_users()

    def folded(self, field: Any, tensors: Mapping[str, Matrix]) -> dict[str, Matrix]:
        """Return the tensors of the program without gains, over a prime field.

        Raises
        ------
        Refused
            If a gain has a zero.
        """
        found = dict(tensors)
        for name in self.factors:
            W = tensors[name]
            factors = self.factors_of(name, W.nrows(), W.ncols(), field, tensors)
            entries = [x * y for x, y in zip(W.entries(), factors, strict=True)]
            found[name] = field.matrix(W.nrows(), W.ncols(), entries)
        return found

    def factors_of(self, name: str, height: int, width: int, field: Any, tensors: Mapping[str, Matrix]) -> list[Any]:
        """Return by what the entries of a tensor are multiplied, row by row.

        Raises
        ------
        Refused
            If one of these numbers is zero.
        """
        factors = field.matrix(height, width, [1] * (height * width)).entries()
        for side, gain, exponent in self.factors[name]:
            g = tensors[gain].entries()
            if any(entry == 0 for entry in g):
                raise Refused("a gain", "one with an entry that is zero modulo the prime", "without zeros")
            powers = g if exponent > 0 else [1 / entry for entry in g]
            for place in range(height * width):
                factors[place] *= powers[place // width if side == "rows" else place % width]
        return factors


def gains_of_claim(where: str, value: Any) -> tuple[tuple[int, str], ...]:
    """Read which gains are folded: lists of an instruction and where to."""
    if not isinstance(value, list) or len(value) > MOST_INSTRUCTIONS:
        raise Refused(where, in_a_line(value), "a list of instructions, each with 'readers' or 'writers'")
    for listed in value:
        if not isinstance(listed, list) or len(listed) != 2 or listed[1] not in WAYS:
            raise Refused(where, in_a_line(listed), "an instruction with 'readers' or 'writers'")
        whole_number(where, listed[0], most=MOST_INSTRUCTIONS)
    return tuple((number, way) for number, way in value)


def fold_all(program: Sequence[Instruction], gains: Sequence[tuple[int, str]]) -> FoldedProgram:
    """Return a program with gains folded one after the other.

    Raises
    ------
    Unfolded
        If one of them cannot be folded.
    """
    folded = FoldedProgram(program)
    for number, way in gains:
        if number >= len(program):
            raise Unfolded(f"there is no instruction {number}")
        folded.fold(number, way)
    return folded
