"""Programs in which products of rank one are written as such, and shares without what cancels in them.

Columns that are divided by their sums, as the weights of attention are, do not see a factor of each column. So a score
of rank one that is multiplied does not see its queries, and a score of tokens that are all equal sees nothing. Each
step is an identity of matrices, stated where it is made; the program that is left reads fewer tensors, or reads them in
fewer ways (derived, see docs/theory/hidden_symmetries.md).
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from algatt.fields import Function
from algatt.programs import Instruction, Program
from algatt.programs.interpret import FUNCTIONS, ConstantEntries, common_entry
from algatt.programs.uses import Uses, needed

DEEPEST = 100
"""Maximum number of operations in a row through which a factor of each column is followed."""

ALIKE = ("add", "multiply", "negate", "reciprocal")
"""Operations on entries, besides functions of one variable."""


@dataclass(frozen=True)
class Outer:
    """A result as a column times a number times a row.

    Parameters
    ----------
    column, row : int
        The results with one column and with one row.
    number : int or None
        A result with one entry; None for 1.
    """

    column: int
    number: int | None
    row: int


@functools.lru_cache(maxsize=64)
def collapsed(program: Program) -> Program:
    """Return a program with the same value, wherever both have one."""
    collapse = Collapse()
    numbers: list[int] = []
    for number, one in enumerate(program.instructions):
        operands = tuple(numbers[operand] for operand in one.operands)
        divided = divided_columns(program.uses, number)
        found = None if divided is None else collapse.shares_of_core(numbers[divided[0]], divided[1])
        numbers.append(collapse.write(one.operation, operands, one.argument, one.shape) if found is None else found)
    left = needed(collapse.made, numbers[-1])
    return program if left == program else left  # with its table of uses


def divided_columns(uses: Uses, number: int) -> tuple[int, Fraction] | None:
    """Return E and c for a result that is c E / 1^T E with a number c; None for others."""
    one = uses[number]
    for part, divisor in (one.operands, one.operands[::-1]) if one.operation == "multiply" else ():
        (columns, before), (below, factor) = without_number(uses, part), without_number(uses, divisor)
        if uses[below].operation == "reciprocal" and uses.height(below) == 1:
            inside = sum_of_columns(uses, uses[below].operands[0], columns)
            if inside:
                return columns, before * factor / inside
    return None


def without_number(uses: Uses, number: int) -> tuple[int, Fraction]:
    """Return a result without the constant numbers before it, and what these are multiplied."""
    factor = Fraction(1)
    while uses[number].operation in ("multiply", "negate"):
        if uses[number].operation == "negate":
            (number,), factor = uses[number].operands, -factor
            continue
        left, right = uses[number].operands
        if uses.constant(left) is not None and uses[left].shape in ((), (1, 1)):
            left, right = right, left
        constant = uses.constant(right) if uses[right].shape in ((), (1, 1)) else None
        if constant is None:
            break
        number, factor = left, factor * constant
    return number, factor


def sum_of_columns(uses: Uses, total: int, columns: int) -> Fraction | None:
    """Return c for a result that is c 1^T E; None for others."""
    total, before = without_number(uses, total)
    one = uses[total]
    if one.operation == "column_products":  # 1^T (A * B)
        same = uses[columns].operation == "multiply" and sorted(uses[columns].operands) == sorted(one.operands)
        return before if same else None
    if one.operation != "product" or uses.constant(one.operands[0]) != 1 or uses.height(one.operands[0]) > 1:
        return None
    inner, inside = without_number(uses, one.operands[1])
    return before * inside if inner == columns else None


@dataclass
class Collapse:
    """A program that is written anew.

    Attributes
    ----------
    made : list of Instruction
        What was written so far.
    equal : list of (bool, bool)
        Whether all rows, and all columns, of each result are equal, whatever weights and input are, as far as this is
        seen.
    """

    made: list[Instruction] = field(default_factory=list)
    equal: list[tuple[bool, bool]] = field(default_factory=list)
    numbers: dict[Instruction, int] = field(default_factory=dict)
    outers: dict[int, Outer | None] = field(default_factory=dict)
    cores: dict[int, int] = field(default_factory=dict)

    def write(self, operation: str, operands: tuple[int, ...], argument: object, shape: tuple[int, ...]) -> int:
        """Write an instruction, or what is equal to its result."""
        given = [self.number_in(operand) for operand in operands]
        if operation == "multiply" and 0 in given:
            return self.filled(Fraction(0), shape)
        if operation == "add" and None not in given:
            return self.filled(sum((one for one in given if one is not None), Fraction(0)), shape)
        number = self.append(operation, *operands, argument=argument, shape=shape)
        outer = None
        if operation == "product":
            outer = self.outer_of_product(*operands) if shape == (1, 1) else self.outer(number)
        return number if outer is None or outer.number in (None, number) else self.product_of(outer)

    def append(self, operation: str, *operands: int, argument: Any = None, shape: tuple[int, ...] | None = None) -> int:
        """Write an instruction as it is, unless it is there already, and return its number."""
        if shape is None:
            sizes = [self.size(operand) for operand in operands]
            height, width = (max(size[axis] for size in sizes) for axis in (0, 1))
            if operation == "product":
                height, width = sizes[0][0], sizes[1][1]
            shape = (width, height) if operation == "transpose" else (height, width)
        one = Instruction(operation, operands, argument, shape)
        number = self.numbers.setdefault(one, len(self.made))
        if number == len(self.made):
            self.made.append(one)
            self.equal.append((self.has_equal(number, 0), self.has_equal(number, 1)))
        return number

    def has_equal(self, number: int, axis: int) -> bool:
        """Return whether all rows (axis 0) or all columns (axis 1) of a result are equal."""
        one = self.made[number]
        if self.size(number)[axis] == 1:
            return True
        match one.operation:
            case "constant":
                return self.number_in(number) is not None
            case "transpose":
                return self.equal[one.operands[0]][1 - axis]
            case "product":
                return self.equal[one.operands[axis]][axis]
            case "centre" | "largest":
                return axis == 1 and self.equal[one.operands[0]][1]
        if one.operation in (*ALIKE, *FUNCTIONS) or isinstance(one.argument, Function):
            return all(self.equal[operand][axis] for operand in one.operands)
        return False

    def size(self, number: int) -> tuple[int, int]:
        """Return the numbers of rows and columns of a result."""
        height, width = ((1, 1) + self.made[number].shape)[-2:]
        return height, width

    def number_in(self, number: int) -> Fraction | None:
        """Return the number that all entries of a constant are, or None."""
        one = self.made[number]
        return common_entry(one.argument) if one.operation == "constant" and one.argument else None

    def filled(self, number: Fraction, shape: tuple[int, ...]) -> int:
        """Write a constant with equal entries."""
        return self.append("constant", argument=ConstantEntries([number] * math.prod(shape)), shape=shape)

    def ones(self, height: int, width: int) -> int:
        """Write a matrix of ones."""
        return self.filled(Fraction(1), (height, width))

    def is_one(self, number: int) -> bool:
        """Return whether a result is the 1 x 1 matrix 1."""
        return self.size(number) == (1, 1) and self.number_in(number) == 1

    def transposed(self, number: int) -> int:
        """Write a transpose, or return a result with one entry."""
        return number if self.size(number) == (1, 1) else self.append("transpose", number)

    def multiplied(self, factors: list[int | None]) -> int | None:
        """Write an entrywise product, of which None is 1."""
        kept = [factor for factor in factors if factor is not None]
        return functools.reduce(functools.partial(self.append, "multiply"), kept) if kept else None

    def product_of(self, outer: Outer) -> int:
        """Write a column times a row times a number."""
        found = outer.column if self.is_one(outer.row) else self.append("product", outer.column, outer.row)
        if outer.number is not None:
            found = self.append("multiply", found, outer.number)
        self.outers[found] = outer
        return found

    def shares_of_core(self, columns: int, factor: Fraction) -> int | None:
        """E / 1^T E = C / 1^T C for E = C diag(r) with a row r, times a number; None if no r is seen."""
        core = self.core(columns)
        if core == columns:
            return None
        sums = self.append("product", self.ones(1, self.size(core)[0]), core)
        shares = self.append("multiply", core, self.append("reciprocal", sums))
        return shares if factor == 1 else self.append("multiply", shares, self.filled(factor, ()))

    def core(self, number: int, depth: int = 0) -> int:
        """Return C for a result that is C diag(r) with a row r, as far as it is seen: the result itself with r = 1."""
        if depth > DEEPEST:
            return number
        if number not in self.cores:
            self.cores[number] = self.found_core(number, depth + 1)
        return self.cores[number]

    def found_core(self, number: int, depth: int) -> int:
        one, size = self.made[number], self.size(number)
        if len(one.shape) < 2:
            return number
        if self.equal[number][0]:  # 1 r = (1 1^T) diag(r)
            return self.ones(*size)
        outer = self.outer(number)
        if outer is not None:  # u r = (u 1^T) diag(r)
            return outer.column if size[1] == 1 else self.append("product", outer.column, self.ones(1, size[1]))
        match one.operation:
            case "multiply":  # rows are left out
                kept = [self.core(operand, depth) for operand in one.operands if self.size(operand)[0] == size[0]]
                if len(kept) == 2:
                    return self.append("multiply", *kept)
                return kept[0] if kept and self.size(kept[0]) == size else number
            case "negate":
                return self.core(one.operands[0], depth)
            case "reciprocal":
                inner = self.core(one.operands[0], depth)
                return self.append("reciprocal", inner)
            case "product":
                left, right = one.operands
                return self.append("product", left, self.core(right, depth))
        return number

    def outer(self, number: int) -> Outer | None:
        """Return a result of rank one as a product; None if nothing says that it is one."""
        if number not in self.outers:
            self.outers[number] = self.found_outer(number)
        return self.outers[number]

    def found_outer(self, number: int) -> Outer | None:
        one = self.made[number]
        found: Outer | None = None
        if len(one.shape) < 2:
            return None
        if one.shape == (1, 1):
            return Outer(number, None, self.ones(1, 1))
        if one.operation == "transpose":  # (u r)^T = r^T u^T
            inner = self.outer(one.operands[0])
            if inner is not None:
                return Outer(self.transposed(inner.row), inner.number, self.transposed(inner.column))
        elif one.operation == "product":
            found = self.outer_of_product(*one.operands)
        elif one.operation == "multiply":
            found = self.outer_of_entries(*one.operands)
        elif one.operation in ("negate", "reciprocal"):
            inner = self.outer(one.operands[0])
            found = None if inner is None else self.outer_of_part(one.operation, inner)
        if found is None and one.shape[1] == 1:
            return Outer(number, None, self.ones(1, 1))
        if found is None and one.shape[0] == 1:
            return Outer(self.ones(1, 1), None, number)
        return found

    def outer_of_product(self, left: int, right: int) -> Outer | None:
        """(u r) (v s) = u (r v) s; (u r) B = u (r B); A (v s) = (A v) s."""
        one, two = self.outer(left), self.outer(right)
        if one is not None and two is not None:
            alone = self.is_one(one.row) and self.is_one(two.column)
            meeting = None if alone else self.append("product", one.row, two.column)
            return Outer(one.column, self.multiplied([one.number, meeting, two.number]), two.row)
        if one is not None:
            return Outer(one.column, one.number, self.append("product", one.row, right))
        if two is not None:
            return Outer(self.append("product", left, two.column), two.number, two.row)
        return None

    def outer_of_part(self, operation: str, inner: Outer) -> Outer:
        """-(u r) = (-u) r; 1 / (u r) = (1 / u) (1 / r), entrywise."""
        column = self.append(operation, inner.column)
        if operation == "negate":
            return Outer(column, inner.number, inner.row)
        number = None if inner.number is None else self.append(operation, inner.number)
        return Outer(column, number, self.append(operation, inner.row))

    def outer_of_entries(self, left: int, right: int) -> Outer | None:
        """(u r) * (v s) = (u * v) (r * s), where a number, a row or a column may be spread."""
        shape = [max(sizes) for sizes in zip(self.size(left), self.size(right), strict=True)]
        columns: list[int | None] = []
        numbers: list[int | None] = []
        rows: list[int | None] = []
        for operand in (left, right):
            height, width = self.size(operand)
            outer = self.outer(operand)
            if (height, width) == (1, 1):
                numbers.append(operand)
            elif height == 1 < shape[0]:
                rows.append(operand)
            elif width == 1 < shape[1]:
                columns.append(operand)
            elif outer is not None:
                columns.append(outer.column)
                numbers.append(outer.number)
                rows.append(outer.row)
            else:
                return None
        column, number, row = map(self.multiplied, (columns, numbers, rows))
        return None if column is None or row is None else Outer(column, number, row)
