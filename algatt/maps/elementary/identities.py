"""Linear relations between results of a program, proved by expanding them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from algatt.programs import Instruction, Program

DEPTH = 6
"""Results that are so many operations away are taken for variables, at most."""

MOST_TERMS = 20000
"""An expansion with more terms is given up."""

EXPANDED = {"add", "negate", "multiply", "product", "transpose", "take", "concatenate", "column_products", "centre"}
EXPANDED |= {"constant"}
"""Operations that are expanded; the results of others are variables."""

Term = tuple[int, int, Fraction]
"""The number of an instruction, an entry of its result by its position in rows, and a coefficient."""


class TooLong(ArithmeticError):
    """Raised where an expansion has too many terms."""


@dataclass(frozen=True, eq=False)
class Polynomial:
    """A polynomial: the coefficients that are not zero, by the variables of each monomial in order."""

    terms: dict[tuple[int, ...], Fraction]

    def __add__(self, other: Polynomial) -> Polynomial:
        terms = dict(self.terms)
        for monomial, value in other.terms.items():
            total = terms.get(monomial, 0) + value
            if total:
                terms[monomial] = total
            else:
                del terms[monomial]
        return limited(terms)

    def __neg__(self) -> Polynomial:
        return Polynomial({monomial: -value for monomial, value in self.terms.items()})

    def __mul__(self, other: Polynomial) -> Polynomial:
        terms: dict[tuple[int, ...], Fraction] = {}
        for left, value in self.terms.items():
            for right, factor in other.terms.items():
                monomial = tuple(sorted((*left, *right)))
                terms[monomial] = terms.get(monomial, Fraction(0)) + value * factor
        return limited({monomial: value for monomial, value in terms.items() if value})


def limited(terms: dict[tuple[int, ...], Fraction]) -> Polynomial:
    """Return a polynomial, unless it has too many terms."""
    if len(terms) > MOST_TERMS:
        raise TooLong
    return Polynomial(terms)


def is_zero(program: Program, terms: Sequence[Term]) -> bool:
    """Return whether a linear combination of entries of results is proved to be zero.

    The results are expanded into polynomials in those of earlier instructions, of ever earlier ones. What is zero as a
    polynomial in these is zero. False says that no proof was found.
    """
    for depth in range(1, DEPTH + 1):
        try:
            total = sum_of(program, terms, depth)
        except TooLong:
            return False
        if not total.terms:
            return True
    return False


def sum_of(program: Program, terms: Sequence[Term], depth: int) -> Polynomial:
    """Return a linear combination as a polynomial in results that are so many operations away."""
    ends = {number for number, _, _ in terms}
    expanded = near(program, ends, depth)
    found: dict[int, np.ndarray] = {}
    operands = {operand for number in expanded for operand in program.instructions[number].operands}
    needed = sorted(expanded | ends | operands)
    names: dict[tuple[int, int], int] = {}
    for number in needed:
        one = program.instructions[number]
        if number in expanded:
            found[number] = expand(one, [found[operand] for operand in one.operands])
        else:
            count = int(np.prod(one.shape))
            variables = [names.setdefault((number, entry), len(names)) for entry in range(count)]
            found[number] = array([Polynomial({(name,): Fraction(1)}) for name in variables], one.shape)
    total = Polynomial({})
    for number, entry, coefficient in terms:
        total = total + found[number].ravel()[entry] * Polynomial({(): coefficient})
    return total


def near(program: Program, numbers: set[int], depth: int) -> set[int]:
    """Return the instructions that are expanded: those less than `depth` operations away, if they can be."""
    expanded: set[int] = set()
    front = numbers
    for _ in range(depth):
        front = {number for number in front if program.instructions[number].operation in EXPANDED}
        expanded |= front
        front = {operand for number in front for operand in program.instructions[number].operands}
    constants = {number for number in front if program.instructions[number].operation == "constant"}
    return expanded | constants


def array(entries: list[Any], shape: tuple[int, ...]) -> np.ndarray:
    """Return an array of objects."""
    result = np.empty(len(entries), dtype=object)
    result[:] = entries
    return result.reshape(shape)


def expand(one: Instruction, operands: list[np.ndarray]) -> np.ndarray:
    """Return the result of an instruction as polynomials."""
    if one.operation == "constant":
        return array([Polynomial({(): value} if value else {}) for value in one.argument], one.shape)
    if one.operation == "take":
        rows, columns = one.argument
        return operands[0][list(rows)][:, list(columns)]
    if one.operation == "concatenate":
        return np.concatenate(operands, axis=one.argument - 2)
    result = np.empty(one.shape, dtype=object)
    result[...] = RESULTS[one.operation](*operands)  # of a single number operators return no array
    return result


def centred(X: np.ndarray) -> np.ndarray:
    """Return columns less their means."""
    return X + X.sum(axis=0, keepdims=True) * Polynomial({(): Fraction(-1, len(X))})


RESULTS: dict[str, Callable[..., np.ndarray]] = {
    "add": operator.add,
    "negate": operator.neg,
    "multiply": operator.mul,
    "product": operator.matmul,
    "transpose": np.transpose,
    "centre": centred,
    "column_products": lambda left, right: (left * right).sum(axis=0, keepdims=True),
}
"""What operations do with arrays of polynomials."""
