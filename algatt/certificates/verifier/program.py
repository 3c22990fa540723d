"""Programs: read from text, and written in elementary operations.

There are seven operations on matrices: sums and entrywise products of two matrices of one shape, products, transposes,
the largest entries of columns, functions of each entry, and rows of cosines and sines. All others are made of these and
of constants: what takes parts, repeats rows, joins, centres, turns, changes signs or adds up the products of columns.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import flint

from .limits import ENTRY, MOST_BITS, MOST_NUMBERS, Refused, Work, in_a_line, too_large

FUNCTIONS = ("erf", "exp", "log", "positive", "sigmoid", "sqrt")  # of one variable, applied to each entry
MOST_INSTRUCTIONS, MOST_ANGLE = 5_000, 2.0**40
Shape = tuple[int, ...]

NAME = re.compile(r"[^\s%:\[\]]+")  # of a tensor
# what stands before the shape, which is cut off first: so nothing is tried at each of many operands
LINE = re.compile(r"(?P<operation>[a-z_]+)(?P<operands>( %(0|[1-9][0-9]*))*)(?P<argument> [^:]*)?")


@dataclass(frozen=True)
class Instruction:
    """One elementary operation: its name, the numbers of the results that it takes, its argument (the name of a tensor;
    fractions of a constant; an angle and positions; a count; or None), and the rows and columns of its result.
    """

    operation: str
    operands: tuple[int, ...]
    argument: Any
    sizes: tuple[int, int]


def depending(program: Sequence[Instruction], operation: str) -> set[int]:
    """Return the numbers of the results that depend on those of an operation."""
    found: set[int] = set()
    for number, one in enumerate(program):
        if one.operation == operation or not found.isdisjoint(one.operands):
            found.add(number)
    return found


def cost_of(program: Sequence[Instruction]) -> int:
    """Return the number of steps that a program takes: entries of results, and multiplications by the hundred."""
    steps = 0
    for one in program:
        inner = program[one.operands[0]].sizes[1] if one.operation == "product" else 0
        steps += math.prod(one.sizes) * (100 + inner) // 100
    return steps


class Writer:
    """Writes a program in elementary operations."""

    def __init__(self, work: Work, most: int) -> None:
        self.made: list[Instruction] = []
        self.numbers, self.work, self.most = 0, work, most

    def add(self, operation: str, operands: tuple[int, ...], argument: Any, height: int, width: int) -> int:
        """Append an instruction and return its number."""
        self.numbers += height * width
        if max(height, width) > MOST_NUMBERS or self.numbers > self.most:
            raise too_large("program", f"one with parts of more than {self.most} numbers", "smaller")
        self.made.append(Instruction(operation, operands, argument, (height, width)))
        return len(self.made) - 1

    def sizes(self, number: int) -> tuple[int, int]:
        return self.made[number].sizes

    def product(self, left: int, right: int) -> int:
        return self.add("product", (left, right), None, self.sizes(left)[0], self.sizes(right)[1])

    def transpose(self, number: int) -> int:
        return self.add("transpose", (number,), None, *self.sizes(number)[::-1])

    def constant(self, height: int, width: int, entries: Any) -> int:
        """Return a constant, its entries given by row and column."""
        self.work.spend(ENTRY * height * width, "constants")
        listed = tuple(entries(i, j) for i in range(height) for j in range(width))
        return self.add("constant", (), listed, height, width)

    def mixed(self, number: int, side: int, size: int, entries: Any) -> int:
        """Return rows (0) or columns (1) that are sums of those of a result, with coefficients by new and old ones."""
        old = self.sizes(number)[side]
        if side:
            return self.product(number, self.constant(old, size, lambda i, j: entries(j, i)))
        return self.product(self.constant(size, old, entries), number)

    def spread(self, number: int, height: int, width: int) -> int:
        """Repeat the only row, or column, of a result."""
        for side, size in enumerate((height, width)):
            if self.sizes(number)[side] < size:
                number = self.mixed(number, side, size, lambda i, j: 1)
        return number

    def take(self, number: int, chosen: Sequence[int], side: int) -> int:
        """Return some rows of a result, or some columns."""
        if list(chosen) == list(range(self.sizes(number)[side])):
            return number
        return self.mixed(number, side, len(chosen), lambda i, j: int(chosen[i] == j))

    def both(self, operation: str, operands: Sequence[int]) -> int:
        """Return a sum or an entrywise product of results, of which rows and columns may be repeated."""
        height, width = (max(self.sizes(one)[side] for one in operands) for side in (0, 1))
        left, right = (self.spread(one, height, width) for one in operands)
        return self.add(operation, (left, right), None, height, width)

    def join(self, parts: Sequence[int], axis: int) -> int:
        """Put results below each other, or side by side."""
        total, start, found = sum(self.sizes(one)[axis] for one in parts), 0, None
        for one in parts:
            place = self.mixed(one, axis, total, lambda i, j, at=start: int(i == at + j))
            found = place if found is None else self.both("add", (found, place))
            start += self.sizes(one)[axis]
        return found or 0

    def turn(self, pair: int, angle: float, positions: tuple[int, ...]) -> int:
        """Turn the columns of two rows by multiples of an angle."""
        parts = pair, self.mixed(pair, 0, 2, lambda i, j: i - j)
        circle = [self.add(name, (), (angle, positions), 1, len(positions)) for name in ("cos", "sin")]
        return self.both("add", [self.both("multiply", one) for one in zip(parts, circle, strict=True)])

    def write(self, operation: str, operands: Sequence[int], text: str, shapes: Sequence[Shape], shape: Shape) -> Any:
        """Write an instruction, given by the text of its argument, the shapes of its operands, and the shape that it
        says: return the number and the shape of its result; `ValueError` says what is wrong.
        """
        match list[Any]((operation, text, *shapes)):
            case ["tensor", name] if NAME.fullmatch(name):
                return self.add("tensor", (), name, *sizes_of(shape)), shape
            case ["input", ""]:
                return self.add("input", (), None, *sizes_of(shape)), shape
            case ["constant", _] if text.startswith("[") and text.endswith("]"):
                entries = tuple(fraction(word) for word in text[1:-1].split())
                require(len(entries) == math.prod(shape), "it has another number of entries")
                return self.add("constant", (), entries, *sizes_of(shape)), shape
            case ["add" | "multiply" | "column_products", "", _, _]:
                pairs = tuple(zip(*map(sizes_of, shapes), strict=True))
                require(all(x == y or 1 in (x, y) for x, y in pairs), "its operands do not fit")
                found = tuple(map(max, pairs))[2 - max(map(len, shapes)) :]
                if operation != "column_products":
                    return self.both(operation, operands), found
                require(len(found) == 2, "its operands are no matrices")
                return self.mixed(self.both("multiply", operands), 0, 1, lambda i, j: 1), (1, found[1])
            case ["negate", "", found]:
                return self.both("multiply", (*operands, self.constant(1, 1, lambda i, j: -1))), found
            case ["transpose", "", (height, width)]:
                return self.transpose(*operands), (width, height)
            case ["product", "", (height, inner), (other, width)]:
                require(inner == other, "its operands do not fit")
                return self.product(*operands), (height, width)
            case ["centre", "", (height, width)]:
                share = flint.fmpq(1, height)
                return self.mixed(operands[0], 0, height, lambda i, j: int(i == j) - share), (height, width)
            case ["rotate", _, (height, width)]:
                first, second = two_lists(text)
                angles, positions = tuple(map(float, first)), tuple(map(natural, second))
                same = all(repr(angle) == word for angle, word in zip(angles, first, strict=True))
                require(same and all(abs(angle) < MOST_ANGLE for angle in angles), "no angle")
                rows, columns = 2 * len(angles), max(width, len(positions))
                require(0 < rows <= height, "it turns more rows than there are")
                fit = len(positions) > 0 and (width == len(positions) or 1 in (width, len(positions)))
                require(fit, "positions do not fit")
                whole, where = self.spread(operands[0], height, columns), positions * (columns // len(positions))
                parts = [self.turn(self.take(whole, (2 * f, 2 * f + 1), 0), x, where) for f, x in enumerate(angles)]
                return self.join(parts, 0), (rows, columns)
            case ["take", _, (_, _)]:
                number, chosen = operands[0], [tuple(map(natural, words)) for words in two_lists(text)]
                for side, (some, size) in enumerate(zip(chosen, shapes[0], strict=True)):
                    fit = len(set(some)) == len(some) and all(one < size for one in some)
                    require(fit, "it takes what is not there")
                    number = self.take(number, some, side) if some else number
                return number, tuple(map(len, chosen))
            case ["concatenate", "0" | "1", (_, _), *_] if {len(one) for one in shapes} == {2}:
                axis = int(text)
                require(len({one[1 - axis] for one in shapes}) == 1, "its operands do not fit")
                number = self.join(operands, axis)
                return number, self.sizes(number)
            case ["largest", _, (height, width)]:
                require(0 < natural(text) <= height, "it looks for more entries than there are")
                return self.add("largest", tuple(operands), natural(text), height, width), (height, width)
            case [_, "", found] if operation in ("reciprocal", *FUNCTIONS):
                return self.add(operation, tuple(operands), None, *sizes_of(found)), found
        raise ValueError("no operation, or one of other operands or of another argument")


def parse(lines: Any, work: Work | None = None, most: int = 2 * MOST_NUMBERS) -> tuple[Instruction, ...]:
    """Read a program, and return it in elementary operations, the last of which is the value; refuse lines that are no
    instruction, take results of no earlier ones or of shapes that do not fit, or read a tensor or the input that was
    read before. The work for constants and the entries of all results are limited.
    """
    if not isinstance(lines, list) or not lines or not all(isinstance(line, str) for line in lines):
        raise Refused("program", in_a_line(lines), "a list of lines")
    if len(lines) > MOST_INSTRUCTIONS:
        raise too_large("program", f"of {len(lines)} lines", f"of at most {MOST_INSTRUCTIONS} lines")
    writer, results = Writer(work or Work(), most), list[tuple[int, Shape]]()
    for number, line in enumerate(lines):
        try:
            results.append(instruction(line, results, writer))
        except ValueError as error:
            raise Refused(f"program[{number}]", f"{in_a_line(line)} ({error})", "an instruction") from None
    read = [(one.operation, one.argument) for one in writer.made if one.operation in ("tensor", "input")]
    if len(set(read)) < len(read):
        raise Refused("program", "one that reads a tensor or the input twice", "one that reads each once")
    if results[-1][0] + 1 < len(writer.made):  # the last line takes all of an earlier result
        writer.transpose(writer.transpose(results[-1][0]))
    return tuple(writer.made)


def instruction(line: str, results: Sequence[tuple[int, Shape]], writer: Writer) -> tuple[int, Shape]:
    """Read and write an instruction; return the number and the shape of its result; `ValueError` says what is wrong."""
    require(line.isascii(), "it has other characters")
    stem, _, last = line.partition(":")
    match = LINE.fullmatch(stem[:-2]) if stem.endswith("  ") else None
    if match is None or not re.fullmatch(" [x0-9a-z ]+", last):
        raise ValueError("not of the form 'operation %operands argument  : shape'")
    operation, text, shape = match["operation"], (match["argument"] or "").removeprefix(" "), shape_of(last[1:])
    operands = [int(word[1:]) for word in match["operands"].split()]
    require(all(operand < len(results) for operand in operands), "it takes the result of no earlier instruction")
    numbers, shapes = [results[k][0] for k in operands], [results[k][1] for k in operands]
    number, found = writer.write(operation, numbers, text, shapes, shape)
    require(found == shape, f"its result has the shape {found}")
    return number, shape


def sizes_of(shape: Shape) -> tuple[int, int]:
    """Return the numbers of rows and columns of an array of at most two axes."""
    return ((1, 1) + shape)[-2], ((1, 1) + shape)[-1]


def shape_of(text: str) -> tuple[int, ...]:
    """Read a shape."""
    if text == "number":
        return ()
    sizes = tuple(natural(word) for word in text.split(" x "))
    require(len(sizes) < 3 and 0 not in sizes, "a result has one or two axes, or none, and is not empty")
    return sizes


def natural(word: str) -> int:
    """Read a natural number below 2^31."""
    if not re.fullmatch(r"0|[1-9][0-9]{0,9}", word) or int(word) >= 2**31:
        raise ValueError(f"{in_a_line(word)} is no natural number below 2^31")
    return int(word)


def require(condition: bool, what: str) -> None:
    if not condition:
        raise ValueError(what)


def fraction(word: str) -> Any:
    """Read a fraction in lowest terms."""
    require(bool(re.fullmatch(r"-?(0|[1-9][0-9]*)(/[1-9][0-9]*)?", word)), f"{in_a_line(word)} is no fraction")
    value = flint.fmpq(word)
    long = max(value.p.bit_length(), value.q.bit_length()) > MOST_BITS
    require(not long and str(value) == word, f"{in_a_line(word)} is not in lowest terms, or too long")
    return value


def two_lists(text: str) -> tuple[list[str], list[str]]:
    """Read [[...] [...]]."""
    if (match := re.fullmatch(r"\[\[([^\[\]]*)\] \[([^\[\]]*)\]\]", text)) is None:
        raise ValueError("its argument is no pair of lists")
    return match[1].split(), match[2].split()
