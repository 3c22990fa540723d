"""What a finite field cannot say of a network by itself: its gates, which are those of real points, and the exponents
that are tied there.
"""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable

import numpy as np

from algatt.architectures import Architecture
from algatt.architectures.recording import program
from algatt.errors import ConditionFailed, NoValue
from algatt.fields import Balls, Elements, PrimeField
from algatt.fields.elementary import ELEMENTARY_PRIME
from algatt.geometry.dimensions.real_point import TRIED, ball_inputs, ball_weights, widened, with_enough_bits
from algatt.maps.elementary.conditions import Conditions, ExponentsDepend
from algatt.maps.elementary.reading import Reading, read
from algatt.maps.elementary.ties import tie_exponents
from algatt.parameters import Weights
from algatt.programs.interpret import Results


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


MOST_READINGS = 8
"""Maximum number of programs that are kept."""


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
        reading = read(program(arch))
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
    gates = first_gates(arch, reading)
    return tie_exponents(reading, PrimeField(ELEMENTARY_PRIME), {number: one[0] for number, one in gates.items()})


def first_gates(arch: Architecture, reading: Reading) -> dict[int, np.ndarray]:
    """Return the gates of the first real input at which they are known."""
    for number in range(TRIED):
        try:
            return gates_of_real_inputs(arch, reading, 0, np.array([number]))
        except ConditionFailed as error:
            failed = error
    raise failed


def raw_tensors(theta: Weights) -> dict[str, np.ndarray]:
    """Return the raw arrays of weights by name."""
    return {name: element.raw for name, element in zip(theta.names(), theta.elements, strict=True)}
