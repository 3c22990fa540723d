"""Probability laws on the half line: what they have in common, and the methods that need nothing else."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import InvalidArgument
from algatt.spectra.free_probability import moments_of_cumulants
from algatt.spectra.numerics import increasing_inverse

__all__ = ["Law", "checked_array", "checked_number", "infinite_at_zero"]

Points = np.ndarray | float | int | np.integer | list | tuple
"""What verbs take for numbers: one or many."""

TABLE = 257
"""Points of a component of the support between which a quantile is bracketed first."""


def checked_number(argument: str, value: Any, *, positive: bool = True) -> float:
    """Return a finite number > 0, or >= 0 if not `positive`, as a float."""
    real = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    if not real or not np.isfinite(value) or value < 0 or (positive and value == 0):
        raise InvalidArgument(argument, repr(value), f"a finite number {'>' if positive else '>='} 0")
    return float(value)


def checked_array(argument: str, values: Any, kind: type = float) -> np.ndarray:
    """Return numbers without NaN as an array of floats, or of complex numbers."""
    try:
        array: np.ndarray = np.array(values, dtype=kind)
    except (TypeError, ValueError):
        raise InvalidArgument(argument, repr(values), "a number, or an array of numbers") from None
    if np.isnan(array).any():
        raise InvalidArgument(argument, "with NaN", "without")
    return array


@dataclass(frozen=True)
class Law(ABC):
    """A probability law on [0, oo) with compact support: a density, and perhaps a mass at zero.

    A concrete law gives methods to `algatt.density`, `algatt.cdf`, `algatt.stieltjes`, `algatt.support` and `algatt.free_cumulants`; the other verbs
    follow from these.
    """

    @property
    def mass_at_zero(self) -> float:
        """The probability of zero."""
        return 0.0

    @classmethod
    def examples(cls) -> Iterable[Law]:
        """Return instances on which the tests run."""
        return ()


def infinite_at_zero(law: Law, z: np.ndarray, value: np.ndarray) -> np.ndarray:
    """Return values of a Stieltjes transform with its pole, or singularity, at zero where the support begins there."""
    begins = law.mass_at_zero > 0 or verbs.support(law)[0][0] == 0
    return np.choose((z == 0) & begins, [value, np.inf])


@verbs.edge.method
def edge_of_law(law: Law) -> float:
    return float(verbs.support(law)[-1][1])


@verbs.moments.method
def moments_of_law(law: Law, count: int | np.integer) -> tuple[float, ...]:
    return tuple(float(moment) for moment in moments_of_cumulants(verbs.free_cumulants(law, count)))


@verbs.quantile.method
def quantile_of_law(law: Law, probabilities: Points) -> Any:
    levels = checked_array("probabilities", probabilities)
    if ((levels < 0) | (levels > 1)).any():
        raise InvalidArgument("probabilities", "with entries outside of [0, 1]", "between 0 and 1")
    # in the variable sqrt(x), in which densities are finite at zero or nearly so
    grid = np.concatenate([component_grid(*ends) for ends in verbs.support(law)])
    reached = verbs.cdf(law, grid**2)
    place = np.clip(np.searchsorted(reached, levels), 1, len(grid) - 1)
    roots = increasing_inverse(
        lambda s: verbs.cdf(law, s**2), lambda s: 2 * s * verbs.density(law, s**2), levels.ravel(), grid[place - 1].ravel(), grid[place].ravel()
    ).reshape(levels.shape)
    lowest = 0.0 if law.mass_at_zero else verbs.support(law)[0][0]
    found = np.choose(levels <= law.mass_at_zero, [roots**2, lowest])
    return np.choose(levels >= 1, [found, verbs.edge(law)])[()]


def component_grid(low: float, high: float) -> np.ndarray:
    """Return points of the square roots of an interval, dense at its ends."""
    left, right = np.sqrt(low), np.sqrt(high)
    grid = (left + right) / 2 - (right - left) / 2 * np.cos(np.linspace(0, np.pi, TABLE))
    grid[0], grid[-1] = left, right
    return grid
