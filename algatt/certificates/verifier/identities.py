"""Linear relations between entries of results, proved by expanding them into polynomials in earlier results."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from .limits import Refused
from .program import Instruction, sizes

__all__ = ["Term", "is_identity"]

DEEPEST_EXPANSION = 6
"""Results that are so many operations away are taken for variables."""

MOST_MONOMIALS = 20_000
"""An expansion with more monomials proves nothing."""

MOST_OPENED = 200
"""So many instructions are expanded at most."""

OPENED = ("add", "negate", "multiply", "product", "transpose", "take", "concatenate", "column_products")
"""Operations whose results are expanded."""

Term = tuple[int, int, Fraction]
"""The number of an instruction, an entry of its result in row-major order, and a coefficient."""

Variable = tuple[int, int, int]
Expansion = dict[tuple[Variable, ...], Fraction]


class TooLarge(Exception):
    """An expansion has too many monomials."""


def is_identity(program: Sequence[Instruction], terms: Sequence[Term], budget: list[int]) -> bool:
    """Return whether a linear combination of entries of results is proved to vanish: as a polynomial in results that
    are 1, 2, ... operations away.

    Parameters
    ----------
    program : sequence of Instruction
        The program.
    terms : sequence of Term
        The combination.
    budget : list of int
        A single number, how many products of monomials may be formed; what is formed is subtracted.

    Raises
    ------
    Refused
        If the budget is spent.
    """
    opened: set[int] = set()
    front = {number for number, _, _ in terms}
    for _ in range(DEEPEST_EXPANSION):
        front = {number for number in front if program[number].operation in OPENED}
        opened |= front
        front = {operand for number in front for operand in program[number].operands}
        if len(opened) > MOST_OPENED:
            return False
        expander = Expander(program, opened, budget)
        try:
            if not expander.combination([(expander.entry(*position(program, n, k)), c) for n, k, c in terms]):
                return True
        except TooLarge:
            return False
    return False


def position(program: Sequence[Instruction], number: int, entry: int) -> Variable:
    """Return the row and the column of an entry."""
    height, width = sizes(program[number].shape)
    if entry >= height * width:
        raise Refused("elementary.ties", f"about entry {entry} of %{number}", f"about one of {height * width} entries")
    return number, entry // width, entry % width


class Expander:
    """Entries of results as polynomials.

    Parameters
    ----------
    program : sequence of Instruction
        The program.
    opened : set of int
        Instructions whose results are expanded; those of others are variables, and constants are numbers.
    budget : list of int
        See `is_identity`.
    """

    def __init__(self, program: Sequence[Instruction], opened: set[int], budget: list[int]) -> None:
        self.program, self.opened, self.budget = program, frozenset(opened), budget
        self.known: dict[Variable, Expansion] = {}

    def entry(self, number: int, row: int, column: int) -> Expansion:
        """Return an entry; of what has one row or one column this is repeated."""
        height, width = sizes(self.program[number].shape)
        place = number, row if height > 1 else 0, column if width > 1 else 0
        if place not in self.known:
            self.known[place] = self.expanded(*place)
        return self.known[place]

    def expanded(self, number: int, row: int, column: int) -> Expansion:
        """Return an entry by what it is computed from."""
        one = self.program[number]
        if one.operation == "constant":
            value = one.argument[row * sizes(one.shape)[1] + column]
            return {(): value} if value else {}
        if number not in self.opened:
            return {((number, row, column),): Fraction(1)}
        first, last = one.operands[0], one.operands[-1]
        if one.operation == "add":
            return self.combination([(self.entry(n, row, column), Fraction(1)) for n in one.operands])
        if one.operation == "negate":
            return self.combination([(self.entry(first, row, column), Fraction(-1))])
        if one.operation == "multiply":
            return self.sum_of_products([(self.entry(first, row, column), self.entry(last, row, column))])
        if one.operation == "transpose":
            return self.entry(first, column, row)
        if one.operation == "take":
            return self.entry(first, one.argument[0][row], one.argument[1][column])
        if one.operation == "concatenate":
            return self.part(one, row, column)
        if one.operation == "product":
            inner = sizes(self.program[last].shape)[0]
            return self.sum_of_products(
                [(self.entry(first, row, k), self.entry(last, k, column)) for k in range(inner)]
            )
        rows = max(sizes(self.program[operand].shape)[0] for operand in one.operands)  # column products
        return self.sum_of_products([(self.entry(first, k, column), self.entry(last, k, column)) for k in range(rows)])

    def part(self, one: Instruction, row: int, column: int) -> Expansion:
        """Return an entry of what is joined."""
        place = [row, column]
        for operand in one.operands:
            size = sizes(self.program[operand].shape)[one.argument]
            if place[one.argument] < size:
                return self.entry(operand, *place)
            place[one.argument] -= size
        raise AssertionError("an entry of a result lies in one of its parts")

    def spend(self, count: int) -> None:
        """Count products."""
        self.budget[0] -= count
        if self.budget[0] < 0:
            raise Refused("elementary.ties", "too long to be expanded", "between exponents of smaller networks")

    def combination(self, terms: Sequence[tuple[Expansion, Fraction]]) -> Expansion:
        """Return a linear combination."""
        total: Expansion = {}
        for polynomial, factor in terms:
            self.spend(len(polynomial))
            for monomial, value in polynomial.items():
                total[monomial] = total.get(monomial, Fraction(0)) + factor * value
        return self.limited(total)

    def sum_of_products(self, pairs: Sequence[tuple[Expansion, Expansion]]) -> Expansion:
        """Return a sum of products."""
        total: Expansion = {}
        for left, right in pairs:
            self.spend(len(left) * len(right))
            for one, value in left.items():
                for other, factor in right.items():
                    monomial = tuple(sorted((*one, *other)))
                    total[monomial] = total.get(monomial, Fraction(0)) + value * factor
            if len(total) > 2 * MOST_MONOMIALS:
                raise TooLarge
        return self.limited(total)

    def limited(self, total: Expansion) -> Expansion:
        """Return a polynomial without zeros, unless it has too many monomials."""
        kept = {monomial: value for monomial, value in total.items() if value}
        if len(kept) > MOST_MONOMIALS:
            raise TooLarge
        return kept
