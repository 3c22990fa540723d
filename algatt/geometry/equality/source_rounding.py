"""What rounding of the numbers that were entered may do to values, so that it is called no difference."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.errors import NoValue
from algatt.fields import Elements, Reals
from algatt.fields.real import precision_of
from algatt.parameters import Parameters

__all__ = ["OTHER_TOLERANCE", "clear_difference", "source_rounding"]

BAND = 1e3
"""Values that differ by more than the tolerance but by less than this many times the tolerance decide nothing."""

DRAWS = 4
"""So many random roundings are tried."""

MARGIN = 4.0
"""Values that differ by more than this many times what random roundings change them by differ for another reason."""

OTHER_TOLERANCE = "give another tolerance (tolerance=, on the command line --tolerance)"


def clear_difference(tolerance: float) -> float:
    """Return the relative difference from which on values are clearly different: of a tolerance above 1e-6 its root."""
    return min(BAND * tolerance, math.sqrt(tolerance))


def source_rounding(arch: Architecture, theta: Any, inputs: Elements, seed: int) -> np.ndarray:
    """Return for each input of a batch, and each entry of its value, how much may be rounding of the weights.

    All entries are moved at random by up to the spacing of numbers of their precision, at their size and at that of
    their matrix: this is more than rounding, as numbers that were computed from those that were entered are less
    precise. A bound would be much larger, since it adds up what random signs cancel.
    """
    unit = 2.0 ** (1 - precision_of(theta.field))
    try:
        values = verbs.evaluate(arch, theta, inputs).raw
        changes = np.zeros(values.shape)
        for number in range(DRAWS):
            other = verbs.evaluate(arch, moved(theta, unit, seed, f"rounding/{number}"), inputs).raw
            changes = np.maximum(changes, np.abs(other - values))
    except NoValue:
        return np.full((inputs.shape[0], *arch.output_shape), np.inf)
    return MARGIN * np.nan_to_num(changes, nan=np.inf)


def moved(theta: Any, share: float, seed: int, label: str) -> Parameters:
    """Return parameters with entries moved at random by up to a share of their size and of that of their matrix."""
    arrays = []
    for number, element in enumerate(theta.elements):
        sizes = np.abs(element.raw) + np.sqrt(np.square(element.raw).mean())
        drawn = verbs.draw_array(Reals(), shape=element.shape, seed=seed, label=f"{label}/{number}") / math.sqrt(3.0)
        arrays.append(Elements(element.field, element.raw + share * sizes * drawn))
    result: Parameters = theta.replace(arrays)
    return result
