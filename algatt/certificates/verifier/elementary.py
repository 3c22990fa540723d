"""Programs in elementary operations, evaluated forwards and differentiated backwards.

There are seven operations on matrices: sums and entrywise products of two matrices of one shape, products, transposes,
turns, the largest entries of columns, and functions of each entry. All others are products with constants: what takes
parts, repeats rows, joins, centres, changes signs or adds up the products of columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from .fields import Matrix
from .limits import MOST_NUMBERS, too_large
from .program import Instruction

__all__ = ["Interpreter", "elementary"]


class Elementary:
    """A program that is written in elementary operations."""

    def __init__(self) -> None:
        self.made: list[Instruction] = []
        self.numbers = 0

    def add(self, operation: str, operands: tuple[int, ...], argument: Any, height: int, width: int) -> int:
        """Append an instruction and return its number."""
        self.numbers += height * width
        if self.numbers > 2 * MOST_NUMBERS:
            raise too_large("program", f"one with parts of more than {2 * MOST_NUMBERS} numbers", "smaller")
        self.made.append(Instruction(operation, operands, argument, (height, width)))
        return len(self.made) - 1

    def sizes(self, number: int) -> tuple[int, int]:
        """Return the shape of a result."""
        return self.made[number].sizes

    def product(self, left: int, right: int) -> int:
        """Return the product of two results."""
        return self.add("product", (left, right), None, self.sizes(left)[0], self.sizes(right)[1])

    def constant(self, height: int, width: int, entries: Any) -> int:
        """Return a constant, its entries given by row and column."""
        if self.numbers + height * width > 2 * MOST_NUMBERS:
            raise too_large("program", f"one with parts of {height} x {width}", "smaller")
        known: dict[Any, Fraction] = {}
        every = (entries(i, j) for i in range(height) for j in range(width))
        listed = tuple(known.setdefault(x, Fraction(x)) for x in every)
        return self.add("constant", (), listed, height, width)

    def spread(self, number: int, height: int, width: int) -> int:
        """Repeat the only row, or column, of a result."""
        rows, columns = self.sizes(number)
        if rows < height:
            number = self.product(self.constant(height, 1, lambda i, j: 1), number)
        if columns < width:
            number = self.product(number, self.constant(1, width, lambda i, j: 1))
        return number

    def take(self, number: int, chosen: Sequence[int], side: int) -> int:
        """Return some rows of a result, or some columns."""
        size = self.sizes(number)[side]
        if list(chosen) == list(range(size)):
            return number
        if side:
            return self.product(number, self.constant(size, len(chosen), lambda i, j: int(chosen[j] == i)))
        return self.product(self.constant(len(chosen), size, lambda i, j: int(chosen[i] == j)), number)

    def both(self, operation: str, operands: Sequence[int]) -> int:
        """Return a sum or an entrywise product of results, of which rows and columns may be repeated."""
        height, width = (max(self.sizes(one)[side] for one in operands) for side in (0, 1))
        left, right = (self.spread(one, height, width) for one in operands)
        return self.add(operation, (left, right), None, height, width)

    def negative(self, number: int) -> int:
        """Return the negative of a result."""
        return self.both("multiply", (number, self.constant(1, 1, lambda i, j: -1)))

    def join(self, parts: Sequence[int], axis: int) -> int:
        """Put results below each other, or side by side."""
        total, start, found = sum(self.sizes(one)[axis] for one in parts), 0, None
        for one in parts:
            size, at = self.sizes(one)[axis], start
            if axis:
                place = self.product(one, self.constant(size, total, lambda i, j, at=at: int(j == at + i)))
            else:
                place = self.product(self.constant(total, size, lambda i, j, at=at: int(i == at + j)), one)
            found = place if found is None else self.both("add", (found, place))
            start += size
        return found or 0

    def turn(self, number: int, angles: Sequence[float], positions: Sequence[int]) -> int:
        """Turn pairs of rows of a result by angles times the position of a column."""
        height, width = 2 * len(angles), max(self.sizes(number)[1], len(positions))
        number = self.spread(self.take(number, range(height), 0), height, width)
        where = tuple(positions) * (width // len(positions))
        return self.add("rotate", (number,), (tuple(angles), where), height, width)

    def write(self, one: Instruction, operands: tuple[int, ...]) -> int:
        """Write an instruction whose operands are written, and return the number of its result."""
        height, width = one.sizes
        match one.operation:
            case "add" | "multiply":
                return self.both(one.operation, operands)
            case "negate":
                return self.negative(operands[0])
            case "centre":
                share = Fraction(1, height)
                return self.product(self.constant(height, height, lambda i, j: int(i == j) - share), operands[0])
            case "take":
                return self.take(self.take(operands[0], one.argument[0], 0), one.argument[1], 1)
            case "concatenate":
                return self.join(operands, one.argument)
            case "column_products":
                both = self.both("multiply", operands)
                return self.product(self.constant(1, self.sizes(both)[0], lambda i, j: 1), both)
            case "rotate":
                return self.turn(operands[0], *one.argument)
        return self.add(one.operation, operands, one.argument, height, width)


def elementary(program: Sequence[Instruction]) -> tuple[Instruction, ...]:
    """Return a program in elementary operations. Its last result is the value."""
    written, numbers = Elementary(), list[int]()
    for one in program:
        numbers.append(written.write(one, tuple(numbers[operand] for operand in one.operands)))
    return tuple(written.made[: numbers[-1] + 1])


class Interpreter:
    """A program of elementary operations over a field.

    Parameters
    ----------
    program : sequence of Instruction
        The program.
    field : Residues or RealBalls
        Where it is evaluated.
    tensors : mapping of str to Matrix
        The tensors by name.
    """

    def __init__(self, program: Sequence[Instruction], field: Any, tensors: Mapping[str, Matrix]) -> None:
        self.program, self.field, self.tensors = program, field, tensors
        self.varying: set[int] = set()  # what depends on the input
        self.moving: set[int] = set()  # what depends on the tensors
        for number, one in enumerate(program):
            if one.operation == "input" or not self.varying.isdisjoint(one.operands):
                self.varying.add(number)
            if one.operation == "tensor" or not self.moving.isdisjoint(one.operands):
                self.moving.add(number)
        self.still: dict[int, Matrix] = {}  # results that do not depend on the input

    def forward(self, X: Matrix | None) -> list[Matrix]:
        """Return the results of all instructions at an input.

        Raises
        ------
        NoValue, Undecided
            If something is divided by zero, or not told from it.
        """
        results: list[Matrix] = []
        for number, one in enumerate(self.program):
            found = self.still.get(number)
            if found is None:
                found = self.result(one, [results[operand] for operand in one.operands], X)
                if number not in self.varying:
                    self.still[number] = found
            results.append(found)
        return results

    def result(self, one: Instruction, operands: Sequence[Matrix], X: Matrix | None) -> Matrix:
        """Return the result of one instruction by its operands."""
        field, (height, width) = self.field, one.sizes
        match one.operation:
            case "input":
                return X
            case "tensor":
                return self.tensors[one.argument]
            case "constant":
                return field.matrix(height, width, [field.number(entry) for entry in one.argument])
            case "add":
                return operands[0] + operands[1]
            case "multiply":
                return self.entrywise(*operands)
            case "product":
                return operands[0] * operands[1]
            case "transpose":
                return operands[0].transpose()
            case "rotate":
                return self.turned(operands[0], *one.argument)
            case "largest":
                entries = operands[0].entries()
                columns = [field.largest(entries[j::width], one.argument) for j in range(width)]
                return field.matrix(height, width, [columns[j][i] for i in range(height) for j in range(width)])
        return field.matrix(height, width, [field.function(one.operation, x) for x in operands[0].entries()])

    def entrywise(self, left: Matrix, right: Matrix) -> Matrix:
        """Return the products of the entries of two matrices of one shape."""
        products = [x * y for x, y in zip(left.entries(), right.entries(), strict=True)]
        return self.field.matrix(left.nrows(), left.ncols(), products)

    def turned(self, X: Matrix, angles: Sequence[float], positions: Sequence[int]) -> Matrix:
        """Turn the rows 2 f and 2 f + 1 of column k by angle f times position k."""
        cosines, sines = self.field.circle(tuple(angles), tuple(positions))
        entries, width = X.entries(), len(positions)
        found: list[Any] = []
        for f in range(len(angles)):
            k, at = 2 * f * width, f * width
            rows = entries[k : k + width], entries[k + width : k + 2 * width]
            listed = list(zip(*rows, cosines[at : at + width], sines[at : at + width], strict=True))
            found += [x * c - y * s for x, y, c, s in listed]
            found += [x * s + y * c for x, y, c, s in listed]
        return self.field.matrix(X.nrows(), width, found)

    def backward(self, results: Sequence[Matrix], cotangent: Matrix) -> dict[str, Matrix]:
        """Return the derivatives of a linear form of the value by the tensors, by name.

        Parameters
        ----------
        results : sequence of Matrix
            What `forward` returned.
        cotangent : Matrix
            The coefficients of the form.
        """
        by: dict[int, Matrix] = {len(self.program) - 1: cotangent}
        found: dict[str, Matrix] = {}
        for number in range(len(self.program) - 1, -1, -1):
            G = by.pop(number, None)
            if G is None or number not in self.moving:
                continue
            one = self.program[number]
            if one.operation == "tensor":
                found[one.argument] = G
            for k, operand in enumerate(one.operands):
                if operand in self.moving and (part := self.pulled(one, k, results, number, G)) is not None:
                    by[operand] = by[operand] + part if operand in by else part
        return found

    def pulled(self, one: Instruction, k: int, results: Sequence[Matrix], number: int, G: Matrix) -> Matrix | None:
        """Return the derivative by an operand from that by the result; None if it is zero."""
        match one.operation:
            case "add":
                return G
            case "multiply":
                return self.entrywise(G, results[one.operands[1 - k]])
            case "product":
                other = results[one.operands[1 - k]].transpose()
                return other * G if k else G * other
            case "transpose":
                return G.transpose()
            case "rotate":
                return self.turned(G, [-angle for angle in one.argument[0]], one.argument[1])
            case "positive" | "largest":
                return None
        pairs = zip(results[one.operands[0]].entries(), results[number].entries(), strict=True)
        slopes = [self.field.slope(one.operation, x, y) for x, y in pairs]
        return self.entrywise(G, self.field.matrix(G.nrows(), G.ncols(), slopes))
