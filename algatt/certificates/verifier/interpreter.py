"""Programs of elementary operations, evaluated forwards and differentiated backwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .fields import Matrix
from .program import Instruction

__all__ = ["Interpreter"]


class Interpreter:
    """A program of elementary operations over `Residues` or `RealBalls`, at tensors that are given by name."""

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
        """Return the results of all instructions at an input; raise `NoValue` or `Undecided` if there are none."""
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
        """Return the derivatives by the tensors of a linear form of the value with some coefficients, by name."""
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
