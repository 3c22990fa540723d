"""Functions whose values were chosen before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.fields import Function, PrimeField

__all__ = ["Given"]


@dataclass(frozen=True, eq=False)
class Given(Function):
    """A function whose values and derivatives at the arguments that it meets are known.

    Parameters
    ----------
    value : ndarray
        The raw values.
    derivative : ndarray or None
        The raw derivatives; None if they vanish.
    """

    value: np.ndarray
    derivative: np.ndarray | None

    def part(self, block: Any) -> Given:
        """Return the function for some of the inputs."""
        return Given(self.value[block], None if self.derivative is None else self.derivative[block])


@verbs.entrywise.method
def given_values(field: PrimeField, function: Given, raw: object) -> np.ndarray:
    return function.value


@verbs.slope.method
def given_derivatives(field: PrimeField, function: Given, argument: object, value: object) -> np.ndarray | None:
    return function.derivative
