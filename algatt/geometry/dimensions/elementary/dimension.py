"""The dimension by ranks at places modulo p, where residues stand for exponentials, roots and gates."""

from __future__ import annotations

import dataclasses
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import draw_inputs, draw_tokens
from algatt.architectures.network import program
from algatt.errors import ConditionFailed, InvalidArgument
from algatt.fields import Elementary, Elements, PrimeField
from algatt.fields.functions import ELEMENTARY_PRIME
from algatt.geometry.dimensions.bounds import (
    WITNESSES,
    Attempt,
    attempt_of,
    check_along_symmetries,
    lower_bound,
    random_cotangents,
    upper_bound,
)
from algatt.geometry.dimensions.checkpoint import EliminationFile
from algatt.geometry.dimensions.dimension import check_fits_memory, checkpoint_of, report_of_attempt
from algatt.geometry.dimensions.question import Question
from algatt.geometry.dimensions.real_point import TRIED as REAL_INPUTS
from algatt.geometry.dimensions.real_point import check_real_value
from algatt.geometry.dimensions.regions import Regions, regions_of
from algatt.geometry.dimensions.report import DimensionReport
from algatt.maps.elementary.conditions import Conditions, ExponentsDepend, check_conditions
from algatt.maps.elementary.drawing import DrawnValues
from algatt.maps.elementary.reading import ChoosingProgram, read
from algatt.maps.elementary.ties import tie_exponents
from algatt.maps.gradient import gradients_at_places, pull_back_at_places
from algatt.parameters import Weights
from algatt.programs.uses import has_real_values
from algatt.symmetry.base import Symmetry

BLOCK = 2**23
"""About so many results of instructions are held at a time."""

TRIED = 16
"""So many inputs are tried at a time, where one with a value is looked for."""

MOST_TRIED = 1000
"""So many inputs without a value are no accident."""


MOST_READINGS = 8
"""Maximum number of programs that are kept."""


class Readings:
    """What of the programs of networks has no values in a ring, their exponents being tied; known for the last ones.

    Whether exponents are tied is seen when the conditions are first checked: where these hold as it is, nothing is.
    """

    def __init__(self) -> None:
        self.known: OrderedDict[Architecture, ChoosingProgram] = OrderedDict()

    def __call__(self, arch: Architecture) -> ChoosingProgram:
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

    def untied(self, arch: Architecture) -> ChoosingProgram:
        """Return the program of a network, nothing being tied.

        Raises
        ------
        ConditionFailed
            If it cannot be evaluated at places modulo p.
        """
        reading = read(program(arch))
        if arch.vocabulary is not None and (reading.bases or set(reading.functions) - set(reading.gates)):
            raise ConditionFailed(
                f"{arch} reads tokens, and the exponents and roots of its inputs are no functions of different "
                f"variables"
            )
        return reading

    def keep(self, arch: Architecture, reading: ChoosingProgram) -> ChoosingProgram:
        """Keep the program of a network."""
        self.known[arch] = reading
        while len(self.known) > MOST_READINGS:
            self.known.popitem(last=False)
        return reading

    def checked(
        self, arch: Architecture, check: Callable[[ChoosingProgram], Conditions]
    ) -> tuple[ChoosingProgram, Conditions]:
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


def tied(arch: Architecture, reading: ChoosingProgram) -> ChoosingProgram:
    """Return a program with its exponents tied, at real gates."""
    gates = first_gates(arch, reading) if reading.gates else {}
    return tie_exponents(reading, PrimeField(ELEMENTARY_PRIME), {number: one[0] for number, one in gates.items()})


def first_gates(arch: Architecture, reading: ChoosingProgram) -> dict[int, np.ndarray]:
    """Return the gates of the first real input at which they are known."""
    from algatt.geometry.dimensions.elementary.patterns import gates_of_real_inputs

    for number in range(REAL_INPUTS):
        try:
            return gates_of_real_inputs(arch, reading, 0, np.array([number]))
        except ConditionFailed as error:
            failed = error
    raise failed


def raw_tensors(theta: Weights) -> dict[str, np.ndarray]:
    """Return the raw arrays of weights by name."""
    return {name: element.raw for name, element in zip(theta.names(), theta.elements, strict=True)}


def gates_of_inputs(arch: Architecture, seed: int, numbers: np.ndarray) -> dict[int, np.ndarray]:
    """Return the values of gates at inputs modulo p: for vectors, which may be any, one of the patterns; for tokens
    their own, as these are no variables.
    """
    reading = reading_of(arch)
    if not reading.gates:
        return {}
    from algatt.geometry.dimensions.elementary.patterns import gates_of_real_inputs, patterns_of

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
        from algatt.geometry.dimensions.elementary.patterns import patterns_of

        conditions = patterns_of(arch, seed).conditions
    else:
        tensors = raw_tensors(theta)
        _, conditions = reading_of.checked(arch, lambda one: check_conditions(one, field, tensors, seed, {}))
    if not has_real_values(reading.program):
        check_real_value(arch, seed)
    return conditions


def over_residues(field: Elementary, theta: Weights) -> Weights:
    """Return weights over the prime field alone."""
    prime = PrimeField(field.p)
    return theta.replace([Elements(prime, element.raw) for element in theta.elements])


