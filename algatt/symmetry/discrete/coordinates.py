"""Coordinates of a network that may be permuted: sets of rows and columns that its program takes in one order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from algatt.programs import Program
from algatt.programs.interpret import Instruction

Axis = tuple[int, int]
"""An instruction, and 0 for the rows of its result or 1 for the columns."""

FIXED: Axis = (-1, 0)

ALIKE = ("negate", "reciprocal", "largest", "centre", "add", "multiply")
"""Besides functions of one variable, operations that take rows and columns in the order of those of the result."""


@dataclass
class CoordinateClasses:
    """Sets of rows and columns of results that have to be in one order.

    Attributes
    ----------
    parents : dict
        Each axis leads to another one of its set.
    taken : set
        Axes of which single rows are taken: to permute them is no symmetry but with the tensors that meet these rows.
    """

    parents: dict[Axis, Axis] = field(default_factory=dict)
    taken: set[Axis] = field(default_factory=set)

    def find(self, axis: Axis) -> Axis:
        """Return the axis that stands for a set."""
        while self.parents.get(axis, axis) != axis:
            axis = self.parents[axis]
        return axis

    def join(self, one: Axis, other: Axis) -> None:
        """Require two axes to be in one order."""
        self.parents[self.find(one)] = self.find(other)

    def fix(self, *axes: Axis) -> None:
        """Require axes to stay in their order."""
        for axis in axes:
            self.join(axis, FIXED)

    def is_fixed(self, axis: Axis) -> bool:
        """Return whether an axis has to stay in its order."""
        return self.find(axis) == self.find(FIXED)

    def is_taken(self, axis: Axis) -> bool:
        """Return whether single rows are taken of a set that does not stay in its order anyway."""
        return not self.is_fixed(axis) and self.find(axis) in {self.find(other) for other in self.taken}


def coordinate_classes(program: Program) -> CoordinateClasses:
    """Return the sets of rows and columns of the results of a program."""
    classes = CoordinateClasses()
    for number, one in enumerate(program.instructions):
        join_axes(classes, program, number, one)
    last = len(program) - 1
    classes.fix((last, 0), (last, 1))
    return classes


def join_axes(classes: CoordinateClasses, program: Program, number: int, one: Instruction) -> None:
    """Require what an instruction asks for."""
    for first, *others in in_one_order(program, number):
        for other in others:
            classes.join(first, other)
    if one.operation == "constant" and len(one.shape) == 2:
        width = one.shape[1]
        rows_of = [one.argument[start : start + width] for start in range(0, len(one.argument), width)]
        columns_of = [one.argument[column::width] for column in range(width)]
        for axis, lines in enumerate((rows_of, columns_of)):
            if any(line != lines[0] for line in lines):
                classes.fix((number, axis))
    elif one.operation == "take":
        for axis, chosen in enumerate(one.argument):
            if axis == 0 and len(chosen) == 1 < size_of(program, (one.operands[0], 0)):
                classes.taken.add((one.operands[0], axis))
            elif not takes_all(program, one, axis):
                classes.fix((number, axis), (one.operands[0], axis))
    elif one.operation == "concatenate":
        classes.fix(*((each, one.argument) for each in (number, *one.operands)))
    elif not is_known(program, one) and not (one.operation == "tensor" and len(one.shape) <= 2):
        classes.fix(*((each, axis) for each in (number, *one.operands) for axis in (0, 1)))


def in_one_order(program: Program, number: int) -> Iterator[tuple[Axis, ...]]:
    """Iterate over rows and columns that an instruction takes in one order: those of operands, and of its result."""
    one, rows, columns = program.instructions[number], (number, 0), (number, 1)
    if one.operation == "product":
        left, right = one.operands
        yield from (((left, 1), (right, 0)), (rows, (left, 0)), (columns, (right, 1)))
    elif one.operation == "transpose":
        yield from ((rows, (one.operands[0], 1)), (columns, (one.operands[0], 0)))
    elif one.operation == "column_products":
        left, right = one.operands
        yield from (((left, 0), (right, 0)), (columns, (left, 1), (right, 1)))
    elif one.operation == "take":
        yield from (((number, axis), (one.operands[0], axis)) for axis in (0, 1) if takes_all(program, one, axis))
    elif one.operation == "concatenate":
        yield from (((number, 1 - one.argument), (operand, 1 - one.argument)) for operand in one.operands)
    elif is_known(program, one):
        for axis in (0, 1):
            along = ((operand, axis) for operand in one.operands)
            yield ((number, axis), *(other for other in along if size_of(program, other) > 1))


def is_known(program: Program, one: Instruction) -> bool:
    """Return whether an instruction takes rows and columns in an order that is said here."""
    if one.operation in (*ALIKE, "constant", "product", "transpose", "column_products", "take", "concatenate"):
        return True
    shapes = [program.instructions[operand].shape for operand in one.operands]
    return shapes == [one.shape] and one.operation != "rotate"


def takes_all(program: Program, one: Instruction, axis: int) -> bool:
    """Return whether a part has all rows, or all columns, in their order."""
    return bool(one.argument[axis] == tuple(range(size_of(program, (one.operands[0], axis)))))


def size_of(program: Program, axis: Axis) -> int:
    """Return the number of rows or columns."""
    return int(((1, 1) + program.instructions[axis[0]].shape)[-2:][axis[1]])
