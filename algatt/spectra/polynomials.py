"""Polynomials with integer coefficients, for exact moments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from algatt.errors import InvalidArgument

Exponents = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class IntegerPolynomial:
    """A polynomial in named variables with Python integers as coefficients; immutable.

    Polynomials in the same variables, and integers, are added, subtracted and multiplied; others are not equal, and
    have no sum.

    Parameters
    ----------
    variables : tuple of str
        The names, in the order of the exponents.
    coefficients : mapping
        From tuples of exponents to integers; zeros are left out.

    Examples
    --------
    >>> from algatt.spectra import IntegerPolynomial
    >>> x, y = IntegerPolynomial.generators("x", "y")
    >>> print((x + y) * (x + 2 * y))
    x^2 + 3 x y + 2 y^2
    >>> ((x + y) * (x + 2 * y))(1, 10)
    231
    """

    variables: tuple[str, ...]
    coefficients: Mapping[Exponents, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        kept = {exponents: value for exponents, value in self.coefficients.items() if value}
        object.__setattr__(self, "coefficients", MappingProxyType(kept))

    @classmethod
    def generators(cls, *variables: str) -> tuple[IntegerPolynomial, ...]:
        """Return the variables as polynomials."""
        units = [tuple(int(i == k) for i in range(len(variables))) for k in range(len(variables))]
        return tuple(cls(variables, {unit: 1}) for unit in units)

    def terms_of(self, other: IntegerPolynomial | int | np.integer) -> Mapping[Exponents, int]:
        """Return the coefficients of another polynomial in these variables, or of an integer."""
        if isinstance(other, int | np.integer):
            return {(0,) * len(self.variables): int(other)}
        if other.variables != self.variables:
            raise InvalidArgument(
                "other", f"a polynomial in {', '.join(other.variables)}", f"one in {', '.join(self.variables)}"
            )
        return other.coefficients

    def __add__(self, other: IntegerPolynomial | int | np.integer) -> IntegerPolynomial:
        if not isinstance(other, IntegerPolynomial | int | np.integer):
            return NotImplemented
        total = dict(self.coefficients)
        for exponents, value in self.terms_of(other).items():
            total[exponents] = total.get(exponents, 0) + value
        return IntegerPolynomial(self.variables, total)

    def __neg__(self) -> IntegerPolynomial:
        return self * -1

    def __sub__(self, other: IntegerPolynomial | int | np.integer) -> IntegerPolynomial:
        return self + -other

    def __rsub__(self, other: int | np.integer) -> IntegerPolynomial:
        return -self + other

    def __mul__(self, other: IntegerPolynomial | int | np.integer) -> IntegerPolynomial:
        if not isinstance(other, IntegerPolynomial | int | np.integer):
            return NotImplemented
        total: dict[Exponents, int] = {}
        for left, a in self.coefficients.items():
            for right, b in self.terms_of(other).items():
                exponents = tuple(i + j for i, j in zip(left, right, strict=True))
                total[exponents] = total.get(exponents, 0) + a * b
        return IntegerPolynomial(self.variables, total)

    __radd__, __rmul__ = __add__, __mul__

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, IntegerPolynomial | int | np.integer):
            return NotImplemented
        if isinstance(other, IntegerPolynomial) and other.variables != self.variables:
            return False
        return not (self - other).coefficients

    def __call__(self, *values: Any) -> Any:
        """Evaluate at one value for each variable, of any ring; exact for integers and fractions."""
        if len(values) != len(self.variables):
            raise InvalidArgument("values", f"{len(values)} of them", f"one for each of {', '.join(self.variables)}")
        total = 0
        for exponents, coefficient in self.coefficients.items():
            term = coefficient
            for value, exponent in zip(values, exponents, strict=True):
                term = term * value**exponent
            total = total + term
        return total

    def __str__(self) -> str:
        terms = []
        for exponents, coefficient in sorted(self.coefficients.items(), reverse=True):
            named = zip(self.variables, exponents, strict=True)
            factors = [name if exponent == 1 else f"{name}^{exponent}" for name, exponent in named if exponent]
            if coefficient != 1 or not factors:
                factors.insert(0, str(coefficient))
            terms.append(" ".join(factors))
        return " + ".join(terms) if terms else "0"
