"""Vectors that depend linearly on a free vector v: sums of words, in a normal form.

A word is a product of matrices that is applied to v: results of a program and their transposes, parts, joins, centring,
and numbers that are sums of columns. Two vectors are equal if they have the same words; so an equality that is found is
an identity, for all weights, inputs and v.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from .column_sums import Polynomial, Powers, column_sums, powers_times
from .families import rational_of
from .limits import MOST_STEPS, Refused, in_a_line, whole_number
from .modular import Matrix
from .program import Instruction, sizes

__all__ = ["LinearVector", "Vectors", "Word", "combined"]

MOST_WORDS = 3 * 10**5
"""So many words are made at most, which takes about a second."""

MOST_COMPUTED = 2 * 10**7
"""So many entries has a matrix of vectors that are computed, at most; each takes some fifty bytes."""

MOST_FACTORS = 1000
"""A word has so many factors at most."""

MatrixFactor = tuple[Any, ...]
"""A matrix: ``("left", n)`` the result n, ``("right", n)`` its transpose, ``("times", n)`` the diagonal matrix of a row
or a column, ``("over", n)`` the inverse of that of a tensor with one column, ``("take", k)`` the part k, ``("place",
start, total)`` the place in a join, ``("centre",)``, and ``("spread", size)`` a column of ones.
"""


class Word(NamedTuple):
    """A product of matrices.

    Parameters
    ----------
    numbers : Powers
        Results with one column whose sums it is multiplied by, with exponents; numbers beyond the program are those of
        the list ``overs``.
    factors : tuple of MatrixFactor
        The matrices, that which is applied first at the beginning.
    """

    numbers: Powers
    factors: tuple[MatrixFactor, ...]


LinearVector = Mapping[Word, Fraction]
"""A sum of words with coefficients that are not zero; without words it is zero."""


def combined(one: LinearVector, other: LinearVector, factor: Fraction = Fraction(1)) -> LinearVector:
    """Return a sum, the second summand being multiplied by a number."""
    if not other or not factor:
        return one
    found = dict(one)
    for word, value in other.items():
        total = found.get(word, Fraction(0)) + factor * value
        if total:
            found[word] = total
        else:
            del found[word]
    return found


class Vectors:
    """The vectors of a program.

    Parameters
    ----------
    program : sequence of Instruction
        The program.
    units : (int, int) or None
        From which row and which column on the columns of its input are unit vectors; None if they never are.
    """

    def __init__(self, program: Sequence[Instruction], *, units: tuple[int, int] | None) -> None:
        self.program = program
        self.sums, self.sums_of_rows, self.entries = column_sums(program, units=units)
        self.parts: list[tuple[int, ...]] = []
        self.number_of_part: dict[tuple[int, ...], int] = {}
        self.overs: list[tuple[int, int]] = []  # columns, and tensors by whose entries they are divided before the sum
        self.number_of_over: dict[tuple[int, int], int] = {}
        self.words = self.work = 0
        self.known: set[int] = set()  # quotients of polynomials in the weights alone
        for number, one in enumerate(program):
            if one.operation in RATIONAL and self.known.issuperset(one.operands):
                self.known.add(number)
        self.lengths = {size for number in range(len(program)) for size in self.shape(number)}

    def shape(self, number: int) -> tuple[int, int]:
        """Return the numbers of rows and columns of a result."""
        return sizes(self.program[number].shape)

    def count_words(self, count: int) -> None:
        """Count words that are made."""
        self.words += count
        if self.words > MOST_WORDS:
            raise Refused("a family by shifts", f"of more than {MOST_WORDS} words", "smaller")

    def extended(self, vector: LinearVector, factor: MatrixFactor) -> LinearVector:
        """Apply a matrix to a vector, without a look at what it is."""
        self.count_words(len(vector))
        if any(len(word.factors) >= MOST_FACTORS for word in vector):
            raise Refused("a family by shifts", f"with a product of more than {MOST_FACTORS} matrices", "smaller")
        return {Word(word.numbers, (*word.factors, factor)): value for word, value in vector.items()}

    def multiplied(self, vector: LinearVector, number: Polynomial) -> LinearVector:
        """Multiply a vector by a number."""
        self.count_words(len(vector) * len(number))
        found: LinearVector = {}
        for powers, factor in number.items():
            more = {Word(powers_times(word.numbers, powers), word.factors): value for word, value in vector.items()}
            found = combined(found, more, factor)
        return found

    def sum_of_rows(self, number: int) -> Polynomial | None:
        """Return what all rows of a result add up to, if that is known and the same."""
        one = self.program[number]
        return self.sums.get(one.operands[0]) if one.operation == "transpose" else self.sums_of_rows.get(number)

    def common_entry(self, number: int) -> Polynomial | None:
        """Return the number that all entries of a result are; None if they are not known to be equal."""
        return self.sums[number] if self.shape(number) == (1, 1) else self.entries.get(number)

    def sum_over(self, number: int, gain: int) -> Polynomial | None:
        """Return what all columns of a result add up to after its rows are divided by the entries of a tensor g with
        one column: those of g * Y to what those of Y do; None if that is not known.
        """
        one, (height, _) = self.program[number], self.shape(number)
        if one.operation != "add" or any(self.shape(operand)[0] != height for operand in one.operands):
            return self.sum_of_part_over(number, gain)
        first, second = (self.sum_of_part_over(operand, gain) for operand in one.operands)
        if first is None or second is None:
            return None
        total = {powers: first.get(powers, 0) + second.get(powers, 0) for powers in (*first, *second)}
        return {powers: Fraction(value) for powers, value in total.items() if value}

    def sum_of_part_over(self, number: int, gain: int) -> Polynomial | None:
        """Return the same of what is no sum."""
        one, (height, width) = self.program[number], self.shape(number)
        if self.program[gain].operation != "tensor" or self.shape(gain) != (height, 1):
            return None
        if one.operation == "multiply" and gain in one.operands:
            Y = one.operands[1] if one.operands[0] == gain else one.operands[0]
            if self.shape(Y) == (height, width):
                return self.sums.get(Y)
        return {((self.over(number, gain), 1),): Fraction(1)} if width == 1 and number in self.known else None

    def over(self, number: int, gain: int) -> int:
        """Return the number that stands for the sum of a column that is divided by the entries of a tensor."""
        if (number, gain) not in self.number_of_over:
            self.number_of_over[number, gain] = len(self.program) + len(self.overs)
            self.overs.append((number, gain))
        return self.number_of_over[number, gain]

    def spread(self, vector: LinearVector, size: int) -> LinearVector:
        """Return the vector of a size all of whose entries are a given number."""
        return vector if size == 1 else self.extended(vector, ("spread", size))

    def split(self, vector: LinearVector, size: int) -> tuple[LinearVector, LinearVector]:
        """Return the number that all entries are equal to, and what is left of a vector of a size."""
        if size == 1:
            return vector, {}
        equal = {word: value for word, value in vector.items() if word.factors and word.factors[-1][0] == "spread"}
        rest = {word: value for word, value in vector.items() if word not in equal}
        return {Word(word.numbers, word.factors[:-1]): value for word, value in equal.items()}, rest

    def left(self, vector: LinearVector, number: int) -> LinearVector:
        """Multiply by a result from the left."""
        one = self.program[number]
        if one.operation == "transpose":
            return self.right(vector, one.operands[0])
        height, width = self.shape(number)
        equal, rest = self.split(vector, width)
        total = self.sum_of_rows(number)
        if total is None:  # otherwise L 1 is f 1, as the rows of L add up to f
            return self.extended(vector, ("left", number))
        return combined(self.extended(rest, ("left", number)), self.spread(self.multiplied(equal, total), height))

    def right(self, vector: LinearVector, number: int) -> LinearVector:
        """Multiply by the transpose of a result from the left."""
        one = self.program[number]
        if one.operation == "transpose":
            return self.left(vector, one.operands[0])
        height, width = self.shape(number)
        found: LinearVector = {}
        for word, value in vector.items():  # R^T (1/g) is f 1 if the columns of R, divided by g, add up to f
            by = word.factors[-1][1] if word.factors[-1:] and word.factors[-1][0] == "over" else None
            over = None if by is None or word.factors[-2:-1] != (("spread", height),) else self.sum_over(number, by)
            if over is not None:
                one_number = {Word(word.numbers, word.factors[:-2]): value}
                found = combined(found, self.spread(self.multiplied(one_number, over), width))
                vector = {other: coefficient for other, coefficient in vector.items() if other != word}
        equal, rest = self.split(vector, height)
        total = self.sums.get(number)
        if total is None:  # otherwise R^T 1 is f 1, as the columns of R add up to f
            return combined(found, self.extended(vector, ("right", number)))
        found = combined(found, self.extended(rest, ("right", number)))
        return combined(found, self.spread(self.multiplied(equal, total), width))

    def times(self, vector: LinearVector, number: int) -> LinearVector:
        """Multiply entry by entry by a result with one row or one column."""
        return self.extended(vector, ("times", number))

    def taken(self, vector: LinearVector, entries: tuple[int, ...], size: int) -> LinearVector:
        """Return some entries of a vector of a size."""
        if not vector or entries == tuple(range(size)):
            return vector
        equal, rest = self.split(vector, size)
        if entries not in self.number_of_part:
            self.number_of_part[entries] = len(self.parts)
            self.parts.append(entries)
        taken = self.extended(rest, ("take", self.number_of_part[entries]))
        return combined(taken, self.spread(equal, len(entries)))

    def centred(self, vector: LinearVector) -> LinearVector:
        """Subtract the mean of a vector."""
        return self.extended(vector, ("centre",))

    def placed(self, vector: LinearVector, start: int, total: int, size: int) -> LinearVector:
        """Return a longer vector, in which a vector of a size stands where it starts, among zeros."""
        return vector if size == total else self.extended(vector, ("place", start, total))

    def read(self, where: str, value: Any, size: int) -> tuple[LinearVector, int]:
        """Read a vector that is a sum of words, given the size of v, and return it with its size.

        Raises
        ------
        Refused
            If it is none.
        """
        if not isinstance(value, list) or not value:
            raise Refused(where, in_a_line(value), "a list of coefficients with words")
        found: LinearVector = {}
        length: int | None = None
        for listed in value:
            if not isinstance(listed, list) or len(listed) != 2 or not isinstance(listed[1], list):
                raise Refused(where, in_a_line(listed), "a coefficient with a list of matrices")
            vector: LinearVector = {Word((), ()): Fraction(1)}
            here = size
            for factor in listed[1]:
                vector, here = self.read_factor(where, factor, vector, here)
            if length not in (None, here):
                raise Refused(where, "a sum of vectors of several sizes", "of one")
            length = here
            found = combined(found, vector, Fraction(rational_of(listed[0])))
        return found, length or 0

    def read_factor(self, where: str, factor: Any, vector: LinearVector, size: int) -> tuple[LinearVector, int]:
        """Read a matrix and apply it to a vector of a size."""
        if not isinstance(factor, list) or not factor:
            raise Refused(where, in_a_line(factor), "a matrix")
        kind, *numbers = factor
        if kind == "take" and len(numbers) == 1 and isinstance(numbers[0], list) and numbers[0]:
            entries = tuple(whole_number(where, entry, most=size - 1) for entry in numbers[0])
            return self.taken(vector, entries, size), len(entries)
        for number in numbers:
            whole_number(where, number, least=-1, most=2**31)
        match kind, *numbers:
            case "left", number if number in self.known and self.shape(number)[1] == size:
                return self.left(vector, number), self.shape(number)[0]
            case "right", number if number in self.known and self.shape(number)[0] == size:
                return self.right(vector, number), self.shape(number)[1]
            case "times", number if number in self.known and sorted(self.shape(number)) == sorted((1, size)):
                return self.times(vector, number), size
            case "over", number if number in self.known and self.shape(number) == (size, 1):
                if self.program[number].operation == "tensor":
                    return self.extended(vector, ("over", number)), size
            case "sum_over", number, gain if {number, gain} <= self.known and self.shape(number)[1] == 1:
                if self.program[gain].operation == "tensor" and self.shape(gain) == self.shape(number):
                    return self.multiplied(vector, {((self.over(number, gain), 1),): Fraction(1)}), size
            case "sum", number, (1 | -1) as exponent if self.sums.get(number) == {((number, 1),): Fraction(1)}:
                if number in self.known:
                    return self.multiplied(vector, {((number, exponent),): Fraction(1)}), size
            case ("centre",):
                return self.centred(vector), size
            case "spread", total if size == 1 and total in self.lengths:
                return self.spread(vector, total), total
            case "place", start, total if start >= 0 and start + size <= total and total in self.lengths:
                return self.placed(vector, start, total, size), total
        raise Refused(where, in_a_line(factor), f"a matrix that can be applied to a vector of size {size}")

    def count(self, steps: int) -> None:
        """Count steps of arithmetic."""
        self.work += steps
        if self.work > MOST_STEPS:
            raise Refused("a family by shifts", f"one that takes more than {MOST_STEPS} steps", "smaller")

    def require_small(self, height: int, width: int) -> None:
        """Refuse matrices that would take too much memory."""
        if height * width > MOST_COMPUTED:
            raise Refused("a family by shifts", f"one of {width} vectors of size {height}", "smaller")

    def height_after(self, factor: MatrixFactor, height: int) -> int:
        """Return the size of a vector to which a factor was applied."""
        kind, *numbers = factor
        if kind in ("left", "right"):
            return self.shape(numbers[0])[kind == "right"]
        if kind == "take":
            return len(self.parts[numbers[0]])
        return int(numbers[-1]) if kind in ("spread", "place") else height

    def values(self, vector: LinearVector, field: Any, result: Callable[[int], Matrix], start: Matrix) -> Matrix:
        """Return what a vector is for several v, the columns of a matrix over a prime field.

        Parameters
        ----------
        vector : LinearVector
            The vector.
        field : Residues
            The field.
        result : callable
            What returns a result by its number.
        start : Matrix
            The vectors v.
        """
        total = None
        for word, coefficient in vector.items():
            M = start
            for factor in word.factors:
                M = self.applied(factor, M, field, result)
            number = field.number(coefficient)
            for place, exponent in word.numbers:
                if place < len(self.program):
                    entries = result(place).entries()
                else:
                    column, gain = map(result, self.overs[place - len(self.program)])
                    inverses = inverses_of(gain)
                    entries = [x * y for x, y in zip(column.entries(), inverses, strict=True)]
                value = sum(entries[1:], entries[0])
                if exponent < 0 and value == 0:
                    raise Refused("a sum that is divided by", "zero modulo the prime", "not zero")
                number *= value**exponent
            term = M * number
            total = term if total is None else total + term
        return total

    def applied(self, factor: MatrixFactor, M: Matrix, field: Any, result: Callable[[int], Matrix]) -> Matrix:
        """Return a matrix multiplied from the left by that of a factor."""
        kind, *numbers = factor
        height, width, entries = M.nrows(), M.ncols(), M.entries()
        self.count(height * width)
        if kind in ("left", "right"):
            self.count(self.shape(numbers[0])[kind == "right"] * height * width // 100)
        self.require_small(self.height_after(factor, height), width)
        rows = [entries[i * width : (i + 1) * width] for i in range(height)]
        if kind == "left":
            return result(numbers[0]) * M
        if kind == "right":
            return result(numbers[0]).transpose() * M
        if kind == "times":
            rows = [[x * y for y in row] for x, row in zip(result(numbers[0]).entries(), rows, strict=True)]
        elif kind == "over":
            rows = [[x * y for y in row] for x, row in zip(inverses_of(result(numbers[0])), rows, strict=True)]
        elif kind == "take":
            rows = [rows[i] for i in self.parts[numbers[0]]]
        elif kind == "centre":
            means = [
                sum(column[1:], column[0]) * field.number(Fraction(1, height)) for column in zip(*rows, strict=True)
            ]
            rows = [[x - mean for x, mean in zip(row, means, strict=True)] for row in rows]
        elif kind == "spread":
            rows = rows * numbers[0]
        else:
            start, total = numbers
            nothing = [field.number(Fraction(0))] * width
            rows = [nothing] * start + rows + [nothing] * (total - start - height)
        return field.matrix(len(rows), width, [entry for row in rows for entry in row])


def inverses_of(gain: Matrix) -> list[Any]:
    """Return the inverses of the entries of a tensor over a prime field.

    Raises
    ------
    Refused
        If one is zero.
    """
    entries = gain.entries()
    if any(entry == 0 for entry in entries):
        raise Refused("a gain", "one with an entry that is zero modulo the prime", "without zeros")
    return [1 / entry for entry in entries]


RATIONAL = {
    "tensor",
    "constant",
    "add",
    "negate",
    "multiply",
    "transpose",
    "product",
    "column_products",
    "centre",
    "take",
    "concatenate",
    "reciprocal",
}
"""Operations that make quotients of polynomials of the weights."""
