"""Polynomials in sizes and in minima of sizes: which ones are looked for, and their values."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

Form = tuple[tuple[str, int], ...]
"""A sum of sizes, each with what it is multiplied by; the name "" stands for 1."""


@dataclass(frozen=True, order=True)
class Minimum:
    """The smallest one of several sums of sizes.

    Parameters
    ----------
    forms : tuple of tuple of (str, int)
        The sums: names of sizes with what each is multiplied by; the name "" stands for 1.
    """

    forms: tuple[Form, ...]

    def value(self, sizes: Mapping[str, int]) -> int:
        """Return its value."""
        return min(sum(factor * sizes.get(name, 1) for name, factor in form) for form in self.forms)

    def written(self, names: Mapping[str, str], command: str = "min", product: str = "*") -> str:
        """Return it as text; ``names`` are what sizes are called there."""

        def term(name: str, factor: int) -> str:
            if not name:
                return str(factor)
            return names.get(name, name) if factor == 1 else f"{factor}{product}{names.get(name, name)}"

        return f"{command}({', '.join(' + '.join(itertools.starmap(term, form)) for form in self.forms)})"


@dataclass(frozen=True)
class FormulaShape:
    """Polynomials of a degree in sizes and minima, without products of different minima.

    Parameters
    ----------
    sizes : tuple of str
        The sizes.
    minima : tuple of Minimum
        The minima.
    degree : int
        The degree, at most.
    most : tuple of int, optional
        The degree in each size, at most.
    """

    sizes: tuple[str, ...]
    minima: tuple[Minimum, ...]
    degree: int
    most: tuple[int, ...] = ()

    @property
    def used(self) -> tuple[str, ...]:
        """The sizes on which the values depend."""
        places = {place for monomial in self.monomials for place in monomial}
        walls = {name for one in self.minima for form in one.forms for name, _ in form}
        return tuple(name for place, name in enumerate(self.sizes) if place in places or name in walls)

    @property
    def whole(self) -> bool:
        """Whether all minima of two sizes are there, and nothing but minima of sizes; or none at all."""
        plain = all(len(form) == 1 and form[0][1] == 1 and form[0][0] for one in self.minima for form in one.forms)
        count = len(self.sizes)
        return plain and len(self.minima) in (0, math.comb(count, 2), math.comb(count + 1, 3))

    @cached_property
    def monomials(self) -> tuple[tuple[int, ...], ...]:
        """The monomials, each as the places of its factors; sizes come before minima."""
        sizes = range(len(self.sizes))
        return tuple(
            (*product, *(minimum,) * power)
            for degree in range(self.degree + 1)
            for power in range(degree + 1)
            for product in itertools.combinations_with_replacement(sizes, degree - power)
            for minimum in (range(len(self.sizes), len(self.sizes) + len(self.minima)) if power else (-1,))
            if all(product.count(place) <= most for place, most in enumerate(self.most))
        )

    def row(self, sizes: Mapping[str, int]) -> list[int]:
        """Return the values of all monomials."""
        numbers = [*(sizes[name] for name in self.sizes), *(one.value(sizes) for one in self.minima)]
        row = []
        for places in self.monomials:
            product = 1
            for place in places:
                product *= numbers[place]
            row.append(product)
        return row


def shapes(sizes: Sequence[str], degrees: Sequence[int], most: int) -> Iterator[FormulaShape]:
    """Iterate over the shapes that are tried, the simple ones first, with at most so many monomials.

    First those without minima; then with the minima of two sizes, and of two and three, all of them at once where there
    is room, or one, two or three of them where there is not; then with one more, in which there is a sum or a number.
    """
    names = tuple(sizes)
    single = [((name, 1),) for name in names]
    pairs = tuple(Minimum(some) for some in itertools.combinations(single, 2))
    triples = tuple(Minimum(some) for some in itertools.combinations(single, 3))
    sets: list[tuple[Minimum, ...]] = [(), pairs, (*pairs, *triples)]
    few = [some for count in (1, 2, 3) for some in itertools.combinations(pairs, count)]
    for degree in degrees:
        whole = [FormulaShape(names, some, degree) for some in dict.fromkeys(sets)]
        fitting = [shape for shape in whole if len(shape.monomials) <= most]
        yield from fitting
        if len(fitting) < min(2, len(whole)):
            yield from (shape for some in few if len((shape := FormulaShape(names, some, degree)).monomials) <= most)
    for degree in (one for one in degrees if one > 1):
        for other in (*sums(names), *numbers(names)):
            tried = (FormulaShape(names, (*some, other), degree) for some in ((*pairs, *triples), pairs, ()))
            fitting = [shape for shape in tried if len(shape.monomials) <= most]
            yield from fitting[:1]


def sums(names: Sequence[str]) -> Iterator[Minimum]:
    """Iterate over the minima of one or two sizes and a sum y + z or 2 y + z of others."""
    for x in names:
        rest = [name for name in names if name != x]
        for y, z in itertools.permutations(rest, 2):
            factors = (1, 2) if y < z else (2,)
            others = [name for name in rest if name > x and name not in (y, z)]
            for factor in factors:
                form = ((y, factor), (z, 1))
                yield Minimum((((x, 1),), form))
                for other in others:
                    yield Minimum((((x, 1),), ((other, 1),), form))


def numbers(names: Sequence[str]) -> Iterator[Minimum]:
    """Iterate over the minima of a size and a number, or twice another size."""
    for x in names:
        for number in (1, 2):
            yield Minimum((((x, 1),), (("", number),)))
        for y in names:
            if y != x:
                yield Minimum((((x, 1),), ((y, 2),)))
