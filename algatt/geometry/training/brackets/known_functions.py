"""Functions over jets whose values at the arguments that they meet are known: residues that stand for exponentials,
logistic functions, error functions, logarithms and roots.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from algatt import verbs
from algatt.fields import Erf, Function, Jets
from algatt.fields.elementary import Given
from algatt.fields.jets import derivatives, jets


@dataclass(frozen=True, eq=False)
class KnownFunction(Function):
    """A function with known values and derivatives at constants; its derivatives along jets follow by its differential
    equation.

    Parameters
    ----------
    function : Function
        The function.
    given : Given
        The residues: its values, and its derivatives; None where it is locally constant.
    """

    function: Function
    given: Given

    def values(self, base: Any, argument: np.ndarray) -> np.ndarray:
        """Return the coefficients of f(u), given those of u: f(a + b eta) = f(a) + f'(a) b eta."""
        if len(argument) == 1:
            return np.stack([self.given.value])
        half = len(argument) // 2
        below = self.values(base, argument[:half])
        slope = self.slopes(base, argument[:half], below)
        if slope is None:
            return np.concatenate([below, np.zeros_like(below)])
        field = Jets(base, (half - 1).bit_length())
        above = verbs.multiply(field, jets_of(slope), jets_of(argument[half:]))
        return np.concatenate([below, derivatives(above)])

    def slopes(self, base: Any, argument: np.ndarray, value: np.ndarray) -> np.ndarray | None:
        """Return the coefficients of f'(u), given those of u and f(u)."""
        if self.given.derivative is None:
            return None
        if isinstance(self.function, Erf):
            return self.densities(base, argument)
        field = Jets(base, (len(argument) - 1).bit_length())
        return derivatives(verbs.slope(field, self.function, jets_of(argument), jets_of(value)))

    def densities(self, base: Any, argument: np.ndarray) -> np.ndarray:
        """Return the coefficients of d(u), where d(a + b eta) = d(a) - 2 a d(a) b eta."""
        if len(argument) == 1:
            return np.stack([cast(np.ndarray, self.given.derivative)])
        half = len(argument) // 2
        field = Jets(base, (half - 1).bit_length())
        below = self.densities(base, argument[:half])
        slope = verbs.multiply(field, jets_of(below), jets_of(argument[:half]))
        above = verbs.negate(field, verbs.multiply(field, verbs.add(field, slope, slope), jets_of(argument[half:])))
        return np.concatenate([below, derivatives(above)])


def jets_of(coefficients: np.ndarray) -> np.ndarray:
    """Return a raw array of jets of its coefficients; one alone is a jet in no variables."""
    raw = np.empty(coefficients.shape[1:], dtype=[("S", np.float64, (len(coefficients),))])
    raw["S"] = np.moveaxis(coefficients, 0, -1)
    return raw


@verbs.entrywise.method
def known_values(field: Jets, function: KnownFunction, raw: np.ndarray) -> np.ndarray:
    return jets(field, function.values(field.base, derivatives(raw)))


@verbs.slope.method
def known_slopes(field: Jets, function: KnownFunction, argument: np.ndarray, value: np.ndarray) -> np.ndarray | None:
    slope = function.slopes(field.base, derivatives(argument), derivatives(value))
    return None if slope is None else jets(field, slope)
