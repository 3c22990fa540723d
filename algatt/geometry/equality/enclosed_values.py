"""Values over the reals beside each other, enclosed by balls: where they differ for certain, and where they agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import draw_inputs
from algatt.errors import EquivalenceUndecided, NoValue
from algatt.fields import Balls, Elements, Reals
from algatt.fields.ball import entrywise, midpoints
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
    found = enclosed_differences(arch, points, inputs[:first], tolerance)
    low, high = found.relative(sizes=2)
    steps()
    count = inputs_at_a_time(arch, one)
    for start in range(first, len(inputs), count):
        if (low > clear_difference(tolerance)).any():
            break
        found = found.joined(enclosed_differences(arch, points, inputs[start : start + count], tolerance))
        low, high = found.relative(sizes=2)
        steps()
    known = np.isfinite(high).all(axis=(1, 2))
    if not known.any():
        tried = "the network has no values at the inputs that were tried"
        raise EquivalenceUndecided(f"{tried}: a denominator is not told from zero, or scores overflow")
    worst = int(np.argmax(low.max(axis=(1, 2))))
    clear = low[worst] > clear_difference(tolerance)
    return ComparedValues(
        agree=bool((high[known] <= tolerance).all()),
        differ=bool(clear.any() and exceeds_rounding(arch, one, two, inputs[worst], seed, clear)),
        difference=float(low[worst].max()),
        separating_input=inputs[worst],
    )


def exceeds_rounding(
    arch: Architecture, one: Parameters, two: Parameters, X: np.ndarray, seed: int, places: np.ndarray
) -> bool:
    """Return whether some entries of the values at an input differ by more than rounding of the numbers that were
    entered accounts for.
    """
    inputs = Elements(one.field, X[None])
    explained = sum(source_rounding(arch, theta, inputs, seed)[0] for theta in (one, two))
    if not np.isfinite(explained).all():
        return False
    off = verbs.evaluate(arch, one, inputs) - verbs.evaluate(arch, two, inputs)
    return bool((np.abs(off.raw[0]) > explained)[places].any())


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
    return bool((np.abs(values[0] - values[1]) > tolerance * np.abs(values).max(axis=0)).any())


def over_balls(theta: Any, field: Balls) -> Any:
    """Return real or rational parameters as balls, those of floats of radius zero."""
    return theta.replace([Elements(field, verbs.encode(field, element.raw)) for element in theta.elements])


@dataclass(frozen=True, eq=False)
class EnclosedDifferences:
    """Bounds of the differences of two values at some inputs, entry by entry: 0 and infinity where there are none.

    Parameters
    ----------
    low, high : array
        The bounds, with an axis for inputs.
    values : array
        The sizes of the larger values.
    """

    low: np.ndarray
    high: np.ndarray
    values: np.ndarray

    def joined(self, further: EnclosedDifferences) -> EnclosedDifferences:
        """Return them with those at further inputs."""
        parts = ((self.low, further.low), (self.high, further.high), (self.values, further.values))
        return EnclosedDifferences(*map(np.concatenate, parts))

    def relative(self, sizes: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the bounds beside the larger value of each entry, or its median at inputs of the same size, of which
        there are so many in turn: an entry may be small by chance.
        """
        beside = self.values.copy()
        for turn in range(min(sizes, len(beside))):
            beside[turn::sizes] = np.maximum(beside[turn::sizes], np.median(beside[turn::sizes], axis=0))
        beside[beside == 0] = 1.0
        with np.errstate(invalid="ignore"):  # of values that are too large for floats nothing is known
            return np.nan_to_num(self.low / beside), np.nan_to_num(self.high / beside, nan=np.inf, posinf=np.inf)


def enclosed_differences(
    arch: Architecture, points: Points, inputs: np.ndarray, tolerance: float
) -> EnclosedDifferences:
    """Return bounds of the differences of two values at each input, to a small part of the tolerance."""
    shape = (len(inputs), *arch.output_shape)
    found = EnclosedDifferences(np.zeros(shape), np.full(shape, np.inf), np.zeros(shape))
    left = np.arange(len(inputs))
    for bits in BITS:
        if not len(left):
            break
        field = Balls(bits)
        lifted = [theta.replace([Elements(field, element.raw) for element in theta.elements]) for theta in points]
        for number, values in zip(left, enclosed_values(arch, lifted, inputs[left], field), strict=True):
            if values is not None:
                off = (values[0] - values[1]).raw
                found.low[number] = midpoints(entrywise(lambda entry: entry.abs_lower(), off))
                found.high[number] = midpoints(entrywise(lambda entry: entry.abs_upper(), off))
                found.values[number] = np.abs([midpoints(value.raw) for value in values]).max(axis=0)
        low, high = found.relative(sizes=len(inputs))
        left = left[~(high[left] - low[left] <= 1e-3 * tolerance).all(axis=(1, 2))]
    return found


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
