"""The square root."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import DomainError
from algatt.fields.ball import Balls, entrywise
from algatt.fields.base import Field
from algatt.fields.functions.base import Function
from algatt.fields.real import Reals

__all__ = ["Sqrt"]


@dataclass(frozen=True)
class Sqrt(Function):
    """The square root of positive numbers, with the derivative 1 / (2 sqrt x); at 0 it has none."""


@verbs.entrywise.method
def sqrt_of_reals(field: Reals, function: Sqrt, raw: np.ndarray) -> np.ndarray:
    if not np.all(raw >= 0):
        raise DomainError("a square root of a negative number")
    return np.asarray(np.sqrt(raw))


@verbs.entrywise.method
def sqrt_of_balls(field: Balls, function: Sqrt, raw: np.ndarray) -> np.ndarray:
    if not all(entry >= 0 for entry in raw.flat):
        raise DomainError(f"a square root of a number that is not told to be positive with {field.bits} bits")
    return field.compute(entrywise, lambda entry: entry.sqrt(), raw)


@verbs.slope.method
def slope_of_sqrt(field: Field, function: Sqrt, argument: object, value: object) -> Any:
    return verbs.reciprocal(field, verbs.add(field, value, value))
