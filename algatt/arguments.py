"""Checks of arguments that several layers of the package share."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from algatt.errors import InvalidArgument

__all__ = ["exact", "integer", "whole"]


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
    """Return a finite number >= 0 as a fraction, floats being taken for exactly what they are, or raise `InvalidArgument`."""
    kinds = int | float | np.integer | np.floating | Fraction
    if isinstance(value, bool) or not isinstance(value, kinds) or not 0 <= value < float("inf"):
        raise InvalidArgument(argument, repr(value), "a finite number >= 0")
    return Fraction(int(value)) if isinstance(value, np.integer) else Fraction(*value.as_integer_ratio())
