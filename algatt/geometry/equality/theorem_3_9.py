"""That two points of one layer are different functions, since the function determines its weights (HMK Theorem 3.9)."""

from __future__ import annotations

import numpy as np

from algatt import verbs
from algatt.architectures import Normalized
from algatt.fields import Balls, Elements
from algatt.geometry.equality.enclosed_values import BITS, over_balls
from algatt.geometry.equality.equivalence import Equivalence
from algatt.geometry.equality.rounding import clear_difference, sizes_of
from algatt.geometry.fibres.injective_scores import name_of_theorem_3_9, theorem_3_9_holds
from algatt.parameters import Parameters, VirtualWeights

__all__: list[str] = []


@verbs.difference_by_theorem.method
def difference_by_theorem_3_9(
    arch: Normalized, one: Parameters, two: Parameters, *, tolerance: float
) -> Equivalence | None:
    """Return that real points of one layer define different functions, if their A or V differ and determine them.

    All tokens equal to x have the value V x. If V != 0, the rest is HMK Theorem 3.9. The floats stand for exactly what
    they are, and balls enclose the products K^T Q; but a difference that rounding may have made decides nothing.
    """
    if not theorem_3_9_holds(arch, one.field):
        return None
    points = [verbs.convert(over_balls(theta, Balls(BITS[0])), VirtualWeights).elements for theta in (one, two)]
    sizes = np.maximum(sizes_of(one, VirtualWeights), sizes_of(two, VirtualWeights))
    off = [certain_size(first - second) for first, second in zip(*points, strict=True)]
    differ = [
        bool(difference > clear_difference(tolerance) * size) for difference, size in zip(off, sizes, strict=True)
    ]
    A_differs, V_differs = differ
    if not V_differs and not (A_differs and certain_size(points[0][1])):
        return None
    theorem = name_of_theorem_3_9(arch.score, holds=True)
    reason = f"{'V' if V_differs else 'A'} is another matrix, which the function determines ({theorem})"
    return Equivalence(False, "proven", None, None, None, None, None, reason)


def certain_size(matrix: Elements) -> float:
    """Return a number that some entry of a matrix of balls has as absolute value at least."""
    return max(float(entry.abs_lower()) for entry in matrix.raw.flat)
