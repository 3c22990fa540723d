"""Constants of the code that are a part of a tensor: the program without them has the same value at other weights.

The conditions are those of "Constants that are a part of a tensor" in docs/theory/arrows.md. For each tensor T with a
constant T_0 the maps of T that are linear with constant coefficients are followed; what they make of T_0 has to be the
constants that are left out. So a family by types of the program without these constants, at T + T_0, is one of the
program.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from .constants import FOLDED, Rows, is_short, known_constants
from .families import TypedFamily, rational_of, tangents_of_types
from .limits import MOST_BITS, Refused, in_a_line
from .program import Instruction, sizes
from .types import check_types

__all__ = ["check_beside_constants", "offsets_of_claim", "tangents_beside_constants", "without_constants"]

MOST_OFFSETS = 10**6
"""So many entries of images of constants are computed at most."""

Offsets = Mapping[str, Rows]
"""By the names of tensors what is added to them, row by row."""

LINEAR = ("add", "concatenate", "negate", "take", "transpose")
"""Operations that are linear in all operands together."""

TIMES = ("multiply", "product")
"""Operations that are linear in each operand."""


class NotAbsorbed(Exception):
    """A constant is no part of a tensor."""


def offsets_of_claim(where: str, value: Any, tensors: Mapping[str, tuple[int, int]]) -> Offsets:
    """Read what is added to tensors: lists of entries, row by row.

    Raises
    ------
    Refused
        If it is malformed.
    """
    found: dict[str, Rows] = {}
    if not isinstance(value, dict) or not value:
        raise Refused(where, in_a_line(value), "an object with a list for each tensor")
    for name, listed in value.items():
        height, width = tensors.get(name, (0, 0))
        if not isinstance(listed, list) or len(listed) != height * width or not any(map(is_nonzero, listed)):
            raise Refused(where, in_a_line(listed), "the entries of a tensor, not all of them zero")
        entries = [Fraction(rational_of(entry)) if is_nonzero(entry) else Fraction(0) for entry in listed]
        found[name] = [entries[i * width : (i + 1) * width] for i in range(height)]
    return found


def is_nonzero(value: Any) -> bool:
    """Return whether an entry is not written as the number 0."""
    return type(value) is not int or value != 0


def without_constants(program: Sequence[Instruction], offsets: Offsets) -> list[Instruction]:
    """Return the program in which sums with the constants that tensors have in them are their other summands.

    At T + T_0 each result that is linear in T is that of the program at T and the image of T_0, and all others are the
    same; so the derivatives of the value are.

    Raises
    ------
    NotAbsorbed
        If something else sees one of the tensors.
    Refused
        If this takes too many steps.
    """
    constants = known_constants(program)
    images: dict[int, Rows] = {}
    changed = list(program)
    left = MOST_OFFSETS
    for number, one in enumerate(program):
        if one.operation == "tensor" and one.argument in offsets:
            images[number] = offsets[one.argument]
            continue
        linear = [operand for operand in one.operands if operand in images]
        if not linear:
            continue
        height, width = sizes(one.shape)
        left -= height * width
        if left < 0:
            raise Refused("offsets", f"of more than {MOST_OFFSETS} entries", "smaller")
        others = [operand for operand in one.operands if operand not in images]
        if one.operation == "add" and is_left_out(program, number, linear, others, images, constants):
            whole = (tuple(range(height)), tuple(range(width)))
            changed[number] = Instruction("take", (linear[0],), whole, one.shape)
            continue
        if one.operation in TIMES and (len(linear) > 1 or others[0] not in constants):
            raise NotAbsorbed(f"instruction {number} multiplies a tensor with a constant in it by what is no constant")
        if one.operation not in (*LINEAR, *TIMES):
            raise NotAbsorbed(f"instruction {number} is not linear in a tensor with a constant in it")
        operands = []
        for operand in one.operands:
            rows, columns = sizes(program[operand].shape)
            zero = [[Fraction(0)] * columns for _ in range(rows)]
            operands.append(images.get(operand) or (constants[operand] if one.operation in TIMES else zero))
        images[number] = FOLDED[one.operation](operands, one)
        if not all(is_short(entry) for row in images[number] for entry in row):
            raise NotAbsorbed(
                f"instruction {number} makes numbers of more than {MOST_BITS} bits of what is in a tensor"
            )
    return changed


def is_left_out(
    program: Sequence[Instruction],
    number: int,
    linear: Sequence[int],
    others: Sequence[int],
    images: Mapping[int, Rows],
    constants: Mapping[int, Rows],
) -> bool:
    """Return whether a sum adds to an image of tensors the constant that they have in them."""
    if len(linear) != 1 or len(others) != 1 or others[0] not in constants:
        return False
    added = FOLDED["add"]([constants[others[0]], [[Fraction(0)]]], program[number])
    return bool(images[linear[0]] == added)


def check_beside_constants(
    program: Sequence[Instruction], family: TypedFamily, offsets: Offsets, budget: list[int] | None = None
) -> str | None:
    """Say why vector fields at T + T_0 may move the value of a program, or return None if they do not."""
    try:
        return check_types(without_constants(program, offsets), family, budget)
    except NotAbsorbed as error:
        return str(error)


def tangents_beside_constants(
    family: TypedFamily,
    offsets: Offsets,
    program: Sequence[Instruction],
    tensors: Mapping[str, tuple[int, int]],
    weights: Mapping[str, Sequence[int]],
    prime: int,
    wanted: Any = None,
) -> Any:
    """Iterate over the tangents of a family at T + T_0 modulo a prime, as `tangents_of_types` does."""
    moved = dict(weights)
    for name, rows in offsets.items():
        entries = [entry for row in rows for entry in row]
        if any(entry.denominator % prime == 0 for entry in entries):
            raise Refused("the prime", f"{prime}, which divides a denominator", "another prime")
        added = [entry.numerator * pow(entry.denominator, -1, prime) for entry in entries]
        moved[name] = [(x + y) % prime for x, y in zip(weights[name], added, strict=True)]
    return tangents_of_types(family, program, tensors, moved, prime, wanted)
