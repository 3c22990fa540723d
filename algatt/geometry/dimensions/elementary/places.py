"""Rows of the Jacobian of a network with exponentials, roots and gates, at places modulo p."""

from __future__ import annotations

import functools

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import draw_inputs, draw_tokens
from algatt.errors import ConditionFailed
from algatt.fields import Elementary, Elements, PrimeField
from algatt.fields.elementary import ELEMENTARY_PRIME
from algatt.geometry.dimensions.declared import WITNESSES, false_symmetry, random_cotangents, random_direction
from algatt.geometry.dimensions.elementary.gates import check_real_value, gates_of_real_inputs
from algatt.maps.elementary.conditions import Conditions, check_conditions
from algatt.maps.elementary.drawing import Drawing
from algatt.maps.elementary.gradients import gradients_at_places, pull_back_at_places
from algatt.maps.elementary.reading import Reading, read
from algatt.maps.elementary.ties import tie_exponents
from algatt.parameters import Weights

__all__ = ["check_symmetries_at_places", "conditions_of", "over_residues", "reading_of"]

PATTERNS = 8
"""So many patterns of gates are looked at where exponentials and roots depend on them: the conditions are checked for
each.
"""

MOST_PATTERNS = 64
"""So many where no conditions depend on them."""

BLOCK = 2**23
"""About so many results of instructions are held at a time."""

TRIED = 16
"""So many inputs are tried at a time, where one with a value is looked for."""

MOST_TRIED = 1000
"""So many inputs without a value are no accident."""


@functools.lru_cache(maxsize=8)
def reading_of(arch: Architecture) -> Reading:
    """Return what of the program of a network has no values in a ring, its exponents being tied.

    Raises
    ------
    ConditionFailed
        If it cannot be evaluated at places modulo p.
    """
    reading = read(verbs.program(arch))
    if arch.vocabulary is not None and (reading.bases or set(reading.functions) - set(reading.gates)):
        raise ConditionFailed(
            f"{arch} reads tokens, and the exponents and roots of its inputs are no functions of different variables"
        )
    if not reading.bases:
        return reading
    gates = gates_of_real_inputs(arch, reading, 0, np.arange(1))
    return tie_exponents(reading, PrimeField(ELEMENTARY_PRIME), {number: one[0] for number, one in gates.items()})


@functools.lru_cache(maxsize=8)
def gates_of(arch: Architecture, seed: int) -> dict[int, np.ndarray]:
    """Return the patterns of gates of a network: those of its first real inputs."""
    reading = reading_of(arch)
    count = PATTERNS if reading.gated else MOST_PATTERNS
    return gates_of_real_inputs(arch, reading, seed, np.arange(count))


def gates_of_inputs(arch: Architecture, seed: int, numbers: np.ndarray) -> dict[int, np.ndarray]:
    """Return the values of gates at inputs modulo p: for vectors, which may be any, one of the patterns; for tokens
    their own, as these are no variables.
    """
    if arch.vocabulary is None:
        return {gate: values[numbers % len(values)] for gate, values in gates_of(arch, seed).items()}
    tokens = np.concatenate([draw_tokens(arch, seed, int(number), 1) for number in numbers])
    _, first, which = np.unique(tokens, axis=0, return_index=True, return_inverse=True)
    different = gates_of_real_inputs(arch, reading_of(arch), seed, numbers[first])
    return {gate: values[which.ravel()] for gate, values in different.items()}


def conditions_of(arch: Architecture, field: PrimeField, theta: Weights, seed: int) -> Conditions:
    """Check what has to hold so that ranks modulo p are lower bounds, for each pattern of gates.

    Raises
    ------
    ConditionFailed
        If something was not found to hold.
    """
    reading = reading_of(arch)
    if arch.vocabulary is not None:  # with gates alone
        return Conditions()
    gates = gates_of(arch, seed)
    if reading.roots or reading.logarithms:
        check_real_value(arch, seed)
    tensors = raw_tensors(theta)
    if not gates:
        return check_conditions(reading, field, tensors, seed, {})
    count = len(next(iter(gates.values())))
    checked = count if reading.gated else 1
    found = []
    for pattern in range(checked):
        one = {number: values[pattern] for number, values in gates.items()}
        found.append(check_conditions(reading, field, tensors, seed, one))
    return Conditions(
        exponents=found[0].exponents,
        weights=max(one.weights for one in found),
        roots=found[0].roots,
        inputs=max(one.inputs for one in found),
        gates=count,
        rests_on=found[0].rests_on,
    )


def raw_tensors(theta: Weights) -> dict[str, np.ndarray]:
    """Return the raw arrays of weights by name."""
    return {name: element.raw for name, element in zip(theta.names(), theta.elements, strict=True)}


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


def check_symmetries_at_places(arch: Architecture, theta: Weights, seed: int) -> None:
    """Raise `SymmetryError` if a declared symmetry changes the function to first order at random places.

    As `check_symmetries_over_prime` does it for networks that are algebraic: the Jacobian at a place is that of a
    function, and along a symmetry it vanishes.
    """
    place = places_of(arch, theta, seed, np.arange(2 * WITNESSES))
    alive = np.flatnonzero(place.alive)[:WITNESSES]
    cotangents = random_cotangents(arch, theta.field, seed).raw
    rows = pull_back_at_places(theta, place, alive, lambda block: cotangents[: len(alive)][block])
    for family in verbs.symmetries(arch):
        if (rows @ random_direction(family.tangent_elements(theta), seed, family.name)).raw.any():
            raise false_symmetry(family.name)
