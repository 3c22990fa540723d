"""Random points over the reals at which derivatives keep as many digits as they can, and their precision."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeVar

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import constant_inputs, draw_inputs, draw_tokens
from algatt.architectures.network import program
from algatt.errors import ConditionFailed, NoValue
from algatt.fields import Balls, Elements, Reals
from algatt.fields.ball import midpoints
from algatt.fields.float_ball import FloatBalls
from algatt.parameters import Weights
from algatt.programs.interpret import Instruction

MOST_BITS = 2048
"""Maximum precision; 128 bits do for six layers of softmax."""

TRIED = 8
"""Number of real inputs that are tried for a value."""

GATES = {"positive", "largest"}
"""Operations whose results are locally constant."""

SMALL = 4
"""Biases are multiplied by two to minus this where there are gates, so that neurons are active at some inputs alone."""

T = TypeVar("T")

RealBalls = Balls | FloatBalls
"""Fields of balls."""

RealNumbers = RealBalls | Reals
"""Fields of real numbers."""


def ball_weights(arch: Architecture, field: RealBalls, seed: int, scale: float = 1.0) -> Weights:
    """Return random weights, times the powers of two of `scales_of`, and times `scale`. The entries are exact."""
    if isinstance(field, FloatBalls):  # whose products are rounded, those with powers of two as well
        theta = real_weights(arch, seed, scale)
        return theta.replace([Elements.of(field, element.raw) for element in theta.elements])
    theta = verbs.sample(arch, Weights, field=field, seed=seed)
    powers = [Fraction(2) ** power * Fraction(scale) for power in scales_of(arch)]
    return theta.replace([element * power for element, power in zip(theta.elements, powers, strict=True)])


def scales_of(arch: Architecture) -> list[int]:
    r"""Return by which powers of two random real tensors are multiplied: those with d columns by the one next to
    :math:`1 / \sqrt d`.

    The tensors that the architecture names, as queries and keys, are multiplied by :math:`2^h`, where h is the exponent
    of the score. So tokens keep their size from layer to layer, and scores are of size one: no weight of a token is
    nearly zero or one, where derivatives vanish. Where there are gates, columns that are added, which are biases, are
    small: where a neuron is active at all inputs or at none, the dimension is often smaller than elsewhere. So are
    tensors that make what norms divide by its length.
    """
    exponents, biases, normed = arch.exponents, biases_of_gates(arch), powers_before_norms(arch)
    return [
        round(-math.log2(shape[-1]) / 2) + exponents.get(name, 0) - SMALL * (name in biases) - normed.get(name, 0)
        for name, shape in verbs.coordinates(arch).items()
    ]


LINEAR = {"add", "negate", "transpose", "centre", "concatenate", "take", "rotate", "column_products"}
"""Operations through which tensors are looked for whose products are normed."""

ABOVE_EPSILON = 8
"""Squares of what is normed are about two to this times the epsilon."""

BESIDE_STREAM = 8
"""What is added to a stream is smaller than what is there by two to minus this."""


@functools.lru_cache(maxsize=8)
def powers_before_norms(arch: Architecture) -> dict[str, int]:
    """Return by which powers of two tensors are divided that make what norms divide by its length, by name.

    The first that are normed are so small that the epsilon is seen. What is added to these before a later norm is
    smaller still, but where there are gates, which would be those of the first alone.
    """
    instructions = program(arch).instructions
    beside = 0 if any(one.operation in GATES for one in instructions) else BESIDE_STREAM
    powers: dict[str, int] = {}
    for one in instructions:
        if one.operation != "sqrt":
            continue
        squares, epsilon = without_constant(instructions, one.operands[0])
        tensors = tensors_before(instructions, squares)
        known = [powers[name] for name in tensors if name in powers]
        if known:
            powers = dict.fromkeys(tensors, min(known) + beside) | powers
        else:
            power = -round((math.log2(epsilon) + ABOVE_EPSILON) / 2) if epsilon else 0
            powers |= dict.fromkeys(tensors, max(0, power))
    return powers


def without_constant(instructions: Sequence[Instruction], number: int) -> tuple[int, float]:
    """Return what a positive constant is added to, and the constant; a result as it is, and zero, if there is none."""
    one = instructions[number]
    for at, other in (one.operands, one.operands[::-1]) if one.operation == "add" else ():
        constant = instructions[other]
        if constant.operation == "constant" and len(set(constant.argument)) == 1 and constant.argument[0] > 0:
            return at, float(constant.argument[0])
    return number, 0.0


def tensors_before(instructions: Sequence[Instruction], number: int) -> set[str]:
    """Return the names of the tensors if a result is made of products with them, or of them alone; none if there is
    more, as gains of a norm that is the stream.
    """
    tensors, left = set(), [number]
    while left:
        one = instructions[left.pop()]
        factors = [operand for operand in one.operands if is_tensor(instructions, operand)]
        numbers = [operand for operand in one.operands if instructions[operand].operation == "constant"]
        if one.operation == "tensor":
            tensors.add(one.argument)
        elif one.operation in LINEAR:
            left += one.operands
        elif one.operation == "multiply" and numbers:
            left += [operand for operand in one.operands if operand not in numbers]
        elif one.operation == "product" and factors:
            left.append(factors[0])
        else:
            return set()
    return tensors


def is_tensor(instructions: Sequence[Instruction], number: int) -> bool:
    """Return whether a result is a tensor, or its transpose."""
    one = instructions[number]
    return one.operation == "tensor" or (
        one.operation == "transpose" and instructions[one.operands[0]].operation == "tensor"
    )


@functools.lru_cache(maxsize=8)
def biases_of_gates(arch: Architecture) -> frozenset[str]:
    """Return the names of columns that are added to something, in a network with gates; none in others."""
    instructions = program(arch).instructions
    if not any(one.operation in GATES for one in instructions):
        return frozenset()
    added = (instructions[operand] for one in instructions if one.operation == "add" for operand in one.operands)
    return frozenset(one.argument for one in added if one.operation == "tensor" and one.shape[-1:] == (1,))


def ball_inputs(
    arch: Architecture, field: RealNumbers, seed: int, start: int, count: int, scale: float = 1.0
) -> Elements:
    """Return random inputs with exact entries of size one, times `scale`."""
    drawn = Elements(field, draw_inputs(arch, field, seed, start, count))
    return drawn if arch.vocabulary is not None else drawn * scale


def numbered_inputs(arch: Architecture, field: RealNumbers, seed: int, numbers: np.ndarray) -> Elements:
    """Return some of the inputs of `ball_inputs`."""
    if arch.vocabulary is not None:
        tokens = [draw_tokens(arch, seed, int(number), 1) for number in numbers]
        return Elements.of(field, constant_inputs(arch, np.concatenate([draw_tokens(arch, seed, 0, 0), *tokens])))
    drawn = [draw_inputs(arch, field, seed, int(number), 1) for number in numbers]
    nothing = verbs.encode(field, np.zeros((0, *arch.input_shape), dtype=np.int64))
    return Elements(field, np.concatenate([nothing, *drawn]))


def widened(field: RealBalls, balls: Elements) -> Elements:
    r"""Return balls with a radius of :math:`2^{-b}` for b bits, instead of points.

    What such balls decide holds in an open set. A result that is exactly zero there, as behind a closed gate, is zero
    in all of that set, and not at one point by accident.
    """
    return balls + Elements(field, field.around_zero)


def real_weights(arch: Architecture, seed: int, scale: float = 1.0) -> Weights:
    """Return the weights of `ball_weights` as floats, which hold them exactly if `scale` is a power of two."""
    theta = ball_weights(arch, Balls(53), seed, scale)
    return theta.replace([rounded(element) for element in theta.elements])


def real_inputs(arch: Architecture, seed: int, start: int, count: int, scale: float = 1.0) -> Elements:
    """Return the inputs of `ball_inputs` as floats."""
    field = Balls(53) if arch.vocabulary is None else Reals()
    return rounded(ball_inputs(arch, field, seed, start, count, scale))


def numbered_real_inputs(arch: Architecture, seed: int, numbers: np.ndarray) -> Elements:
    """Return some of the inputs of `real_inputs`."""
    return rounded(numbered_inputs(arch, Balls(53) if arch.vocabulary is None else Reals(), seed, numbers))


def rounded(balls: Elements) -> Elements:
    """Return balls as floats: their midpoints; floats as they are."""
    return balls if isinstance(balls.field, Reals) else Elements(Reals(), midpoints(balls.raw))


def with_more_bits(field: Balls) -> Balls | None:
    """Return balls with twice the bits, or None beyond the maximum precision."""
    return Balls(2 * field.bits) if 2 * field.bits <= MOST_BITS else None


def with_enough_bits(field: Balls, compute: Callable[[Balls], T]) -> tuple[Balls, T]:
    """Compute over balls, with twice the bits for as long as denominators are not told from zero; return where it
    succeeded, and the result.
    """
    while True:
        try:
            return field, compute(field)
        except NoValue:
            longer = with_more_bits(field)
            if longer is None:
                raise
            field = longer


def check_real_value(arch: Architecture, seed: int) -> None:
    """Raise `ConditionFailed` if the network has no value at real points: a root of what is never positive."""
    error: NoValue | None = None
    for number in range(TRIED):
        try:
            with_enough_bits(Balls(), functools.partial(real_value, arch, seed, number))
        except NoValue as failed:
            error = failed
        else:
            return
    raise ConditionFailed(f"none of {TRIED} real inputs has a value: {error}") from error


def real_value(arch: Architecture, seed: int, number: int, field: RealBalls) -> Elements:
    """Return the value at a real input."""
    value: Elements = verbs.evaluate(arch, ball_weights(arch, field, seed), ball_inputs(arch, field, seed, number, 1))
    return value
