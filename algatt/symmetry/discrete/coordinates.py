"""Coordinates of a network that may be permuted: sets of rows and columns that its program takes in one order."""

from __future__ import annotations

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
    rows, columns = (number, 0), (number, 1)
    shapes = [program.instructions[operand].shape for operand in one.operands]
    if one.operation == "tensor" and len(one.shape) <= 2:
        return
    if one.operation == "constant" and len(one.shape) == 2:
        width = one.shape[1]
        rows_of = [one.argument[start : start + width] for start in range(0, len(one.argument), width)]
        columns_of = [one.argument[column::width] for column in range(width)]
        for axis, lines in enumerate((rows_of, columns_of)):
            if any(line != lines[0] for line in lines):
                classes.fix((number, axis))
    elif one.operation == "product":
        left, right = one.operands
        classes.join((left, 1), (right, 0))
        classes.join(rows, (left, 0))
        classes.join(columns, (right, 1))
    elif one.operation == "transpose":
        classes.join(rows, (one.operands[0], 1))
        classes.join(columns, (one.operands[0], 0))
    elif one.operation == "column_products":
        left, right = one.operands
        classes.join((left, 0), (right, 0))
        classes.join((left, 1), (right, 1))
        classes.join(columns, (left, 1))
    elif one.operation == "take":
        join_part(classes, number, one, shapes[0])
    elif one.operation == "concatenate":
        along = one.argument
        classes.fix((number, along), *((operand, along) for operand in one.operands))
        for operand in one.operands:
            classes.join((number, 1 - along), (operand, 1 - along))
    elif one.operation in ALIKE or (len(shapes) == 1 and one.operation != "rotate" and shapes[0] == one.shape):
        for operand, shape in zip(one.operands, shapes, strict=True):
            for axis, size in enumerate(((1, 1) + shape)[-2:]):
                if size > 1:
                    classes.join((number, axis), (operand, axis))
    else:
        classes.fix(rows, columns, *((operand, axis) for operand in one.operands for axis in (0, 1)))


def join_part(classes: CoordinateClasses, number: int, one: Instruction, shape: tuple[int, ...]) -> None:
    """Require what it asks for to take a part: whole axes keep their order, and of others rows are taken."""
    (operand,) = one.operands
    for axis, chosen in enumerate(one.argument):
        if chosen == tuple(range(shape[axis])):
            classes.join((number, axis), (operand, axis))
        elif axis == 0 and len(chosen) == 1:
            classes.taken.add((operand, axis))
        else:
            classes.fix((number, axis), (operand, axis))
