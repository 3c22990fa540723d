"""Values over the reals beside each other, enclosed by balls: where they differ for certain, and where they agree."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import draw_inputs
from algatt.errors import EquivalenceUndecided, NoValue
from algatt.fields import Balls, Elements, Reals
from algatt.fields.arrays import DOUBLE
from algatt.fields.ball import midpoints
from algatt.fields.real import precision_of
from algatt.geometry.equality.compared_values import ComparedValues
from algatt.geometry.equality.source_rounding import clear_difference, source_rounding
from algatt.geometry.equality.steps import Steps
from algatt.parameters import Parameters, VirtualWeights

__all__ = ["BITS", "compared_by_balls", "enclosing_steps", "input_scale", "over_balls", "smaller_scale"]

BITS = (128, 512, 2048)
"""Precisions that are tried until the values are known to a small part of the tolerance."""

VALUES = 256
"""So many values are enclosed at inputs of each of two sizes, if this takes from 4 to 16 inputs."""

BATCH = 2**24
"""At most about this many products of a parameter and a token are computed at a time."""

Points = tuple[Any, Any]

Bounds = tuple[np.ndarray, np.ndarray]


def inputs_at_a_time(arch: Architecture, theta: Parameters) -> int:
    """Return how many inputs are evaluated together."""
    return max(1, BATCH // (arch.input_shape[1] * sum(element.raw.size for element in theta.elements)))


def enclosing_steps(arch: Architecture, theta: Parameters) -> int:
    """Return the number of steps of `compared_by_balls`: the conversion, the first inputs, and the others."""
    return 2 + -(-2 * enclosed_inputs(arch) // inputs_at_a_time(arch, theta))


def enclosed_inputs(arch: Architecture) -> int:
    """Return the number of inputs of each size."""
    return min(16, max(4, VALUES // arch.outputs))


def compared_by_balls(
    arch: Architecture,
    one: Parameters,
    two: Parameters,
    seed: int,
    tolerance: float,
    steps: Steps,
    scale: float,
) -> ComparedValues:
    """Compare values of the real parameters exactly as they were given, by enclosures.

    Half of the inputs have size one; half are multiplied by `scale`, so that scores may have size one, because softmax
    of large scores only tells which one is the largest. If floats differ at the first input of each size, these come
    first: mostly they tell the functions apart.
    """
    drawn = draw_inputs(arch, Reals(), seed, 0, enclosed_inputs(arch))
    inputs = np.stack([drawn, drawn * scale], axis=1).reshape(-1, *drawn.shape[1:])
    points = over_balls(one, Balls()), over_balls(two, Balls())
    steps()
    first = 2 if seem_different(arch, one, two, inputs[:2], tolerance) else 0
    low, high = enclosed_differences(arch, points, inputs[:first], tolerance)
    steps()
    count = inputs_at_a_time(arch, one)
    for start in range(first, len(inputs), count):
        if (low > clear_difference(tolerance)).any():
            break
        further = enclosed_differences(arch, points, inputs[start : start + count], tolerance)
        low, high = (np.concatenate(bounds) for bounds in zip((low, high), further, strict=True))
        steps()
    known = np.isfinite(high)
    if not known.any():
        tried = "the network has no values at the inputs that were tried"
        raise EquivalenceUndecided(f"{tried}: a denominator is not told from zero, or scores overflow")
    worst = int(np.argmax(low))
    return ComparedValues(
        agree=bool((high[known] <= tolerance).all()),
        differ=bool(low[worst] > clear_difference(tolerance) and exceeds_rounding(arch, one, two, inputs[worst], seed)),
        difference=float(low[worst]),
        separating_input=inputs[worst],
    )


def exceeds_rounding(arch: Architecture, one: Parameters, two: Parameters, X: np.ndarray, seed: int) -> bool:
    """Return whether values at an input differ by more than rounding of the numbers that were entered accounts for."""
    if precision_of(one.field) == precision_of(two.field) == DOUBLE:
        return True
    inputs = Elements(one.field, X[None])
    explained = sum(float(source_rounding(arch, theta, inputs, seed)[0]) for theta in (one, two))
    if not math.isfinite(explained):
        return False
    off = verbs.evaluate(arch, one, inputs) - verbs.evaluate(arch, two, inputs)
    return bool(np.abs(off.raw).max() > explained)


def input_scale(theta: Parameters) -> float:
    """Return the power of two that, multiplied with inputs of size one, lets the largest scores have about size one."""
    sizes = [float(np.linalg.norm(M.raw, 2)) for M in verbs.convert(theta, VirtualWeights).M_elements]
    return float(2.0 ** np.rint(-np.log2(max(sizes)) / 2)) if max(sizes) > 0 else 1.0


def smaller_scale(one: Parameters, two: Parameters) -> float:
    """Return the factor of inputs that lets the largest scores of both points have at most about size one."""
    return min(1.0, input_scale(one), input_scale(two))


def seem_different(arch: Architecture, one: Parameters, two: Parameters, inputs: np.ndarray, tolerance: float) -> bool:
    """Return whether float values differ by more than the tolerance; this only decides what is enclosed first."""
    try:
        values = [verbs.evaluate(arch, theta, Elements(theta.field, inputs)).raw for theta in (one, two)]
    except NoValue:
        return False
    return bool(np.abs(values[0] - values[1]).max() > tolerance * max(np.abs(value).max() for value in values))


def over_balls(theta: Any, field: Balls) -> Any:
    """Return real or rational parameters as balls, those of floats of radius zero."""
    return theta.replace([Elements(field, verbs.encode(field, element.raw)) for element in theta.elements])


def enclosed_differences(arch: Architecture, points: Points, inputs: np.ndarray, tolerance: float) -> Bounds:
    """Return bounds of the largest difference of two values beside the larger of them, for each input.

    They are 0 and infinity where there are no values.
    """
    low, high = np.zeros(len(inputs)), np.full(len(inputs), np.inf)
    left = np.arange(len(inputs))
    for bits in BITS:
        if not len(left):
            break
        field = Balls(bits)
        lifted = [theta.replace([Elements(field, element.raw) for element in theta.elements]) for theta in points]
        for number, values in zip(left, enclosed_values(arch, lifted, inputs[left], field), strict=True):
            if values is not None:
                low[number], high[number] = relative_bounds(*values)
        left = left[~(high[left] - low[left] <= 1e-3 * tolerance)]
    return low, high


def enclosed_values(
    arch: Architecture, points: list[Any], inputs: np.ndarray, field: Balls
) -> list[list[Elements] | None]:
    """Return the values of both points at each input, or None where one of them is not enclosed.

    All inputs are evaluated together, or if this fails halves of them.
    """
    try:
        values = [verbs.evaluate(arch, theta, Elements(field, verbs.encode(field, inputs))) for theta in points]
    except NoValue:
        if len(inputs) == 1:
            return [None]
        half = len(inputs) // 2
        return enclosed_values(arch, points, inputs[:half], field) + enclosed_values(arch, points, inputs[half:], field)
    return [[Elements(field, value.raw[number]) for value in values] for number in range(len(inputs))]


def relative_bounds(one: Elements, two: Elements) -> tuple[float, float]:
    """Return bounds of the largest difference of the entries of two enclosed values, beside the larger value."""
    off = (one - two).raw
    scale = max(float(np.abs(midpoints(value.raw)).max()) for value in (one, two)) or 1.0
    low = max(float(entry.abs_lower()) for entry in off.flat)
    high = max(float(entry.abs_upper()) for entry in off.flat)
    return low / scale, high / scale
