"""Programs in which W Y + b is [W b] times Y with a row of ones below it, where little may be reached by that.

What a matrix reads of Y and of ones together may have fewer dimensions than it has columns, although Y alone fills all
of them, as in W (A X + a) + b with a high and narrow A. Each step is an identity of matrices (derived, see
docs/theory/hidden_symmetries.md).
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from algatt.programs import Instruction, Program
from algatt.programs.trace import Entries
from algatt.programs.uses import Uses, needed
from algatt.symmetry.hidden.collapsed import without_number

ONE = Fraction(1)

MOST_ENTRIES = 2**16
"""Maximum number of entries of a constant whose columns are added up."""


@dataclass(frozen=True)
class Joint:
    """A matrix with the bias beside it as its last column.

    Parameters
    ----------
    tensor, bias : str
        Their names.
    """

    tensor: str
    bias: str

    @property
    def names(self) -> tuple[str, str]:
        """Both names."""
        return self.tensor, self.bias


class Affine(NamedTuple):
    """A result W (c Y) + b: the numbers of W, b and Y, and c."""

    matrix: int
    bias: int
    inner: int
    factor: Fraction


@functools.lru_cache(maxsize=64)
def affine(program: Program) -> tuple[Program, Mapping[int, Joint]]:
    """Return a program with the same value, and the results of it that are a matrix with its bias, of those that are
    multiplied with less dimensions than they have columns.
    """
    writing = Writing(program.uses)
    for number in range(len(program)):
        writing.write(number)
    if not writing.joints:
        return program, {}
    left = needed(writing.made, writing.numbers[-1])
    found = {number: joint_of(left.uses, number) for number in range(len(left))}
    return left, {number: joint for number, joint in found.items() if joint in writing.joints}


def joint_of(uses: Uses, number: int) -> Joint | None:
    """Return the tensors that a result is joined of, if it is two side by side that nothing else reads."""
    one = uses[number]
    if one.operation != "concatenate" or one.argument != 1 or len(one.operands) != 2:
        return None
    if not all(uses[part].operation == "tensor" and uses.is_used_by(part, number) for part in one.operands):
        return None
    tensor, bias = (str(uses[part].argument) for part in one.operands)
    return Joint(tensor, bias)


@dataclass
class Writing:
    """A program that is written anew.

    Parameters
    ----------
    uses : Uses
        The program that is there.

    Attributes
    ----------
    made : list of Instruction
        What was written so far.
    numbers : list of int
        Where each result of the program that is there was written.
    joints : set of Joint
        The matrices that are written with their biases.
    """

    uses: Uses
    made: list[Instruction] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    joints: set[Joint] = field(default_factory=set)
    written: dict[Instruction, int] = field(default_factory=dict)
    above: dict[int, int] = field(default_factory=dict)
    bounds: list[int] = field(default_factory=list)

    def append(self, operation: str, *operands: int, argument: Any = None, shape: tuple[int, ...]) -> int:
        """Write an instruction, unless it is there already, and return its number."""
        one = Instruction(operation, operands, argument, shape)
        number = self.written.setdefault(one, len(self.made))
        if number == len(self.made):
            self.made.append(one)
        return number

    def constant(self, entries: np.ndarray) -> int:
        """Write a constant."""
        return self.append("constant", argument=Entries(entries.ravel().tolist()), shape=entries.shape)

    def write(self, number: int) -> None:
        """Write a result: W Y + b as [W b] [Y; 1], if W, b and W Y are read once and [Y; 1] has fewer dimensions."""
        one, map_ = self.uses[number], self.map_of(number)
        self.bounds.append(self.bound(number))
        if (
            map_ is not None
            and self.bounds[map_.inner] <= self.uses.height(map_.inner)
            and self.is_read_once(map_, number)
        ):
            self.joints.add(Joint(str(self.uses[map_.matrix].argument), str(self.uses[map_.bias].argument)))
            self.numbers.append(self.append("product", self.joint(map_), self.below(map_), shape=one.shape))
            return
        operands = (self.numbers[part] for part in one.operands)
        self.numbers.append(self.append(one.operation, *operands, argument=one.argument, shape=one.shape))

    def is_narrow(self, number: int) -> bool:
        """Return whether the columns of a result with ones below them do not have all dimensions."""
        return self.bounds[number] <= self.uses.height(number)

    def map_of(self, number: int) -> Affine | None:
        """Return how a result is W (c Y) + b with W and one column b that are made of weights, if it is."""
        uses, one = self.uses, self.uses[number]
        for term, bias in (one.operands, one.operands[::-1]) if one.operation == "add" else ():
            product, factor = without_number(uses, term)
            if uses[product].operation == "product" and uses[product].shape == one.shape and uses.width(bias) == 1:
                matrix, inner = uses[product].operands
                if uses.is_rational(matrix) and uses.is_rational(bias) and uses.height(bias) == one.shape[0] and factor:
                    return Affine(matrix, bias, inner, factor)
        return None

    def is_read_once(self, map_: Affine, number: int) -> bool:
        """Return whether W and b are tensors, and nothing else reads them or what is made of W before b is added."""
        uses, read = self.uses, map_.matrix
        if any(uses[one].operation != "tensor" for one in map_[:2]) or not uses.is_used_by(map_.bias, number):
            return False
        while read != number and len(uses.users[read]) == 1:
            (read,) = uses.users[read]
        return read == number

    def sums_in(self, number: int) -> tuple[int, int, Fraction] | None:
        """Return Y, C and s if a result is Y C with a constant C, as of sums over tokens, all columns of which have the
        sum s, and that is not 0; large constants are not looked at.
        """
        one = self.uses[number]
        if one.operation != "product" or self.uses[one.operands[1]].operation != "constant":
            return None
        constant = self.uses[one.operands[1]]
        if len(constant.argument) > MOST_ENTRIES:
            return None
        entries = np.array([Fraction(entry) for entry in constant.argument], dtype=object)
        sums = entries.reshape(constant.shape).sum(axis=0)
        return (*one.operands, sums[0]) if sums[0] and (sums == sums[0]).all() else None

    def bound(self, number: int) -> int:
        """Return how many dimensions the columns of a result with ones below them have at most."""
        height, (inner, factor) = self.uses.height(number), without_number(self.uses, number)
        if self.uses.is_rational(number):
            return min(height + 1, self.uses.width(number))
        if inner != number and factor:
            return self.bounds[inner]
        map_, sums = self.map_of(number), self.sums_in(number)
        return min(height + 1, self.bounds[map_.inner] if map_ else self.bounds[sums[0]] if sums else height + 1)

    def joint(self, map_: Affine) -> int:
        """Write [W b]."""
        shape = self.uses.height(map_.matrix), self.uses.width(map_.matrix) + 1
        return self.append("concatenate", self.numbers[map_.matrix], self.numbers[map_.bias], argument=1, shape=shape)

    def below(self, map_: Affine) -> int:
        """Write [c Y; 1]."""
        height, width = self.uses.height(map_.inner), self.uses.width(map_.inner)
        return self.times([map_.factor] * height + [ONE], self.with_ones(map_.inner), width)

    def times(self, entries: list[Fraction], number: int, width: int) -> int:
        """Write a diagonal matrix times a result."""
        if all(entry == 1 for entry in entries):
            return number
        diagonal = np.full((len(entries), len(entries)), Fraction(0), dtype=object)
        np.fill_diagonal(diagonal, entries)
        return self.append("product", self.constant(diagonal), number, shape=(len(entries), width))

    def with_ones(self, number: int) -> int:
        """Write [Y; 1] for a result Y."""
        if number not in self.above:
            self.above[number] = self.written_with_ones(number)
        return self.above[number]

    def written_with_ones(self, number: int) -> int:
        """[c Y; 1] = diag(c, 1) [Y; 1]; [[W b] Z; 1] = [[W b]; 0 1] Z where the last row of Z is 1; and
        [Y C; 1] = diag(1, 1 / s) [Y; 1] C where all columns of C have the sum s.
        """
        height, width = self.uses.height(number), self.uses.width(number)
        inner, factor = without_number(self.uses, number)
        map_, sums = self.map_of(number), self.sums_in(number)
        if self.uses.is_rational(number) or not factor:
            pass
        elif inner != number:
            return self.times([factor] * height + [ONE], self.with_ones(inner), width)
        elif map_ is not None:
            size = self.uses.height(map_.inner) + 1
            last = self.constant(np.array([[Fraction(int(place == size - 1)) for place in range(size)]], dtype=object))
            matrix = self.append("concatenate", self.joint(map_), last, argument=0, shape=(height + 1, size))
            return self.append("product", matrix, self.below(map_), shape=(height + 1, width))
        elif sums is not None:
            made = self.append("product", self.with_ones(sums[0]), self.numbers[sums[1]], shape=(height + 1, width))
            return self.times([ONE] * height + [1 / sums[2]], made, width)
        ones = self.constant(np.full((1, width), ONE, dtype=object))
        return self.append("concatenate", self.numbers[number], ones, argument=0, shape=(height + 1, width))
