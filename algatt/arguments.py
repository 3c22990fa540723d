"""Checks of arguments that several layers of the package share."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from algatt.errors import InvalidArgument

__all__ = ["exact", "integer", "not_negative", "truth", "whole"]


def integer(argument: str, value: Any) -> int:
    """Return `value` as an int, or raise `InvalidArgument` unless it is an integer."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise InvalidArgument(argument, repr(value), "an integer")
    return int(value)


def whole(argument: str, value: Any, least: int = 1) -> int:
    """Return `value` as an int, or raise `InvalidArgument` unless it is an integer of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise InvalidArgument(argument, repr(value), f"an integer >= {least}")
    return int(value)


def exact(argument: str, value: Any) -> Fraction:
    """Return a finite number >= 0 as a fraction, floats being taken for exactly what they are, or raise
    `InvalidArgument`.
    """
    kinds = int | float | np.integer | np.floating | Fraction
    if isinstance(value, bool) or not isinstance(value, kinds) or not 0 <= value < float("inf"):
        raise InvalidArgument(argument, repr(value), "a finite number >= 0")
    return Fraction(int(value)) if isinstance(value, np.integer) else Fraction(*value.as_integer_ratio())


def not_negative(argument: str, value: Any) -> int | float | Fraction:
    """Return a finite number >= 0 as Python has it, without a change of its value, or raise `InvalidArgument`."""
    fraction = exact(argument, value)
    if not isinstance(value, np.generic):
        return value
    if isinstance(value, np.integer):
        return int(fraction)
    return float(fraction) if float(fraction) == fraction else fraction


def truth(argument: str, value: Any) -> bool:
    """Return `value` as a bool, or raise `InvalidArgument` unless it is one: the text "false" is none."""
    if not isinstance(value, bool | np.bool_):
        raise InvalidArgument(argument, repr(value), "True or False")
    return bool(value)
