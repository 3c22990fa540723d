"""Matrices of polynomials in the entries of an input, and spaces that they span."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

Monomial = tuple[int, ...]
"""A product of variables by their numbers, in increasing order: (0, 0, 2) is the square of the first one times the
third.
"""

Form = dict[tuple[int, int, Monomial], Fraction]
"""A matrix of polynomials: the coefficients that are not zero, by row, column and monomial."""

Key = frozenset[tuple[tuple[int, int, Monomial], Fraction]]

Multiply = Callable[[Monomial, Monomial], Monomial | None]
"""How monomials are multiplied; None stands for zero."""


def multiply_monomials(left: Monomial, right: Monomial) -> Monomial:
    """Return a product of monomials."""
    return tuple(sorted((*left, *right)))


def unit_product(tokens: int) -> Multiply:
    """Return how monomials are multiplied where columns are unit vectors: x^2 = x, and x y = 0 for two entries of one
    column. The variable in row i and column j has the number i * tokens + j.
    """

    def product(left: Monomial, right: Monomial) -> Monomial | None:
        variables = tuple(sorted({*left, *right}))
        columns = {variable % tokens for variable in variables}
        return variables if len(columns) == len(variables) else None

    return product


def key_of(form: Form) -> Key:
    """Return what multiples of a form have in common."""
    leading = form[min(form)]
    return frozenset((place, value / leading) for place, value in form.items())


def distinct(forms: Iterable[Form]) -> tuple[Form, ...]:
    """Return forms without zero and without multiples of earlier ones: they span the same space."""
    found: dict[Key, Form] = {}
    for form in forms:
        if form:
            found.setdefault(key_of(form), form)
    return tuple(found.values())
