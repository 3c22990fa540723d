"""The natural logarithm."""

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

__all__ = ["Log"]


@dataclass(frozen=True)
class Log(Function):
    """The natural logarithm of positive numbers, with the derivative 1 / x."""


@verbs.entrywise.method
def log_of_reals(field: Reals, function: Log, raw: np.ndarray) -> np.ndarray:
    if not np.all(raw > 0):
        raise DomainError("a logarithm of a number that is not positive")
    return np.asarray(np.log(raw))


@verbs.entrywise.method
def log_of_balls(field: Balls, function: Log, raw: np.ndarray) -> np.ndarray:
    if not all(entry > 0 for entry in raw.flat):
        raise DomainError(f"a logarithm of a number that is not told to be positive with {field.bits} bits")
    return field.compute(entrywise, lambda entry: entry.log(), raw)


@verbs.slope.method
def slope_of_log(field: Field, function: Log, argument: object, value: object) -> Any:
    return verbs.reciprocal(field, argument)
