"""Rational numbers at a random input, and numbers that are not known: what tells that a denominator vanishes at every
input, although other parts of the network have no rational values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import DivisionByZero
from algatt.fields.ball import entrywise
from algatt.fields.functions.base import Function
from algatt.fields.functions.sqrt import Sqrt
from algatt.fields.scalar import ScalarField, rational
from algatt.randomness import random_words

__all__ = ["Partial", "PartialRationals"]


@dataclass(frozen=True, eq=False, slots=True)
class Partial:
    """The value of a rational function at a random input, with bounds of the degrees of its numerator and denominator;
    or a number that is not known.

    Parameters
    ----------
    value : flint.fmpq or None
        The value; None if it is not known.
    degree, poles : int
        The degrees in the entries of the input. Zero of degree 0 is zero at every input.
    """

    value: Any
    degree: int = 0
    poles: int = 0

    @property
    def known(self) -> bool:
        """Whether the value is known."""
        return self.value is not None

    @property
    def is_zero(self) -> bool:
        """Whether the value is zero at the random input."""
        return self.known and self.value == 0

    @property
    def is_always_zero(self) -> bool:
        """Whether the function is zero."""
        return self.is_zero and self.degree == 0

    def __add__(self, other: Partial) -> Partial:
        if self.is_always_zero or other.is_always_zero:
            return other if self.is_always_zero else self
        if not (self.known and other.known):
            return UNKNOWN
        degree = max(self.degree + other.poles, other.degree + self.poles)
        return Partial(self.value + other.value, degree, self.poles + other.poles)

    def __neg__(self) -> Partial:
        return Partial(-self.value, self.degree, self.poles) if self.known else self

    def __mul__(self, other: Partial) -> Partial:
        if self.is_always_zero or other.is_always_zero:
            return self if self.is_always_zero else other
        if not (self.known and other.known):
            return UNKNOWN
        return Partial(self.value * other.value, self.degree + other.degree, self.poles + other.poles)


UNKNOWN = Partial(None)


@dataclass(frozen=True)
class PartialRationals(ScalarField):
    """The rational numbers, where functions of one variable have values that are not known: but roots of zero are zero,
    and what is multiplied by zero.

    Parameters
    ----------
    divisors : list of int, optional
        Where the degrees of all that is divided by are collected, up to the first zero.
    """

    divisors: list[int] = field(default_factory=list, compare=False, repr=False)

    @property
    def scalar(self) -> Callable[[Any], Any]:
        return partial

    @property
    def drawn(self) -> int:
        return 2**64

    def __str__(self) -> str:
        return "QQ with unknown numbers"


def partial(entry: Any) -> Partial:
    """Return a number as a constant."""
    return entry if isinstance(entry, Partial) else Partial(rational(entry))


@verbs.draw_array.method
def draw_partial(field: PartialRationals, *, shape: tuple[int, ...], seed: int, label: str) -> np.ndarray:
    """Uniform on the integers from 0 to 2^64 - 1: entries of an input, of degree 1."""
    words = random_words(seed, label, int(np.prod(shape, dtype=np.int64))).reshape(shape)
    return entrywise(lambda word: Partial(rational(int(word)), 1), words)


@verbs.reciprocal.method
def reciprocal_partial(field: PartialRationals, raw: np.ndarray) -> np.ndarray:
    field.divisors.append(sum(entry.degree for entry in raw.flat))
    if any(entry.is_zero for entry in raw.flat):
        raise DivisionByZero("a denominator is zero at a random input")
    return entrywise(lambda entry: Partial(1 / entry.value, entry.poles, entry.degree) if entry.known else entry, raw)


@verbs.entrywise.method
def functions_are_not_known(field: PartialRationals, function: Function, raw: np.ndarray) -> np.ndarray:
    return entrywise(lambda entry: UNKNOWN, raw)


@verbs.entrywise.method
def roots_of_zero(field: PartialRationals, function: Sqrt, raw: np.ndarray) -> np.ndarray:
    return entrywise(lambda entry: entry if entry.is_zero else UNKNOWN, raw)


@verbs.largest.method
def largest_is_not_known(field: PartialRationals, raw: np.ndarray, *, count: int) -> np.ndarray:
    return entrywise(lambda entry: UNKNOWN, raw)


@verbs.circle_points.method
def circles_are_not_known(
    field: PartialRationals, *, angles: tuple[float, ...], positions: tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray]:
    unknown = np.full((len(angles), len(positions)), UNKNOWN, dtype=object)
    return unknown, unknown
