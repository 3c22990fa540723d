"""Values over the reals beside each other, enclosed by balls: where they differ for certain, and where they agree."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
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

PART = 1e-3
"""Up to this part of the tolerance a difference is to be known."""

SUSPECT = 1 / 4
"""From this part of a clear difference on values in floats are enclosed by balls."""

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
    inputs, turns = sized_inputs(arch, seed)
    differences = Differences.unknown(arch, inputs, turns)
    enclose(arch, (one, two), differences, range(len(inputs)), PART * tolerance, np.inf)
    return float(differences.relative[1].max())


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
class Differences:
    """Bounds of the differences of two values at some inputs, entry by entry: 0 and infinity where nothing is known.

    Parameters
    ----------
    inputs : array
        The inputs, of several sizes in turn.
    turns : int
        The number of sizes.
    low, high : array
        The bounds, with an axis for inputs.
    values : array
        The sizes of the larger values.
    """

    inputs: np.ndarray
    turns: int
    low: np.ndarray
    high: np.ndarray
    values: np.ndarray

    @classmethod
    def unknown(cls, arch: Architecture, inputs: np.ndarray, turns: int) -> Differences:
        """Return those of which nothing is known."""
        shape = (len(inputs), *arch.output_shape)
        return cls(inputs, turns, np.zeros(shape), np.full(shape, np.inf), np.zeros(shape))

    @property
    def relative(self) -> tuple[np.ndarray, np.ndarray]:
        """The bounds beside the larger value of each entry, or its median at inputs of the same size: an entry may be
        small by chance.
        """
        beside = self.values.copy()
        for turn in range(self.turns):
            beside[turn :: self.turns] = np.maximum(
                beside[turn :: self.turns], np.median(beside[turn :: self.turns], axis=0)
            )
        beside[beside == 0] = 1.0
        with np.errstate(invalid="ignore"):  # of values that are too large for floats nothing is known
            return np.nan_to_num(self.low / beside), np.nan_to_num(self.high / beside, nan=np.inf, posinf=np.inf)


def suspects(arch: Architecture, one: Any, two: Any, differences: Differences, tolerance: float) -> np.ndarray:
    """Return the numbers of the inputs at which values in floats may be clearly different, having entered their sizes.
    At others no difference can exceed rounding, which is measured in floats, too.
    """
    every = np.arange(len(differences.inputs))
    try:
        first, second = (verbs.evaluate(arch, theta, Elements(theta.field, differences.inputs)) for theta in (one, two))
    except NoValue:
        return every
    with np.errstate(over="ignore", invalid="ignore"):
        apart, sizes = np.abs(first.raw - second.raw), np.maximum(np.abs(first.raw), np.abs(second.raw))
    differences.values[:] = np.nan_to_num(sizes, posinf=0.0)
    _, high = dataclasses.replace(differences, high=apart).relative
    return every[(high > SUSPECT * clear_difference(tolerance)).any(axis=(1, 2))]


def enclose(
    arch: Architecture,
    points: Points,
    differences: Differences,
    places: Iterable[int],
    known: float,
    enough: float,
    *,
    in_floats: bool = True,
) -> None:
    """Enter bounds of the differences at some of the inputs, until they are `known` up to that or one is more than
    `enough`: by balls in floats first, which take the least time, unless the smallest differences are asked for.
    """
    left = np.array(list(places), dtype=np.int64)
    stages: list[Balls | FloatBalls] = [Balls(bits) for bits in BITS]
    for field in [FloatBalls(), *stages] if in_floats else stages:
        if not len(left):
            break
        lifted = [over_balls(theta, field) for theta in points]
        for number, values in zip(left, enclosed_values(arch, lifted, differences.inputs[left], field), strict=True):
            bounds = None if values is None else bounds_of_difference(*values)
            if bounds is not None:
                differences.low[number], differences.high[number], differences.values[number] = bounds
        low, high = (bound[left] for bound in differences.relative)
        left = left[~((high - low <= known).all(axis=(1, 2)) | (low > enough).any(axis=(1, 2)))]


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
