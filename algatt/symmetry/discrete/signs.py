r"""Coordinates of a network whose signs may be changed, found by linear equations over :math:`\mathbb F_2`.

If some rows and columns of the tensors are negated, a result N may become :math:`D\,(N - c)\,E + c` with diagonal
matrices D and E of signs and a constant c: c = 1/2 for a sigmoid, whose values at x and -x add up to 1. For one
coordinate of a space, each operation asks for linear equations between the exponents of -1 in its operands and in its
result; docs/theory/elements.md has the rules with their proofs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from algatt.programs import Program
from algatt.programs.interpret import Instruction
from algatt.symmetry.discrete.coordinates import Axis, CoordinateClasses, coordinate_classes, in_one_order, size_of

SignedSides = tuple[tuple[tuple[str, int], ...], int]
"""Sides of tensors, as (name, 0 for rows or 1 for columns), of which a coordinate may be negated, and their size."""

CENTRES = {"erf": Fraction(0), "sigmoid": Fraction(1, 2)}
"""Functions of one variable f with f(-x) - c = c - f(x), each with its c."""

SIGNED = (
    "product", "transpose", "column_products", "multiply", "concatenate", "take", "centre", "negate", "reciprocal"
)  # fmt: skip
"""Operations that multiply, or move, what is negated."""


@dataclass
class SignEquations:
    """Equations between the signs of rows and columns of the results of a program.

    Parameters
    ----------
    program : Program
        The program.
    classes : CoordinateClasses
        Rows and columns that are in one order: what is negated in one of them is a coordinate of all.

    Attributes
    ----------
    forms : list of set of Axis
        Sums that vanish.
    centres : dict of int to Fraction
        The constants c of the results, where they are not zero.
    """

    program: Program
    classes: CoordinateClasses
    forms: list[set[Axis]] = field(default_factory=list)
    centres: dict[int, Fraction] = field(default_factory=dict)

    def is_free(self, axis: Axis) -> bool:
        """Return whether signs may be changed at all."""
        return size_of(self.program, axis) > 1 and not self.classes.is_fixed(axis) and not self.classes.is_taken(axis)

    def vanish(self, *axes: Axis) -> None:
        """Require that the signs of rows or columns, multiplied coordinate by coordinate, are 1."""
        form: set[Axis] = set()
        for axis in axes:
            if self.is_free(axis):
                form ^= {axis}
        if form:
            self.forms.append(form)

    def keep(self, *numbers: int) -> None:
        """Require that results do not change."""
        for number in numbers:
            for axis in (0, 1):
                self.vanish((number, axis))

    def collect(self) -> None:
        """Collect the equations of all instructions."""
        for number, one in enumerate(self.program.instructions):
            centre = self.centre_of(one)
            if centre is None:  # then no operand may have a centre and change its sign
                self.keep(*(operand for operand in one.operands if operand in self.centres))
            elif centre:
                self.centres[number] = centre
            self.add(number, one)
        self.keep(len(self.program) - 1)

    def centre_of(self, one: Instruction) -> Fraction | None:
        """Return the constant c of a result, or None if no operand may have another one than 0."""
        if one.operation in CENTRES:
            return None if one.operands[0] in self.centres else CENTRES[one.operation]
        own = [self.centres.get(operand, Fraction(0)) for operand in one.operands]
        if one.operation == "negate":
            return -own[0]
        if one.operation == "transpose":
            return own[0]
        if one.operation in ("add", "multiply"):
            for place, operand in enumerate(one.operands):
                constant = self.program.uses.constant(operand)
                if constant is not None:
                    other = own[1 - place]
                    return other + constant if one.operation == "add" else other * constant
        return None if any(own) else Fraction(0)

    def add(self, number: int, one: Instruction) -> None:
        """Require what an instruction asks for: what it multiplies, and the result, have signs whose product is 1."""
        if one.operation == "add":
            self.add_sum(number, one)
        elif one.operation in SIGNED or one.operation in CENTRES:
            for axes in in_one_order(self.program, number):
                self.vanish(*axes)
            if one.operation == "centre":
                self.vanish((number, 0))
        elif one.operation != "tensor":
            self.keep(number, *one.operands)

    def add_sum(self, number: int, one: Instruction) -> None:
        """Terms have the signs of their sum; along an axis where one is spread there are none, but beside constants."""
        terms = [operand for operand in one.operands if self.program.uses.constant(operand) is None]
        for axis in (0, 1):
            whole = size_of(self.program, (number, axis))
            for term in terms:
                if size_of(self.program, (term, axis)) == whole:
                    self.vanish((number, axis), (term, axis))
                else:
                    self.vanish((number, axis))


def signed_sides(program: Program) -> tuple[SignedSides, ...]:
    """Return the sides of tensors of which each coordinate may be negated, together, without changing the value."""
    equations = SignEquations(program, coordinate_classes(program))
    equations.collect()
    return tuple(solutions(equations))


def solutions(equations: SignEquations) -> Iterator[SignedSides]:
    """Iterate over a basis of the solutions, as sides of tensors."""
    names = {
        number: one.argument for number, one in enumerate(equations.program.instructions) if one.operation == "tensor"
    }
    axes = [
        (number, axis)
        for number in range(len(equations.program))
        for axis in (0, 1)
        if equations.is_free((number, axis))
    ]
    axes.sort(key=lambda one: one[0] in names)  # those of tensors last: the others are expressed by them
    place = {axis: position for position, axis in enumerate(axes)}
    rows: dict[int, int] = {}  # by the lowest bit of each
    for form in equations.forms:
        row = sum(1 << place[axis] for axis in form)
        while row and lowest(row) in rows:
            row ^= rows[lowest(row)]
        if row:
            rows[lowest(row)] = row
    pivots = sum(1 << pivot for pivot in rows)
    for pivot in sorted(rows, reverse=True):  # which no other row has in the end
        while others := rows[pivot] & pivots & ~(1 << pivot):
            rows[pivot] ^= rows[lowest(others)]
    for free in (position for position in range(len(axes)) if position not in rows):
        found = {free} | {pivot for pivot, row in rows.items() if row >> free & 1}
        sides = tuple((names[axes[one][0]], axes[one][1]) for one in sorted(found) if axes[one][0] in names)
        if sides:
            yield sides, size_of(equations.program, axes[free])


def lowest(row: int) -> int:
    """Return the place of the lowest bit of a number that is not zero."""
    return (row & -row).bit_length() - 1