def places_of(arch: Architecture, theta: Weights, seed: int, numbers: np.ndarray) -> DrawnValues:
    """Draw places for inputs, with the gates of real ones."""
    reading, field = reading_of(arch), PrimeField(theta.field.characteristic)
    of_inputs = gates_of_inputs(arch, seed, numbers)
    inputs = None
    if arch.vocabulary is not None:
        inputs = np.concatenate([draw_inputs(arch, field, seed, int(number), 1) for number in numbers])
    return DrawnValues(reading, field, raw_tensors(theta), seed, numbers, of_inputs, inputs=inputs)


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
        different, which = np.unique(numbers[block], return_inverse=True)
        place = places_of(arch, theta, seed, different)
        alive = np.flatnonzero(place.alive[which])
        kept.append((numbers[block] * arch.outputs + outputs[block])[alive])
        rows.append(gradients_at_places(theta, place, which[alive], outputs[block][alive]).raw)
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


def check_symmetries_at_places(
    question: Question, theta: Weights, seed: int, families: Iterable[Symmetry] | None = None
) -> None:
    """Raise `SymmetryError` if a declared symmetry, or one of some, changes the function to first order at random
    places.

    As `check_symmetries_over_prime` does it for networks that are algebraic: the Jacobian at a place is that of a
    function, and along a symmetry it vanishes.
    """
    place = places_of(question.arch, theta, seed, np.arange(2 * WITNESSES))
    alive = np.flatnonzero(place.alive)[:WITNESSES]
    cotangents = random_cotangents(question.arch, theta.field, seed).raw
    rows = pull_back_at_places(theta, place, alive, lambda block: cotangents[: len(alive)][block])
    check_along_symmetries(question.symmetries if families is None else families, rows, theta, seed)


ELEMENTARY_ATTEMPTS = 3
"""So many points are tried over fields with exponentials, unless two of them say the same."""


@verbs.measure_over.method
def dimension_over_elementary(field: Elementary, question: Question) -> DimensionReport:
    """Bound the dimension from below by ranks at places modulo p, the conditions being checked at each.

    Where the bounds do not meet, no degrees are known that would bound the error.
    """
    if question.arch.algebraic:
        report: DimensionReport = verbs.measure_over(PrimeField(field.p), question)
        return report
    check_fits_memory(question, field)
    if question.has_constant_functions:
        tokens = f"{field} for a network that reads tokens, whose exponents and roots are no functions of variables"
        raise InvalidArgument("field", tokens, "None or Balls()")
    primes = (field.p, *(p for p in OTHER_PRIMES if p != field.p))
    with checkpoint_of(question, field) as checkpoint:

        def attempt(number: int, seed: int) -> Attempt:
            """Compute the bounds at one point."""
            of_number = Elementary(primes[number], field.seed)
            return attempt_over_elementary(question, of_number, seed, checkpoint)

        best, regions = best_attempt(question, attempt)
        return report_of_attempt(question, best, None if best.proven else 1.0, regions)


def best_attempt(question: Question, attempt: Callable[[int, int], Attempt]) -> tuple[Attempt, Regions | None]:
    """Return the best of some attempts, and the regions that were looked at.

    The first one is at the given seed. If it is no proof and the network has gates, the others are in the regions with
    the greatest ranks in floating point, until one attains that rank; else at the following seeds, until two say the
    same.

    Raises
    ------
    ConditionFailed
        If all of them fail.
    """
    gates, seed = question.reading.gates, question.options.seed
    tried: list[Attempt] = []
    failed: ConditionFailed | None = None
    regions: Regions | None = None
    seeds = [seed + number for number in range(ELEMENTARY_ATTEMPTS)]
    for number in range(1 + len(OTHER_PRIMES)):
        if number == 1 and gates:
            prime = PrimeField(ELEMENTARY_PRIME)
            upper = upper_bound(question, prime, verbs.sample(question.arch, Weights, field=prime, seed=seed))
            regions = regions_of(question.arch, upper.value)
            seeds = [seed, *regions.best] if regions.ranks else seeds
        if number == len(seeds):
            break
        try:
            tried.append(attempt(number, seeds[number]))
        except ConditionFailed as error:
            if not gates:
                raise
            failed = failed or error
        else:
            greatest = max(regions.ranks, default=None) if regions is not None else None
            if tried[-1].proven or enough(tried, greatest):
                break
    if failed is not None and not tried:
        raise failed
    return max(tried, key=lambda one: (one.lower.value, -one.upper.value)), regions


def enough(tried: Sequence[Attempt], greatest: int | None) -> bool:
    """Return whether another attempt is not worth it: the last one has the greatest rank of all regions, or where no
    regions are known two of them say the same.
    """
    if greatest is not None:
        return tried[-1].lower.value >= greatest
    return len({(one.lower.value, one.upper.value) for one in tried}) < len(tried)


OTHER_PRIMES = (8388571, 8388547, 8388539)
"""Further primes that are 3 modulo 4."""


def attempt_over_elementary(
    question: Question, field: Elementary, seed: int, checkpoint: EliminationFile | None = None
) -> Attempt:
    """Compute the bounds at one point over GF(p), with residues for exponentials, roots and gates."""
    prime = PrimeField(field.p)
    theta = verbs.sample(question.arch, Weights, field=prime, seed=seed)
    conditions = conditions_of(question, prime, theta, seed)
    likely = question.likely_symmetries
    check_symmetries_at_places(question, theta, seed, likely)
    upper = upper_bound(question, prime, theta, likely)
    lower = lower_bound(question, field, theta, seed, upper, checkpoint, conditions.gates)
    if lower.value < upper.value and question.symmetries is not likely:
        check_symmetries_at_places(question, theta, seed)
        upper = upper_bound(question, prime, theta)
    if question.arch.vocabulary is not None:  # each input has its own gates
        conditions = dataclasses.replace(conditions, gates=lower.inputs)
    return attempt_of(question, field, seed, dataclasses.replace(lower, conditions=conditions), upper)
