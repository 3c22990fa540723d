"""Checks of arguments, one function for each kind: what is not of the kind raises `InvalidArgument`, which says what it
was and what it should be.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from types import UnionType
from typing import Any, TypeGuard, TypeVar

import numpy as np

from algatt.errors import InvalidArgument, in_words

Value = TypeVar("Value")

LARGEST = 2**31 - 1
"""Largest size: what has more tokens, rows, layers or steps would run for years, or is a mistake in a file."""


def is_integer(value: Any) -> TypeGuard[int | np.integer]:
    """Return whether a value is an integer; True and False are none."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def is_real(value: Any) -> TypeGuard[int | float | np.integer | np.floating]:
    """Return whether a value is an integer or a float, perhaps infinite or NaN; True and False are none."""
    return is_integer(value) or isinstance(value, float | np.floating)


def integer(argument: str, value: Any) -> int:
    """Return an integer as an int."""
    if not is_integer(value):
        raise InvalidArgument(argument, repr(value), "an integer")
    return int(value)


def whole(argument: str, value: Any, least: int = 1, most: int | None = LARGEST) -> int:
    """Return an integer from `least` to `most` as an int; without a `most` any from `least` on."""
    if not is_integer(value) or value < least:
        raise InvalidArgument(argument, in_words(value) if is_integer(value) else repr(value), f"an integer >= {least}")
    if most is not None and value > most:
        raise InvalidArgument(argument, in_words(value), f"an integer from {least} to {most}")
    return int(value)


def integer_between(argument: str, value: Any, least: int, most: int, should: str | None = None) -> int:
    """Return an integer from `least` to `most` as an int."""
    if not is_integer(value) or not least <= value <= most:
        raise InvalidArgument(argument, in_words(value), should or f"an integer from {least} to {most}")
    return int(value)


def finite_number(argument: str, value: Any) -> float:
    """Return a real finite number as a float."""
    if not is_real(value):
        raise InvalidArgument(argument, repr(value), "a finite number")
    try:
        number = float(value)
    except OverflowError:
        raise InvalidArgument(argument, "an integer beyond the largest float64", "a finite number") from None
    if not math.isfinite(number):
        raise InvalidArgument(argument, repr(value), "a finite number")
    return number


def proper_fraction(argument: str, value: Any, should: str = "a number between 0 and 1") -> float:
    """Return a number between 0 and 1, and none of the two, as a float: a probability of an error, or a tolerance."""
    if not is_real(value) or not 0 < value < 1:
        raise InvalidArgument(argument, repr(value), should)
    return float(value)


def check_above_one(argument: str, value: Any) -> None:
    """Raise `InvalidArgument` unless a value is a number above 1: a ratio of neighbouring singular values."""
    if not is_real(value) or not value > 1:
        raise InvalidArgument(argument, in_words(value), "a number above 1")


def exact(argument: str, value: Any, *, positive: bool = False) -> Fraction:
    """Return a finite number >= 0, or > 0 if it has to be `positive`, as a fraction; floats are taken for exactly what
    they are.
    """
    number = is_real(value) or isinstance(value, Fraction)
    if not number or not 0 <= value < math.inf or (positive and value == 0):
        raise InvalidArgument(argument, repr(value), "a positive number" if positive else "a finite number >= 0")
    return Fraction(int(value)) if isinstance(value, np.integer) else Fraction(*value.as_integer_ratio())


def not_negative(argument: str, value: Any) -> int | float | Fraction:
    """Return a finite number >= 0 as Python has it, without a change of its value."""
    return of_python(value, exact(argument, value))


def positive(argument: str, value: Any) -> int | float | Fraction:
    """Return a finite number > 0 as Python has it, without a change of its value."""
    return of_python(value, exact(argument, value, positive=True))


def of_python(value: Any, fraction: Fraction) -> int | float | Fraction:
    """Return a number, which is also given as a fraction, as itself, or instead of one of numpy an equal one."""
    if not isinstance(value, np.generic):
        number: int | float | Fraction = value
        return number
    if isinstance(value, np.integer):
        return int(fraction)
    return float(fraction) if float(fraction) == fraction else fraction


def truth(argument: str, value: Any) -> bool:
    """Return a truth value as a bool: the text "false" is none."""
    if not isinstance(value, bool | np.bool_):
        raise InvalidArgument(argument, repr(value), "True or False")
    return bool(value)


def entries(argument: str, value: Any, should: str) -> tuple[Any, ...]:
    """Return the entries of a sequence, or of anything else that can be iterated over; a text is no sequence."""
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise InvalidArgument(argument, repr(value), should)
    return tuple(value)


def instance(argument: str, value: Value, kind: type | UnionType, should: str) -> Value:
    """Return a value of a type, or of one of several types, as it is."""
    if not isinstance(value, kind):
        raise InvalidArgument(argument, repr(value), should)
    return value


def check_over(argument: str, field: Any, kind: type | UnionType, should: str) -> None:
    """Raise `InvalidArgument` unless what was given is over a field of a type, or of one of several types."""
    if not isinstance(field, kind):
        raise InvalidArgument(argument, f"over {field}", should)


def rational(entry: Any, argument: str) -> Fraction:
    """Return a constant as a fraction."""
    try:
        return Fraction(entry)
    except (TypeError, ValueError, OverflowError):
        raise InvalidArgument(argument, f"with the entry {entry!r}", "made of rational numbers") from None
