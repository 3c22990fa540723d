"""What of a program has no values in a ring: its exponentials, roots, logarithms, error functions and gates."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm

import numpy as np

from algatt.errors import ConditionFailed
from algatt.fields import Erf, Exp, Function, Log, Positive, Sigmoid, Sqrt
from algatt.programs import Program
from algatt.programs.interpret import function_of

DRAWN = (Exp, Sigmoid, Erf, Log)
"""Functions whose values are random residues."""


@dataclass(frozen=True)
class Exponent:
    r"""The argument of an exponential as a multiple of a part: :math:`e^{u} = z^n`, where :math:`z = e^{c v}` is drawn.

    Parameters
    ----------
    base : int
        The number of the instruction v of which all exponents of z are rational multiples; z is known by it.
    power : int
        The integer n.
    scale : Fraction
        The number c, one for all exponents of z: u is n c v.
    """

    base: int
    power: int
    scale: Fraction


@dataclass(frozen=True, eq=False)
class ExponentTies:
    r"""Exponents that are combinations of others: :math:`z_k = \prod_j y_j^{n_{k j}}`, where the y are drawn; the z are
    those of `Exponent`.

    Parameters
    ----------
    key : int
        The instruction by which the y are known: the first of the bases.
    powers : dict of int to ndarray
        For each base the integers n, of shape (entries, number of y).
    free : dict of int to ndarray
        For each base which of its entries are looked at when the y are shown to be independent.
    """

    key: int
    powers: dict[int, np.ndarray]
    free: dict[int, np.ndarray]

    @property
    def count(self) -> int:
        """The number of y."""
        return int(self.powers[self.key].shape[1])


@dataclass(frozen=True, eq=False)
class ChoosingProgram:
    """A program with the places where a finite field has to choose.

    Parameters
    ----------
    program : Program
        The program.
    functions : dict of int to Function
        Functions of one variable, by the numbers of their instructions.
    exponents : dict of int to Exponent
        The arguments of exponentials and of logistic functions, by the numbers of their instructions.
    varying : frozenset of int
        The instructions whose results depend on the input.
    ties : Ties or None
        Exponents that are combinations of others.
    """

    program: Program
    functions: dict[int, Function]
    exponents: dict[int, Exponent]
    varying: frozenset[int]
    ties: ExponentTies | None = None

    @cached_property
    def gates(self) -> tuple[int, ...]:
        """The instructions whose results are locally constant: gates, and choices of the largest."""
        return tuple(
            number
            for number, one in enumerate(self.program.instructions)
            if one.operation == "largest" or isinstance(self.functions.get(number), Positive)
        )

    @cached_property
    def gated(self) -> bool:
        """Whether an exponential or another function that is no gate depends on a gate."""
        behind: set[int] = set()
        for number, one in enumerate(self.program.instructions):
            if number in self.gates or not behind.isdisjoint(one.operands):
                behind.add(number)
        return any(number in behind and number not in self.gates for number in self.functions)

    @cached_property
    def of_type(self) -> dict[type, tuple[int, ...]]:
        """The instructions of each kind of function."""
        kinds = {type(function) for function in self.functions.values()}
        return {
            kind: tuple(number for number, function in self.functions.items() if type(function) is kind)
            for kind in kinds
        }

    @cached_property
    def input(self) -> int | None:
        """The instruction that reads the input, if one does."""
        return next((n for n, one in enumerate(self.program.instructions) if one.operation == "input"), None)

    @property
    def roots(self) -> tuple[int, ...]:
        """The square roots."""
        return self.of_type.get(Sqrt, ())

    @property
    def logarithms(self) -> tuple[int, ...]:
        """The logarithms."""
        return self.of_type.get(Log, ())

    @property
    def error_functions(self) -> tuple[int, ...]:
        """The error functions."""
        return self.of_type.get(Erf, ())

    @cached_property
    def bases(self) -> tuple[int, ...]:
        """The instructions by which exponentials are known."""
        return tuple(sorted({exponent.base for exponent in self.exponents.values()}))

    def source(self, number: int) -> int:
        """Return the number of the instruction that a function is applied to."""
        return self.program.instructions[number].operands[0]

    def draw(self, number: int) -> int:
        """Return by which instruction the random residues of a function are known: one for all powers of one z, and for
        all exponents that are tied.
        """
        if number not in self.exponents:
            return number
        base = self.exponents[number].base
        return self.ties.key if self.ties is not None and base in self.ties.powers else base

    def free_entries(self, base: int) -> np.ndarray:
        """Return which entries of a base are no combinations of others."""
        if self.ties is not None and base in self.ties.free:
            return self.ties.free[base]
        return np.ones(int(np.prod(self.program.instructions[base].shape)), dtype=bool)

    def size_of_draw(self, key: int, kind: str) -> tuple[int, ...]:
        """Return the shape of the random residues that are known by an instruction."""
        if kind == "exp" and self.ties is not None and key == self.ties.key:
            return (self.ties.count, 1)
        return self.program.instructions[key].shape

    @cached_property
    def draws_before(self) -> list[tuple[int, ...]]:
        """For each instruction by what the residues are known on which its result depends, the last ones first:
        functions, and in the end the input.
        """
        before: list[dict[int, int]] = []  # the keys, each with the number of its last function
        for number, one in enumerate(self.program.instructions):
            own: dict[int, int] = {}
            for operand in one.operands:
                own.update(before[operand])
            if one.operation == "input":
                own[number] = -1
            if isinstance(self.functions.get(number), DRAWN):
                own[self.draw(number)] = number
            before.append(own)
        return [tuple(sorted(own, key=lambda key: -own[key])) for own in before]

    @cached_property
    def descendants(self) -> dict[int, frozenset[int]]:
        """For each draw, and for the input by its own number: the instructions that depend on it, and itself."""
        draws = {
            number: self.draw(number) for number, function in self.functions.items() if isinstance(function, DRAWN)
        }
        reached: dict[int, set[int]] = {}
        of: list[set[int]] = []
        for number, one in enumerate(self.program.instructions):
            own = set().union(*(of[operand] for operand in one.operands)) if one.operands else set()
            if one.operation == "input":
                own = {number}
            if number in draws:
                own = own | {draws[number]}
            of.append(own)
            for draw in own:
                reached.setdefault(draw, set()).add(number)
        return {draw: frozenset(numbers) for draw, numbers in reached.items()}


def read(program: Program) -> ChoosingProgram:
    """Return a program with what has no values in a ring.

    Raises
    ------
    ConditionFailed
        If it has a function of one variable for which there is no rule modulo p; or one that depends on the weights
        alone, or on nothing.
    """
    functions = {
        number: function
        for number, one in enumerate(program.instructions)
        if (function := function_of(one)) is not None
    }
    varying: set[int] = set()
    for number, one in enumerate(program.instructions):
        if one.operation == "input" or not varying.isdisjoint(one.operands):
            varying.add(number)
    for number, function in functions.items():
        name = program.instructions[number].operation
        if type(function) not in (*DRAWN, Sqrt, Positive):
            raise ConditionFailed(
                f"{name} has no rule modulo p; write it in exp, log, sqrt, erf and the operations of a ring, or take "
                f"Balls()"
            )
        if number not in varying:
            raise ConditionFailed(
                f"{name} of an array that does not depend on the input, {shape_in_words(program, number)}, has no rule "
                f"modulo p; make its value a tensor, or take Balls()"
            )
    return ChoosingProgram(program, functions, exponents_of(program, functions), frozenset(varying))


def shape_in_words(program: Program, number: int) -> str:
    """Return the shape of a result as text."""
    return f"of shape {program.instructions[number].shape}"


def exponents_of(program: Program, functions: dict[int, Function]) -> dict[int, Exponent]:
    """Return the exponents of all exponentials: those that are rational multiples of one another by the code itself
    share their base, and have integer powers that are as small as can be.
    """
    parts = {
        number: multiple_of(program, program.instructions[number].operands[0])
        for number, function in functions.items()
        if isinstance(function, Exp | Sigmoid)
    }
    exponents = {}
    for base in {base for base, _ in parts.values()}:
        factors = {number: factor for number, (other, factor) in parts.items() if other == base}
        common = lcm(*(factor.denominator for factor in factors.values()))
        integers = {number: int(factor * common) for number, factor in factors.items()}
        divisor = gcd(*integers.values())
        scale = Fraction(divisor, common)
        exponents.update({number: Exponent(base, power // divisor, scale) for number, power in integers.items()})
    return exponents


def multiple_of(program: Program, number: int) -> tuple[int, Fraction]:
    """Return the instruction of which the code makes a result by multiplication with numbers, and their product."""
    factor = Fraction(1)
    while True:
        one = program.instructions[number]
        if one.operation == "negate":
            number, factor = one.operands[0], -factor
            continue
        if one.operation == "multiply":
            numbers = [program.instructions[operand] for operand in one.operands]
            for constant, other, operand in (
                (numbers[0], numbers[1], one.operands[1]),
                (numbers[1], numbers[0], one.operands[0]),
            ):
                if (
                    constant.operation == "constant"
                    and len(set(constant.argument)) == 1
                    and constant.argument[0]
                    and other.shape == one.shape
                ):
                    number, factor = operand, factor * constant.argument[0]
                    break
            else:
                return number, factor
            continue
        return number, factor
