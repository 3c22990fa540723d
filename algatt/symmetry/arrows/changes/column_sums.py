"""Numbers that the columns of a result add up to, whatever the input is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from algatt.fields import Elements
from algatt.programs.interpret import Results
from algatt.programs.uses import Uses

__all__ = ["ColumnSums", "Sum"]


Term = int | tuple[int, int]


@dataclass(frozen=True)
class Sum:
    """A number that does not depend on the input.

    Parameters
    ----------
    number : Fraction
        A constant.
    of : dict of Term to Fraction
        Results with one column whose sums are added to it, with factors; or such results and gains by whose entries
        they are divided before.
    """

    number: Fraction = Fraction(0)
    of: Mapping[Term, Fraction] = field(default_factory=dict)

    def times(self, factor: Fraction) -> Sum:
        """Return a multiple."""
        return Sum(self.number * factor, {one: value * factor for one, value in self.of.items()} if factor else {})

    def plus(self, other: Sum) -> Sum:
        """Return a sum."""
        of = dict(self.of)
        for one, value in other.of.items():
            of[one] = of.get(one, Fraction(0)) + value
        return Sum(self.number + other.number, {one: value for one, value in of.items() if value})

    def value(self, results: Results) -> Elements | Fraction:
        """Return its value, a number or a 1 x 1 matrix."""
        total: Elements | Fraction = self.number
        for one, factor in self.of.items():
            column = results[one] if isinstance(one, int) else results[one[0]] * results[one[1]].reciprocal()
            total = column.sum(axis=0) * factor + total
        return total


class ColumnSums:
    """The sums of the columns of the results of a program, where they are the same for all columns and inputs.

    Parameters
    ----------
    uses : Uses
        The program.
    units : (int, int) or None
        From which row and which column on the columns of the input are unit vectors; None if they never are.
    """

    def __init__(self, uses: Uses, *, units: tuple[int, int] | None) -> None:
        self.uses = uses
        self.units = units
        self.known: list[Sum | None] = []

    def __getitem__(self, number: int) -> Sum | None:
        """Return the sum that all columns of a result have whatever the input is, or None.

        Centred columns add up to zero; unit vectors, and what was divided by its sums, to one; and one column to its
        sum.
        """
        for earlier in range(len(self.known), number + 1):  # without recursion, which long programs are too deep for
            self.known.append(self.sum_of_columns(earlier))
        return self.known[number]

    def over(self, number: int, gain: int) -> Sum | None:
        """Return the sum that all columns of a result have, whatever the input is, after its rows are divided by the
        entries of a gain g: of g * Y that of Y; None if it is not known.
        """
        one = self.uses[number]
        if one.operation == "add" and all(
            self.uses.height(operand) == self.uses.height(number) for operand in one.operands
        ):
            parts = [self.over_gain(operand, gain) for operand in one.operands]
            return None if parts[0] is None or parts[1] is None else parts[0].plus(parts[1])
        return self.over_gain(number, gain)

    def over_gain(self, number: int, gain: int) -> Sum | None:
        """Return the same of what is no sum."""
        one = self.uses[number]
        if one.shape[1:] == (1,) and self.uses.is_rational(number):
            return Sum(of={(number, gain): Fraction(1)})
        if one.operation == "multiply" and gain in one.operands:
            (Y,) = [operand for operand in one.operands if operand != gain] or [gain]
            return self[Y] if self.uses[Y].shape == one.shape else None
        if self.takes_columns(number):
            return self.over(one.operands[0], gain)
        return None

    def takes_columns(self, number: int) -> bool:
        """Return whether a result is some of the columns of another, with all rows in their order."""
        one = self.uses[number]
        return one.operation == "take" and tuple(one.argument[0]) == tuple(range(self.uses.height(one.operands[0])))

    def sum_of_columns(self, number: int) -> Sum | None:
        """Compute what is kept, given the sums of all results before."""
        one = self.uses[number]
        if one.operation == "centre":
            return Sum()
        if one.operation == "constant" and len(one.shape) == 2:
            sums = (sum(one.argument[column :: one.shape[1]]) for column in range(one.shape[1]))
            first = next(sums)
            return Sum(Fraction(first)) if all(each == first for each in sums) else None
        if one.operation == "input":
            return Sum(Fraction(1)) if self.units == (0, 0) else None
        if one.operation == "take" and self.has_unit_vectors(number):
            return Sum(Fraction(1))
        if one.shape[1:] == (1,) and self.uses.is_rational(number):
            return Sum(of={number: Fraction(1)})
        parts = [self.known[operand] for operand in one.operands]
        if self.takes_columns(number):
            return parts[0]
        if one.operation == "negate" and parts[0] is not None:
            return parts[0].times(Fraction(-1))
        if one.operation == "add" and all(
            self.uses.height(operand) == self.uses.height(number) for operand in one.operands
        ):
            return None if parts[0] is None or parts[1] is None else parts[0].plus(parts[1])
        if one.operation == "product" and parts[0] is not None and not parts[0].of:
            # 1^T L R is c 1^T R if 1^T L is c 1^T
            return Sum() if not parts[0].number else None if parts[1] is None else parts[1].times(parts[0].number)
        if one.operation == "multiply":
            for part, other, total in zip(one.operands, one.operands[::-1], parts, strict=True):
                if self.is_sum(other, part):
                    return Sum(Fraction(1))
                if total == Sum() and self.uses.height(other) == 1 and self.uses[part].shape == one.shape:
                    return total
        return None

    def has_unit_vectors(self, number: int) -> bool:
        """Return whether a result is a part of the input whose columns are unit vectors."""
        one = self.uses[number]
        (whole,) = one.operands
        if self.units is None or self.uses[whole].operation != "input":
            return False
        (rows, columns), (row, column) = one.argument, self.units
        below = tuple(range(row, self.uses.height(whole)))
        return tuple(rows) == below and all(one >= column for one in columns)

    def is_sum(self, number: int, part: int) -> bool:
        """Return whether a result is made of the reciprocals of the sums of the columns of another."""
        if self.uses[number].operation != "reciprocal":
            return False
        (below,) = self.uses[number].operands
        total = self.uses[below]
        if total.operation != "product" or total.operands[1] != part or total.shape[0] != 1:
            return False
        return self.uses.constant(total.operands[0]) == 1
