"""The exponential."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.fields.ball import Balls, entrywise
from algatt.fields.base import Field
from algatt.fields.functions.base import Function
from algatt.fields.real import Reals

__all__ = ["Exp"]


@dataclass(frozen=True)
class Exp(Function):
    """The function exp, which is its own derivative."""


@verbs.entrywise.method
def exp_of_reals(field: Reals, function: Exp, raw: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):  # a sum of them that is not finite is refused by the reciprocal
        return np.asarray(np.exp(raw))


@verbs.entrywise.method
def exp_of_balls(field: Balls, function: Exp, raw: np.ndarray) -> np.ndarray:
    return field.compute(entrywise, lambda entry: entry.exp(), raw)


@verbs.slope.method
def slope_of_exp(field: Field, function: Exp, argument: object, value: object) -> Any:
    return value
