"""A parametrization as lists of names and terms, which the templates of the systems write."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from algatt import verbs
from algatt.architectures import Architecture
from algatt.geometry.implicit.coordinate_ring import coordinate_ring
from algatt.geometry.implicit.equations import Equation
from algatt.geometry.implicit.expansion import expand

Term = tuple[Fraction, tuple[tuple[int, int], ...]]
"""A number, and the places and exponents of the variables that it is multiplied with."""


@dataclass(frozen=True)
class Notation:
    """How a system writes polynomials.

    Parameters
    ----------
    power : callable
        Writes a power of a variable.
    fraction : callable
        Writes a number that is no integer, from numerator and denominator.
    times : str
        What stands between factors.
    """

    power: Callable[[str, int], str]
    fraction: Callable[[int, int], str]
    times: str = "*"

    def polynomial(self, terms: Iterable[Term], names: list[str]) -> str:
        """Write a polynomial."""
        text = ""
        for number, powers in terms:
            factors = [names[place] if e == 1 else self.power(names[place], e) for place, e in powers]
            size = abs(number)
            if size != 1 or not factors:
                factors.insert(0, str(size) if size.denominator == 1 else self.fraction(*size.as_integer_ratio()))
            product = self.times.join(factors)
            sign = "-" if number < 0 else "+"
            text += f" {sign} {product}" if text else f"{'-' if number < 0 else ''}{product}"
        return text or "0"


@dataclass(frozen=True)
class CoordinateMap:
    """The map from the weights of a network to coordinates of the span of its functions.

    Parameters
    ----------
    title : str
        The network, in a line.
    variables : tuple of str
        A name for each weight: that of the tensor, the row and the column, as Q_1_2_1; and the scale of projective
        coordinates, where there is one.
    descriptions : tuple of str
        What each coordinate is: the coefficient of a monomial in the entries of the input, or a value at tokens.
    coordinates : tuple of list of Term
        The coordinates as polynomials in the weights.
    equations : tuple of list of Term
        Equations between the coordinates.
    """

    title: str
    variables: tuple[str, ...]
    descriptions: tuple[str, ...]
    coordinates: tuple[list[Term], ...]
    equations: tuple[list[Term], ...]

    def comments(self, sign: str) -> str:
        """Return lines of comments that say what the text is."""
        lines = [
            self.title,
            "Written by algatt: the map from the weights to coefficients that span all coefficients of the function.",
            *(f"c_{number} = {one}" for number, one in enumerate(self.descriptions, 1)),
        ]
        return "".join(f"{sign} {line}\n" for line in lines)

    def polynomials(self, notation: Notation, names: Iterable[str]) -> list[str]:
        """Return the coordinates as texts in variables of these names."""
        names = list(names)
        return [notation.polynomial(terms, names) for terms in self.coordinates]

    def relations(self, notation: Notation, names: Iterable[str]) -> list[str]:
        """Return the equations as texts in coordinates of these names."""
        names = list(names)
        return [notation.polynomial(terms, names) for terms in self.equations]


def parametrization_of(arch: Architecture, equations: Iterable[Equation] = ()) -> CoordinateMap:
    """Return the parametrization of a network, with equations between the coordinates.

    Unless it is polynomial, its coefficients are those of numerators, and of the common denominator where the closure
    is no cone, times one more variable.
    """
    ring = coordinate_ring(arch)
    polynomial = expand(arch).polynomial
    part = ring.expansion if ring.homogeneous or not polynomial else ring.expansion.numerators
    scale = () if polynomial else ((arch.parameters, 1),)
    coordinates = tuple(
        [
            (Fraction(int(number.p), int(number.q)), (*((v, int(e)) for v, e in enumerate(exponents) if e), *scale))
            for exponents, number in one.terms()
        ]
        for one in part.polynomials
    )
    shift = 0 if polynomial or ring.homogeneous else 1
    return CoordinateMap(
        " ".join(f"{arch}".split()),
        (*names_of(verbs.coordinates(arch)), *(() if polynomial else ("scale",))),
        tuple(one.description for one in part.basis),
        coordinates,
        tuple([(Fraction(n), powers_of(padded(one, places, shift))) for places, n in one.terms] for one in equations),
    )


def padded(equation: Equation, places: tuple[int, ...], shift: int) -> tuple[int, ...]:
    """Return a product of an equation; if `shift` is 1, with the denominator as first coordinate and as the factor that
    makes the equation homogeneous.
    """
    return (1,) * (shift * (equation.degree - len(places))) + tuple(one + shift for one in places)


def powers_of(places: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Return a product of coordinates, which are numbered from 1 on, as places and exponents."""
    return tuple((place - 1, places.count(place)) for place in sorted(set(places)))


def names_of(shapes: Mapping[str, tuple[int, ...]]) -> tuple[str, ...]:
    """Return a name for each entry of tensors, row by row."""
    names: list[str] = []
    for tensor, shape in shapes.items():
        plain = re.sub(r"\W", "_", tensor)
        columns = shape[-1] if shape else 1
        for place in range(math.prod(shape)):
            row, column = divmod(place, columns)
            names.append(f"{plain}_{row + 1}_{column + 1}")
    return tuple(names)
