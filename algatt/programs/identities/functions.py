"""Identities of exponentials, roots and gates, entry by entry."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from algatt.programs.identities.looking import factors, fills, pairs, same_shape

if TYPE_CHECKING:
    from algatt.programs.rewriting import Rewriting

__all__ = [
    "beside_factors",
    "gate_of_gated",
    "gate_twice",
    "reciprocal_of_exponential",
    "root_of_reciprocal",
    "sigmoid_of_exponentials",
    "sigmoid_of_quotient",
    "tanh_of_exponentials",
    "tanh_of_two_exponentials",
]


def sigmoid_of_exponentials(made: Rewriting, operand: int) -> int | None:
    """1 / (1 + exp(-A)) is the logistic function of A."""
    for one, exponential in pairs(made, operand, "add"):
        if made.number_in(one) == 1 and made[exponential].operation == "exp" and fills(made, operand, exponential):
            return made.write("sigmoid", made.scaled(made[exponential].operands[0], Fraction(-1)))
    return None


def reciprocal_of_exponential(made: Rewriting, operand: int) -> int | None:
    """1 / exp(A) = exp(-A)."""
    one = made[operand]
    return made.write("exp", made.scaled(one.operands[0], Fraction(-1))) if one.operation == "exp" else None


def root_of_reciprocal(made: Rewriting, operand: int) -> int | None:
    """The root of 1 / A is 1 over that of A."""
    one = made[operand]
    return made.write("reciprocal", made.write("sqrt", *one.operands)) if one.operation == "reciprocal" else None


def gate_of_gated(made: Rewriting, operand: int) -> int | None:
    """A * (A > 0) and c A, for c > 0, are positive where A is; so is (A > 0) itself."""
    inner, factor = made.without_factor(operand)
    if factor > 0 and factor != 1:
        return made.write("positive", inner)
    if made[operand].operation == "positive":
        return operand
    for gate, other in pairs(made, operand, "multiply"):
        if made[gate].operation == "positive" and made[gate].operands[0] == other:
            return gate
    return None


def gate_twice(made: Rewriting, left: int, right: int) -> int | None:
    """(A > 0) * (A > 0) = (A > 0)."""
    given, others = factors(made, left), factors(made, right)
    kept = [one for one in others if not (made[one].operation == "positive" and one in given)]
    return None if kept == others else made.product_of([left, *kept])


def beside_factors(made: Rewriting, left: int, right: int) -> int | None:
    """(A * B) * C = A * (B * C), where an identity knows B * C."""
    for whole, last in ((left, right), (right, left)):
        given = factors(made, whole) if made[last].operation == "sigmoid" else []
        for place, factor in enumerate(given if len(given) > 1 else ()):
            found = sigmoid_of_quotient(made, factor, last)
            if found is not None:
                return made.product_of([*given[:place], found, *given[place + 1 :]])
    return None


def sigmoid_of_quotient(made: Rewriting, left: int, right: int) -> int | None:
    """exp(A) times the logistic function of -A is the logistic function of A."""
    for first, second in ((left, right), (right, left)):
        if made[first].operation == "exp" and made[second].operation == "sigmoid" and same_shape(made, first, second):
            (exponent,), (argument,) = made[first].operands, made[second].operands
            if argument == made.scaled(exponent, Fraction(-1)):
                return made.write("sigmoid", exponent)
    return None


def tanh_of_exponentials(made: Rewriting, left: int, right: int) -> int | None:
    """(exp(A) - 1) / (exp(A) + 1) is twice the logistic function of A, less 1."""
    for first, second in ((left, right), (right, left)):
        if made[second].operation == "sigmoid" and same_shape(made, first, second):
            (argument,) = made[second].operands
            for one, exponential in pairs(made, first, "add"):
                if made.number_in(one) == -1 and made[exponential].operation == "exp":
                    (exponent,) = made[exponential].operands
                    if argument == made.scaled(exponent, Fraction(-1)):
                        twice = made.scaled(made.write("sigmoid", exponent), Fraction(2))
                        return made.combined("add", twice, made.constant(np.array(Fraction(-1))))
    return None


def tanh_of_two_exponentials(made: Rewriting, left: int, right: int) -> int | None:
    """(exp(A) - exp(-A)) / (exp(A) + exp(-A)) is twice the logistic function of 2 A, less 1."""
    for first, second in ((left, right), (right, left)):
        if made[second].operation != "reciprocal" or not same_shape(made, first, second):
            continue
        below = set(made[made[second].operands[0]].operands)
        for one, minus in pairs(made, first, "add"):
            other, factor = made.without_factor(minus)
            if factor == -1 and {one, other} == below and made[one].operation == made[other].operation == "exp":
                if made[made[second].operands[0]].operation != "add":
                    continue
                (exponent,), (opposite,) = made[one].operands, made[other].operands
                if opposite == made.scaled(exponent, Fraction(-1)):
                    twice = made.write("sigmoid", made.scaled(exponent, Fraction(2)))
                    return made.combined("add", made.scaled(twice, Fraction(2)), made.constant(np.array(Fraction(-1))))
    return None
