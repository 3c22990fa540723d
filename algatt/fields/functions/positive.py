"""The gate of ReLU."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.errors import DomainError
from algatt.fields.ball import Balls, entrywise
from algatt.fields.base import Field
from algatt.fields.functions.base import Function
from algatt.fields.real import Reals
from algatt.fields.scalar import Rationals

__all__ = ["BallsOfValues", "Positive"]


@dataclass(frozen=True)
class BallsOfValues(Balls):
    """Balls in which a gate that is not told from zero is the ball of 0 and 1: they enclose values, not derivatives."""


@dataclass(frozen=True)
class Positive(Function):
    """The function that is 1 where x > 0 and 0 where x < 0: locally constant. Zero itself counts as negative; a ball
    around zero with a radius is refused.
    """


@verbs.entrywise.method
def signs_of_reals(field: Reals, function: Positive, raw: np.ndarray) -> np.ndarray:
    return np.asarray(raw > 0).astype(raw.dtype)


@verbs.entrywise.method
def signs_of_rationals(field: Rationals, function: Positive, raw: np.ndarray) -> np.ndarray:
    return np.asarray(verbs.encode(field, raw > 0))


@verbs.entrywise.method
def signs_of_balls(field: Balls, function: Positive, raw: np.ndarray) -> np.ndarray:
    if any(0 in entry and not entry.is_zero() for entry in raw.flat):
        raise DomainError(f"a gate is at zero, or not told from zero with {field.bits} bits")
    return verbs.encode(field, np.array([int(entry > 0) for entry in raw.flat]).reshape(raw.shape))


@verbs.entrywise.method
def enclosed_signs(field: BallsOfValues, function: Positive, raw: np.ndarray) -> np.ndarray:
    import flint

    open_or_closed = flint.arb(0.5, 0.5)
    return entrywise(lambda entry: open_or_closed if 0 in entry else flint.arb(int(entry > 0)), raw)


@verbs.slope.method
def slope_of_positive(field: Field, function: Positive, argument: object, value: object) -> None:
    return None
