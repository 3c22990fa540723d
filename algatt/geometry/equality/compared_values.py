"""What values over the reals say about two points, and the comparison in floating point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import draw_inputs
from algatt.errors import EquivalenceUndecided
from algatt.fields import Elements
from algatt.geometry.equality.rounding import absolute
from algatt.geometry.equality.source_rounding import clear_difference, source_rounding, usual_sizes
from algatt.parameters import Parameters

__all__ = ["MOST_INPUTS", "ComparedValues", "compared_values"]

MOST_INPUTS = 64
"""At most so many random inputs are tried to separate two functions."""

SMALLEST = float(np.finfo(np.float64).tiny)
"""The smallest normal float, put where a size is zero."""


@dataclass(frozen=True, eq=False)
class ComparedValues:
    """What float values at random inputs say.

    Parameters
    ----------
    agree, differ : bool
        Within the tolerance, and rounding too; or more apart than the tolerance by far, and than rounding. Neither, if
        they do not decide.
    difference : float
        The largest difference of an entry of the values, relative to what it is there, or at half of the inputs.
    separating_input : array
        The input at which the difference exceeds rounding most.
    """

    agree: bool
    differ: bool
    difference: float
    separating_input: np.ndarray


def compared_values(
    arch: Architecture, one: Parameters, two: Parameters, seed: int, tolerance: float
) -> ComparedValues:
    """Compare the values of the parameters as they were given: a conversion would add its own rounding.

    They have to be sums of products of entries, so that those of absolute values bound what is rounded.
    """
    X = Elements(one.field, draw_inputs(arch, one.field, seed, 0, MOST_INPUTS))
    with np.errstate(over="ignore", invalid="ignore"):
        values = [verbs.evaluate(arch, theta, X).raw for theta in (one, two)]
        sizes = [verbs.evaluate(arch, absolute(theta), Elements(X.field, np.abs(X.raw))).raw for theta in (one, two)]
        off = np.abs(values[0] - values[1])
        scale = np.maximum(np.abs(values).max(axis=0), usual_sizes(np.abs(values).max(axis=0)))
        rounding = np.maximum(1e2 * np.finfo(np.float64).eps * np.maximum(*sizes), SMALLEST)
        explained = rounding + sum(source_rounding(arch, theta, X, seed) for theta in (one, two))
    if not (np.isfinite(scale).all() and np.isfinite(rounding).all()):
        raise EquivalenceUndecided("the values are too large for float64; compare over a PrimeField instead")
    beyond = ((off > clear_difference(tolerance) * scale) * off / explained).max(axis=(1, 2))
    worst = int(np.argmax(beyond))
    return ComparedValues(
        agree=bool((off <= tolerance * scale).all() and (rounding <= np.maximum(tolerance * scale, SMALLEST)).all()),
        differ=bool(beyond[worst] > 1),
        difference=float(np.max(off / np.maximum(scale, SMALLEST))),
        separating_input=X.raw[worst],
    )
