"""The reals in floating point: in float64, and in float32 to show what it would have said."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from algatt import verbs
from algatt.arguments import integer_between
from algatt.errors import DivisionByZero, DomainError, InvalidArgument, ScoreOverflow
from algatt.fields.arrays import DOUBLE, kind_in_words, precision_of_source, public_array
from algatt.fields.base import Field, PublicArray
from algatt.fields.prime import PrimeField, galois_characteristic
from algatt.randomness import random_words

TOLERANCE = 1e-8
"""Relative size up to which a difference of float64 counts as none, where a tolerance may be given and is not."""


@dataclass(frozen=True)
class Reals(Field):
    """The real numbers, in IEEE double precision. Results over it are never proven.

    Parameters
    ----------
    precision : int, optional
        How many significant bits of the numbers are known, from 2 to 53: 24 for those that were float32, 11 for
        float16, 8 for bfloat16. It is computed in double precision all the same; but tolerances, unless given, are such
        that rounding of the source is no difference. The precision is read off arrays that are entered, what is
        computed from them has it too, and it takes no part in comparisons: the field is the same.

    Raises
    ------
    InvalidArgument
        If `precision` is not an integer from 2 to 53.
    """

    precision: int = dataclasses.field(default=DOUBLE, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "precision", integer_between("precision", self.precision, 2, DOUBLE))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({'' if self.precision == DOUBLE else f'precision={self.precision}'})"

    def __str__(self) -> str:
        return f"RR (float64{'' if self.precision == DOUBLE else f', {self.precision} bits known'})"

    @classmethod
    def examples(cls) -> Iterable[Field]:
        return (cls(), cls(precision=24))

    @property
    def tolerance(self) -> float:
        """The relative difference up to which numbers count as equal.

        It is 1e-8, or two thirds of their bits where that is more: 2e-5 for float32.
        """
        return max(TOLERANCE, 2.0 ** (-2 * (self.precision - 1) / 3))

    def of_source(self, array: Any) -> Reals:
        return self.known_to(precision_of_source(array))

    def meet(self, other: Field) -> Reals:
        return self.known_to(other.precision) if isinstance(other, Reals) else self

    @property
    def unit(self) -> float:
        """The size of a rounding error of a number, relative to it: bounds of it are powers of this."""
        return 2.0**-self.precision

    def known_to(self, bits: int) -> Reals:
        """Return this field for numbers of which at most so many bits are known."""
        return dataclasses.replace(self, precision=bits) if bits < self.precision else self


def precision_of(field: Field) -> int:
    """Return how many bits of numbers over a field are known, as far as floating point has them."""
    return field.precision if isinstance(field, Reals) else DOUBLE


def tolerance_of(*fields: Field) -> float:
    """Return the relative difference up to which numbers over these fields count as equal, unless another is given."""
    return max(field.tolerance if isinstance(field, Reals) else TOLERANCE for field in fields)


def field_of(array: Any, argument: str = "array") -> Field:
    """Return the field that a public array is over: GF(p) for a galois array, the rationals for fractions, the reals
    for all others.
    """
    from algatt.fields.scalar import Rationals, holds_rationals  # which imports this module

    order = galois_characteristic(array, argument)
    if order is not None:
        return PrimeField(order)
    return Rationals() if holds_rationals(array) else Reals()


@verbs.encode.method
def encode_reals(field: Reals, array: PublicArray, *, argument: str = "array") -> np.ndarray:
    order = galois_characteristic(array, argument)
    if order is not None:
        raise InvalidArgument(argument, f"over GF({order})", f"over {field}")
    values, _ = public_array(array, argument)
    if values.dtype.kind not in "iuf":
        raise InvalidArgument(argument, kind_in_words(array, values), "an array of real numbers")
    reals = values.astype(np.float64, copy=False)
    if not np.isfinite(reals).all():
        raise InvalidArgument(argument, "with NaN or infinity", "with finite entries")
    return reals


@verbs.embed.method
def embed_number(field: Reals, constants: Fraction | int) -> np.ndarray:
    """Round a number that may have more digits than any numpy integer; one that no float is near is refused."""
    try:
        rounded = float(constants)
    except OverflowError:
        rounded = np.inf
    if not np.isfinite(rounded) or (rounded == 0) != (constants == 0):
        raise ScoreOverflow("a number in the score is too large or too small for float64; compute over Balls()")
    return verbs.encode(field, rounded, argument="operand")


@verbs.draw_array.method
def draw_reals(field: Reals, *, shape: tuple[int, ...], seed: int, label: str) -> np.ndarray:
    """Uniform on [-sqrt 3, sqrt 3): 53 bits of each word, so that no platform's libm enters."""
    words = random_words(seed, label, int(np.prod(shape, dtype=np.int64)))
    unit = (words >> np.uint64(11)).astype(np.float64) / 2.0**53
    return ((2.0 * unit - 1.0) * np.sqrt(3.0)).reshape(shape)


