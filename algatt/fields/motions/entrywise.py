"""How entrywise products, and functions of the entries of arrays, move."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from algatt import verbs
from algatt.errors import DivisionByZero
from algatt.fields.functions import Exp, Function, Positive, Sqrt
from algatt.fields.motions.field import Motions, broadcast
from algatt.fields.motions.moving import Action, Moving, sizes
from algatt.fields.motions.words import (
    EMPTY,
    Sum,
    Word,
    add_shifts,
    after,
    spread,
    times,
    times_sum,
)


@verbs.multiply.method
def multiply_moving(field: Motions, left: Moving, right: Moving) -> Moving:
    equations = field.equations
    shape = broadcast(verbs.multiply, left.shape, right.shape)
    if left.constant is not None and right.constant is not None:
        return field.fixed(shape, left.constant * right.constant)
    if any(one.constant is not None and not one.constant.any() for one in (left, right)):
        return field.fixed(shape, np.zeros(shape, dtype=np.int64))
    rows, columns = Action(sizes(shape)[0]), Action(sizes(shape)[1])
    varies = [[varies_along(one, axis) for one in (left, right)] for axis in (-2, -1)]
    for one in (left, right):
        for axis, action in ((0, one.rows), (1, one.columns)):
            if all(varies[axis]):
                equations.require_diagonal(action)
        if one.constant is None:
            rows = rows + (one.rows if one.rows.size == rows.size else one.rows.resize(rows.size))
            columns = columns + (one.columns if one.columns.size == columns.size else one.columns.resize(columns.size))
    if sizes(left.shape) != sizes(shape) or left.constant is not None or (right.varies and not left.varies):
        left, right = right, left
    if sizes(left.shape) != sizes(shape):
        left, right = right, left
    result = Moving(shape, rows, columns, varies=left.varies or right.varies)
    return with_products(field, result, left, narrow(field, right))


def narrow(field: Motions, one: Moving) -> Moving:
    """Return a constant as a row, a column or a number if it is one that is spread."""
    if one.constant is None:
        return one
    matrix = one.constant.reshape(sizes(one.shape))
    rows, columns = (slice(None) if varies_along(one, axis) else slice(1) for axis in (-2, -1))
    return field.fixed(matrix[rows, columns].shape, matrix[rows, columns])


def with_products(field: Motions, result: Moving, one: Moving, other: Moving) -> Moving:
    """Return an entrywise product with its shifts and factors, and what its columns add up to."""
    (height, width), (rows, columns) = sizes(result.shape), sizes(other.shape)
    if sizes(one.shape) != (height, width):  # a row and a column
        for part in (one, other):
            field.require_none(part)
        return result
    if rows == 1:
        return times_row(field, result, one, other)
    if columns == 1:
        return times_row(field, result.T, one.T, other.T).T
    for part in (one, other):
        field.require_none(part, "row_factors", "column_factors")
    return replace(
        result,
        row_factors=add_shifts((one.row_factors, other.row_factors)),
        column_factors=add_shifts((one.column_factors, other.column_factors)),
    )


def times_row(field: Motions, result: Moving, one: Moving, row: Moving) -> Moving:
    """Return the product with a row that is spread, or with a number."""
    number = sizes(row.shape)[1] == 1
    if row.column_factors:
        one = field.scaled(one)
    field.require_none(one, "right", "row_factors", "column_factors", *(("left",) if number else ()))
    alike = sizes(row.shape) == sizes(one.shape)
    if not alike or one.column_factors or row.column_factors:
        row = field.scaled(row)
    field.require_none(row, "column_factors", *(("right",) if alike else ()), *(("row_factors",) if number else ()))
    width = sizes(one.shape)[1]
    of_row = spread(add_shifts((row.row_factors, row.column_factors)), width) if number else row.column_factors
    factors = one.row_factors, add_shifts((one.column_factors, of_row))
    if sizes(one.shape)[0] == 1 < width:  # diag(c) M = M diag(c 1) for a row M
        factors = {}, add_shifts((factors[1], spread(factors[0], width)))
    if number:
        scale: Sum = {Word((row.letter,)): 1} if row.constant is None else {EMPTY: row.constant.flat[0]}
        totals, across = (
            {key: times_sum(total, scale) for key, total in turned.all_totals.items()} for turned in (one, one.T)
        )
        left, right = (field.multiplied_by(shift, scale) for shift in (one.left, one.right))
    else:
        totals = {key: {} for key, total in one.all_totals.items() if not total}
        added = one.T.total()
        known = added is not None and row.constant is None and not row.varies
        across = {row.letter._replace(kind="inverse"): added or {}} if known else {}
        left = {}
        right = after(row.letter._replace(kind="diagonal"), one.right)
    if alike:  # two rows, of which either is a diagonal matrix for the other
        diagonal = one.letter._replace(kind="diagonal")
        right = add_shifts((right, after(diagonal, row.right)))
    if row.quotient is not None and one.name is not None:
        if row.quotient == ("inverse", one.name, True):
            totals = {**totals, None: {EMPTY: 1}}
        if number and row.quotient == ("inverse", one.name.T, False):  # one row, divided by its sum
            across = {**across, None: {EMPTY: 1}}
    return replace(
        result, left=left, right=right, row_factors=factors[0], column_factors=factors[1], totals=totals, across=across
    )


def varies_along(one: Moving, axis: int) -> bool:
    """Return whether the entries of an array may differ along an axis."""
    if sizes(one.shape)[axis] == 1:
        return False
    if one.constant is None:
        return True
    matrix = one.constant.reshape(sizes(one.shape))
    return bool((matrix != np.take(matrix, [0], axis=axis)).any())


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
    """The values of an unknown function do not move where its arguments do not."""
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
    require_diagonal(field, raw, positive=True)
    field.require_none(raw, *FACTORS)
    field.require_signs(raw)
    return still(field, raw)


@verbs.largest.method
def largest_moving(field: Motions, raw: Moving, *, count: int) -> Moving:
    """The order of a column does not change where the column is multiplied by a positive number, or all of it grows by
    one number.
    """
    raw = field.balanced(raw)
    field.equations.require_scalar(raw.rows)
    number = field.equations.resolve(raw.rows).resize(raw.columns.size)
    field.equations.require_diagonal(raw.columns + number, positive=True)
    field.require_none(raw, "right", "column_factors")
    field.require_signs(raw)
    return still(field, raw)
