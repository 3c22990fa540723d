"""Patterns of gates: those of real points."""

from __future__ import annotations

import functools
from fractions import Fraction

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.errors import ConditionFailed, NoValue
from algatt.fields import Balls, Elements
from algatt.geometry.dimensions.ball_bounds import with_enough_bits
from algatt.geometry.dimensions.real_point import ball_inputs, ball_weights, widened
from algatt.maps.elementary.reading import Reading
from algatt.parameters import Weights
from algatt.programs.interpret import Results

__all__ = ["check_real_value", "gates_of_real_inputs", "gates_of_sequence"]

TRIED = 8
"""So many real inputs are tried for a value."""

SMALL = Fraction(1, 16)
"""What biases are multiplied by at real points, so that neurons are active at some inputs and not at others."""


def gates_of_real_inputs(arch: Architecture, reading: Reading, seed: int, numbers: np.ndarray) -> dict[int, np.ndarray]:
    """Return the values of gates at real weights and some of the real inputs that the seed names, decided by balls.

    Around such weights and inputs there is an open set with the same gates. A pattern of several inputs belongs to the
    same weights. Inputs at which a root or a logarithm has no value are left out: around these there is no function.

    Raises
    ------
    ConditionFailed
        If the highest precision does not tell a gate from zero.
    """
    if not reading.gates:
        return {}
    values = functools.partial(gates_by_balls, arch, reading, seed)
    found = []
    skipped: NoValue | None = None
    for number in numbers:
        try:
            found.append(with_enough_bits(Balls(), functools.partial(values, int(number)))[1])
        except NoValue as error:
            if not (reading.roots or reading.logarithms):
                raise ConditionFailed(f"the gates of a real point are not known: {error}") from error
            skipped = error
    if not found:
        raise ConditionFailed(f"the gates of a real point are not known: {skipped}") from skipped
    return {gate: np.stack(part) for gate, part in zip(reading.gates, zip(*found, strict=True), strict=True)}


def gates_by_balls(arch: Architecture, reading: Reading, seed: int, number: int, field: Balls) -> list[np.ndarray]:
    """Return the values of gates around real weights and a real input."""
    theta = weights_of_gates(arch, reading, field, seed)
    around = [widened(field, element) for element in theta.elements]
    tensors = dict(zip(theta.names(), around, strict=True))
    X = ball_inputs(arch, field, seed, number, 1)
    results = Results(reading.program, field, tensors, X if arch.vocabulary is not None else widened(field, X))
    shapes = [reading.program.instructions[gate].shape for gate in reading.gates]
    results[len(reading.program) - 1]  # which has to exist
    return [zeros_and_ones(results[gate]).reshape(shape) for gate, shape in zip(reading.gates, shapes, strict=True)]


def gates_of_sequence(arch: Architecture, reading: Reading, seed: int, number: int) -> dict[int, np.ndarray] | None:
    """Return the values of gates at real weights and a sequence of tokens; None if the network has no value there."""
    try:
        found = with_enough_bits(Balls(), functools.partial(gates_by_balls, arch, reading, seed, number))[1]
    except NoValue:
        return None
    return dict(zip(reading.gates, found, strict=True))


def weights_of_gates(arch: Architecture, reading: Reading, field: Balls, seed: int) -> Weights:
    """Return real weights at which most gates let some inputs through and others not.

    Columns that are added, which are biases, are small. Where a neuron is active at all inputs or at none, the
    dimension is often smaller than elsewhere.
    """
    theta = ball_weights(arch, field, seed)
    instructions = reading.program.instructions
    biases = {
        instructions[operand].argument
        for one in instructions
        if one.operation == "add"
        for operand in one.operands
        if instructions[operand].operation == "tensor" and instructions[operand].shape[-1:] == (1,)
    }
    scaled = [
        element * SMALL if name in biases else element
        for name, element in zip(theta.names(), theta.elements, strict=True)
    ]
    return theta.replace(scaled)


def zeros_and_ones(gates: Elements) -> np.ndarray:
    """Return what gates let through as floats."""
    return np.array([float(entry) for entry in gates.raw.flat])


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


def real_value(arch: Architecture, seed: int, number: int, field: Balls) -> Elements:
    """Return the value at a real input."""
    value: Elements = verbs.evaluate(arch, ball_weights(arch, field, seed), ball_inputs(arch, field, seed, number, 1))
    return value
