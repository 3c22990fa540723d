"""Which patterns of gates the places of a network have: those of some of its real inputs, as a finite field has no
order.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.errors import ConditionFailed, NoValue
from algatt.fields import Balls, Elements, PrimeField
from algatt.fields.functions import ELEMENTARY_PRIME, RealsOrNan
from algatt.geometry.dimensions.elementary.dimension import raw_tensors, reading_of
from algatt.geometry.dimensions.real_point import (
    ball_inputs,
    ball_weights,
    real_inputs,
    real_weights,
    widened,
    with_enough_bits,
)
from algatt.geometry.dimensions.regions import TOLERANCE, float_rows, inputs_of
from algatt.maps.elementary.conditions import Conditions, check_conditions
from algatt.maps.elementary.reading import ChoosingProgram
from algatt.parameters import Weights
from algatt.programs.interpret import Results

MOST_PATTERNS = 64
"""Maximum number of patterns of gates."""

MOST_LEFT_OUT = 8
"""Maximum number of patterns for which a condition fails."""

MOST_PARAMETERS = 1024
"""Maximum number of parameters for which the rows behind each pattern are looked at before it is taken."""

PATTERNS = 8
"""Maximum number of patterns of larger networks, if exponentials and roots depend on them."""


@dataclass(frozen=True, eq=False)
class Patterns:
    """Patterns of gates of a network.

    Parameters
    ----------
    numbers : ndarray
        The numbers of the real inputs that have them, in order.
    gates : dict of int to ndarray
        The values of each gate at these.
    conditions : Conditions
        The conditions of all of them.
    """

    numbers: np.ndarray
    gates: dict[int, np.ndarray]
    conditions: Conditions


@functools.lru_cache(maxsize=8)
def patterns_of(arch: Architecture, seed: int) -> Patterns:
    """Return the patterns of gates of some real inputs.

    A pattern is taken if the derivatives at its real inputs are no combinations of those of the patterns before it, in
    floating point. One for which a condition fails is left out. What is said of places with some patterns is a lower
    bound.

    Raises
    ------
    ConditionFailed
        If no pattern is known for which the conditions hold.
    """
    untied = reading_of.untied(arch)
    field = PrimeField(ELEMENTARY_PRIME)
    tensors = raw_tensors(verbs.sample(arch, Weights, field=field, seed=seed))
    found: dict[int, tuple[dict[int, np.ndarray], Conditions]] = {}
    failed: ConditionFailed | None = None
    conditions: Conditions | None = None
    left_out = 0
    most = PATTERNS if untied.gated and arch.parameters > MOST_PARAMETERS else MOST_PATTERNS
    candidates = Candidates(arch, untied, seed)
    for number, expected in candidates:
        try:
            pattern = gates_of_real_inputs(arch, untied, seed, np.array([number]))
        except ConditionFailed as error:  # at zero, or too near to it
            failed = failed or error
            continue
        one = {gate: values[0] for gate, values in pattern.items()}
        if expected != bits_of(one):
            continue
        try:
            if untied.gated or conditions is None:
                check = functools.partial(check_pattern, field, tensors, seed, one)
                conditions = reading_of.checked(arch, check)[1]
        except ConditionFailed as error:
            failed, left_out = error if not left_out else failed, left_out + 1
            if left_out == MOST_LEFT_OUT:
                break
            continue
        candidates.take(number)
        found[number] = one, conditions
        if len(found) == most:
            break
    if not found and left_out:
        raise ConditionFailed(f"for each of {left_out} patterns of gates a condition fails: {failed}") from failed
    if not found:
        raise failed or ConditionFailed("the gates of a real point are not known: no real input has a value")
    chosen = [found[number] for number in sorted(found)]
    gates = {gate: np.stack([one[gate] for one, _ in chosen]) for gate in untied.gates}
    all_of_them = [one for _, one in chosen]
    conditions = Conditions(
        exponents=all_of_them[0].exponents,
        weights=max(one.weights for one in all_of_them),
        roots=all_of_them[0].roots,
        inputs=max(one.inputs for one in all_of_them),
        gates=len(found),
        rests_on=all_of_them[0].rests_on,
        left_out=left_out,
    )
    return Patterns(np.array(sorted(found)), gates, conditions)


def check_pattern(
    field: PrimeField,
    tensors: Mapping[str, np.ndarray],
    seed: int,
    gates: Mapping[int, np.ndarray],
    reading: ChoosingProgram,
) -> Conditions:
    """Check the conditions of a program with one pattern of gates."""
    return check_conditions(reading, field, tensors, seed, gates)


def bits_of(gates: Mapping[int, np.ndarray]) -> bytes:
    """Return the gates of one input as bytes."""
    return np.concatenate([values.ravel() > 0 for values in gates.values()]).tobytes()


class Candidates:
    """Real inputs with different gates, each behind which some derivatives are new; those with the most frequent gates
    come first.

    Parameters
    ----------
    arch : Architecture
        The network.
    reading : Reading
        Its program.
    seed : int
        Names the real weights and inputs.
    """

    def __init__(self, arch: Architecture, reading: ChoosingProgram, seed: int) -> None:
        theta = real_weights(arch, seed)
        self.rows: np.ndarray | None = None
        small = arch.parameters <= MOST_PARAMETERS
        X = real_inputs(arch, seed, 0, inputs_of(arch) if small else 2 * MOST_PATTERNS)
        self.numbers = np.arange(len(X.raw))
        if small:
            self.numbers, self.rows = float_rows(arch, theta, X)
        self.members: dict[bytes, list[int]] = {}
        for position, pattern in enumerate(float_gates(reading, theta, Elements(X.field, X.raw[self.numbers]))):
            self.members.setdefault(pattern, []).append(position)
        self.of_number = {int(self.numbers[some[0]]): some for some in self.members.values()}
        self.basis = np.zeros((0, arch.parameters))
        self.taken = 0

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        order = list(self.members.items())
        if self.rows is not None:
            order.sort(key=lambda item: (not len(self.new_rows(item[1])), -len(item[1])))
        for pattern, positions in order:
            if self.rows is None or not self.taken or len(self.new_rows(positions)):
                yield int(self.numbers[positions[0]]), pattern

    def new_rows(self, positions: list[int]) -> np.ndarray:
        """Return what of the rows of some inputs is no combination of the rows of those that were taken."""
        if self.rows is None:
            return self.basis[:0]
        rows = self.rows[positions].reshape(-1, self.rows.shape[-1])
        for _ in range(2):  # once more for what rounding left
            rows = rows - (rows @ self.basis.T) @ self.basis
        return rows[np.linalg.norm(rows, axis=1) > TOLERANCE]

    def take(self, number: int) -> None:
        """Count the rows of all inputs with the gates of this one as known."""
        self.taken += 1
        rows = self.new_rows(self.of_number[number])
        if len(rows):
            _, values, directions = np.linalg.svd(rows, full_matrices=False)
            self.basis = np.concatenate([self.basis, directions[values > TOLERANCE * values[0]]])


def float_gates(reading: ChoosingProgram, theta: Weights, X: Elements) -> list[bytes]:
    """Return the gates of real inputs with a value in floating point."""
    if not len(X.raw):
        return []
    field = RealsOrNan()
    tensors = {name: Elements(field, one.raw) for name, one in zip(theta.names(), theta.elements, strict=True)}
    results = Results(reading.program, field, tensors, Elements(field, X.raw))
    with np.errstate(all="ignore"):
        values = [results[gate].raw.reshape(len(X.raw), -1) > 0 for gate in reading.gates]
    return [one.tobytes() for one in np.concatenate(values, axis=1)]


def gates_of_real_inputs(
    arch: Architecture, reading: ChoosingProgram, seed: int, numbers: np.ndarray
) -> dict[int, np.ndarray]:
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


def gates_by_balls(
    arch: Architecture, reading: ChoosingProgram, seed: int, number: int, field: Balls
) -> list[np.ndarray]:
    """Return the values of gates around real weights and a real input."""
    theta = ball_weights(arch, field, seed)
    around = [widened(field, element) for element in theta.elements]
    tensors = dict(zip(theta.names(), around, strict=True))
    X = ball_inputs(arch, field, seed, number, 1)
    results = Results(reading.program, field, tensors, X if arch.vocabulary is not None else widened(field, X))
    shapes = [reading.program.instructions[gate].shape for gate in reading.gates]
    results[len(reading.program) - 1]  # which has to exist
    return [zeros_and_ones(results[gate]).reshape(shape) for gate, shape in zip(reading.gates, shapes, strict=True)]


def zeros_and_ones(gates: Elements) -> np.ndarray:
    """Return what gates let through as floats."""
    return np.array([float(entry) for entry in gates.raw.flat])