@verbs.add.method
def add_reals(field: Reals, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return np.asarray(left + right)


@verbs.negate.method
def negate_reals(field: Reals, raw: np.ndarray) -> np.ndarray:
    return np.asarray(-raw)


@verbs.multiply.method
def multiply_reals(field: Reals, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return np.asarray(left * right)


@verbs.reciprocal.method
def reciprocal_reals(field: Reals, raw: np.ndarray) -> np.ndarray:
    check_finite(raw)
    if not np.all(raw):
        raise DivisionByZero("a denominator is zero")
    return np.asarray(1.0 / raw)


@verbs.embed.method
def embed_constants(field: Reals, constants: np.ndarray | list | tuple) -> np.ndarray:
    values = np.asarray(constants)
    if values.dtype.kind == "O":  # fractions
        values = np.array([verbs.embed(field, entry) for entry in values.flat], dtype=np.float64).reshape(values.shape)
    return verbs.encode(field, values, argument="operand")


@verbs.circle_points.method
def circle_points_of_reals(
    field: Reals, *, angles: tuple[float, ...], positions: tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray]:
    turns = np.outer(angles, positions)
    return np.cos(turns), np.sin(turns)


@verbs.largest.method
def largest_reals(field: Reals, raw: np.ndarray, *, count: int) -> np.ndarray:
    return largest_of_midpoints(raw, count, raw).astype(raw.dtype)


def largest_of_midpoints(lower: np.ndarray, count: int, upper: np.ndarray) -> np.ndarray:
    """Return 1 at the `count` largest entries of every column, each entry being between two floats; refuse what these
    do not decide.
    """
    order = np.argsort(-lower, axis=-2, kind="stable")
    chosen = np.zeros(lower.shape, dtype=np.int64)
    np.put_along_axis(chosen, order[..., :count, :], 1, axis=-2)
    if count < lower.shape[-2]:
        least = np.take_along_axis(lower, order[..., count - 1 : count, :], axis=-2)
        rest = np.max(upper, axis=-2, keepdims=True, initial=-np.inf, where=chosen == 0)
        if not np.all(least > rest):
            raise DomainError(f"the {count} largest numbers are not told from the others")
    return chosen


@verbs.column_maximum.method
def column_maximum_reals(field: Reals, raw: np.ndarray, *, mask: np.ndarray | None = None) -> np.ndarray:
    check_finite(raw)
    return masked_maximum(raw, mask)


def masked_maximum(values: np.ndarray, mask: np.ndarray | None) -> np.ndarray:
    """Return the largest entry of every column among those that a mask shows."""
    if mask is None:
        return values.max(axis=-2, keepdims=True)
    return np.asarray(
        np.max(values, axis=-2, keepdims=True, initial=-np.inf, where=np.broadcast_to(mask, values.shape) != 0)
    )


def check_finite(raw: np.ndarray) -> None:
    """Raise `ScoreOverflow` unless all entries are finite."""
    if not np.isfinite(raw).all():
        raise ScoreOverflow(
            "the scores are too large for float64; make the weights or the inputs smaller, or compute over Balls()"
        )


@dataclass(frozen=True)
class SingleReals(Reals):
    """The real numbers in float32. It shares the arithmetic of `Reals`, which keeps the type of its arrays; nothing of
    it is public.
    """

    def __str__(self) -> str:
        return "RR (float32)"


@verbs.encode.method
def encode_singles(field: SingleReals, array: PublicArray, *, argument: str = "array") -> np.ndarray:
    return verbs.encode(Reals(), array, argument=argument).astype(np.float32)
