r"""Constants of the code that are added to what is linear in a tensor: they are a part of the tensor.

A score :math:`K^T Q + B(b) + 1`, with biases b of relative positions that B puts into their places, depends on
:math:`b + b_0` with :math:`B(b_0) = 1`; and the program of these has scalings that the program of b does not have. The
tensor :math:`b + b_0` in place of b is an arrow, an invertible one (derived, see docs/theory/motions.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from algatt.programs import Program
from algatt.programs.uses import Uses, bypass
from algatt.symmetry.typed.linear_system import LinearForm, solve

MOST_ENTRIES = 2**20
"""Tensors with more entries, times those of a result, keep the constants beside them."""

Images = np.ndarray
"""What a linear map makes of each entry of a tensor that is one alone: fractions or integers, of shape (entries, rows,
columns).
"""


@dataclass(frozen=True)
class Offset:
    """A constant that is added to a tensor.

    Parameters
    ----------
    tensor : str
        The tensor.
    entries : tuple of tuple of Fraction
        The constant, row by row.
    """

    tensor: str
    entries: tuple[tuple[Fraction, ...], ...]

    @property
    def array(self) -> np.ndarray:
        """The constant as an array of fractions."""
        return np.array(self.entries, dtype=object)


def absorb_constants(program: Program) -> tuple[Program, tuple[Offset, ...]]:
    """Return a program of tensors with constants in them, and these."""
    offsets = []
    for name in program.uses.beside_constants:
        found = absorbed(program, name)
        if found is not None:
            program, offset = found
            offsets.append(offset)
    return program, tuple(offsets)


def tensors_beside_constants(program: Program) -> tuple[str, ...]:
    """Return the tensors that constants may be a part of: all that `absorb_constants` finds, and others perhaps."""
    uses = program.uses
    return tuple(name for name in uses.beside_constants if sums_of(uses, place_of(uses, name)))


def place_of(uses: Uses, name: str) -> int:
    """Return the number of a tensor."""
    return next(number for number in range(len(uses)) if uses.is_matrix(number) and uses[number].argument == name)


def sums_of(uses: Uses, start: int) -> dict[int, int]:
    """Return the sums of constants and what is linear in a tensor, each with the latter, if everything that sees the
    tensor leads to such sums; else nothing.
    """
    linear, sums = {start}, dict[int, int]()
    for number in range(start + 1, len(uses)):
        one = uses[number]
        others = [operand for operand in one.operands if operand not in linear]
        if len(others) == len(one.operands):
            continue
        beside = constant_beside(uses, number)
        if beside is not None:
            (sums[number],) = (operand for operand in one.operands if operand != beside)
        elif one.operation not in RULES or (
            one.operation in ("multiply", "product")
            and not (len(others) == 1 and all(uses.is_constant(operand) for operand in others))
        ):
            return {}
        else:
            linear.add(number)
    return {} if len(uses) - 1 in linear else sums


def absorbed(program: Program, name: str) -> tuple[Program, Offset] | None:
    """Return the program of a tensor with a constant in it, and the constant; None if there is none."""
    uses = program.uses
    start = place_of(uses, name)
    sums = sums_of(uses, start)
    if not sums:
        return None
    height, width = uses[start].shape
    images = {start: np.eye(height * width, dtype=np.int64).astype(object).reshape(-1, height, width)}
    forms: list[LinearForm] = []
    for number in range(start + 1, len(uses)):
        if not any(operand in images for operand in uses[number].operands):
            continue
        if height * width * int(np.prod(uses[number].shape)) > MOST_ENTRIES:
            return None
        if number in sums:
            (beside,) = (operand for operand in uses[number].operands if operand != sums[number])
            forms += equations(uses, number, beside, images[sums[number]])
        else:
            images[number] = image_of(uses, number, images)
    solution = next((one for one in solve(forms, [*range(height * width), "one"]) if one.get("one")), None)
    if solution is None:
        return None
    entries = [Fraction(solution.get(place, 0), solution["one"]) for place in range(height * width)]
    rows = tuple(tuple(entries[row * width : (row + 1) * width]) for row in range(height))
    return bypass(program, sums), Offset(name, rows)


def constant_beside(uses: Uses, number: int) -> int | None:
    """Return the constant that an operation adds to something of the same shape, or None."""
    if uses[number].operation != "add":
        return None
    for one, other in (uses[number].operands, uses[number].operands[::-1]):
        if uses.is_constant(one) and uses[other].shape == uses[number].shape:
            return one
    return None


def equations(uses: Uses, number: int, beside: int, images: Images) -> Iterator[LinearForm]:
    """Iterate over the equations of entries of a tensor whose image is a constant; the unknown ``one`` is 1."""
    constant = np.broadcast_to(entries_of(uses, beside), images.shape[1:]).tolist()
    for i, j in np.ndindex(*images.shape[1:]):
        form: LinearForm = {place: images[place, i, j] for place in np.flatnonzero(images[:, i, j]).tolist()}
        if constant[i][j]:
            form["one"] = -constant[i][j]
        if form:
            yield form


def entries_of(uses: Uses, number: int) -> np.ndarray:
    """Return the entries of a constant as a matrix."""
    one = uses[number]
    if one.operation == "negate":
        return -entries_of(uses, one.operands[0])
    height, width = ((1, 1) + one.shape)[-2:]
    return np.array(one.argument, dtype=object).reshape(height, width)


def image_of(uses: Uses, number: int, images: dict[int, Images]) -> Images:
    """Return the images of a result that is linear in a tensor: what does not depend on the tensor adds nothing, and
    multiplies by what it is.
    """
    one = uses[number]
    count = len(next(images[operand] for operand in one.operands if operand in images))
    parts = []
    for operand in one.operands:
        shape = uses.height(operand), uses.width(operand)
        if operand in images:
            parts.append(images[operand])
        else:
            beside = np.zeros(shape, dtype=object) if one.operation in ADDED else entries_of(uses, operand)
            parts.append(np.broadcast_to(beside, (count, *shape)))
    image: Images = RULES[one.operation](one.argument, *parts)
    return image


ADDED = ("add", "concatenate")
"""Operations that put results together."""

RULES: dict[str, Callable[..., Images]] = {
    "add": lambda _, one, other: one + other,
    "negate": lambda _, one: -one,
    "multiply": lambda _, one, other: one * other,
    "transpose": lambda _, one: one.swapaxes(1, 2),
    "product": lambda _, one, other: np.matmul(one, other),
    "take": lambda places, one: one[:, list(places[0])][:, :, list(places[1])],
    "concatenate": lambda axis, *parts: np.concatenate(parts, axis=axis + 1),
}
"""What is linear in an operand, if the other operands are constants."""
