"""Real balls in float64: midpoints and radii, with what each operation rounds added to the radius.

Arb's balls are Python objects; these are numpy arrays, and products of them are products of matrices. The bounds are
those of S. M. Rump, *Fast and parallel interval arithmetic* (BIT 39, 1999), for rounding to the nearest: an operation
errs by at most :math:`u = 2^{-53}` of its result, a sum of n products, in any order, by at most
:math:`n u / (1 - n u)` times the sum of the absolute values; less than `TINY` more where numbers are subnormal.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import DivisionByZero, DomainError
from algatt.fields.ball import Balls, drawn_numbers, entrywise
from algatt.fields.base import Field
from algatt.fields.functions import Erf, Exp, Function, Sigmoid, Sqrt
from algatt.fields.real import Reals, largest_of_midpoints

BALL = np.dtype([("mid", np.float64), ("rad", np.float64)])
"""What raw arrays hold."""

UNIT = 2.0**-53
"""By how much of itself the result of an operation errs at most."""

SLACK = 1 + 64 * UNIT
"""By this a radius is multiplied that a few operations computed: they rounded it, too."""

TINY = 2.0**-1020
"""More than a few operations err by where numbers are subnormal, or are taken for zero."""

LN2_FIRST, LN2_REST = float.fromhex("0x1.62e42feep-1"), float.fromhex("0x1.a39ef35793c76p-33")
"""The logarithm of 2: its first 32 bits, and the rest, rounded."""

TERMS = tuple(1 / math.factorial(n) for n in range(14))
"""The coefficients of the power series of exp."""

LARGEST_EXPONENT = 700.0
"""Of numbers up to this exponentials are computed in floats."""

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


@verbs.entrywise.method
def exp_of_float_balls(field: FloatBalls, function: Exp, raw: np.ndarray) -> np.ndarray:
    r"""With :math:`m = k \ln 2 + r` and a polynomial for :math:`e^r`, where :math:`|r| < 0.35`.

    In units of u the error is, relative to the result: of r, since :math:`k \ln 2` has no rounded bits in its first
    part, 0.8; of the terms that are left out 0.1; of the polynomial by Horner's rule, :math:`e_n \le 2.5 + 0.35\,
    e_{n + 1}`, so at most 3.9, over 0.7. The sum is less than 8. If :math:`|t| \le \rho \le 1`, then :math:`|e^t - 1|
    \le \rho\, (1 + \rho)`.
    """
    mid, rad = raw["mid"], raw["rad"]
    with np.errstate(over="ignore", invalid="ignore"):
        fits = (np.abs(mid) <= LARGEST_EXPONENT) & (rad <= 1)
        m = np.where(fits, mid, 0.0)
        k = np.rint(m / (LN2_FIRST + LN2_REST))
        r = (m - k * LN2_FIRST) - k * LN2_REST
        value = np.full_like(r, TERMS[-1])
        for term in TERMS[-2::-1]:
            value = value * r + term
        value = np.ldexp(value, k.astype(np.int64))
        apart = value * (rad * (1 + rad) + 8 * UNIT) * SLACK + TINY
        small = mid + rad < -LARGEST_EXPONENT  # between 0 and 2^-1000
        return balls_around(np.where(fits, value, 0.0), np.where(fits, apart, np.where(small, 2.0**-1000, np.inf)))


@verbs.entrywise.method
def sigmoid_of_float_balls(field: FloatBalls, function: Sigmoid, raw: np.ndarray) -> np.ndarray:
    exponential = verbs.entrywise(field, Exp(), verbs.negate(field, raw))
    value: np.ndarray = verbs.reciprocal(field, verbs.add(field, verbs.embed(field, 1), exponential))
    return value


@verbs.entrywise.method
def sqrt_of_float_balls(field: FloatBalls, function: Sqrt, raw: np.ndarray) -> np.ndarray:
    """A root is rounded once (IEEE 754)."""
    mid, rad = raw["mid"], raw["rad"]
    if not np.all(mid >= rad):
        raise DomainError(f"a square root of a number that is not told to be positive with {field.bits} bits")
    with np.errstate(over="ignore", invalid="ignore"):
        value = np.sqrt(mid)
        return with_slack(value, np.where(mid > 0, rad / np.maximum(value, TINY), 0.0) + value * UNIT, mid == 0)


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
