"""What the computations of this folder hold at one time, from the sizes of a network alone, so that what cannot fit is
told before it begins.

Only arrays that are certainly there together are counted: the estimates are from below, by a factor of two or so, and
what they refuse is hopeless. The rank is not known before; a formula's value stands for it if there is one, else what
the symmetries leave.
"""

from __future__ import annotations

import math

from algatt import verbs
from algatt.architectures import Architecture
from algatt.fields import Balls, Field, FloatBalls, PrimeField, Reals
from algatt.geometry.dimensions.bounds import BLOCK as BLOCK_OF_ROWS
from algatt.geometry.dimensions.bounds import rows_at_a_time
from algatt.geometry.dimensions.question import Question
from algatt.linalg.arithmetic import bytes_of_entry
from algatt.linalg.engines import engine_of_rows, is_elsewhere
from algatt.maps.gradient import BLOCK
from algatt.memory import check_memory

FLOAT = 8
"""Bytes of a float64."""

INTEGER = 8 + 32
"""Of a Python integer in an array of objects: the reference, and the number."""

BALL = 8 + 64
"""Of a ball in an array of objects, with a midpoint of up to 128 bits."""

ARB = 48
"""Of the same in a matrix of FLINT."""

LITTLE = 2**24
"""Bytes that nobody asks the system for, since the interpreter with numpy has more."""

COPIES = 2, 2
"""How often a minor in balls is held: in arrays of objects, since FLINT is given copies; and in matrices, since FLINT
eliminates in a copy.
"""


def check_dimension(question: Question, field: Field) -> None:
    """Raise `NotEnoughMemory` if the dimension cannot be computed over a field."""
    stages: dict[str, float] = verbs.sizes_over(field, question)
    purpose = max(stages, key=lambda name: stages[name])
    if stages[purpose] > LITTLE:
        check_memory(stages[purpose], purpose)


def check_spectrum(question: Question, inputs: int | None) -> None:
    """Raise `NotEnoughMemory` if the Jacobian and its singular values cannot be computed, unless told of as many inputs
    as the rank can be.
    """
    count = max(1, question.assumed_sizes[1]) if inputs is None else inputs
    check_memory(2.0 * jacobian(question.arch, count), "a decomposition of the Jacobian")


def jacobian(arch: Architecture, inputs: int) -> float:
    """Return the bytes of the Jacobian of so many inputs, with all of its rows, in floating point."""
    return float(FLOAT * inputs * arch.outputs * arch.parameters)


def tangents(question: Question, number: int) -> float:
    """Return the bytes of the tangents of the largest family: the elimination works on a copy, which may take half of
    the room.
    """
    largest = max((family.dimension for family in question.likely_symmetries), default=0)
    return number * 1.5 * largest * question.parameters


def by_residues(question: Question, field: PrimeField) -> dict[str, float]:
    """Return the bytes that both bounds modulo a prime need, without what a device has.

    An echelon form has for each pivot the columns that had no pivot before. Rows are computed in blocks, with all
    columns, and written into the matrix that is eliminated without those that the symmetries have; while they are
    computed as much again is held.
    """
    arch, number = question.arch, INTEGER if field.dtype is object else FLOAT
    rank, columns = question.assumed_sizes
    where = engine_of_rows(question.options.engine, field, columns)
    entry = bytes_of_entry(field, rank * columns * min(rank, columns))
    batch = rows_at_a_time(field, rank, columns, where)
    block = min(batch, max(1, BLOCK_OF_ROWS // arch.parameters))
    rows = 2 * block * (arch.parameters + math.prod(arch.input_shape))  # the inputs are drawn one by one, and joined
    matrix = 0.0 if is_elsewhere(where) else max(rank * columns - rank**2 / 2, 1.0 * batch * columns)
    return {
        "the elimination of the tangents of the symmetries": tangents(question, number),
        "the elimination of the Jacobian": number * rows + entry * matrix,
        "the network at random inputs": number * scores(arch, block),
    }


def scores(arch: Architecture, inputs: int) -> float:
    """Return how many numbers a network has between its tokens, as scores and as exponentials or the like,
    in one block of inputs.
    """
    return 2.0 * max(1, min(inputs, BLOCK // arch.parameters)) * arch.scores


def by_balls(question: Question, field: Balls) -> dict[str, float]:
    """Return the bytes that both bounds at a real point need; the rows are chosen in floating point."""
    arch, (_, order) = question.arch, question.assumed_sizes
    objects, matrices = COPIES
    long = field.bits / 8 if field.bits > 128 else 0.0
    return {
        "the elimination of the tangents of the symmetries": tangents(question, FLOAT),
        "the choice of a minor": 2.0 * FLOAT * order * arch.parameters,
        "the determinant of a real minor": order**2 * (objects * BALL + matrices * (ARB + long)),
        "the network at random inputs": FLOAT * scores(arch, order),
    }


@verbs.sizes_over.method
def sizes_over_float_balls(field: FloatBalls, question: Question) -> dict[str, float]:
    """The minor is held with its radii, its inverse, and their products."""
    arch, (_, order) = question.arch, question.assumed_sizes
    return {
        "the elimination of the tangents of the symmetries": tangents(question, FLOAT),
        "the choice of a minor": 2.0 * FLOAT * order * arch.parameters,
        "a real minor and its inverse": 8.0 * FLOAT * order**2,
        "the network at random inputs": 4.0 * FLOAT * scores(arch, order),
    }


def by_floats(question: Question) -> dict[str, float]:
    """Return the bytes that a numerical dimension needs, with the proof that it is compared with; the Jacobian is
    scaled, and decomposed.
    """
    arch = question.arch
    inputs = -(-arch.parameters // arch.outputs)
    proof = by_residues(question, PrimeField()) if arch.algebraic else by_balls(question, Balls())
    return {**proof, "a decomposition of the Jacobian": 3.0 * jacobian(arch, inputs)}


@verbs.sizes_over.method
def sizes_over_prime_field(field: PrimeField, question: Question) -> dict[str, float]:
    return by_residues(question, field)


@verbs.sizes_over.method
def sizes_over_balls(field: Balls, question: Question) -> dict[str, float]:
    return by_balls(question, field)


@verbs.sizes_over.method
def sizes_over_reals(field: Reals, question: Question) -> dict[str, float]:
    return by_floats(question)
