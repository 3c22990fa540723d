"""How functions of one variable of typed arrays move."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from algatt import verbs
from algatt.errors import DivisionByZero
from algatt.fields.functions.base import Function
from algatt.fields.functions.positive import Positive
from algatt.fields.functions.sqrt import Sqrt
from algatt.fields.types.field import Typed, Types

__all__: list[str] = []


@verbs.reciprocal.method
def reciprocal_typed(field: Types, raw: Typed) -> Typed:
    if raw.constant is not None:
        if not raw.constant.all():
            raise DivisionByZero("a denominator is the constant 0")
        inverses = [1 / Fraction(entry) for entry in raw.constant.ravel().tolist()]
        return field.fixed(raw.shape, np.array(inverses, dtype=object).reshape(raw.shape))
    require_diagonal(field, raw)
    return Typed(raw.shape, -raw.rows, -raw.columns)


def require_diagonal(field: Types, raw: Typed, *, positive: bool = False) -> None:
    """Require both actions of an array to be diagonal."""
    for action in (raw.rows, raw.columns):
        field.equations.require_diagonal(action, positive=positive)


@verbs.entrywise.method
def entrywise_fixed(field: Types, function: Function, raw: Typed) -> Typed:
    """A function of which nothing is known has values that do not move where its arguments do not."""
    field.require_fixed(raw)
    return field.fixed(raw.shape)


@verbs.entrywise.method
def sqrt_typed(field: Types, function: Sqrt, raw: Typed) -> Typed:
    require_diagonal(field, raw, positive=True)
    half = Fraction(1, 2)
    return Typed(raw.shape, raw.rows.times(half), raw.columns.times(half))


@verbs.entrywise.method
def positive_typed(field: Types, function: Positive, raw: Typed) -> Typed:
    """Signs do not change where rows and columns are multiplied by positive numbers."""
    require_diagonal(field, raw, positive=True)
    return field.fixed(raw.shape)


@verbs.largest.method
def largest_typed(field: Types, raw: Typed, *, count: int) -> Typed:
    """The order of a column does not change where the column is multiplied by a positive number."""
    field.equations.require_scalar(raw.rows)
    field.equations.require_diagonal(raw.columns, positive=True)
    return field.fixed(raw.shape)
