"""The reals in floating point: numpy float64 outside and inside."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from algatt import verbs
from algatt.errors import DivisionByZero, InvalidArgument, ScoreOverflow
from algatt.fields.base import Field
from algatt.fields.prime import galois_characteristic
from algatt.randomness import random_words

__all__ = ["Reals"]


@dataclass(frozen=True)
class Reals(Field):
    """The real numbers, in IEEE double precision. What is computed here is never a proof."""

    def __str__(self) -> str:
        return "RR (float64)"

    @classmethod
    def examples(cls) -> Iterable[Field]:
        return (cls(),)


@verbs.encode.method
def encode_reals(field: Reals, array: np.ndarray | int | float | list | tuple, *, argument: str = "array") -> np.ndarray:
    order = galois_characteristic(array)
    if order is not None:
        raise InvalidArgument(argument, f"over GF({order})", f"over {field}")
    values = np.asarray(array)
    if values.dtype.kind not in "iuf":
        raise InvalidArgument(argument, f"an array of {values.dtype}", "an array of real numbers")
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


@verbs.decode.method
def decode_reals(field: Reals, raw: np.ndarray) -> np.ndarray:
    return raw


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


@verbs.transpose.method
def transpose_reals(field: Reals, raw: np.ndarray) -> np.ndarray:
    return np.swapaxes(raw, -1, -2)


@verbs.reciprocal.method
def reciprocal_reals(field: Reals, raw: np.ndarray) -> np.ndarray:
    check_finite(raw)
    if not np.all(raw):
        raise DivisionByZero("a denominator is zero")
    return np.asarray(1.0 / raw)


@verbs.exp.method
def exp_reals(field: Reals, raw: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):  # a sum of them that is not finite is refused by the reciprocal
        return np.exp(raw)


@verbs.column_maximum.method
def column_maximum_reals(field: Reals, raw: np.ndarray) -> np.ndarray:
    check_finite(raw)
    return raw.max(axis=-2, keepdims=True)


def check_finite(raw: np.ndarray) -> None:
    """Raise `ScoreOverflow` unless all entries are finite."""
    if not np.isfinite(raw).all():
        raise ScoreOverflow("the scores are too large for float64; make the weights or the inputs smaller, or compute over Balls()")
