"""Families of vector fields that a certificate claims: for each tensor what acts on its rows and columns."""

from __future__ import annotations

import itertools
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from .actions import Action, Marker, Rational, is_moving
from .limits import MOST_BITS, Refused, in_a_line, whole_number
from .program import Instruction, sizes

__all__ = ["Element", "Part", "TypedFamily", "action_of", "read_family", "tangents_of_types", "typed_family"]

SIDES = ("rows", "columns")

MOST_SPACES = 10_000
"""A family has so many spaces at most."""

MOST_STEPS_OF_FAMILY = 10**6
"""Maximum number of spaces and parts, times the number of vector fields; a million takes about a second."""

Element = Mapping[int, Mapping[tuple[int, int], int]]
"""One of the vector fields: the entries of the matrices of spaces that are not zero, by space."""


class Part(NamedTuple):
    """One summand of what acts on a side: a multiple of the matrix of a space, or of its transpose, between the
    diagonal matrices of gains and their inverses.

    Parameters
    ----------
    space : int
        The number of the space.
    coefficient : int or Fraction
        The multiple.
    transposed : bool
        Whether the matrix is transposed.
    marker : Marker
        The gains.
    """

    space: int
    coefficient: Rational
    transposed: bool
    marker: Marker


class TypedFamily(NamedTuple):
    """Vector fields that move each tensor W by L W + W R.

    Parameters
    ----------
    spaces : tuple of int
        The sizes of unknown matrices.
    basis : tuple of Element or None
        The fields; None for all matrix units of the only space.
    axes : mapping of (str, str) to tuple of Part
        L and R, by tensor and side.
    images : mapping of (int, str) to tuple of Part
        The types of results that the rules leave open, by instruction and side, up to multiples of the identity.
    """

    spaces: tuple[int, ...]
    basis: tuple[Element, ...] | None
    axes: Mapping[tuple[str, str], tuple[Part, ...]]
    images: Mapping[tuple[int, str], tuple[Part, ...]]

    def elements(self) -> Iterator[Element]:
        """Iterate over the vector fields."""
        if self.basis is not None:
            yield from self.basis
        else:
            for i in range(self.spaces[0]):
                for j in range(self.spaces[0]):
                    yield {0: {(i, j): 1}}


def action_of(parts: Sequence[Part], size: int, spaces: Sequence[int], element: Element) -> Action:
    """Return what acts on an axis of a length."""
    multiple: Rational = 0
    entries: dict[tuple[int, int, Marker], Rational] = {}
    for part in parts:
        matrix = element.get(part.space)
        if matrix is None:
            continue
        if spaces[part.space] == 1:
            multiple += part.coefficient * matrix[0, 0]
            continue
        for (i, j), value in matrix.items():
            place = (j, i) if part.transposed else (i, j)
            key = (*place, part.marker if i != j else ())
            total = entries.get(key, 0) + part.coefficient * value
            if total:
                entries[key] = total
            else:
                del entries[key]
    return Action(size, multiple, entries)


def typed_family(
    claim: Mapping[str, Any], program: Sequence[Instruction], tensors: Mapping[str, tuple[int, int]]
) -> TypedFamily:
    """Read a family by types.

    Raises
    ------
    Refused
        If it is malformed, acts where nothing of its size is, or says what makes no difference.
    """
    family = read_family(claim, program, tensors)
    require_normal_form(family)
    return family


def read_family(
    claim: Mapping[str, Any], program: Sequence[Instruction], tensors: Mapping[str, tuple[int, int]]
) -> TypedFamily:
    """Read a family by types, which may say what makes no difference."""
    wanted = {"name", "removes", "by", "spaces", "basis", "axes", "images"}
    if set(claim) != wanted:
        raise Refused("a family by types", f"one with {in_a_line(sorted(claim))}", f"one with {sorted(wanted)}")
    spaces = claim["spaces"]
    if not isinstance(spaces, list) or not 0 < len(spaces) <= MOST_SPACES:
        raise Refused("spaces", in_a_line(spaces), f"a list of 1 to {MOST_SPACES} sizes")
    spaces = tuple(whole_number("a space", size, least=1) for size in spaces)
    read_tensors = {one.argument: number for number, one in enumerate(program) if one.operation == "tensor"}
    axes: dict[tuple[str, str], tuple[Part, ...]] = {}
    for name, parts in named("axes", claim["axes"]).items():
        if name not in tensors:
            raise Refused("axes", f"of {in_a_line(name)}", "of tensors of the network")
        axes |= {(name, side): some for side, some in sided(parts, tensors[name], spaces, program).items()}
    images: dict[tuple[int, str], tuple[Part, ...]] = {}
    for text, parts in named("images", claim["images"]).items():
        if not re.fullmatch("0|[1-9][0-9]{0,9}", text) or int(text) >= len(program):
            raise Refused("images", f"of {in_a_line(text)}", "of numbers of instructions")
        number = int(text)
        found = sided(parts, sizes(program[number].shape), spaces, program)
        images |= {(number, side): some for side, some in found.items()}
    if any(tensors.get(name) != sizes(program[number].shape) for name, number in read_tensors.items()):
        raise Refused("tensors", "of other shapes than those of the program", "those of the program")
    basis = basis_of(claim["basis"], spaces)
    parts = sum(map(len, (*axes.values(), *images.values())))
    steps = (len(spaces) + parts) * len(basis or ())
    if steps > MOST_STEPS_OF_FAMILY:
        was = f"of {len(spaces)} spaces, {parts} parts and {len(basis or ())} vector fields"
        raise Refused("a family by types", was, f"one of at most {MOST_STEPS_OF_FAMILY} steps, the product")
    return TypedFamily(spaces, basis, axes, images)


