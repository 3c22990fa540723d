"""Programs as text: read, checked and hashed."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .limits import MOST_BITS, MOST_NUMBERS, Refused, in_a_line, too_large

__all__ = ["FUNCTIONS", "Instruction", "cost_of", "hash_of", "parse", "sizes"]

FUNCTIONS = ("erf", "exp", "log", "positive", "sigmoid", "sqrt")
"""Functions of one variable that are applied to each entry."""

MOST_INSTRUCTIONS = 5_000
"""Maximum number of instructions of a program."""

MOST_CHARACTERS = 2**22
"""Maximum number of characters of a line."""

MOST_DIGITS = 1000
"""Maximum number of characters of a fraction."""

MOST_ANGLE = 2.0**40
"""Maximum of an angle."""


@dataclass(frozen=True)
class Instruction:
    """One operation of a program.

    Parameters
    ----------
    operation : str
        Its name.
    operands : tuple of int
        The numbers of the instructions whose results it takes.
    argument : object
        The name of a tensor; the fractions of a constant, row by row; the rows and columns that are taken; the axis
        along which results are joined; angles and positions; a count; or None.
    shape : tuple of int
        Shape of its result.
    """

    operation: str
    operands: tuple[int, ...]
    argument: Any
    shape: tuple[int, ...]


def hash_of(lines: Sequence[str]) -> str:
    """Return the SHA-256 of the lines of a program, joined by newlines."""
    return hashlib.sha256("\n".join(lines).encode("utf-8")).hexdigest()


def sizes(shape: tuple[int, ...]) -> tuple[int, int]:
    """Return the numbers of rows and columns of an array of at most two axes."""
    height, width = ((1, 1) + shape)[-2:]
    return height, width


def parse(lines: Any) -> tuple[Instruction, ...]:
    """Read a program.

    Raises
    ------
    Refused
        If a line is no instruction, takes results of no earlier ones or of shapes that do not fit, reads a tensor or
        the input that was read before, or if it is too large.
    """
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise Refused("program", in_a_line(lines), "a list of lines")
    if not lines:
        raise Refused("program", "empty", "a list of lines")
    if len(lines) > MOST_INSTRUCTIONS:
        raise too_large("program", f"of {len(lines)} lines", f"of at most {MOST_INSTRUCTIONS} lines")
    program: list[Instruction] = []
    read: set[Any] = set()
    numbers = parameters = 0
    for number, line in enumerate(lines):
        try:
            one = instruction(line, program)
        except ValueError as error:
            raise Refused(f"program[{number}]", f"{in_a_line(line)} ({error})", "an instruction") from None
        if one.operation in ("tensor", "input"):
            if (one.operation, one.argument) in read:
                raise Refused(f"program[{number}]", f"{in_a_line(line)}, which was read before", "read once")
            read.add((one.operation, one.argument))
        numbers += math.prod(one.shape)
        parameters += math.prod(one.shape) if one.operation == "tensor" else 0
        if max(numbers, parameters) > MOST_NUMBERS:
            raise too_large("program", f"one with more than {MOST_NUMBERS} numbers", "smaller")
        program.append(one)
    return tuple(program)


def cost_of(program: Sequence[Instruction]) -> int:
    """Return the number of steps that a program takes: entries of results, and multiplications by the hundred."""
    steps = 0
    for one in program:
        steps += math.prod(one.shape)
        if one.operation == "product":
            steps += math.prod(one.shape) * sizes(program[one.operands[0]].shape)[1] // 100
        if one.operation == "column_products":
            steps += math.prod(program[one.operands[0]].shape) + math.prod(program[one.operands[1]].shape)
    return steps


LINE = re.compile(r"(?P<operation>[a-z_]+)(?P<operands>( %(0|[1-9][0-9]*))*)(?P<argument> [^:]*)?")
"""What stands before the shape, which is cut off first: so nothing is tried at each of many operands."""


def instruction(line: str, program: Sequence[Instruction]) -> Instruction:
    """Read an instruction; `ValueError` says what is wrong with it."""
    if len(line) > MOST_CHARACTERS or not line.isascii():
        raise ValueError("a line of other characters, or too many")
    stem, _, last = line.partition(":")
    match = LINE.fullmatch(stem[:-2]) if stem.endswith("  ") else None
    if match is None or not re.fullmatch(" [x0-9a-z ]+", last):
        raise ValueError("not of the form 'operation %operands argument  : shape'")
    operation, shape = match["operation"], shape_of(last[1:])
    operands = tuple(int(word[1:]) for word in match["operands"].split())
    if any(operand >= len(program) for operand in operands):
        raise ValueError("it takes the result of no earlier instruction")
    text = (match["argument"] or "").removeprefix(" ")
    shapes = [program[operand].shape for operand in operands]
    if operation not in RULES:
        raise ValueError(f"{operation} is no operation")
    argument, expected = RULES[operation](text, shapes, shape)
    if expected != shape:
        raise ValueError(f"its result has the shape {expected}")
    return Instruction(operation, operands, argument, shape)


def shape_of(text: str) -> tuple[int, ...]:
    """Read a shape."""
    if text == "number":
        return ()
    sizes = tuple(natural(word) for word in text.split(" x "))
    if len(sizes) > 2 or 0 in sizes:
        raise ValueError("a result has one or two axes, or none, and is not empty")
    return sizes


def natural(word: str) -> int:
    """Read a natural number below 2^31."""
    if not re.fullmatch(r"0|[1-9][0-9]{0,9}", word) or int(word) >= 2**31:
        raise ValueError(f"{in_a_line(word)} is no natural number below 2^31")
    return int(word)


Shape = tuple[int, ...]
Rule = Callable[[str, list[Shape], Shape], tuple[Any, Shape]]


def require(condition: bool, what: str) -> None:
    """Raise `ValueError` unless a condition holds."""
    if not condition:
        raise ValueError(what)


def bare(text: str, count: int, shapes: list[Shape]) -> None:
    """Require that there is no argument, and a number of operands."""
    require(not text and len(shapes) == count, f"it has {count} operands and no argument")


def read_tensor(text: str, shapes: list[Shape], shape: Shape) -> tuple[Any, Shape]:
    require(re.fullmatch(r"[^\s%:\[\]]+", text) is not None and not shapes, "a tensor has a name and no operands")
    return text, shape


def read_input(text: str, shapes: list[Shape], shape: Shape) -> tuple[Any, Shape]:
    bare(text, 0, shapes)
    return None, shape


def read_constant(text: str, shapes: list[Shape], shape: Shape) -> tuple[Any, Shape]:
    require(text.startswith("[") and text.endswith("]") and not shapes, "a constant has entries and no operands")
    entries = tuple(fraction(word) for word in text[1:-1].split())
    require(len(entries) == math.prod(shape), "it has another number of entries")
    return entries, shape


def fraction(word: str) -> Fraction:
    """Read a fraction in lowest terms."""
    if not re.fullmatch(r"-?(0|[1-9][0-9]*)(/[1-9][0-9]*)?", word) or len(word) > MOST_DIGITS:
        raise ValueError(f"{in_a_line(word)} is no fraction of at most {MOST_BITS} bits")
    value = Fraction(word)
    if str(value) != word or max(value.numerator.bit_length(), value.denominator.bit_length()) > MOST_BITS:
        raise ValueError(f"{in_a_line(word)} is not in lowest terms, or longer than {MOST_BITS} bits")
    return value


def read_same(text: str, shapes: list[Shape], shape: Shape) -> tuple[Any, Shape]:
    bare(text, 1, shapes)
    return None, shapes[0]


def read_broadcast(text: str, shapes: list[Shape], shape: Shape) -> tuple[Any, Shape]:
    bare(text, 2, shapes)
    (height, width), (rows, columns) = map(sizes, shapes)
    require(height == rows or 1 in (height, rows), "its operands have numbers of rows that do not fit")
    require(width == columns or 1 in (width, columns), "its operands have numbers of columns that do not fit")
    return None, (max(height, rows), max(width, columns))[2 - max(map(len, shapes)) :]


def read_transpose(text: str, shapes: list[Shape], shape: Shape) -> tuple[Any, Shape]:
    bare(text, 1, shapes)
    require(len(shapes[0]) == 2, "only matrices are transposed")
    return None, shapes[0][::-1]


def read_product(text: str, shapes: list[Shape], shape: Shape) -> tuple[Any, Shape]:
    bare(text, 2, shapes)
    require(all(len(one) == 2 for one in shapes) and shapes[0][1] == shapes[1][0], "its operands do not fit")
    return None, (shapes[0][0], shapes[1][1])


def read_column_products(text: str, shapes: list[Shape], shape: Shape) -> tuple[Any, Shape]:
    _, both = read_broadcast(text, shapes, shape)
    require(len(both) == 2, "its operands are no matrices")
    return None, (1, both[1])


def read_centre(text: str, shapes: list[Shape], shape: Shape) -> tuple[Any, Shape]:
    bare(text, 1, shapes)
    require(len(shapes[0]) == 2, "only matrices are centred")
    return None, shapes[0]


def two_lists(text: str) -> tuple[list[str], list[str]]:
    """Read [[...] [...]]."""
    match = re.fullmatch(r"\[\[([^\[\]]*)\] \[([^\[\]]*)\]\]", text)
    if match is None:
        raise ValueError("its argument is no pair of lists")
    return match[1].split(), match[2].split()


def read_rotate(text: str, shapes: list[Shape], shape: Shape) -> tuple[Any, Shape]:
    require(len(shapes) == 1 and len(shapes[0]) == 2, "it turns the columns of one matrix")
    first, second = two_lists(text)
    angles = tuple(float(word) for word in first)
    require(
        all(repr(angle) == word and abs(angle) < MOST_ANGLE for angle, word in zip(angles, first, strict=True)),
        "no angle",
    )
    positions = tuple(map(natural, second))
    height, width = shapes[0]
    require(0 < 2 * len(angles) <= height, "it turns more rows than there are")
    require(len(positions) > 0 and (width == len(positions) or 1 in (width, len(positions))), "positions do not fit")
    return (angles, positions), (2 * len(angles), max(width, len(positions)))


def read_take(text: str, shapes: list[Shape], shape: Shape) -> tuple[Any, Shape]:
    require(len(shapes) == 1 and len(shapes[0]) == 2, "it takes a part of one matrix")
    first, second = two_lists(text)
    chosen = tuple(map(natural, first)), tuple(map(natural, second))
    for numbers, size in zip(chosen, shapes[0], strict=True):
        require(len(set(numbers)) == len(numbers) and all(one < size for one in numbers), "it takes what is not there")
    return chosen, (len(chosen[0]), len(chosen[1]))


def read_concatenate(text: str, shapes: list[Shape], shape: Shape) -> tuple[Any, Shape]:
    require(text in ("0", "1") and bool(shapes) and all(len(one) == 2 for one in shapes), "it joins matrices")
    axis = int(text)
    require(len({one[1 - axis] for one in shapes}) == 1, "its operands do not fit")
    total, other = sum(one[axis] for one in shapes), shapes[0][1 - axis]
    return axis, (other, total) if axis else (total, other)


def read_largest(text: str, shapes: list[Shape], shape: Shape) -> tuple[Any, Shape]:
    require(len(shapes) == 1 and len(shapes[0]) == 2, "it looks at the columns of one matrix")
    require(0 < natural(text) <= shapes[0][0], "it looks for more entries than there are")
    return natural(text), shapes[0]


RULES: dict[str, Rule] = {
    "tensor": read_tensor,
    "input": read_input,
    "constant": read_constant,
    "add": read_broadcast,
    "multiply": read_broadcast,
    "negate": read_same,
    "reciprocal": read_same,
    "transpose": read_transpose,
    "product": read_product,
    "column_products": read_column_products,
    "centre": read_centre,
    "rotate": read_rotate,
    "take": read_take,
    "concatenate": read_concatenate,
    "largest": read_largest,
    **dict.fromkeys(FUNCTIONS, read_same),
}
"""What each operation asks of its argument, the shapes of its operands and the claimed shape of its result; and the
argument and the shape that it has.
"""
