"""Rows of the Jacobian of a network with exponentials, roots and gates, at places modulo p."""

from __future__ import annotations

import dataclasses
import functools
from collections import OrderedDict
from collections.abc import Callable, Mapping

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import draw_inputs, draw_tokens
from algatt.errors import ConditionFailed
from algatt.fields import Elementary, Elements, PrimeField
from algatt.fields.elementary import ELEMENTARY_PRIME
from algatt.geometry.dimensions.declared import TANGENTS, WITNESSES, false_symmetry, random_cotangents
from algatt.geometry.dimensions.elementary.gates import check_real_value, gates_of_real_inputs
from algatt.maps.elementary.conditions import Conditions, ExponentsDepend, check_conditions
from algatt.maps.elementary.drawing import Drawing
from algatt.maps.elementary.gradients import gradients_at_places, pull_back_at_places
from algatt.maps.elementary.reading import Reading, read
from algatt.maps.elementary.ties import tie_exponents
from algatt.parameters import Weights
from algatt.symmetry.arrows.members import symmetries_to_first_order
from algatt.symmetry.base import combine_tangents

__all__ = ["check_symmetries_at_places", "conditions_of", "over_residues", "reading_of"]

PATTERNS = 8
"""So many patterns of gates are looked at where exponentials and roots depend on them: the conditions are checked for
each.
"""

MOST_PATTERNS = 64
"""So many where no conditions depend on them."""

MOST_READINGS = 8
"""So many programs are kept."""

BLOCK = 2**23
"""About so many results of instructions are held at a time."""

TRIED = 16
"""So many inputs are tried at a time, where one with a value is looked for."""

MOST_TRIED = 1000
"""So many inputs without a value are no accident."""


class Readings:
    """What of the programs of networks has no values in a ring, their exponents being tied; known for the last ones.

    Whether exponents are tied is seen when the conditions are first checked: where these hold as it is, nothing is.
    """

    def __init__(self) -> None:
        self.known: OrderedDict[Architecture, Reading] = OrderedDict()

    def __call__(self, arch: Architecture) -> Reading:
        """Return the program of a network with its ties.

        Raises
        ------
        ConditionFailed
            If it cannot be evaluated at places modulo p.
        """
        if arch not in self.known:
            reading = self.untied(arch)
            return self.keep(arch, tied(arch, reading) if reading.bases else reading)
        return self.known[arch]

    def untied(self, arch: Architecture) -> Reading:
        """Return the program of a network, nothing being tied.

        Raises
        ------
        ConditionFailed
            If it cannot be evaluated at places modulo p.
        """
        reading = read(verbs.program(arch))
        if arch.vocabulary is not None and (reading.bases or set(reading.functions) - set(reading.gates)):
            raise ConditionFailed(
                f"{arch} reads tokens, and the exponents and roots of its inputs are no functions of different "
                f"variables"
            )
        return reading

    def keep(self, arch: Architecture, reading: Reading) -> Reading:
        """Keep the program of a network."""
        self.known[arch] = reading
        while len(self.known) > MOST_READINGS:
            self.known.popitem(last=False)
        return reading

    def checked(self, arch: Architecture, check: Callable[[Reading], Conditions]) -> tuple[Reading, Conditions]:
        """Return the program of a network and its conditions, ties being looked for where they fail without."""
        if arch in self.known:
            return self.known[arch], check(self.known[arch])
        reading = self.untied(arch)
        try:
            conditions = check(reading)
        except ExponentsDepend:
            with_ties = tied(arch, reading)
            if with_ties.ties is None:
                raise
            reading, conditions = with_ties, check(with_ties)
        return self.keep(arch, reading), conditions

    def cache_clear(self) -> None:
        """Forget all."""
        self.known.clear()


reading_of = Readings()
"""The programs of networks with their ties."""


def tied(arch: Architecture, reading: Reading) -> Reading:
    """Return a program with its exponents tied, at real gates."""
    gates = gates_of_real_inputs(arch, reading, 0, np.arange(1))
    return tie_exponents(reading, PrimeField(ELEMENTARY_PRIME), {number: one[0] for number, one in gates.items()})


@functools.lru_cache(maxsize=8)
def gates_of(arch: Architecture, seed: int) -> dict[int, np.ndarray]:
    """Return the patterns of gates of a network: those of its first real inputs, and where the conditions depend on the
    pattern of those of its first ones for which they hold.

    Raises
    ------
    ConditionFailed
        If they hold for none.
    """
    return patterns_of(arch, seed)[0]


