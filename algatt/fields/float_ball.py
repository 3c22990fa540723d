"""Real balls in float64: midpoints and radii, with what each operation rounds added to the radius.

Arb's balls are Python objects; these are numpy arrays, and products of them are products of matrices. The bounds are
those of S. M. Rump, *Fast and parallel interval arithmetic* (BIT 39, 1999), for rounding to the nearest: an operation
errs by at most :math:`u = 2^{-53}` of its result, a sum of n products, in any order, by at most
:math:`n u / (1 - n u)` times the sum of the absolute values; less than `TINY` more where numbers are subnormal.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import DivisionByZero
from algatt.fields.ball import Balls, drawn_numbers, entrywise
from algatt.fields.base import Field
from algatt.fields.functions import Erf, Function
from algatt.fields.real import Reals, largest_of_midpoints

BALL = np.dtype([("mid", np.float64), ("rad", np.float64)])
"""What raw arrays hold."""

UNIT = 2.0**-53
"""By how much of itself the result of an operation errs at most."""

SLACK = 1 + 64 * UNIT
"""By this a radius is multiplied that a few operations computed: they rounded it, too."""

TINY = 2.0**-1020
"""More than a few operations err by where numbers are subnormal, or are taken for zero."""

ARB = Balls(64)
"""Where functions of one variable are computed."""


@dataclass(frozen=True)
class FloatBalls(Field):
    """Real balls whose midpoints and radii are float64; what an inequality of balls says is true of the numbers inside.

    Notes
    -----
    Raw arrays are structured ones with the fields ``mid`` and ``rad``, public ones hold `flint.arb`. A radius that is
    infinite or no number decides nothing.
    """

    def __str__(self) -> str:
        return "RR (balls in float64)"

    @classmethod
    def examples(cls) -> Iterable[Field]:
        return (cls(),)

    @property
    def bits(self) -> int:
        """The precision of midpoints in bits."""
        return 53

    @property
    def around_zero(self) -> np.ndarray:
        """A ball around zero whose radius is the precision."""
        return balls_around(0.0, UNIT)


def balls_around(mid: Any, rad: Any) -> np.ndarray:
    """Return balls with given midpoints and radii."""
    raw = np.empty(np.broadcast_shapes(np.shape(mid), np.shape(rad)), dtype=BALL)
    raw["mid"], raw["rad"] = mid, rad
    return raw


def float_balls(raw: np.ndarray) -> np.ndarray:
    """Return balls in float64 around balls of Arb."""
    import flint

    mid = entrywise(lambda entry: float(entry.mid()), raw).astype(np.float64)
    apart = zip(raw.flat, mid.flat, strict=True)
    rad = [float((entry - flint.arb(middle)).abs_upper()) * SLACK for entry, middle in apart]
    return balls_around(mid, np.array(rad).reshape(mid.shape))


def arb_balls(raw: np.ndarray) -> np.ndarray:
    """Return the same balls as those of Arb."""
    import flint

    entries = np.empty(raw.shape, dtype=object)
    entries.reshape(-1)[:] = [flint.arb(*pair) for pair in raw.ravel().tolist()]
    return entries


def with_slack(mid: np.ndarray, rad: np.ndarray, exact: np.ndarray | bool) -> np.ndarray:
    """Return balls whose radii a few operations computed; where the result is exact, a zero stays one."""
    with np.errstate(over="ignore", invalid="ignore"):
        return balls_around(mid, np.where((rad == 0) & exact, 0.0, rad * SLACK + TINY))


@verbs.encode.method
def encode_float_balls(field: FloatBalls, array: object, *, argument: str = "array") -> np.ndarray:
    values = np.asarray(array)
    if values.dtype == BALL:
        return values
    if values.dtype.kind == "f" or (values.dtype.kind in "iu" and np.abs(values).max(initial=0) <= 2**53):
        return balls_around(verbs.encode(Reals(), values, argument=argument), 0.0)
    return ARB.compute(lambda: float_balls(verbs.encode(ARB, array, argument=argument)))


@verbs.embed.method
def embed_in_float_balls(field: FloatBalls, constants: Fraction | int) -> np.ndarray:
    mid = verbs.embed(Reals(), constants)
    return balls_around(mid, 0.0 if Fraction(float(mid)) == constants else np.abs(mid) * 2 * UNIT + TINY)


@verbs.decode.method
def decode_float_balls(field: FloatBalls, raw: np.ndarray) -> np.ndarray:
    return arb_balls(raw)


@verbs.draw_array.method
def draw_float_balls(field: FloatBalls, *, shape: tuple[int, ...], seed: int, label: str) -> np.ndarray:
    """The numbers are those of `Balls`."""
    return balls_around(drawn_numbers(shape, seed, label), 0.0)


@verbs.add.method
def add_float_balls(field: FloatBalls, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore", invalid="ignore"):
        mid = left["mid"] + right["mid"]
        rad = left["rad"] + right["rad"] + np.abs(mid) * UNIT
    return with_slack(mid, rad, True)  # sums of subnormal numbers are not rounded


@verbs.negate.method
def negate_float_balls(field: FloatBalls, raw: np.ndarray) -> np.ndarray:
    return balls_around(-raw["mid"], raw["rad"])


@verbs.multiply.method
def multiply_float_balls(field: FloatBalls, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    one, other = np.abs(left["mid"]), np.abs(right["mid"])
    with np.errstate(over="ignore", invalid="ignore"):
        mid = left["mid"] * right["mid"]
        rad = one * right["rad"] + left["rad"] * (other + right["rad"]) + np.abs(mid) * UNIT
    return with_slack(mid, rad, is_zero(left) | is_zero(right))


def is_zero(raw: np.ndarray) -> np.ndarray:
    """Return which balls are zero and nothing else."""
    return np.asarray((raw["mid"] == 0) & (raw["rad"] == 0))


@verbs.transpose.method
def transpose_float_balls(field: FloatBalls, raw: np.ndarray) -> np.ndarray:
    return np.swapaxes(raw, -1, -2)


@verbs.reciprocal.method
def reciprocal_float_balls(field: FloatBalls, raw: np.ndarray) -> np.ndarray:
    mid, rad = np.abs(raw["mid"]), raw["rad"]
    least = (mid - rad) * (1 - 4 * UNIT)
    if not np.all(least > TINY):
        raise DivisionByZero("a denominator is zero, or not told from zero in float64")
    with np.errstate(over="ignore", invalid="ignore"):
        value = 1.0 / raw["mid"]
        return with_slack(value, rad / mid / least + np.abs(value) * UNIT, False)


@verbs.entrywise.method
def entrywise_of_float_balls(field: FloatBalls, function: Function, raw: np.ndarray) -> np.ndarray:
    """By Arb: numpy does not say by how much its functions err."""
    return ARB.compute(lambda: float_balls(verbs.entrywise(ARB, function, arb_balls(raw))))


@verbs.slope.method
def slope_of_erf_over_float_balls(field: FloatBalls, function: Erf, argument: np.ndarray, value: object) -> np.ndarray:
    return ARB.compute(lambda: float_balls(verbs.slope(ARB, function, arb_balls(argument), None)))


@verbs.circle_points.method
def circle_points_of_float_balls(
    field: FloatBalls, *, angles: tuple[float, ...], positions: tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray]:
    cosines, sines = verbs.circle_points(ARB, angles=angles, positions=positions)
    return ARB.compute(float_balls, cosines), ARB.compute(float_balls, sines)


@verbs.largest.method
def largest_float_balls(field: FloatBalls, raw: np.ndarray, *, count: int) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        lower, upper = raw["mid"] - raw["rad"], raw["mid"] + raw["rad"]
    return verbs.encode(field, largest_of_midpoints(np.nextafter(lower, -np.inf), count, np.nextafter(upper, np.inf)))


@verbs.column_maximum.method
def column_maximum_float_balls(field: FloatBalls, raw: np.ndarray, *, mask: np.ndarray | None = None) -> np.ndarray:
    return verbs.encode(field, verbs.column_maximum(Reals(), raw["mid"], mask=mask))
