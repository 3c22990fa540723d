"""Values over the reals beside each other, enclosed by balls: where they differ for certain, and where they agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import draw_inputs
from algatt.errors import NoValue
from algatt.fields import Balls, Elements, FloatBalls, Reals
from algatt.fields.ball import entrywise, midpoints
from algatt.fields.float_ball import SLACK
from algatt.geometry.equality.large.values import ValuePair, source_rounding
from algatt.geometry.equality.rounding import clear_difference
from algatt.geometry.equality.separation import public_input
from algatt.parameters import Parameters

BITS = (128, 512, 2048)
"""Precisions that are tried until the values are known to a small part of the tolerance."""

ENCLOSED_INPUTS = 4
"""At so many random inputs of each size values are enclosed by balls."""

SIZES = (1.0, 2.0**-3, 2.0**-9)
"""What inputs are multiplied by in turn: where exponentials and norms are far from their limits."""

LARGE = (2.0**6,)
"""What they are multiplied by where small scores are told apart, if nothing says that points are equal."""

Points = tuple[Any, Any]


def sized_inputs(arch: Architecture, seed: int, sizes: tuple[float, ...] = SIZES) -> tuple[np.ndarray, int]:
    """Return random inputs of several sizes in turn, those of tokens of one, and the number of sizes."""
    inputs = draw_inputs(arch, Reals(), seed, 0, ENCLOSED_INPUTS)
    if arch.vocabulary is not None:
        return inputs, 1
    sized = np.stack([inputs * size for size in sizes], axis=1)
    return sized.reshape(-1, *inputs.shape[1:]), len(sizes)


def largest_difference(arch: Architecture, one: Any, two: Any, seed: int, tolerance: float) -> float:
    """Return a bound of the relative differences of the values of two points at random inputs."""
    inputs, sizes = sized_inputs(arch, seed)
    points = over_balls(one, Balls()), over_balls(two, Balls())
    return float(enclosed_differences(arch, points, inputs, tolerance).relative(sizes)[1].max())


def exceeds_rounding(
    arch: Architecture, one: Parameters, two: Parameters, X: np.ndarray, seed: int, places: np.ndarray
) -> bool:
    """Return whether some entries of the values at an input differ by more than rounding of the numbers that were
    entered accounts for.
    """
    pair = ValuePair.of(arch, one, two, public_input(arch, Elements(one.field, X[None]))[None])
    if pair is None:
        return False
    explained = sum(source_rounding(arch, theta, pair.inputs, seed) for theta in (one, two))
    if not np.isfinite(explained).all():
        return False
    return bool((np.abs(pair.first - pair.second) > explained)[0][places.ravel()].any())


def over_balls(theta: Any, field: Balls | FloatBalls) -> Any:
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
    arch: Architecture, points: Points, inputs: np.ndarray, tolerance: float, floats: Points | None = None
) -> EnclosedDifferences:
    """Return bounds of the differences of two values at each input, to a small part of the tolerance; `floats` are the
    points over balls in floats, if these are to be tried first: they take less time, and it is enough if they tell that
    the values are not clearly different.
    """
    shape = (len(inputs), *arch.output_shape)
    found = EnclosedDifferences(np.zeros(shape), np.full(shape, np.inf), np.zeros(shape))
    left = np.arange(len(inputs))
    stages: list[tuple[Balls | FloatBalls, Points]] = [(Balls(bits), points) for bits in BITS]
    for field, given in [(FloatBalls(), floats), *stages] if floats else stages:
        if not len(left):
            break
        lifted = [theta.replace([Elements(field, element.raw) for element in theta.elements]) for theta in given]
        for number, values in zip(left, enclosed_values(arch, lifted, inputs[left], field), strict=True):
            bounds = None if values is None else bounds_of_difference(*values)
            if bounds is not None:
                found.low[number], found.high[number], found.values[number] = bounds
        low, high = found.relative(sizes=len(inputs))
        known = high[left] - low[left] <= 1e-3 * tolerance
        if isinstance(field, FloatBalls):
            known |= high[left] < clear_difference(tolerance)
        left = left[~known.all(axis=(1, 2))]
    return found


def bounds_of_difference(one: Elements, two: Elements) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """Return bounds of the absolute differences of two values, and the larger sizes of both; None if floats, in which
    balls are, have none.
    """
    off = (one - two).raw
    if not isinstance(one.field, FloatBalls):
        sizes = np.abs([midpoints(value.raw) for value in (one, two)]).max(axis=0)
        low, high = (midpoints(entrywise(bound, off)) for bound in (lambda x: x.abs_lower(), lambda x: x.abs_upper()))
        return low, high, sizes
    low, high = np.abs(off["mid"]) - off["rad"], np.abs(off["mid"]) + off["rad"]
    if not np.isfinite(high).all():
        return None
    return np.maximum(low, 0) / SLACK, high * SLACK, np.maximum(np.abs(one.raw["mid"]), np.abs(two.raw["mid"]))


def enclosed_values(
    arch: Architecture, points: list[Any], inputs: np.ndarray, field: Balls | FloatBalls
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
