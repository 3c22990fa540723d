"""The scores of normalised networks a second time: values and derivatives, of residues and of balls alike."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

__all__ = ["SCORES", "Score", "score_of"]

Scalar = Any
"""A ``flint.nmod`` or a ``flint.arb``."""

MOST_DIGITS = 4000
"""A longer number is none that anyone meant; Python would refuse to read it, too."""

LARGEST_EXPONENT = 10**6
"""Powers up to here take no time, and leave the exponents of balls readable."""


class Score(ABC):
    """A function S of one variable."""

    @abstractmethod
    def at(self, x: Scalar) -> tuple[Scalar, Scalar]:
        """Return S(x) and S'(x)."""

    @property
    def homogeneous(self) -> bool:
        """Whether S(c x) is a multiple of S(x)."""
        return False

    @property
    def algebraic(self) -> bool:
        """Whether there are values modulo a prime."""
        return True

    @property
    def cost(self) -> int:
        """About how many multiplications a value takes."""
        return 1

    @property
    def exponent(self) -> int:
        """The number h for which queries and keys at real points are multiplied by 2^h, where h <= 0."""
        return 0


@dataclass(frozen=True)
class Exponential(Score):
    """e^(x / temperature)."""

    temperature: Fraction

    @property
    def exponent(self) -> int:
        shorter = self.temperature.denominator.bit_length() - self.temperature.numerator.bit_length()
        return -(shorter // 2) if shorter > 0 else 0

    @property
    def algebraic(self) -> bool:
        return False

    def at(self, x: Scalar) -> tuple[Scalar, Scalar]:
        n, m = self.temperature.numerator, self.temperature.denominator
        return self.with_value((x * m / n).exp())

    def with_value(self, value: Scalar) -> tuple[Scalar, Scalar]:
        """Return a value with the derivative that belongs to it: for a residue that stands for an exponential, too."""
        return value, value * self.temperature.denominator / self.temperature.numerator


@dataclass(frozen=True)
class Affine(Score):
    """a x + b."""

    a: int
    b: int

    @property
    def homogeneous(self) -> bool:
        return self.b == 0

    def at(self, x: Scalar) -> tuple[Scalar, Scalar]:
        return x * self.a + self.b, x * 0 + self.a


@dataclass(frozen=True)
class Power(Score):
    """x^k."""

    k: int

    @property
    def homogeneous(self) -> bool:
        return True

    def at(self, x: Scalar) -> tuple[Scalar, Scalar]:
        below = x ** (self.k - 1)
        return below * x, below * self.k


@dataclass(frozen=True)
class Rational(Score):
    """A quotient of polynomials, given by their coefficients from the constant one on."""

    numerator: list[int]
    denominator: list[int]

    @property
    def homogeneous(self) -> bool:
        return not any(self.numerator[:-1]) and not any(self.denominator[:-1])

    @property
    def cost(self) -> int:
        return len(self.numerator) + len(self.denominator)

    def at(self, x: Scalar) -> tuple[Scalar, Scalar]:
        (n, dn), (m, dm) = polynomial(self.numerator, x), polynomial(self.denominator, x)
        return n / m, (dn * m - n * dm) / (m * m)


def polynomial(coefficients: list[int], x: Scalar) -> tuple[Scalar, Scalar]:
    """Return the values of a polynomial and of its derivative (Horner's rule, and its derivative)."""
    value = derivative = x * 0
    for coefficient in reversed(coefficients):
        derivative = derivative * x + value
        value = value * x + coefficient
    return value, derivative


SCORES: dict[str, dict[str, type]] = {
    "Affine": {"name": str, "a": int, "b": int},
    "Exponential": {"name": str, "temperature": str},
    "Power": {"name": str, "k": int},
    "Rational": {"name": str, "numerator": list, "denominator": list},
}
"""For each score that is known here its description: the names of the plain values, and their types; a list is one of
integers.
"""


def score_of(description: dict[str, Any]) -> Score:
    """Return the score that is described as in `SCORES`, or raise `ValueError` if there is none."""
    name = description["name"]
    if name == "Affine" and description["a"] != 0:
        return Affine(description["a"], description["b"])
    if name == "Exponential":
        return Exponential(temperature_of(description["temperature"]))
    if name == "Power" and 1 <= description["k"] <= LARGEST_EXPONENT:
        return Power(description["k"])
    if name == "Rational":
        n, m = description["numerator"], description["denominator"]
        if (
            n
            and m
            and n[-1]
            and m[-1]
            and not (len(n) == len(m) and all(a * m[-1] == b * n[-1] for a, b in zip(n, m, strict=True)))
        ):
            return Rational(n, m)
    raise ValueError(f"there is no score {name} with these coefficients, or none that can be verified here")


def temperature_of(text: str) -> Fraction:
    """Return a positive fraction that is written like 3 or 1/2."""
    if len(text) > MOST_DIGITS or re.fullmatch("[1-9][0-9]*(/[1-9][0-9]*)?", text) is None:
        raise ValueError("the temperature is not a positive fraction such as 3 or 1/2")
    return Fraction(text)
