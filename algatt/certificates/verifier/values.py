"""Whether a program has a value anywhere: nothing is claimed of a function that does not exist."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from .balls import RealBalls, Undecided, precision
from .claims import Network
from .gradients import input_of
from .interpreter import Interpreter, NoValue
from .limits import Refused
from .modular import Residues
from .program import FUNCTIONS, cost_of

__all__ = ["LARGE_PRIME", "lacking_value"]

LARGE_PRIME = 2**62 - 57
"""The prime of points that belong to no claim."""

POINTS = 8
"""Number of random points at which a program is evaluated, until it has a value."""

MOST_STEPS_OF_VALUE = 3 * 10**6
"""Maximum number of steps of one evaluation, which takes a few seconds."""

BITS = 128
"""Precision of an evaluation over the reals."""

PARTIAL = ("log", "reciprocal", "sqrt")
"""Operations that do not have a value everywhere."""


class Values(RealBalls):
    """The real numbers, where values are wanted without derivatives: gates have values at zero and at ties, too."""

    def gate(self, x: Any) -> Any:
        """Return 1 for positive numbers, and 0 for others."""
        return super().gate(x) if x != 0 else x

    def largest(self, column: Sequence[Any], count: int) -> list[Any]:
        """Return 1 for the largest entries of a column, the first ones if all are equal, and 0 for the others."""
        one = column[0]
        if all(entry.is_exact() and entry == one for entry in column):
            return [self.number(Fraction(k < count)) for k in range(len(column))]
        return super().largest(column, count)


def lacking_value(network: Network) -> str | None:
    """Say that a program has no value at random weights and inputs, or return None if it has one.

    Raises
    ------
    Refused
        If this takes too many steps.
    """
    operations = {one.operation for one in network.program}
    if operations.isdisjoint(PARTIAL):
        return None
    steps = cost_of(network.program) + network.parameters
    if steps > MOST_STEPS_OF_VALUE:
        raise Refused("program", f"one whose value takes {steps} steps", f"one of at most {MOST_STEPS_OF_VALUE} steps")
    field = Residues(LARGE_PRIME) if operations.isdisjoint((*FUNCTIONS, "largest")) else Values()
    if any(has_value(network, field, point) for point in range(POINTS)):
        return None
    return f"the program has no value at {POINTS} random points"


def has_value(network: Network, field: Any, point: int) -> bool:
    """Return whether a program has a value at a random point."""
    shapes = list(network.tensors.values())
    with precision(BITS):
        try:
            if isinstance(field, Residues):
                weights = field.weights(point, shapes)
            else:
                weights = field.weights(point, shapes, [-(width.bit_length() // 2) for _, width in shapes])
            interpreter = Interpreter(network.program, field, dict(zip(network.tensors, weights, strict=True)))
            interpreter.forward(input_of(network, field, point, 0))
        except (NoValue, Undecided, Refused):  # a root of a negative number is refused
            return False
    return True
