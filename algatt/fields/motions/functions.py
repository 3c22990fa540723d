"""How functions of the entries of arrays move."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from algatt import verbs
from algatt.errors import DivisionByZero
from algatt.fields.functions import Exp, Function, Positive, Sqrt
from algatt.fields.motions.field import Motions
from algatt.fields.motions.moving import Moving
from algatt.fields.motions.words import times

__all__: list[str] = []

FACTORS = ("row_factors", "column_factors")


@verbs.reciprocal.method
def reciprocal_moving(field: Motions, raw: Moving) -> Moving:
    if raw.constant is not None:
        if not raw.constant.all():
            raise DivisionByZero("a denominator is the constant 0")
        inverses = [1 / Fraction(entry) for entry in raw.constant.ravel().tolist()]
        return field.fixed(raw.shape, np.array(inverses, dtype=object).reshape(raw.shape))
    quotient = raw.quotient and ("inverse", *raw.quotient[1:]) if raw.quotient and raw.quotient[0] == "sum" else None
    return replace(power(field, raw, Fraction(-1)), quotient=quotient)


def power(field: Motions, raw: Moving, exponent: Fraction, *, positive: bool = False) -> Moving:
    """Return how a power of each entry moves."""
    require_diagonal(field, raw, positive=positive)
    raw = field.scaled(raw)
    field.require_none(raw, *FACTORS)
    if positive:
        field.require_signs(raw)
    return Moving(
        raw.shape,
        raw.rows.times(exponent),
        raw.columns.times(exponent),
        row_factors=times(raw.row_factors, exponent),
        column_factors=times(raw.column_factors, exponent),
        varies=raw.varies,
    )


def require_diagonal(field: Motions, raw: Moving, *, positive: bool = False) -> None:
    """Require both actions of an array to be diagonal."""
    for action in (raw.rows, raw.columns):
        field.equations.require_diagonal(action, positive=positive)


def still(field: Motions, raw: Moving) -> Moving:
    """Return an array that does not move in the place of one that may depend on the input."""
    return replace(field.fixed(raw.shape), varies=raw.varies)


@verbs.entrywise.method
def entrywise_fixed(field: Motions, function: Function, raw: Moving) -> Moving:
    """A function of which nothing is known has values that do not move where its arguments do not."""
    field.require_fixed(raw)
    field.require_none(raw)
    return still(field, raw)


@verbs.entrywise.method
def exp_moving(field: Motions, function: Exp, raw: Moving) -> Moving:
    """What is added to columns or rows multiplies them."""
    field.require_fixed(raw)
    field.require_none(raw, "left", "right")
    raw = field.balanced(raw)
    return replace(still(field, raw), row_factors=raw.left, column_factors=raw.right)


@verbs.entrywise.method
def sqrt_moving(field: Motions, function: Sqrt, raw: Moving) -> Moving:
    return power(field, raw, Fraction(1, 2), positive=True)


@verbs.entrywise.method
def positive_moving(field: Motions, function: Positive, raw: Moving) -> Moving:
    """Signs do not change where rows and columns are multiplied by positive numbers."""
    if field.steps:
        return still(field, raw)
    require_diagonal(field, raw, positive=True)
    field.require_none(raw, *FACTORS)
    field.require_signs(raw)
    return still(field, raw)


@verbs.largest.method
def largest_moving(field: Motions, raw: Moving, *, count: int) -> Moving:
    """The order of a column does not change where the column is multiplied by a positive number, or all of it grows by
    one number.
    """
    if field.steps:
        return still(field, raw)
    raw = field.balanced(raw)
    field.equations.require_scalar(raw.rows)
    field.equations.require_diagonal(raw.columns, positive=True)
    field.require_none(raw, "right", "column_factors")
    field.require_signs(raw)
    return still(field, raw)
