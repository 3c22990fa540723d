"""Real balls: intervals of the reals, computed with so that the true value is always inside (Arb, by python-flint)."""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from algatt import verbs
from algatt.arguments import integer_between
from algatt.errors import DivisionByZero, InvalidArgument, ScoreOverflow, in_words
from algatt.fields.base import Field
from algatt.fields.precision import Arguments, Result, with_precision
from algatt.fields.prime import galois_characteristic
from algatt.fields.real import largest_of_midpoints, masked_maximum
from algatt.randomness import random_words

DRAWN_BITS = 24
"""Random numbers have so many bits, so that they are exact both as balls and as floats."""


@dataclass(frozen=True)
class Balls(Field):
    """Real balls of a working precision: midpoint and radius; what an inequality of balls says is true of the numbers
    inside.

    Parameters
    ----------
    bits : int, optional
        The precision of midpoints in bits, at least 2.

    Raises
    ------
    InvalidArgument
        If `bits` is not an integer from 2 to 2^20.

    Notes
    -----
    Raw and public arrays hold `flint.arb`. A ball is no field element: ``x - x`` is a ball around zero, so the laws of
    a field hold up to overlap.
    """

    bits: int = 128

    def __post_init__(self) -> None:
        bits = integer_between("bits", self.bits, 2, 2**20, "an integer from 2 to 2^20")
        object.__setattr__(self, "bits", bits)

    def __str__(self) -> str:
        return f"RR (balls of {self.bits} bits)"

    @classmethod
    def examples(cls) -> Iterable[Field]:
        return (cls(), cls(53), cls(1000))

    @property
    def around_zero(self) -> np.ndarray:
        """A ball around zero whose radius is the precision."""
        import flint

        return np.array(flint.arb(0, flint.arb((1, -self.bits))), dtype=object)

    def compute(self, function: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
        """Return ``function(*arguments)``, in which Arb computes with this precision.

        Arb has one precision for the whole process. So threads come here one after the other, and `function` must not
        wait for another one. Code that computes with `flint` in a thread of its own, while others ask for dimensions,
        should come here too: or it gets their precisions, and they get its own.
        """
        return with_precision(self.bits, function, *arguments)


def holds_balls(array: Any) -> bool:
    """Return whether an array holds a ball; what else it holds is looked at when it is encoded. Flint is not imported
    for it.
    """
    ball = getattr(sys.modules.get("flint"), "arb", None)  # flint has no names yet while another thread imports it
    if ball is None or not isinstance(array, np.ndarray) or array.dtype.kind != "O":
        return False
    return any(isinstance(entry, ball) for entry in array.flat)


def midpoints(raw: np.ndarray) -> np.ndarray:
    """Return the midpoints of balls, rounded to float64."""
    return entrywise(float, raw).astype(np.float64)


def entrywise(function: Callable[[Any], Any], raw: np.ndarray) -> np.ndarray:
    """Apply a function to every entry; numpy would take an array without axes apart."""
    result = np.empty(raw.shape, dtype=object)
    result.reshape(-1)[:] = [function(entry) for entry in raw.flat]
    return result


@verbs.encode.method
def encode_balls(
    field: Balls, array: np.ndarray | int | float | list | tuple | object, *, argument: str = "array"
) -> np.ndarray:
    import flint

    order = galois_characteristic(array, argument)
    if order is not None:
        raise InvalidArgument(argument, f"over GF({order})", f"over {field}")
    if isinstance(array, np.ndarray) and array.dtype == np.float64 and np.isfinite(array).all():
        return entrywise(flint.arb, array.astype(object))  # which is exact at every precision
    if isinstance(array, np.ndarray) and array.dtype.kind in "iu" and array.ndim:
        # mostly zeros and ones, which may be one ball each, as none ever changes
        numbers, places = np.unique(array, return_inverse=True)
        return entrywise(flint.arb, numbers.astype(object))[places.reshape(array.shape)]
    values = np.asarray(array, dtype=object)

    def ball(entry: Any) -> Any:
        if isinstance(entry, flint.arb):
            if not entry.mid().is_finite():
                raise InvalidArgument(argument, "with NaN or infinity", "with finite entries")
            return entry
        if isinstance(entry, Fraction):
            return flint.arb(flint.fmpq(entry.numerator, entry.denominator))
        if isinstance(entry, bool | np.bool_) or not isinstance(
            entry, int | float | np.integer | np.floating | flint.fmpz | flint.fmpq
        ):
            raise InvalidArgument(
                argument, f"with the entry {in_words(entry)}", "an array of real numbers or of flint.arb"
            )
        if isinstance(entry, float | np.floating) and not math.isfinite(entry):
            raise InvalidArgument(argument, "with NaN or infinity", "with finite entries")
        if isinstance(entry, np.floating):  # the long ones are no Python floats
            numerator, denominator = entry.as_integer_ratio()
            return flint.arb((numerator, 1 - denominator.bit_length()))
        return flint.arb(entry.item() if isinstance(entry, np.integer) else entry)

    return field.compute(entrywise, ball, values)


@verbs.draw_array.method
def draw_balls(field: Balls, *, shape: tuple[int, ...], seed: int, label: str) -> np.ndarray:
    return np.asarray(verbs.encode(field, drawn_numbers(shape, seed, label)), dtype=object)


def drawn_numbers(shape: tuple[int, ...], seed: int, label: str) -> np.ndarray:
    """Draw uniformly from the odd multiples of 2^-23 between -2 and 2: exact numbers, the first 24 bits of each
    word.
    """
    words = random_words(seed, label, int(np.prod(shape, dtype=np.int64)))
    odd = 2 * (words >> np.uint64(64 - DRAWN_BITS)).astype(np.int64) + 1 - 2**DRAWN_BITS
    return (odd / 2.0 ** (DRAWN_BITS - 1)).reshape(shape)


@verbs.add.method
def add_balls(field: Balls, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return np.asarray(field.compute(operator.add, left, right), dtype=object)


@verbs.negate.method
def negate_balls(field: Balls, raw: np.ndarray) -> np.ndarray:
    return np.asarray(field.compute(operator.neg, raw), dtype=object)


@verbs.multiply.method
def multiply_balls(field: Balls, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return np.asarray(field.compute(operator.mul, left, right), dtype=object)


@verbs.reciprocal.method
def reciprocal_balls(field: Balls, raw: np.ndarray) -> np.ndarray:
    if any(0 in entry for entry in raw.flat):
        raise DivisionByZero(f"a denominator is zero, or not told from zero with {field.bits} bits")
    return field.compute(entrywise, lambda entry: 1 / entry, raw)


@verbs.circle_points.method
def circle_points_of_balls(
    field: Balls, *, angles: tuple[float, ...], positions: tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray]:
    import flint

    points = field.compute(
        lambda: [[(flint.arb(angle) * position).sin_cos() for position in positions] for angle in angles]
    )
    return objects([[cosine for _, cosine in row] for row in points]), objects(
        [[sine for sine, _ in row] for row in points]
    )


def objects(rows: list[list[Any]]) -> np.ndarray:
    """Return an array of Python objects."""
    return np.array(rows, dtype=object)


@verbs.largest.method
def largest_balls(field: Balls, raw: np.ndarray, *, count: int) -> np.ndarray:
    lower = field.compute(entrywise, lambda entry: float(entry.lower()), raw).astype(np.float64)
    upper = field.compute(entrywise, lambda entry: float(entry.upper()), raw).astype(np.float64)
    return verbs.encode(field, largest_of_midpoints(np.nextafter(lower, -np.inf), count, np.nextafter(upper, np.inf)))


@verbs.column_maximum.method
def column_maximum_balls(field: Balls, raw: np.ndarray, *, mask: np.ndarray | None = None) -> np.ndarray:
    largest = masked_maximum(midpoints(raw), mask)
    if not np.isfinite(largest).all():
        raise ScoreOverflow(
            f"the scores cannot be enclosed with {field.bits} bits; take more, or make the weights or the inputs "
            f"smaller"
        )
    return verbs.encode(field, largest)
