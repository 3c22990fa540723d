"""Programs, evaluated forwards and differentiated backwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from .fields import Matrix
from .program import FUNCTIONS, Instruction, sizes

__all__ = ["Interpreter"]


class Interpreter:
    """A program over a field.

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

    def forward(self, X: Matrix | None) -> dict[int, Matrix]:
        """Return the results of all instructions at an input, by number.

        Raises
        ------
        NoValue, Undecided
            If something is divided by zero, or not told from it.
        """
        results = dict(self.still)
        for number, one in enumerate(self.program):
            if number not in results:
                results[number] = self.result(one, results, X)
                if number not in self.varying:
                    self.still[number] = results[number]
        return results

    def result(self, one: Instruction, results: Mapping[int, Matrix], X: Matrix | None) -> Matrix:
        """Return the result of one instruction, those that it takes being there."""
        if one.operation == "input":
            return X
        if one.operation == "tensor":
            return self.tensors[one.argument]
        field, (height, width) = self.field, sizes(one.shape)
        operands = [results[operand] for operand in one.operands]
        if one.operation == "constant":
            return field.matrix(height, width, [field.number(entry) for entry in one.argument])
        if one.operation == "largest":
            entries = operands[0].entries()
            columns = [field.largest(entries[j::width], one.argument) for j in range(width)]
            return field.matrix(height, width, [columns[j][i] for i in range(height) for j in range(width)])
        if one.operation in FUNCTIONS:
            return field.matrix(height, width, [field.function(one.operation, x) for x in operands[0].entries()])
        return RESULTS[one.operation](field, one, operands, height, width)

    def backward(self, results: Mapping[int, Matrix], cotangent: Matrix) -> dict[str, Matrix]:
        """Return the derivatives of a linear form of the value by the tensors, by name.

        Parameters
        ----------
        results : mapping of int to Matrix
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
                continue
            if one.operation in ("positive", "largest"):
                continue
            operands = [results[operand] for operand in one.operands]
            if one.operation in FUNCTIONS:
                pairs = zip(operands[0].entries(), results[number].entries(), strict=True)
                slopes = [self.field.slope(one.operation, x, y) for x, y in pairs]
                parts = [entrywise(self.field, G, self.field.matrix(G.nrows(), G.ncols(), slopes))]
            else:
                wanted = [operand in self.moving for operand in one.operands]
                parts = PULLED[one.operation](self.field, one, operands, results[number], G, wanted)
            for operand, part in zip(one.operands, parts, strict=True):
                if part is not None and operand in self.moving:
                    by[operand] = by[operand] + part if operand in by else part
        return found


def spread_to(field: Any, X: Matrix, height: int, width: int) -> Matrix:
    """Return a matrix of which one row, or one column, is repeated."""
    rows, columns = X.nrows(), X.ncols()
    if (rows, columns) == (height, width):
        return X
    if rows == 1 and columns == 1:
        return field.matrix(height, width, X.entries() * (height * width))
    if rows == 1:
        return field.matrix(height, width, X.entries() * height)
    return field.matrix(height, width, [entry for entry in X.entries() for _ in range(width)])


def gathered(field: Any, G: Matrix, height: int, width: int) -> Matrix:
    """Return the sums of entries that belong to one entry of what was spread."""
    rows, columns = G.nrows(), G.ncols()
    if height < rows:
        G = field.matrix(1, rows, [1] * rows) * G
    if width < columns:
        G = G * field.matrix(columns, 1, [1] * columns)
    return G


def column_of_ones(field: Any, height: int) -> Matrix:
    """Return a column of ones."""
    return field.matrix(height, 1, [1] * height)


def entrywise(field: Any, left: Matrix, right: Matrix) -> Matrix:
    """Return the products of the entries of two matrices of one shape."""
    products = [x * y for x, y in zip(left.entries(), right.entries(), strict=True)]
    return field.matrix(left.nrows(), left.ncols(), products)


def both_spread(field: Any, operands: Sequence[Matrix]) -> list[Matrix]:
    """Return two matrices, spread to one shape."""
    height, width = (max(one.nrows() for one in operands), max(one.ncols() for one in operands))
    return [spread_to(field, one, height, width) for one in operands]


def centred(field: Any, X: Matrix) -> Matrix:
    """Subtract from each column its mean."""
    shares = field.matrix(1, X.nrows(), [field.number(Fraction(1, X.nrows()))] * X.nrows())
    return X - column_of_ones(field, X.nrows()) * (shares * X)


def rotated(field: Any, X: Matrix, turns: tuple[Any, Any], width: int) -> Matrix:
    """Turn the rows 2 f and 2 f + 1 of column k by angle f times position k."""
    angles, positions = turns
    cosines, sines = field.circle(angles, positions)
    X = spread_to(field, X, X.nrows(), width)
    entries, many = X.entries(), len(positions) > 1
    found: list[Any] = []
    for f in range(len(angles)):
        first, second = (entries[(2 * f + k) * width : (2 * f + k + 1) * width] for k in (0, 1))
        places = [f * len(positions) + (k if many else 0) for k in range(width)]
        found += [x * cosines[n] - y * sines[n] for x, y, n in zip(first, second, places, strict=True)]
        found += [x * sines[n] + y * cosines[n] for x, y, n in zip(first, second, places, strict=True)]
    return field.matrix(2 * len(angles), width, found)


def part_of(field: Any, X: Matrix, rows: Sequence[int], columns: Sequence[int]) -> Matrix:
    """Return a submatrix."""
    entries, width = X.entries(), X.ncols()
    return field.matrix(len(rows), len(columns), [entries[i * width + j] for i in rows for j in columns])


def put_back(field: Any, G: Matrix, rows: Sequence[int], columns: Sequence[int], height: int, width: int) -> Matrix:
    """Return a matrix of zeros with a submatrix."""
    entries: list[Any] = [0] * (height * width)
    given = iter(G.entries())
    for i in rows:
        for j in columns:
            entries[i * width + j] = next(given)
    return field.matrix(height, width, entries)


def joined(field: Any, parts: Sequence[Matrix], axis: int) -> Matrix:
    """Put matrices below each other, or side by side."""
    if axis == 0:
        entries = [entry for part in parts for entry in part.entries()]
        return field.matrix(sum(part.nrows() for part in parts), parts[0].ncols(), entries)
    return joined(field, [part.transpose() for part in parts], 0).transpose()


def inverses(field: Any, X: Matrix) -> Matrix:
    """Return the reciprocals of all entries."""
    return field.matrix(X.nrows(), X.ncols(), [field.inverse(entry) for entry in X.entries()])


def sums_of_products(field: Any, operands: Sequence[Matrix]) -> Matrix:
    """Return the scalar products of columns."""
    left, right = both_spread(field, operands)
    return column_of_ones(field, left.nrows()).transpose() * entrywise(field, left, right)


def added(field: Any, operands: Sequence[Matrix]) -> Matrix:
    """Return a sum."""
    left, right = both_spread(field, operands)
    return left + right


RESULTS: dict[str, Any] = {
    "add": lambda field, one, operands, height, width: added(field, operands),
    "negate": lambda field, one, operands, height, width: -operands[0],
    "multiply": lambda field, one, operands, height, width: entrywise(field, *both_spread(field, operands)),
    "transpose": lambda field, one, operands, height, width: operands[0].transpose(),
    "product": lambda field, one, operands, height, width: operands[0] * operands[1],
    "column_products": lambda field, one, operands, height, width: sums_of_products(field, operands),
    "centre": lambda field, one, operands, height, width: centred(field, operands[0]),
    "rotate": lambda field, one, operands, height, width: rotated(field, operands[0], one.argument, width),
    "take": lambda field, one, operands, height, width: part_of(field, operands[0], *one.argument),
    "concatenate": lambda field, one, operands, height, width: joined(field, operands, one.argument),
    "reciprocal": lambda field, one, operands, height, width: inverses(field, operands[0]),
}
"""What operations make of their operands."""


def pulled_sum(field: Any, one: Any, operands: Any, value: Any, G: Matrix, wanted: Any) -> list[Any]:
    return [
        gathered(field, G, X.nrows(), X.ncols()) if want else None for X, want in zip(operands, wanted, strict=True)
    ]


def pulled_products(field: Any, one: Any, operands: Any, value: Any, G: Matrix, wanted: Any) -> list[Any]:
    others = both_spread(field, operands)[::-1]
    G = spread_to(field, G, others[0].nrows(), others[0].ncols())  # what was summed over rows has one
    return [
        gathered(field, entrywise(field, G, other), X.nrows(), X.ncols()) if want else None
        for X, other, want in zip(operands, others, wanted, strict=True)
    ]


def pulled_product(field: Any, one: Any, operands: Any, value: Any, G: Matrix, wanted: Any) -> list[Any]:
    left, right = operands
    return [G * right.transpose() if wanted[0] else None, left.transpose() * G if wanted[1] else None]


def pulled_turn(field: Any, one: Any, operands: Any, value: Any, G: Matrix, wanted: Any) -> list[Any]:
    """Turn back."""
    (X,) = operands
    angles, positions = one.argument
    back = rotated(field, G, (tuple(-angle for angle in angles), positions), G.ncols())
    rows = range(back.nrows())
    whole = put_back(field, back, rows, range(back.ncols()), X.nrows(), back.ncols())
    return [gathered(field, whole, X.nrows(), X.ncols())]


def pulled_part(field: Any, one: Any, operands: Any, value: Any, G: Matrix, wanted: Any) -> list[Any]:
    (X,) = operands
    rows, columns = one.argument
    return [put_back(field, G, rows, columns, X.nrows(), X.ncols())]


def pulled_join(field: Any, one: Any, operands: Any, value: Any, G: Matrix, wanted: Any) -> list[Any]:
    parts, start = [], 0
    for X, want in zip(operands, wanted, strict=True):
        size = X.ncols() if one.argument else X.nrows()
        some, every = range(start, start + size), range(G.nrows() if one.argument else G.ncols())
        rows, columns = (every, some) if one.argument else (some, every)
        parts.append(part_of(field, G, rows, columns) if want else None)
        start += size
    return parts


def pulled_reciprocal(field: Any, one: Any, operands: Any, value: Any, G: Matrix, wanted: Any) -> list[Any]:
    return [-entrywise(field, G, entrywise(field, value, value))]


PULLED: dict[str, Any] = {
    "add": pulled_sum,
    "negate": lambda field, one, operands, value, G, wanted: [-G],
    "multiply": pulled_products,
    "transpose": lambda field, one, operands, value, G, wanted: [G.transpose()],
    "product": pulled_product,
    "column_products": pulled_products,
    "centre": lambda field, one, operands, value, G, wanted: [centred(field, G)],
    "rotate": pulled_turn,
    "take": pulled_part,
    "concatenate": pulled_join,
    "reciprocal": pulled_reciprocal,
}
"""What operations make of the derivatives by their results: those by their operands."""
