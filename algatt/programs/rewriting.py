"""Programs rewritten by rules, again and again until these change nothing: each is an identity of matrices, stated
where the rule is.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from algatt.fields import Elements, Shape, Shapes
from algatt.programs.identities import IDENTITIES, is_total
from algatt.programs.interpret import ConstantEntries, Instruction, Program, common_entry, result
from algatt.programs.orders import orders_outside
from algatt.programs.parts import ENTRYWISE, TOGETHER, taken
from algatt.programs.uses import KnownSign, joined_parts, needed, parted_results, sign_of

Axes = tuple[bool, bool]
"""Whether the rows and the columns of a result are tokens."""


def token_axes(one: Instruction, known: Sequence[Axes]) -> Axes:
    """Return which axes of a result are tokens, given those of earlier ones: the columns of the input are."""
    given = [known[operand] for operand in one.operands]
    match one.operation:
        case "input":
            return False, True
        case "tensor" | "constant":
            return False, False
        case "transpose":
            return given[0][1], given[0][0]
        case "product":
            return given[0][0], given[1][1]
        case "column_products":
            return False, given[0][1] or given[1][1]
    return any(rows for rows, _ in given), any(columns for _, columns in given)


@dataclass
class Rewriting:
    """A program that is written anew, each instruction by rules.

    Parameters
    ----------
    instructions : list of Instruction
        What was written so far.
    parted : set of int
        Results of which nothing but parts is taken.
    takes : bool
        Whether rows or columns are taken of any result.
    equal : list of pairs of bool
        Whether all rows, and all columns, of the first results are known to be equal.
    """

    instructions: list[Instruction] = field(default_factory=list)
    parted: set[int] = field(default_factory=set)
    takes: bool = False
    equal: list[tuple[bool, bool]] = field(default_factory=list)
    numbers: dict[Instruction, int] = field(default_factory=dict)
    axes: list[Axes] = field(default_factory=list)
    weights: list[bool] = field(default_factory=list)
    signs: list[KnownSign] = field(default_factory=list)
    constants: dict[int, np.ndarray] = field(default_factory=dict)

    def __getitem__(self, number: int) -> Instruction:
        return self.instructions[number]

    def record(self, operation: str, *operands: int, argument: Any = None, shape: Any = None) -> int:
        """Write an instruction, or what an identity puts in its place, and return its number."""
        given = {} if argument is None else {"argument": argument}
        for identity in IDENTITIES.get(operation, ()):
            found: int | None = identity(self, *operands, **given)
            if found is not None:
                return found
        return self.append(operation, operands, argument, shape)

    def append(self, operation: str, operands: tuple[int, ...], argument: Any, shape: Any) -> int:
        """Write an instruction as it is, unless it is there already, and return its number."""
        if shape is None:
            given = [Elements(Shapes(), Shape(self[operand].shape)) for operand in operands]
            shape = result(Instruction(operation, operands, argument, ()), Shapes(), given).shape
        one = Instruction(operation, operands, argument, tuple(shape))
        number = self.numbers.setdefault(one, len(self.instructions))
        if number == len(self.instructions):
            self.instructions.append(one)
            self.takes = self.takes or operation == "take"
            self.axes.append(token_axes(one, self.axes))
            self.signs.append(sign_of(one, self.signs))
            self.weights.append(operation != "input" and all(self.weights[operand] for operand in operands))
        return number

    def constant(self, entries: np.ndarray) -> int:
        """Write a constant."""
        entries = np.asarray(entries, dtype=object)
        return self.record("constant", argument=ConstantEntries(entries.ravel().tolist()), shape=entries.shape)

    def ones(self, height: int, width: int) -> int:
        """Write a matrix of ones."""
        return self.constant(np.full((height, width), Fraction(1), dtype=object))

    def product_of(self, factors: Sequence[int]) -> int:
        """Write an entrywise product."""
        return functools.reduce(functools.partial(self.combined, "multiply"), factors)

    def sum_of(self, terms: Sequence[int]) -> int:
        """Write a sum."""
        return functools.reduce(functools.partial(self.combined, "add"), terms)

    def part(self, number: int) -> None:
        """Note that nothing but parts is taken of a result, and so of what it is the transpose of."""
        self.parted.add(number)
        if self[number].operation == "transpose":
            self.parted.update(self[number].operands)

    def entries(self, number: int) -> np.ndarray | None:
        """Return the entries of a constant, or None."""
        one = self[number]
        if one.operation != "constant":
            return None
        if number not in self.constants:
            found = np.empty(len(one.argument), dtype=object)
            found[:] = one.argument
            self.constants[number] = found.reshape(one.shape)
        return self.constants[number]

    def number_in(self, number: int) -> Fraction | None:
        """Return the number that all entries of a constant are, or None."""
        one = self[number]
        return common_entry(one.argument) if one.operation == "constant" and one.argument else None

    def is_weights(self, number: int) -> bool:
        """Return whether a result is made of weights and constants alone."""
        return self.weights[number]

    def write(self, operation: str, *operands: int, argument: Any = None, shape: Any = None) -> int:
        """Write an instruction by the rules for its operation."""
        found = orders_outside(self, operation, operands, argument) if self.takes else None
        if found is not None:
            return found
        if operation == "transpose":
            return self.transposed(operands[0])
        if operation == "negate":
            return self.scaled(operands[0], Fraction(-1))
        if operation == "take":
            return taken(self, operands[0], *argument)
        if operation == "product":
            return self.multiplied(*operands)
        if operation in ENTRYWISE:
            return self.combined(operation, *operands)
        if operation == "concatenate":
            return self.joined(operands, argument)
        if len(operands) == 1 and operation not in TOGETHER and self[operands[0]].operation == "transpose":
            # f(A^T) = f(A)^T, entry by entry
            return self.transposed(self.record(operation, *self[operands[0]].operands, argument=argument))
        return self.record(operation, *operands, argument=argument, shape=shape)

    def transposed(self, number: int) -> int:
        """Write a transpose: (A^T)^T = A; of weights, and of results whose rows and columns are tokens, it goes down to
        the factors, (A B)^T = B^T A^T, since they may stand either way.
        """
        one = self[number]
        if one.operation == "transpose":
            return one.operands[0]
        entries = self.entries(number)
        if entries is not None and len(one.shape) == 2:
            return self.constant(entries.T)
        if one.operation == "product" and (all(self.axes[number]) or self.is_weights(number)):
            return self.multiplied(*(self.transposed(operand) for operand in reversed(one.operands)))
        if all(self.axes[number]):
            if one.operation in ENTRYWISE:
                return self.combined(one.operation, *(self.turned(operand) for operand in one.operands))
            if len(one.operands) == 1 and one.operation not in TOGETHER:
                inner = self.transposed(one.operands[0])
                if self[inner].operation != "transpose":
                    return self.write(one.operation, inner, argument=one.argument)
        return self.record("transpose", number)

    def turned(self, number: int) -> int:
        """Write the transpose of an operand, which may be a number without axes."""
        return number if len(self[number].shape) < 2 else self.transposed(number)

    def scaled(self, number: int, factor: Fraction) -> int:
        """Write a result times a number; numbers before numbers are multiplied, and -1 is a sign."""
        one = self[number]
        entries = self.entries(number)
        if entries is not None:
            return self.constant(entries * factor)
        inner, own = self.without_factor(number)
        if own != 1:
            return self.scaled(inner, own * factor)
        if factor == 1:
            return number
        if factor == 0 and is_total(self, number):
            return self.constant(np.full(one.shape, Fraction(0), dtype=object))
        if one.operation == "transpose":
            return self.append("transpose", (self.scaled(one.operands[0], factor),), None, one.shape)
        if factor == -1:
            return self.append("negate", (number,), None, one.shape)
        return self.append("multiply", (number, self.constant(np.array(factor, dtype=object))), None, one.shape)

    def without_factor(self, number: int) -> tuple[int, Fraction]:
        """Return a result without the number before it, and the number."""
        one = self[number]
        if one.operation == "negate":
            return one.operands[0], Fraction(-1)
        if one.operation == "transpose":
            inner, before = self.without_factor(one.operands[0])
            return (number, before) if before == 1 else (self.transposed(inner), before)
        for operand, other in (one.operands, one.operands[::-1]) if one.operation == "multiply" else ():
            factor = self.number_in(other)
            if factor is not None and self[other].shape == ():
                return operand, factor
        return number, Fraction(1)

    def multiplied(self, left: int, right: int) -> int:
        """Write a product of matrices; numbers before the factors stand before the product, unless weights multiply
        something that was computed of the input, which keeps its number unless it is a part, joined or a sum of tokens.
        """
        (left, one), (inner, two) = self.without_factor(left), self.without_factor(right)
        if self.keeps_number(left, inner):
            return self.scaled(self.product(left, right), one)
        return self.scaled(self.product(left, inner), one * two)

    def keeps_number(self, weights: int, number: int) -> bool:
        """Return whether the number before a result stays where weights multiply it: it was computed of the input, and
        is neither a part nor joined nor a sum of tokens.
        """
        if not self.is_weights(weights) or self[weights].operation == "constant" or self.is_weights(number):
            return False
        sums = self[number].operation == "product" and self[self[number].operands[1]].operation == "constant"
        return self[number].operation not in ("input", "take", "concatenate") and not sums

    def product(self, left: int, right: int) -> int:
        """Write a product: A^T B^T = (B A)^T where the rows of A^T are tokens; A 1 = (1^T A^T)^T; a row of ones times
        A * B is that of the column products; W [A; B] = W_1 A + W_2 B.
        """
        one, two = self.entries(left), self.entries(right)
        if one is not None and two is not None:
            return self.constant(one @ two)
        first, second = self[left], self[right]
        of_rows = first.operation == "transpose" and self.axes[left] == (True, False) and self.is_weights(right)
        of_tokens = self.axes[left][0] or first.operation == "constant"
        of_scores = second.operation == "transpose" and of_tokens and self.axes[right] == (True, False)
        if of_rows or of_scores:
            turned = self.multiplied(self.transposed(right), self.transposed(left))
            return turned if self.is_sum_of_scores(turned) else self.transposed(turned)
        if all(self.axes[left]) and self.number_in(right) is not None:
            return self.transposed(self.multiplied(self.transposed(right), self.transposed(left)))
        number = self.number_in(left)
        if number is not None and first.shape[0] == 1 and second.operation == "multiply":
            factors = [operand for operand in second.operands if self[operand].shape == second.shape]
            if len(factors) == 2 and self.axes[right] == (False, True):
                return self.scaled(self.record("column_products", *factors), number)
        if second.operation == "concatenate" and second.argument == 0 and self.is_weights(left):
            return self.sum_of_parts(left, right)
        return self.record("product", left, right)

    def is_sum_of_scores(self, number: int) -> bool:
        """Return whether a result is c^T S d for columns c and d of numbers, one number that is its own transpose."""
        one = self[number]
        if one.operation != "product" or one.shape != (1, 1) or any(self.axes[number]):
            return False
        sums = self[one.operands[0]]
        return sums.operation == "product" and self[sums.operands[0]].operation == "constant"

    def sum_of_parts(self, left: int, right: int) -> int:
        """Write W [A; B; ...] as the sum of the products of the columns of W with A, B, ..."""
        start, terms = 0, []
        rows = tuple(range(self[left].shape[0]))
        for part in self[right].operands:
            stop = start + self[part].shape[0]
            terms.append(self.multiplied(taken(self, left, rows, tuple(range(start, stop))), part))
            start = stop
        return self.sum_of(terms)

    def combined(self, operation: str, left: int, right: int) -> int:
        """Write a sum or an entrywise product: A^T + B^T = (A + B)^T, where B may be made of weights; A - 1 (1^T A) / m
        is A with its means taken off; zeros and ones are left out.
        """
        one, two = self.entries(left), self.entries(right)
        if one is not None and two is not None:
            return self.constant(one + two if operation == "add" else one * two)
        for number, other in ((left, right), (right, left)):
            entry = self.number_in(number)
            if entry is not None and np.broadcast_shapes(self[number].shape, self[other].shape) == self[other].shape:
                if operation == "multiply":
                    return self.scaled(other, entry)
                if entry == 0:
                    return other
                if self[number].shape:
                    return self.combined("add", other, self.constant(np.array(entry, dtype=object)))
        if operation == "add":
            centred = self.centred(left, right) or self.centred(right, left)
            if centred:
                return centred
        for first, second in ((left, right), (right, left)):
            turns = self[first].operation == "transpose" and self.axes[first] == (True, False)
            turns = turns and not self.axes[second][1]
            if turns and (self[second].operation == "transpose" or self.is_weights(second)):
                return self.transposed(self.combined(operation, self.turned(first), self.turned(second)))
        return self.record(operation, left, right)

    def centred(self, whole: int, means: int) -> int | None:
        """Return A with its means taken off, if the second result is minus the row of the means of the first."""
        row, factor = self.without_factor(means)
        one = self[row]
        if one.operation != "product" or one.operands[1] != whole or one.shape[0] != 1:
            return None
        entry = self.number_in(one.operands[0])
        if entry is None or entry * factor * self[whole].shape[0] != -1:
            return None
        return self.record("centre", whole)

    def joined(self, parts: tuple[int, ...], axis: int) -> int:
        """Write matrices below each other or side by side: transposes stand outside; constants are one."""
        if len(parts) == 1:
            return parts[0]
        listed = [self.entries(part) for part in parts]
        if all(entries is not None for entries in listed):
            return self.constant(np.concatenate([entries for entries in listed if entries is not None], axis=axis))
        turned = [self[part].operation == "transpose" for part in parts]
        of_tokens = any(turn and self.axes[part] == (True, False) for turn, part in zip(turned, parts, strict=True))
        beside = (turn or self.is_weights(part) for turn, part in zip(turned, parts, strict=True))
        if all(turned) or (of_tokens and all(beside)):
            return self.transposed(self.joined(tuple(map(self.transposed, parts)), 1 - axis))
        return self.record("concatenate", *parts, argument=axis)


def rewritten(program: Program, *, apart: bool = False) -> Program:
    """Return a program written by the rules, without what is not needed or not read, as often as they change it.

    First no parts are taken inside, so that rotations are seen, and which parts are joined again.

    Parameters
    ----------
    program : Program
        The program.
    apart : bool, optional
        Whether parts are taken inside where they are joined to the whole again, too; false unless given.
    """
    program = as_read(rewritten_once(program, inside=False))
    while (found := as_read(rewritten_once(program, apart=apart))) != program:
        program = found
    return program


def as_read(program: Program) -> Program:
    """Return a program without rows and columns of tokens that nothing reads; without parts, all are read."""
    if not any(one.operation == "take" for one in program.instructions):
        return program
    from algatt.programs.live import live

    return live(program)


def rewritten_once(program: Program, *, inside: bool = True, apart: bool = False) -> Program:
    """Return a program written by the rules, parts of results being taken inside or not."""
    rewriting = Rewriting()
    numbers: list[int] = []
    together = joined_parts(program.uses) if inside and not apart else {}
    parted = parted_results(program.uses, together) if inside else set()
    for number, one in enumerate(program.instructions):
        operands = tuple(numbers[operand] for operand in one.operands)
        argument = one.argument
        if number in together:
            rows, columns = argument
            operands = (taken(rewriting, operands[0], together[number], columns),)
            argument = tuple(map(together[number].index, rows)), tuple(range(len(columns)))
        numbers.append(rewriting.write(one.operation, *operands, argument=argument, shape=one.shape))
        if number in parted:
            rewriting.part(numbers[-1])
    return needed(rewriting.instructions, numbers[-1])
