"""What rounding can do to parameters over the reals: sizes that products must be compared with, and sizes that no product can hold."""

from __future__ import annotations

from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import InvalidArgument
from algatt.fields import Elements, Reals
from algatt.parameters import Parameters, VirtualWeights

__all__ = ["absolute", "check_float_sizes", "sizes_of"]

EXPONENT = 75
"""M_l is a product of 2 l matrices; its square stays within float64 if their entries are within 10^(+-75 / l)."""


def check_float_sizes(theta: Parameters) -> None:
    """Raise `InvalidArgument` if arrays over the reals are so large or small that products of them would overflow or vanish."""
    if not isinstance(theta.field, Reals):
        return
    layers = len(theta.elements) - 1 if isinstance(theta, VirtualWeights) else sum(name.startswith("V") for name in theta.names())
    limit = 10.0 ** (EXPONENT / layers)
    for name, element in zip(theta.names(), theta.elements, strict=True):
        largest = float(np.abs(element.raw).max(initial=0.0))
        if largest and not 1 / limit <= largest <= limit:
            should = f"with arrays of sizes from {1 / limit:.1g} to {limit:.1g}; rescale them"
            raise InvalidArgument("theta", f"with {name} of size {largest:.3g}", should)


def absolute(theta: Any) -> Any:
    """Return the absolute values over the reals: products of these bound all terms of the sums that are rounded."""
    return theta.replaced([Elements(element.field, np.abs(element.raw)) for element in theta.elements])


def sizes_of(theta: Parameters, coordinates: type[Parameters]) -> list[float]:
    """Return for each array in other coordinates the norm beside which it may be rounding: that of the products of absolute values; 0 over GF(p)."""
    if not isinstance(theta.field, Reals):
        return [0.0] * len(verbs.convert(theta, coordinates).elements)
    return [float(np.linalg.norm(element.raw)) for element in verbs.convert(absolute(theta), coordinates).elements]
