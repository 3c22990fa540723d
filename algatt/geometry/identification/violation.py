"""An equation of a neuromanifold that a polynomial map violates."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from algatt.geometry.implicit.equations import written
from algatt.geometry.implicit.monomials import EntryMonomial
from algatt.verbs.views import Tabled

Terms = tuple[tuple[tuple[EntryMonomial, ...], int], ...]
"""For each product the monomials whose coefficients are multiplied, with repetitions, and the integer before it."""


@dataclass(frozen=True)
class Violation(Tabled):
    """A polynomial in the coefficients of a function that vanishes for all functions of a network, and not for a map.

    Parameters
    ----------
    terms : tuple of (tuple of Monomial, int)
        For each product the monomials whose coefficients are multiplied, with repetitions, and the integer before it.
    value : Fraction
        What it is for the map: not zero.
    status : str
        ``proven``: it vanishes identically in the weights; or ``probable``: at random integer weights.
    """

    terms: Terms
    value: Fraction
    status: str

    def __str__(self) -> str:
        names = sorted({one for factors, _ in self.terms for one in factors})
        places = [(tuple(names.index(one) for one in factors), number) for factors, number in self.terms]
        return f"{written(places, [f'[{one}]' for one in names])} = {self.value}"


def violation(terms: Terms, values: Mapping[EntryMonomial, Fraction], status: str) -> Violation | None:
    """Return an equation as one that a map violates; None if its coefficients satisfy it."""
    products = [math.prod((values.get(one, Fraction(0)) for one in factors), start=Fraction(1)) for factors, _ in terms]
    value = sum((number * product for (_, number), product in zip(terms, products, strict=True)), start=Fraction(0))
    return Violation(terms, value, status) if value else None
