"""The formula behind a sweep: a polynomial in sizes and their minima that gives all answers, a conjecture."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from algatt.errors import InvalidArgument, MissingExtra
from algatt.geometry.dimensions.formulas import Formula
from algatt.sweeps.formulas.shape import FormulaShape, Minimum
from algatt.verbs.views import Tabled

Known = Sequence[tuple[Mapping[str, int], int]]


@dataclass(frozen=True)
class FittedFormula(Tabled):
    """A polynomial in sizes and minima of sizes.

    Parameters
    ----------
    shape : Shape
        The sizes, the minima and the degree.
    coefficients : tuple of Fraction
        In the order of the shape's monomials.
    rows : int
        The number of rows that it gives.
    points : int
        The number of different points among them, in the sizes on which it depends.
    predicted : int
        The number of these points whose values follow from the others, for each size, when all points with that value
        of the size are held out.
    refuted : tuple of (dict, int)
        Rows that it does not give: sizes and value.
    unique : bool
        Whether the rows leave no other of its shape: every other with these values has the same at all sizes of the
        box around them, and one step beyond.
    """

    shape: FormulaShape
    coefficients: tuple[Fraction, ...]
    rows: int
    points: int
    predicted: int
    refuted: tuple[tuple[Mapping[str, int], int], ...]
    unique: bool

    @property
    def terms(self) -> dict[tuple[int, ...], Fraction]:
        """The coefficients that are not zero, by monomials."""
        pairs = zip(self.shape.monomials, self.coefficients, strict=True)
        return {places: factor for places, factor in pairs if factor}

    def value(self, sizes: Mapping[str, int]) -> Fraction:
        """Return its value.

        Raises
        ------
        InvalidArgument
            If a size is missing.
        """
        for name in self.shape.sizes:
            if name not in sizes:
                raise InvalidArgument("sizes", ", ".join(sizes) or "empty", f"with {name}")
        row = self.shape.row(sizes)
        return sum((c * m for c, m in zip(self.coefficients, row, strict=True) if c), Fraction(0))

    def formula(self, sizes: Mapping[str, int]) -> Formula:
        """Return its value as one of `algatt.dimension`'s formulas: a conjecture.

        Raises
        ------
        InvalidArgument
            If a size is missing, or the value is no integer.
        """
        value = self.value(sizes)
        if value.denominator != 1:
            raise InvalidArgument("sizes", ", ".join(map(str, sizes.values())), f"some with an integer, not {value}")
        return Formula(int(value), f"fitted: {self.statement}", theorem=False)

    @property
    def statement(self) -> str:
        """What it is worth."""
        refuted = f"refuted by {len(self.refuted)}" if self.refuted else "refuted by none"
        only = "" if self.unique else ", not the only one of its shape"
        rows = "" if self.rows == self.points else f" ({self.rows} rows)"
        return f"conjecture: fits {self.points} distinct points{rows}, predicted {self.predicted}, {refuted}{only}"

    def __str__(self) -> str:
        return self.written({}, "min", "*", "**")

    def latex(self) -> str:
        """Return it as LaTeX, for mathematics."""
        names = {name: latex_name(name) for name in self.shape.sizes}
        return self.written(names, r"\min", r"\,", "^", r"\frac{%d}{%d}")

    def sympy(self) -> Any:
        """Return it as an expression of SymPy, in positive integers.

        Raises
        ------
        MissingExtra
            If SymPy is not installed.
        """
        try:
            import sympy
        except ImportError:
            raise MissingExtra("sympy", "sympy") from None
        symbols = {name: sympy.Symbol(name, integer=True, positive=True) for name in self.shape.sizes}

        def minimum(one: Minimum) -> Any:
            forms = ([factor * symbols.get(name, sympy.Integer(1)) for name, factor in form] for form in one.forms)
            return sympy.Min(*(sympy.Add(*form) for form in forms))

        variables = [*symbols.values(), *map(minimum, self.shape.minima)]
        terms = []
        for places, factor in self.terms.items():
            terms.append(sympy.Rational(factor.numerator, factor.denominator))
            for place in places:
                terms[-1] *= variables[place]
        return sympy.Add(*terms)

    def written(self, names: Mapping[str, str], command: str, product: str, power: str, fraction: str = "%d/%d") -> str:
        """Return it as text, terms of high degree first."""
        minima = (one.written(names, command, product) for one in self.shape.minima)
        variables = [*(names.get(name, name) for name in self.shape.sizes), *minima]
        text = ""
        for places, factor in sorted(self.terms.items(), key=lambda item: (-len(item[0]), item[0])):
            powers = {place: places.count(place) for place in places}
            factors = [variables[place] if n == 1 else f"{variables[place]}{power}{n}" for place, n in powers.items()]
            size = abs(factor)
            number = str(size) if size.denominator == 1 else fraction % (size.numerator, size.denominator)
            if size != 1 or not factors:
                factors.insert(0, number)
            sign = ("-" if not text else " - ") if factor < 0 else ("" if not text else " + ")
            text += sign + product.join(factors)
        return text or "0"

    def check(self, rows: Iterable[tuple[Mapping[str, int], int]]) -> tuple[tuple[Mapping[str, int], int], ...]:
        """Return the rows that it does not give."""
        return tuple((sizes, value) for sizes, value in rows if self.value(sizes) != value)


def latex_name(name: str) -> str:
    """Return the name of a size as mathematics has it: ``d1`` as d with an index."""
    match = re.fullmatch(r"([A-Za-z])_?(\d+)", name)
    return (
        f"{match[1]}_{{{match[2]}}}" if match else name if len(name) == 1 else rf"\mathrm{{{name}}}".replace("_", r"\_")
    )
