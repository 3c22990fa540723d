"""What rounding can do to parameters over the reals: sizes that products must be compared with, and sizes that no
product can hold.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import check_fits
from algatt.errors import InvalidArgument
from algatt.fields import Elements, Reals
from algatt.parameters import Parameters, VirtualWeights

BAND = 1e3
"""Values that differ by more than the tolerance but by less than this many times the tolerance decide nothing."""

EXPONENT = 150
"""The square of a number of size 10^(+-150) stays within float64."""


OTHER_TOLERANCE = "give another tolerance (tolerance=, on the command line --tolerance)"


def clear_difference(tolerance: float) -> float:
    """Return the relative difference from which on values are clearly different: of a tolerance above 1e-6 its root."""
    return min(BAND * tolerance, math.sqrt(tolerance))


def check_point(arch: Architecture, theta: Parameters) -> None:
    """Raise `InvalidArgument` unless a point fits the architecture, and has a function where scores have values."""
    check_fits(arch, theta)
    check_float_sizes(theta)
    if arch.algebraic or not theta.field.characteristic:
        verbs.has_function(arch, theta).check("theta")


def check_float_sizes(theta: Parameters) -> None:
    """Raise `InvalidArgument` if over the reals arrays are so large or small that M_i, or L, or a part of such a
    product would overflow or vanish.
    """
    if not isinstance(theta.field, Reals):
        return
    for names in factors_of_virtual_weights(theta):
        largest = {
            name: float(np.abs(element.raw).max(initial=0.0))
            for name, element in zip(theta.names(), theta.elements, strict=True)
        }
        exponents = [(math.log10(largest[name]), name) for name in names if largest[name]]
        for sign in (1, -1):
            if sum(max(sign * exponent, 0) for exponent, _ in exponents) > EXPONENT:
                name = max(exponents, key=lambda pair: sign * pair[0])[1]
                should = f"with arrays whose products stay within 1e-{EXPONENT} and 1e+{EXPONENT}; rescale them"
                raise InvalidArgument("theta", f"with {name} of size {largest[name]:.3g}", should)


def factors_of_virtual_weights(theta: Parameters) -> Iterator[list[str]]:
    """Iterate over the names of the arrays of which M_1, ..., M_l and L are products."""
    if isinstance(theta, VirtualWeights):
        yield from ([name] for name in theta.names())
        return
    values: list[str] = []
    scores: list[str] = []
    for name in theta.names():
        if name.startswith("V"):
            yield [*scores, *values, *values]
            values, scores = [*values, name], []
        else:
            scores.append(name)
    yield values


def absolute(theta: Any) -> Any:
    """Return the absolute values over the reals: products of these bound all terms of the sums that are rounded."""
    return theta.replace([Elements(element.field, np.abs(element.raw)) for element in theta.elements])


def sizes_of(theta: Parameters, coordinates: type[Parameters]) -> list[float]:
    """Return for each array in other coordinates the norm beside which it may be rounding: that of the products of
    absolute values; 0 over GF(p).
    """
    if not isinstance(theta.field, Reals):
        return [0.0] * len(verbs.convert(theta, coordinates).elements)
    return [float(np.linalg.norm(element.raw)) for element in verbs.convert(absolute(theta), coordinates).elements]
