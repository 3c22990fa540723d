"""The programs of networks as they are read at places modulo p, with their ties."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.errors import ConditionFailed
from algatt.fields import PrimeField
from algatt.fields.elementary import ELEMENTARY_PRIME
from algatt.geometry.dimensions.elementary.gates import TRIED, gates_of_real_inputs
from algatt.maps.elementary.conditions import Conditions, ExponentsDepend
from algatt.maps.elementary.reading import Reading, read
from algatt.maps.elementary.ties import tie_exponents
from algatt.parameters import Weights

__all__ = ["raw_tensors", "reading_of"]

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
