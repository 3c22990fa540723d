"""Polynomial maps that are given by their coefficients."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from algatt.architectures import Architecture
from algatt.arguments import check_over
from algatt.errors import InvalidArgument
from algatt.fields import Rationals
from algatt.geometry.implicit.coefficients import Coefficients
from algatt.geometry.implicit.monomials import EntryMonomial

PolynomialMap = Coefficients | Mapping[Any, Any] | str
"""What stands for a polynomial map: coefficients over the rationals, numbers by monomials, or lines of both."""

ENTRY, POWER = re.compile(r"y_(\d+)_(\d+)"), re.compile(r"x_(\d+)_(\d+)(?:\^(\d+))?")
"""An entry of the value, and a power of an entry of the input, as monomials are printed."""


def terms_of_map(function: PolynomialMap, arch: Architecture) -> dict[EntryMonomial, Fraction]:
    """Return the coefficients of a polynomial map that are not zero.

    Parameters
    ----------
    function : Coefficients, mapping or str
        Coefficients over the rationals, of any network of the same shape; or numbers by monomials, which are written as
        they are printed: ``{"y_1_1: x_1_1^2*x_2_1": 3}``; or lines of monomials and numbers, as coefficients are
        printed. Floats are taken for exactly what they are.
    arch : Architecture
        A network that reads vectors, with the shape that the map should have.

    Raises
    ------
    InvalidArgument
        For coefficients over another field, what is no monomial or number, and other shapes.
    """
    if isinstance(function, Coefficients):
        check_over("function", function.field, Rationals, "over Rationals()")
        pairs = [
            (one, Fraction(int(value.p), int(value.q)))
            for one, value in zip(function.basis, function.vector, strict=True)
        ]
    else:
        lines = filter(str.strip, function.splitlines()) if isinstance(function, str) else ()
        entries = function.items() if isinstance(function, Mapping) else map(split_line, lines)
        pairs = [(monomial_of(name), number_of(name, value)) for name, value in entries]
    rows, columns = arch.input_shape
    found: dict[EntryMonomial, Fraction] = {}
    for one, number in pairs:
        inside = all(i < rows and j < columns for i, j, _ in one.powers)
        if not inside or not 0 <= one.row < arch.output_shape[0] or not 0 <= one.column < arch.output_shape[1]:
            should = f"a map from inputs of shape {arch.input_shape} to values of shape {arch.output_shape}"
            raise InvalidArgument("function", f"one with the monomial {one}", should)
        found[one] = found.get(one, Fraction()) + number
    return {one: number for one, number in found.items() if number}


def monomial_of(name: Any) -> EntryMonomial:
    """Return a monomial, which may be written as it is printed."""
    if isinstance(name, EntryMonomial):
        return name
    entry, _, product = str(name).partition(":")
    value = ENTRY.fullmatch(entry.strip())
    powers: dict[tuple[int, int], int] = {}
    factors = [] if product.strip() == "1" else product.split("*")
    matches = [match for factor in factors if (match := POWER.fullmatch(factor.strip()))]
    if value is None or len(matches) < len(factors):
        was = f"one with {name!r} for a monomial"
        raise InvalidArgument("function", was, "one with monomials and numbers, such as 'y_1_1: x_1_1^2*x_2_1 3/2'")
    for match in matches:
        key = int(match[1]) - 1, int(match[2]) - 1
        powers[key] = powers.get(key, 0) + int(match[3] or 1)
    listed = tuple((i, j, power) for (i, j), power in sorted(powers.items()) if power)
    return EntryMonomial(int(value[1]) - 1, int(value[2]) - 1, listed)


def split_line(line: str) -> tuple[str, str]:
    """Return the monomial and the number of a line."""
    name, _, number = line.strip().rpartition(" ")
    return name, number


def number_of(name: Any, value: Any) -> Fraction:
    """Return a number exactly."""
    try:
        return Fraction(int(value.p), int(value.q)) if hasattr(value, "p") else Fraction(value)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        raise InvalidArgument("function", f"one with {value!r} at {name}", "one with rational numbers") from None