def require_normal_form(family: TypedFamily) -> None:
    """Require that nothing is said that has no effect, or can be said in two ways.

    Such are spaces that are not used, or have the same matrices as others, sums that are zero, transposed matrices of
    spaces whose matrices are symmetric, gains beside spaces whose matrices are diagonal, and numbers that act on
    columns, or in images, which count up to multiples of the identity.
    """
    if family.basis is None:
        used, skew, full = {0}, set(range(family.spaces[0] > 1)), set(range(family.spaces[0] > 1))
    else:
        used = {space for element in family.basis for space in element}
        full = {space for one in family.basis for space, matrix in one.items() if any(i != j for i, j in matrix)}
        skew = {
            space
            for one in family.basis
            for space, matrix in one.items()
            if any(matrix.get((j, i)) != value for (i, j), value in matrix.items())
        }
    parts = [part for some in (*family.axes.values(), *family.images.values()) for part in some]
    if not used == {part.space for part in parts} == set(range(len(family.spaces))):
        raise Refused("spaces", "some that are not used", "used in the basis, and to act on something")
    matrices = {tuple(frozenset(one.get(space, {}).items()) for one in family.basis or ()) for space in used}
    if len(matrices) < len(used):
        raise Refused("spaces", "some with the same matrices", "different ones")
    for some in (*family.axes.values(), *family.images.values()):
        size = max(family.spaces[part.space] for part in some)
        elements = family.basis or itertools.islice(family.elements(), 2)  # others move as the first two units do
        if not any(is_moving(action_of(some, size, family.spaces, element)) for element in elements):
            raise Refused("what acts on an array", "zero in all vector fields", "left out")
    numbers = [part for (_, side), some in family.axes.items() if side == "columns" for part in some]
    numbers += [part for some in family.images.values() for part in some]
    if any(family.spaces[part.space] == 1 for part in numbers):
        raise Refused("a number", "one that acts on columns, or in an image", "on the rows of tensors")
    for part in parts:
        if (part.transposed and part.space not in skew) or (part.marker and part.space not in full):
            was = f"a transposed matrix, or a gain, where it makes no difference: space {part.space}"
            raise Refused("what acts on an array", was, "without")


def named(argument: str, value: Any) -> Mapping[str, Any]:
    """Return a value that is an object."""
    if not isinstance(value, dict):
        raise Refused(argument, in_a_line(value), "an object")
    return value


def basis_of(value: Any, spaces: Sequence[int]) -> tuple[Element, ...] | None:
    """Read the vector fields of a family: flat lists of a space, a row, a column and an integer."""
    if value == "free" and len(spaces) == 1:
        return None
    if not isinstance(value, list):
        raise Refused("basis", in_a_line(value), "'free', for one space, or a list of lists")
    elements = []
    for listed in value:
        if not isinstance(listed, list) or not listed or len(listed) % 4:
            raise Refused("a vector field", in_a_line(listed), "a list of spaces, rows, columns and integers")
        matrices: dict[int, dict[tuple[int, int], int]] = {}
        for start in range(0, len(listed), 4):
            space, i, j, entry = listed[start : start + 4]
            whole_number("a space of a vector field", space, most=len(spaces) - 1)
            for place in (i, j):
                whole_number("a place in a space", place, most=spaces[space] - 1)
            whole_number("an entry of a vector field", entry, least=-(2**63))
            if entry == 0 or (i, j) in matrices.setdefault(space, {}):
                raise Refused(
                    "a vector field",
                    f"one with {in_a_line(listed[start : start + 4])}",
                    "without zeros, each entry once",
                )
            matrices[space][i, j] = entry
        elements.append(matrices)
    return tuple(elements)


def sided(
    value: Any, shape: tuple[int, int], spaces: Sequence[int], program: Sequence[Instruction]
) -> dict[str, tuple[Part, ...]]:
    """Read what acts on the two sides of an array."""
    if not isinstance(value, list) or not value:
        raise Refused("what acts on an array", in_a_line(value), "a list of sides and spaces")
    found: dict[str, list[Part]] = {}
    for listed in value:
        if not isinstance(listed, list) or len(listed) != 5 or listed[0] not in SIDES or type(listed[3]) is not bool:
            raise Refused("what acts on an array", in_a_line(listed), "[side, space, coefficient, transposed, gains]")
        side, space, coefficient, turned_over, gains = listed
        size = shape[SIDES.index(side)]
        whole_number("a space of an array", space, most=len(spaces) - 1)
        if spaces[space] not in (1, size) or (spaces[space] == 1 and (turned_over or gains != [])):
            was = f"a space of size {spaces[space]} on an axis of length {size}"
            raise Refused("what acts on an array", was, "of size 1, with nothing else, or of the length of the axis")
        part = Part(space, rational_of(coefficient), turned_over, marker_of(gains, size, program))
        found.setdefault(side, []).append(part)
    return {side: tuple(parts) for side, parts in found.items()}


