"""Rational functions over the rationals, as numbers: a network evaluated over them is a quotient in lowest terms."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import DivisionByZero
from algatt.fields.ball import entrywise
from algatt.fields.base import Field
from algatt.fields.polynomial import check_products, check_size, ring
from algatt.fields.scalar import ScalarField, rational


class Quotient:
    """A quotient of polynomials of FLINT in lowest terms, with a denominator of leading coefficient one.

    Sums and products divide by greatest common divisors of the parts that may have one (Henrici, J. ACM 3, 1956).
    """

    __slots__ = ("denominator", "numerator")

    def __init__(self, numerator: Any, denominator: Any) -> None:
        self.numerator, self.denominator = numerator, denominator

    def __add__(self, other: Quotient) -> Quotient:
        check_size(len(self) * len(other))
        a, b, c, d = self.numerator, self.denominator, other.numerator, other.denominator
        if b == d:
            total, common = a + c, b
            shared = total.gcd(common)
            return Quotient(total / shared, common / shared)
        common = b.gcd(d)
        rest = b / common
        total = a * (d / common) + c * rest
        shared = total.gcd(common)
        return Quotient(total / shared, rest * (d / shared))

    def __neg__(self) -> Quotient:
        return Quotient(-self.numerator, self.denominator)

    def __mul__(self, other: Quotient) -> Quotient:
        check_size(len(self) * len(other))
        a, b, c, d = self.numerator, self.denominator, other.numerator, other.denominator
        left, right = a.gcd(d), c.gcd(b)
        return Quotient((a / left) * (c / right), (b / right) * (d / left))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Quotient):
            return bool(self.numerator == other.numerator and self.denominator == other.denominator)
        return bool(self.numerator == other and self.denominator.is_one())

    def __len__(self) -> int:
        return max(len(self.numerator), len(self.denominator))

    def inverse(self) -> Quotient:
        """Return one over the quotient."""
        leading = self.numerator.leading_coefficient()
        return Quotient(self.denominator / leading, self.numerator / leading)


@dataclass(frozen=True)
class RationalFunctions(ScalarField):
    """The field of rational functions over Q in `variables` unknowns: quotients of FLINT's sparse polynomials.

    Parameters
    ----------
    variables : int
        The number of unknowns.

    Raises
    ------
    InvalidArgument
        Where a sum or product of two quotients may have more than 2^26 products of terms, before it is computed.
    """

    variables: int

    @classmethod
    def examples(cls) -> Iterable[Field]:
        return ()

    @property
    def characteristic(self) -> int:
        return 0

    @property
    def context(self) -> Any:
        """FLINT's ring of numerators and denominators, in lexicographic order."""
        return ring(self.variables, 0)

    @property
    def scalar(self) -> Callable[[Any], Any]:
        context = self.context
        one = context.constant(1)

        def element(entry: Any) -> Quotient:
            return entry if isinstance(entry, Quotient) else Quotient(context.constant(rational(entry)), one)

        return element

    @property
    def drawn(self) -> int:
        """The number of constants among which a random one is chosen."""
        return 2**64

    def unknowns(self, shape: tuple[int, ...], start: int = 0) -> np.ndarray:
        """Return a raw array of different unknowns, number `start` and those after it, row by row."""
        one = self.context.constant(1)
        raw = np.empty(int(np.prod(shape, dtype=np.int64)), dtype=object)
        raw[:] = [Quotient(self.context.gen(start + number), one) for number in range(raw.size)]
        return raw.reshape(shape)

    def __str__(self) -> str:
        return f"rational functions over QQ in {self.variables} unknowns"


def over_common_denominator(raw: np.ndarray) -> tuple[Any, np.ndarray]:
    """Return the least common multiple of the denominators of a raw array, and the numerators over it."""
    different: list[Any] = []
    for entry in raw.flat:
        if entry.denominator not in different:
            different.append(entry.denominator)
    common = different[0]
    for one in different[1:]:
        factor = one / common.gcd(one)
        check_size(len(common) * len(factor))
        common = common * factor
    check_size(sum(len(entry.numerator) * len(common) // len(entry.denominator) for entry in raw.flat))
    factors = [common / one for one in different]
    return common, entrywise(lambda entry: entry.numerator * factors[different.index(entry.denominator)], raw)


@verbs.multiply.method
def multiply_quotients(field: RationalFunctions, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    check_products(np.multiply, left, right)
    return np.asarray(left * right, dtype=object)


@verbs.reciprocal.method
def reciprocal_of_quotients(field: RationalFunctions, raw: np.ndarray) -> np.ndarray:
    if any(entry.numerator.is_zero() for entry in raw.flat):
        raise DivisionByZero("a denominator is zero for all weights and inputs")
    return entrywise(Quotient.inverse, raw)