@functools.lru_cache(maxsize=8)
def patterns_of(arch: Architecture, seed: int) -> tuple[dict[int, np.ndarray], Conditions]:
    """Return patterns of gates, and the conditions of all of them.

    A pattern for which a condition fails is left out, and another real input is taken. What is said of places with some
    patterns is a lower bound.
    """
    untied = reading_of.untied(arch)
    field = PrimeField(ELEMENTARY_PRIME)
    theta = verbs.sample(arch, Weights, field=field, seed=seed)
    if not untied.gated:
        gates = gates_of_real_inputs(arch, untied, seed, np.arange(MOST_PATTERNS))
        one = {number: values[0] for number, values in gates.items()}
        _, conditions = reading_of.checked(
            arch, lambda reading: check_conditions(reading, field, raw_tensors(theta), seed, one)
        )
        return gates, dataclasses.replace(conditions, gates=len(next(iter(gates.values()))))
    found: list[tuple[dict[int, np.ndarray], Conditions]] = []
    failed: ConditionFailed | None = None
    left_out = 0
    for number in range(2 * PATTERNS):  # after half as many failures there are enough
        try:
            pattern = gates_of_real_inputs(arch, untied, seed, np.arange(number, number + 1))
            one = {gate: values[0] for gate, values in pattern.items()}
            check = functools.partial(check_pattern, field, raw_tensors(theta), seed, one)
            found.append((one, reading_of.checked(arch, check)[1]))
        except ConditionFailed as error:
            failed, left_out = failed or error, left_out + 1
        if PATTERNS in (len(found), 2 * left_out):
            break
    if not found:
        raise ConditionFailed(f"for each of {left_out} patterns of gates a condition fails: {failed}") from failed
    all_of_them = [conditions for _, conditions in found]
    gates = {gate: np.stack([one[gate] for one, _ in found]) for gate in untied.gates}
    return gates, Conditions(
        exponents=all_of_them[0].exponents,
        weights=max(one.weights for one in all_of_them),
        roots=all_of_them[0].roots,
        inputs=max(one.inputs for one in all_of_them),
        gates=len(found),
        rests_on=all_of_them[0].rests_on,
        left_out=left_out,
    )


def check_pattern(
    field: PrimeField,
    tensors: Mapping[str, np.ndarray],
    seed: int,
    gates: Mapping[int, np.ndarray],
    reading: Reading,
) -> Conditions:
    """Check the conditions of a program with one pattern of gates."""
    return check_conditions(reading, field, tensors, seed, gates)


def gates_of_inputs(arch: Architecture, seed: int, numbers: np.ndarray) -> dict[int, np.ndarray]:
    """Return the values of gates at inputs modulo p: for vectors, which may be any, one of the patterns; for tokens
    their own, as these are no variables.
    """
    reading = reading_of(arch)
    if not reading.gates:
        return {}
    if arch.vocabulary is None:
        return {gate: values[numbers % len(values)] for gate, values in gates_of(arch, seed).items()}
    tokens = np.concatenate([draw_tokens(arch, seed, int(number), 1) for number in numbers])
    _, first, which = np.unique(tokens, axis=0, return_index=True, return_inverse=True)
    different = gates_of_real_inputs(arch, reading, seed, numbers[first])
    return {gate: values[which.ravel()] for gate, values in different.items()}


def conditions_of(arch: Architecture, field: PrimeField, theta: Weights, seed: int) -> Conditions:
    """Check what has to hold so that ranks modulo p are lower bounds, for each pattern of gates.

    Raises
    ------
    ConditionFailed
        If something was not found to hold.
    """
    reading = reading_of.untied(arch)
    if arch.vocabulary is not None:  # with gates alone
        return Conditions()
    if reading.gates:
        conditions = patterns_of(arch, seed)[1]
    else:
        tensors = raw_tensors(theta)
        _, conditions = reading_of.checked(arch, lambda one: check_conditions(one, field, tensors, seed, {}))
    if reading.roots or reading.logarithms:
        check_real_value(arch, seed)
    return conditions


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
    for family in symmetries_to_first_order(arch):
        if (rows @ combine_tangents(family, theta, seed, TANGENTS)).raw.any():
            raise false_symmetry(family.name)