def rational_of(value: Any) -> Rational:
    """Read a coefficient: an integer, or text that is a fraction in lowest terms, not zero."""
    if type(value) is int and value and value.bit_length() <= MOST_BITS:
        return value
    if isinstance(value, str) and len(value) <= 40 and re.fullmatch("-?[1-9][0-9]*/[1-9][0-9]*", value):
        fraction_read = Fraction(value)
        if str(fraction_read) == value:
            return fraction_read
    raise Refused("a coefficient", in_a_line(value), "an integer or a fraction in lowest terms, not zero")


def marker_of(value: Any, size: int, program: Sequence[Instruction]) -> Marker:
    """Read the gains of a part: columns or rows that are tensors, so that no entry is zero for all weights."""
    if not isinstance(value, list) or len(value) > 100:
        raise Refused("gains", in_a_line(value), "a list of at most 100 instructions with exponents")
    powers: dict[int, int] = {}
    for listed in value:
        if not isinstance(listed, list) or len(listed) != 2 or listed[1] not in (1, -1) or type(listed[1]) is not int:
            raise Refused("a gain", in_a_line(listed), "[instruction, 1 or -1]")
        number = whole_number("the instruction of a gain", listed[0], most=len(program) - 1)
        one = program[number]
        if one.operation != "tensor" or sorted(sizes(one.shape)) != sorted((1, size)):
            raise Refused("a gain", f"instruction {number}", f"a tensor with one column or row, of {size} entries")
        powers[number] = powers.get(number, 0) + listed[1]
    return tuple(sorted((number, power) for number, power in powers.items() if power))


def tangents_of_types(
    family: TypedFamily,
    program: Sequence[Instruction],
    tensors: Mapping[str, tuple[int, int]],
    weights: Mapping[str, Sequence[int]],
    prime: int,
    wanted: Container[int] | None = None,
) -> Iterator[tuple[int, dict[int, int]]]:
    """Iterate over the tangents of a family by types modulo a prime, each with its number: the derivatives of the
    parameters that are not zero, by number.

    Parameters
    ----------
    family : TypedFamily
        The family.
    program : sequence of Instruction
        The program.
    tensors : mapping of str to (int, int)
        The shapes of all tensors in the order of the parameters.
    weights : mapping of str to sequence of int
        The residues of the entries of all tensors, row by row.
    prime : int
        The prime.
    wanted : container of int, optional
        The numbers of the tangents that are asked for; all of them unless it is given.

    Raises
    ------
    Refused
        If a gain has a zero, or the prime divides a denominator.
    """
    starts, start = {}, 0
    for name, (height, width) in tensors.items():
        starts[name], start = start, start + height * width
    for number, element in enumerate(family.elements()):
        if wanted is not None and number not in wanted:
            continue
        tangent: dict[int, int] = {}
        for (name, side), parts in family.axes.items():
            (height, width), W, first = tensors[name], weights[name], starts[name]
            size = height if side == "rows" else width
            action = action_of(parts, size, family.spaces, element)
            factors = [(k, k, residue(action.multiple, prime)) for k in range(size)] if action.multiple else []
            for (i, j, marker), value in action.entries.items():
                gains = gain_factor(marker, i, j, program, weights, prime)
                factors.append((i, j, residue(value, prime) * gains % prime))
            for i, j, factor in factors:
                if side == "rows":  # row j is added to row i
                    moved = ((first + i * width + k, W[j * width + k]) for k in range(width))
                else:  # column i is added to column j
                    moved = ((first + k * width + j, W[k * width + i]) for k in range(height))
                for place, weight in moved:
                    tangent[place] = (tangent.get(place, 0) + factor * weight) % prime
        yield number, {place: value for place, value in tangent.items() if value}


def residue(value: Rational, prime: int) -> int:
    """Return a rational number modulo a prime."""
    if isinstance(value, int):
        return value % prime
    if value.denominator % prime == 0:
        raise Refused("the prime", f"{prime}, which divides a denominator", "another prime")
    return value.numerator * pow(value.denominator, -1, prime) % prime


def gain_factor(
    marker: Marker, i: int, j: int, program: Sequence[Instruction], weights: Mapping[str, Sequence[int]], prime: int
) -> int:
    """Return the product of (g_i / g_j)^e modulo a prime."""
    factor = 1
    for number, exponent in marker:
        g = weights[program[number].argument]
        above, below = (g[i], g[j]) if exponent > 0 else (g[j], g[i])
        if not above or not below:
            raise Refused("a gain", "one with an entry that is zero modulo the prime", "without zeros at the weights")
        factor = factor * pow(above * pow(below, -1, prime), abs(exponent), prime) % prime
    return factor
