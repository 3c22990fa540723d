"""Programs as text: read, checked and hashed."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .limits import MOST_BITS, MOST_NUMBERS, Refused, in_a_line, too_large

__all__ = ["FUNCTIONS", "Instruction", "cost_of", "fraction", "hash_of", "parse"]

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
    """One operation of a program: its name, the numbers of the instructions whose results it takes, its argument (the
    name of a tensor; fractions of a constant; rows and columns that are taken; the axis along which results are joined;
    angles and positions; a count; or None), and the shape of its result.
    """

    operation: str
    operands: tuple[int, ...]
    argument: Any
    shape: tuple[int, ...]

    @property
    def sizes(self) -> tuple[int, int]:
        """The numbers of rows and columns of its result."""
        height, width = ((1, 1) + self.shape)[-2:]
        return height, width


def hash_of(lines: Sequence[str]) -> str:
    """Return the SHA-256 of the lines of a program, joined by newlines."""
    return hashlib.sha256("\n".join(lines).encode("utf-8")).hexdigest()


def parse(lines: Any) -> tuple[Instruction, ...]:
    """Read a program; refuse lines that are no instruction, take results of no earlier ones or of shapes that do not
    fit, or read a tensor or the input that was read before.
    """
    if not isinstance(lines, list) or not lines or not all(isinstance(line, str) for line in lines):
        raise Refused("program", in_a_line(lines), "a list of lines")
    if len(lines) > MOST_INSTRUCTIONS:
        raise too_large("program", f"of {len(lines)} lines", f"of at most {MOST_INSTRUCTIONS} lines")
    program: list[Instruction] = []
    read: set[Any] = set()
    numbers = 0
    for number, line in enumerate(lines):
        try:
            one = instruction(line, program)
            require((one.operation, one.argument) not in read, "it was read before")
        except ValueError as error:
            raise Refused(f"program[{number}]", f"{in_a_line(line)} ({error})", "an instruction") from None
        if one.operation in ("tensor", "input"):
            read.add((one.operation, one.argument))
        numbers += math.prod(one.shape)
        if numbers > MOST_NUMBERS:
            raise too_large("program", f"one with more than {MOST_NUMBERS} numbers", "smaller")
        program.append(one)
    return tuple(program)


def cost_of(program: Sequence[Instruction]) -> int:
    """Return the number of steps that a program takes: entries of results, and multiplications by the hundred."""
    steps = 0
    for one in program:
        steps += math.prod(one.shape)
        if one.operation == "product":
            steps += math.prod(one.shape) * program[one.operands[0]].sizes[1] // 100
    return steps


LINE = re.compile(r"(?P<operation>[a-z_]+)(?P<operands>( %(0|[1-9][0-9]*))*)(?P<argument> [^:]*)?")
"""What stands before the shape, which is cut off first: so nothing is tried at each of many operands."""


def instruction(line: str, program: Sequence[Instruction]) -> Instruction:
    """Read an instruction; `ValueError` says what is wrong with it."""
    require(len(line) <= MOST_CHARACTERS and line.isascii(), "it has other characters, or too many")
    stem, _, last = line.partition(":")
    match = LINE.fullmatch(stem[:-2]) if stem.endswith("  ") else None
    if match is None or not re.fullmatch(" [x0-9a-z ]+", last):
        raise ValueError("not of the form 'operation %operands argument  : shape'")
    operation, shape = match["operation"], shape_of(last[1:])
    operands = tuple(int(word[1:]) for word in match["operands"].split())
    require(all(operand < len(program) for operand in operands), "it takes the result of no earlier instruction")
    require(operation in OPERATIONS, f"{operation} is no operation")
    shapes = [program[operand].shape for operand in operands]
    argument, expected = checked(operation, (match["argument"] or "").removeprefix(" "), shapes, shape)
    require(expected == shape, f"its result has the shape {expected}")
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


def require(condition: bool, what: str) -> None:
    """Raise `ValueError` unless a condition holds."""
    if not condition:
        raise ValueError(what)


def fraction(word: str) -> Fraction:
    """Read a fraction in lowest terms."""
    if not re.fullmatch(r"-?(0|[1-9][0-9]*)(/[1-9][0-9]*)?", word) or len(word) > MOST_DIGITS:
        raise ValueError(f"{in_a_line(word)} is no fraction of at most {MOST_BITS} bits")
    value = Fraction(word)
    if str(value) != word or max(value.numerator.bit_length(), value.denominator.bit_length()) > MOST_BITS:
        raise ValueError(f"{in_a_line(word)} is not in lowest terms, or longer than {MOST_BITS} bits")
    return value


def two_lists(text: str) -> tuple[list[str], list[str]]:
    """Read [[...] [...]]."""
    match = re.fullmatch(r"\[\[([^\[\]]*)\] \[([^\[\]]*)\]\]", text)
    if match is None:
        raise ValueError("its argument is no pair of lists")
    return match[1].split(), match[2].split()


def checked(operation: str, text: str, shapes: Sequence[Shape], shape: Shape) -> tuple[Any, Shape]:
    """Return the argument and the shape of an instruction, by the text of its argument, the shapes of its operands, and
    the shape that it says; `ValueError` says what is wrong.
    """
    count, bare = OPERATIONS[operation]
    require(count is None or len(shapes) == count, f"it has {count} operands")
    require(not text or not bare, "it has no argument")
    if operation in ("transpose", "product", "centre", "rotate", "take", "concatenate", "largest"):
        require(all(len(one) == 2 for one in shapes), "its operands are no matrices")
    match operation:
        case "tensor":
            require(re.fullmatch(r"[^\s%:\[\]]+", text) is not None, "a tensor has a name")
            return text, shape
        case "input":
            return None, shape
        case "constant":
            require(text.startswith("[") and text.endswith("]"), "a constant has entries")
            entries = tuple(fraction(word) for word in text[1:-1].split())
            require(len(entries) == math.prod(shape), "it has another number of entries")
            return entries, shape
        case "add" | "multiply" | "column_products":
            both = tuple(zip(*(((1, 1) + one)[-2:] for one in shapes), strict=True))
            require(all(x == y or 1 in (x, y) for x, y in both), "its operands do not fit")
            found = tuple(map(max, both))[2 - max(map(len, shapes)) :]
            require(operation != "column_products" or len(found) == 2, "its operands are no matrices")
            return None, (1, found[1]) if operation == "column_products" else found
        case "transpose":
            return None, shapes[0][::-1]
        case "product":
            require(shapes[0][1] == shapes[1][0], "its operands do not fit")
            return None, (shapes[0][0], shapes[1][1])
        case "rotate":
            first, second = two_lists(text)
            angles = tuple(float(word) for word in first)
            same = all(repr(angle) == word for angle, word in zip(angles, first, strict=True))
            require(same and all(abs(angle) < MOST_ANGLE for angle in angles), "no angle")
            positions = tuple(map(natural, second))
            height, width = shapes[0]
            require(0 < 2 * len(angles) <= height, "it turns more rows than there are")
            fit = len(positions) > 0 and (width == len(positions) or 1 in (width, len(positions)))
            require(fit, "positions do not fit")
            return (angles, positions), (2 * len(angles), max(width, len(positions)))
        case "take":
            chosen = tuple(tuple(map(natural, words)) for words in two_lists(text))
            for numbers, size in zip(chosen, shapes[0], strict=True):
                fit = len(set(numbers)) == len(numbers) and all(one < size for one in numbers)
                require(fit, "it takes what is not there")
            return chosen, (len(chosen[0]), len(chosen[1]))
        case "concatenate":
            require(text in ("0", "1") and bool(shapes), "it joins matrices along an axis")
            axis = int(text)
            require(len({one[1 - axis] for one in shapes}) == 1, "its operands do not fit")
            total, other = sum(one[axis] for one in shapes), shapes[0][1 - axis]
            return axis, (other, total) if axis else (total, other)
        case "largest":
            require(0 < natural(text) <= shapes[0][0], "it looks for more entries than there are")
            return natural(text), shapes[0]
    return None, shapes[0]


OPERATIONS: dict[str, tuple[int | None, bool]] = {
    "tensor": (0, False),
    "input": (0, True),
    "constant": (0, False),
    **dict.fromkeys(("add", "multiply", "column_products", "product"), (2, True)),
    **dict.fromkeys(("negate", "transpose", "centre", "reciprocal", *FUNCTIONS), (1, True)),
    "rotate": (1, False),
    "take": (1, False),
    "largest": (1, False),
    "concatenate": (None, False),
}
"""The number of operands of each operation, None for any, and whether it has no argument."""
