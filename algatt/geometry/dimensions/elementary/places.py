"""Rows of the Jacobian of a network with exponentials, roots and gates, at places modulo p."""

from __future__ import annotations

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import draw_inputs, draw_tokens
from algatt.errors import ConditionFailed
from algatt.fields import Elementary, Elements, PrimeField
from algatt.geometry.dimensions.declared import WITNESSES, check_along_symmetries, random_cotangents
from algatt.geometry.dimensions.elementary.gates import gates_of_real_inputs, raw_tensors, reading_of
from algatt.geometry.dimensions.elementary.patterns import patterns_of
from algatt.geometry.dimensions.question import Question
from algatt.geometry.dimensions.real_point import check_real_value
from algatt.maps.elementary.conditions import Conditions, check_conditions
from algatt.maps.elementary.drawing import Drawing
from algatt.maps.gradient import gradients_at_places, pull_back_at_places
from algatt.parameters import Weights

__all__ = ["check_symmetries_at_places", "conditions_of", "over_residues"]

BLOCK = 2**23
"""About so many results of instructions are held at a time."""

TRIED = 16
"""So many inputs are tried at a time, where one with a value is looked for."""

MOST_TRIED = 1000
"""So many inputs without a value are no accident."""


def gates_of_inputs(arch: Architecture, seed: int, numbers: np.ndarray) -> dict[int, np.ndarray]:
    """Return the values of gates at inputs modulo p: for vectors, which may be any, one of the patterns; for tokens
    their own, as these are no variables.
    """
    reading = reading_of(arch)
    if not reading.gates:
        return {}
    if arch.vocabulary is None:
        return {gate: values[numbers % len(values)] for gate, values in patterns_of(arch, seed).gates.items()}
    tokens = np.concatenate([draw_tokens(arch, seed, int(number), 1) for number in numbers])
    _, first, which = np.unique(tokens, axis=0, return_index=True, return_inverse=True)
    different = gates_of_real_inputs(arch, reading, seed, numbers[first])
    return {gate: values[which.ravel()] for gate, values in different.items()}


def conditions_of(question: Question, field: PrimeField, theta: Weights, seed: int) -> Conditions:
    """Check what has to hold so that ranks modulo p are lower bounds, for each pattern of gates.

    Raises
    ------
    ConditionFailed
        If something was not found to hold.
    """
    arch = question.arch
    reading = reading_of.untied(arch)
    if arch.vocabulary is not None:  # with gates alone
        return Conditions()
    if reading.gates:
        conditions = patterns_of(arch, seed).conditions
    else:
        tensors = raw_tensors(theta)
        _, conditions = reading_of.checked(arch, lambda one: check_conditions(one, field, tensors, seed, {}))
    if reading.roots or reading.logarithms:
        check_real_value(arch, seed)
    return conditions


def over_residues(field: Elementary, theta: Weights) -> Weights:
    """Return weights over the prime field alone."""
    prime = PrimeField(field.p)
    return theta.replace([Elements(prime, element.raw) for element in theta.elements])


def places_of(arch: Architecture, theta: Weights, seed: int, numbers: np.ndarray) -> Drawing:
    """Draw places for inputs, with the gates of real ones."""
    reading, field = reading_of(arch), PrimeField(theta.field.characteristic)
    of_inputs = gates_of_inputs(arch, seed, numbers)
    inputs = None
    if arch.vocabulary is not None:
        inputs = np.concatenate([draw_inputs(arch, field, seed, int(number), 1) for number in numbers])
    return Drawing(reading, field, raw_tensors(theta), seed, numbers, of_inputs, inputs=inputs)


@verbs.gradients_where_defined.method
def gradients_at_places_of_inputs(
    field: Elementary, arch: Architecture, theta: Weights, seed: int, numbers: np.ndarray, outputs: np.ndarray
) -> tuple[np.ndarray, Elements]:
    theta = over_residues(field, theta)
    size = sum(int(np.prod(one.shape)) for one in reading_of(arch).program.instructions)
    step = max(1, BLOCK // size)
    kept, rows = [], []
    for start in range(0, len(numbers), step):
        block = slice(start, start + step)
        place = places_of(arch, theta, seed, numbers[block])
        alive = np.flatnonzero(place.alive)
        kept.append((numbers[block] * arch.outputs + outputs[block])[alive])
        rows.append(gradients_at_places(theta, place, alive, outputs[block][alive]).raw)
    return np.concatenate(kept), Elements(PrimeField(field.p), np.concatenate(rows))


@verbs.jacobian_where_defined.method
def jacobian_at_a_place(
    field: Elementary, arch: Architecture, theta: Weights, seed: int, start: int
) -> tuple[int, Elements]:
    theta = over_residues(field, theta)
    for first in range(start, start + MOST_TRIED, TRIED):
        place = places_of(arch, theta, seed, np.arange(first, first + TRIED))
        alive = np.flatnonzero(place.alive)
        if len(alive):
            outputs = np.arange(arch.outputs)
            rows = gradients_at_places(theta, place, np.full(arch.outputs, alive[0]), outputs)
            return first + int(alive[0]), rows
    raise ConditionFailed(
        f"at each of {MOST_TRIED} inputs over {field} a denominator vanishes or a root does not exist; take a larger "
        f"field"
    )


def check_symmetries_at_places(question: Question, theta: Weights, seed: int) -> None:
    """Raise `SymmetryError` if a declared symmetry changes the function to first order at random places.

    As `check_symmetries_over_prime` does it for networks that are algebraic: the Jacobian at a place is that of a
    function, and along a symmetry it vanishes.
    """
    place = places_of(question.arch, theta, seed, np.arange(2 * WITNESSES))
    alive = np.flatnonzero(place.alive)[:WITNESSES]
    cotangents = random_cotangents(question.arch, theta.field, seed).raw
    rows = pull_back_at_places(theta, place, alive, lambda block: cotangents[: len(alive)][block])
    check_along_symmetries(question, rows, theta, seed)
