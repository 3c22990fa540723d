"""How sums, products and functions of typed arrays move."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import DivisionByZero
from algatt.fields.functions import Function, Positive, Sqrt
from algatt.fields.motions.action import Action
from algatt.fields.motions.constants import Constant, Entries, Ones
from algatt.fields.motions.field import Motions, Moving, sizes
from algatt.fields.shape import Shape, Shapes

__all__ = []


@verbs.add.method
def add_typed(field: Motions, left: Moving, right: Moving) -> Moving:
    equations = field.equations
    shape = broadcast(verbs.add, left, right)
    if left.constant is not None and right.constant is not None:
        return field.fixed(shape, left.constant + right.constant)
    for one, other in ((left, right), (right, left)):
        if one.constant is not None and not one.constant.any() and other.shape == shape:
            return other
    if sizes(left.shape) != sizes(shape):
        left, right = right, left
    if sizes(left.shape) != sizes(shape):  # a row and a column
        for one in (left, right):
            field.require_fixed(one)
        return field.fixed(shape)
    (height, width), (rows, columns) = sizes(shape), sizes(right.shape)
    # right stands for u right v, with columns or rows of ones u and v where it is spread
    spread = right.rows, right.columns
    if rows < height:
        equations.require_intertwining(left.rows, Ones(height, 1), offset := equations.number(1))
        spread = left.rows, right.columns + (right.rows - offset).resize(columns)
    if columns < width:
        offset = equations.number(1)
        equations.require_intertwining(offset, Ones(1, width), left.columns)
        spread = spread[0] + (spread[1] - offset).resize(height), left.columns
    multiple = equations.number(1)
    equations.require_zero(left.rows - spread[0] - multiple.resize(height))
    equations.require_zero(left.columns - spread[1] + multiple.resize(width))
    return Moving(shape, left.rows, left.columns)


def broadcast(verb: Any, left: Moving, right: Moving) -> tuple[int, ...]:
    """Return the shape of a sum or of an entrywise product."""
    result: Shape = verb(Shapes(), Shape(left.shape), Shape(right.shape))
    return result.shape


@verbs.multiply.method
def multiply_typed(field: Motions, left: Moving, right: Moving) -> Moving:
    equations = field.equations
    shape = broadcast(verbs.multiply, left, right)
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
    return Moving(shape, rows, columns)


def varies_along(one: Moving, axis: int) -> bool:
    """Return whether the entries of an array may differ along an axis."""
    if sizes(one.shape)[axis] == 1:
        return False
    if one.constant is None:
        return True
    matrix = one.constant.reshape(sizes(one.shape))
    return bool((matrix != np.take(matrix, [0], axis=axis)).any())


@verbs.product.method
def product_typed(field: Motions, left: Moving, right: Moving) -> Moving:
    equations = field.equations
    shape: Shape = verbs.product(Shapes(), Shape(left.shape), Shape(right.shape))
    if left.constant is not None and right.constant is not None:
        return field.fixed(shape.shape, left.constant @ right.constant)
    if left.constant is not None:
        return Moving(shape.shape, field.image(noun_of(left.constant), right.rows, "image"), right.columns)
    if right.constant is not None:
        return Moving(shape.shape, left.rows, field.image(noun_of(right.constant.T), left.columns.T, "image").T)
    multiple = equations.number(1)
    equations.require_zero(left.columns + right.rows - multiple.resize(left.columns.size))
    return Moving(shape.shape, left.rows + multiple.resize(left.rows.size), right.columns)


def noun_of(constant: np.ndarray) -> Constant:
    """Return the entries of a constant matrix as a noun."""
    return Ones(*constant.shape) if (constant == 1).all() else Entries.of(constant)


@verbs.column_products.method
def column_products_of_typed(field: Motions, left: Moving, right: Moving) -> Moving:
    equations = field.equations
    (height, width), (rows, columns) = sizes(left.shape), sizes(right.shape)
    if height != rows:  # a row is spread
        spread: Moving = verbs.multiply(field, left, right)
        summed: Moving = verbs.product(field, field.ones((1, max(height, rows))), spread)
        return summed
    if width != columns:  # a column is spread
        one, other = (left, right) if width == 1 else (right, left)
        products: Moving = verbs.product(field, verbs.transpose(field, one), other)
        return products
    for one in (left, right):
        equations.require_diagonal(one.columns)
    multiple = equations.number(1)
    equations.require_zero(left.rows.T + right.rows - multiple.resize(height))
    return Moving((1, width), multiple, left.columns + right.columns)


@verbs.reciprocal.method
def reciprocal_typed(field: Motions, raw: Moving) -> Moving:
    if raw.constant is not None:
        if not raw.constant.all():
            raise DivisionByZero("a denominator is the constant 0")
        inverses = [1 / Fraction(entry) for entry in raw.constant.ravel().tolist()]
        return field.fixed(raw.shape, np.array(inverses, dtype=object).reshape(raw.shape))
    require_diagonal(field, raw)
    return Moving(raw.shape, -raw.rows, -raw.columns)


def require_diagonal(field: Motions, raw: Moving, *, positive: bool = False) -> None:
    """Require both actions of an array to be diagonal."""
    for action in (raw.rows, raw.columns):
        field.equations.require_diagonal(action, positive=positive)


@verbs.entrywise.method
def entrywise_fixed(field: Motions, function: Function, raw: Moving) -> Moving:
    """A function of which nothing is known has values that do not move where its arguments do not."""
    field.require_fixed(raw)
    return field.fixed(raw.shape)


@verbs.entrywise.method
def sqrt_typed(field: Motions, function: Sqrt, raw: Moving) -> Moving:
    require_diagonal(field, raw, positive=True)
    half = Fraction(1, 2)
    return Moving(raw.shape, raw.rows.times(half), raw.columns.times(half))


@verbs.entrywise.method
def positive_typed(field: Motions, function: Positive, raw: Moving) -> Moving:
    """Signs do not change where rows and columns are multiplied by positive numbers."""
    require_diagonal(field, raw, positive=True)
    return field.fixed(raw.shape)


@verbs.largest.method
def largest_typed(field: Motions, raw: Moving, *, count: int) -> Moving:
    """The order of a column does not change where the column is multiplied by a positive number."""
    field.equations.require_scalar(raw.rows)
    field.equations.require_diagonal(raw.columns, positive=True)
    return field.fixed(raw.shape)
