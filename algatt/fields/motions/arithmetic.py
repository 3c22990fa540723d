"""How sums and products move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from algatt import verbs
from algatt.fields.motions.field import Motions, Taken, broadcast
from algatt.fields.motions.moving import Action, Moving, noun_of, sizes
from algatt.fields.motions.words import (
    EMPTY,
    Letter,
    Ones,
    Shift,
    Sum,
    Totals,
    Word,
    add_shifts,
    after,
    spread,
    times,
    times_sum,
)
from algatt.fields.shape import Shape, Shapes

MOST_ENTRIES = 2**24
"""What a constant with more entries is added to may not move."""


@verbs.add.method
def add_moving(field: Motions, left: Moving, right: Moving) -> Moving:
    shape = broadcast(verbs.add, left.shape, right.shape)
    if left.constant is not None and right.constant is not None:
        return field.fixed(shape, left.constant + right.constant)
    for one, other in ((left, right), (right, left)):
        if one.constant is not None and not one.constant.any() and other.shape == shape:
            return other
    narrow = sizes(left.shape) != sizes(shape)
    if left.constant is not None or (narrow and not (field.shifted and right.constant is not None)):
        left, right = right, left
    if field.shifted and right.constant is not None:
        return add_constant(field, shape, left, right.constant)
    if sizes(left.shape) != sizes(shape):  # a row and a column
        for one in (left, right):
            field.require_fixed(one)
        total, other = (spread_moving(field, one, sizes(shape)) for one in (left, right))
    else:
        total, other = left, spread_beside(field, left, right, shape)
        require_same(field, total, other)
    equations = field.equations
    equations.require_no_shift(add_shifts((total.row_factors, other.row_factors), -1))
    equations.require_no_shift(add_shifts((total.column_factors, other.column_factors), -1))
    shifts = add_shifts((total.left, other.left)), add_shifts((total.right, other.right))
    shifts = take_up(field, (right, left), sizes(shape), *shifts)
    return replace(
        total,
        shape=shape,
        constant=None,
        left=shifts[0],
        right=shifts[1],
        totals=sums_of_totals(left, right, shape),
        across=sums_of_totals(left.T, right.T, shape[::-1]),
        name=None,
        quotient=None,
        varies=left.varies or right.varies,
        takes={},
    )


def require_same(field: Motions, left: Moving, right: Moving) -> None:
    """Require L and R of two arrays of one shape to be the same, up to a number that is added to L and subtracted from
    R.
    """
    (height, width), equations = sizes(left.shape), field.equations
    multiple = equations.number(1)
    equations.require_zero(left.rows - right.rows - multiple.resize(height))
    equations.require_zero(left.columns - right.columns + multiple.resize(width))


def spread_beside(field: Motions, left: Moving, right: Moving, shape: tuple[int, ...]) -> Moving:
    """Return how a row, a column or a number moves as an array of a shape, beside an array of that shape: it is the
    product u M v with a column or a row of ones u and v.
    """
    equations = field.equations
    (height, width), (rows, columns) = sizes(shape), sizes(right.shape)
    actions = right.rows, right.columns
    if rows < height:
        equations.require_intertwining(left.rows, Ones(height, 1), offset := equations.number(1))
        actions = left.rows, right.columns + (right.rows - offset).resize(columns)
    if columns < width:
        offset = equations.number(1)
        equations.require_intertwining(offset, Ones(1, width), left.columns)
        actions = actions[0] + (actions[1] - offset).resize(height), left.columns
    return replace(spread_moving(field, right, (height, width)), rows=actions[0], columns=actions[1])


def spread_moving(field: Motions, one: Moving, shape: tuple[int, int]) -> Moving:
    """Return a row, a column or a number as an array of a shape, with its shifts and factors; the actions are those of
    a fixed one.
    """
    rows, columns = sizes(one.shape)
    found = replace(one, shape=shape, rows=Action(shape[0]), columns=Action(shape[1]), takes={})
    if columns < shape[1]:
        field.equations.require_no_shift(found.column_factors)
        found = replace(found, right=spread(found.right, shape[1]), column_factors={})
    if rows < shape[0]:
        field.equations.require_no_shift(found.row_factors)
        found = replace(found, left=spread(found.left, shape[0]), row_factors={})
    return found


def take_up(
    field: Motions, summands: Sequence[Moving], shape: tuple[int, int], left: Shift, right: Shift
) -> tuple[Shift, Shift]:
    """Let the first of the summands that is a tensor, used here alone, take up what is added to a sum as far as this
    depends on weights alone; return what is left: its own vector, and words of inputs.
    """
    shifts = []
    for place, (kind, shift) in enumerate((("left", left), ("right", right))):
        for one in summands:
            if one.takes and sizes(one.shape)[place] == shape[place]:
                known = {word: form for word, form in shift.items() if field.is_known(word)}
                own = getattr(one, kind).get(EMPTY, {})
                beside = {word: form for word, form in known.items() if word != EMPTY or one.single}
                if own and one.single:
                    beside = dict(add_shifts((beside, {EMPTY: own}), -1))
                if field.take(one, kind, times(beside, -1)):
                    shift = {word: form for word, form in shift.items() if word not in known}
                    shift |= {EMPTY: own} if own else {}
                    break
        shifts.append(shift)
    return shifts[0], shifts[1]


def add_constant(field: Motions, shape: tuple[int, ...], one: Moving, constant: np.ndarray) -> Moving:
    """A constant does not move; but a number may be added to all of its columns and taken from all of its rows."""
    height, width = sizes(shape)
    whole = np.broadcast_to(constant.reshape(sizes(constant.shape)), (height, width))
    total = one if sizes(one.shape) == (height, width) else spread_moving(field, one, (height, width))
    if whole.size > MOST_ENTRIES:
        field.require_none(total)
        return replace(field.fixed(shape), varies=total.varies)
    field.require_none(total, "left", "right")
    number = field.equations.vector(1, "a number").shift
    beside = field.fixed(shape, whole.reshape(shape))
    return replace(
        total,
        shape=shape,
        left=add_shifts((total.left, spread(number, height))),
        right=add_shifts((total.right, spread(times(number, -1), width))),
        row_factors={},
        column_factors={},
        totals=sums_of_totals(one, beside, shape),
        across=sums_of_totals(one.T, beside.T, shape[::-1]),
        name=None,
        quotient=None,
        takes={},
    )


def sums_of_totals(left: Moving, right: Moving, shape: tuple[int, ...]) -> Totals:
    """Return the totals of a sum."""
    found: dict[Letter | None, Sum] = {}
    height = sizes(shape)[0]
    for row in {None, *left.totals, *right.totals}:
        parts = [one.total(row) for one in (left, right) if sizes(one.shape)[0] == height]
        if len(parts) == 2 and all(part is not None for part in parts):
            total = dict(parts[0] or {})
            for word, factor in (parts[1] or {}).items():
                total[word] = total.get(word, 0) + factor
            found[row] = {word: factor for word, factor in total.items() if factor}
    return found


@verbs.product.method
def product_moving(field: Motions, left: Moving, right: Moving) -> Moving:
    equations = field.equations
    if left.T.total() is None:
        right = field.scaled(right, numbers=False)  # A (q + s 1^T) = A q + (A s) 1^T
    shape = verbs.product(Shapes(), Shape(left.shape), Shape(right.shape)).shape
    if left.constant is not None and right.constant is not None:
        return field.fixed(shape, left.constant @ right.constant)
    if left.constant is None and right.constant is not None:
        for shift in left.over.values():
            equations.require_no_shift(shift)
        turned: Moving = product_moving(field, right.T, verbs.transpose(field, left))
        return replace(turned.T, shape=shape)
    if left.constant is not None:
        rows, columns = field.image(noun_of(left.constant), right.rows, "image"), right.columns
        equations.require_no_shift(right.row_factors)
        factors: Shift = {}
    else:
        multiple = equations.number(1)
        equations.require_zero(left.columns + right.rows - multiple.resize(left.columns.size))
        rows, columns = left.rows + multiple.resize(left.rows.size), right.columns
        equations.require_no_shift(add_shifts((left.column_factors, right.row_factors)))
        factors = left.row_factors
    to_columns = [after(left.letter, right.left)]
    for row, shift in ((None, left.left), *left.over.items()):
        to_columns.append(field.multiplied_by(shift, right.total(row)))
    if left.takes:
        to_columns += absorbed(field, left, right, to_columns[0])
    rays, others = rays_of(left, right)
    to_columns.append(rays)
    to_rows = [after(right.letter.T, others), field.multiplied_by(right.right, left.T.total())]
    quotient = None
    if left.constant is not None and right.name is not None and noun_of(left.constant) == Ones(1, left.shape[-1]):
        quotient = ("sum", right.name, True)
    return Moving(
        shape,
        rows,
        columns,
        None,
        add_shifts(to_columns),
        add_shifts(to_rows),
        factors,
        right.column_factors,
        products_of_totals(left, right),
        products_of_totals(right.T, left.T),
        quotient=quotient,
        varies=left.varies or right.varies,
    )


def rays_of(left: Moving, right: Moving) -> tuple[Shift, Shift]:
    """Return what is added to the columns of a product where multiples of a row u are added to all rows of the left
    factor and the columns of the right one add up to one number with the weights u; and the rest of r.
    """
    added: list[Shift] = [{}]
    others = dict(left.right)
    for row in right.totals:
        word = Word(() if row is None else (row, Letter(Ones(sizes(left.shape)[1], 1))))
        if row is not None and word in others:
            number = {EMPTY: others.pop(word)}
            added += [
                spread(times(number, factor, key), sizes(left.shape)[0]) for key, factor in right.totals[row].items()
            ]
    return add_shifts(added), others


def absorbed(field: Motions, left: Moving, right: Moving, added: Shift) -> list[Shift]:
    """Ask a matrix to take up what is added to the columns of what it is multiplied with, if the columns of this add up
    to one number that is not zero; and let it move by s u for each row u of weights for which the columns add up to one
    number.
    """
    if not field.shifted:
        return []
    total = right.total()
    if total and len(total) == 1:
        ((word, factor),) = total.items()
        known = {key: form for key, form in added.items() if field.is_known(key) and field.is_known(word)}
        field.ask(left, "left", times(known, Fraction(-1) / factor, EMPTY.times(word, -1)))
    more: list[Shift] = []
    name, kind = left.takes.get("left", ("", ""))
    for row, number in right.totals.items():
        if kind == "left" and row is not None and field.is_known(Word((row,))):
            if left.single:
                own = field.equations.vector(sizes(left.shape)[0], f"{name}, over {row}").shift
                field.taken.append(Taken(name, "left", own, row))
                more.append(field.multiplied_by(own, number))
            else:
                ray = Word((row, Letter(Ones(sizes(left.shape)[1], 1))))
                field.asked.setdefault(name, {})["left", row, EMPTY] = sizes(left.shape)[0]
                field.asked[name]["right", None, ray] = 1
    return more


def products_of_totals(left: Moving, right: Moving) -> Totals:
    """Return the totals of a product."""
    behind = right.total()
    if behind is None:
        return {row: {} for row, total in left.all_totals.items() if not total}
    return {row: times_sum(total, behind) for row, total in left.all_totals.items()}


@verbs.column_products.method
def column_products_of_moving(field: Motions, left: Moving, right: Moving) -> Moving:
    equations = field.equations
    (height, width), (rows, columns) = sizes(left.shape), sizes(right.shape)
    if height != rows:  # a row is spread
        spread_one: Moving = verbs.multiply(field, left, right)
        summed: Moving = verbs.product(field, field.ones((1, max(height, rows))), spread_one)
        return summed
    if width != columns:  # a column is spread
        one, other = (left, right) if width == 1 else (right, left)
        products: Moving = verbs.product(field, verbs.transpose(field, one), other)
        return products
    for one, two in ((left, right), (right, left)):
        equations.require_diagonal(one.columns)
        field.require_none(one, "row_factors", "column_factors", *(("right",) if two.total() == {} else ()))
    equations.require_no_shift(add_shifts((left.row_factors, right.row_factors)))
    multiple = equations.number(1)
    equations.require_zero(left.rows.T + right.rows - multiple.resize(height))
    factors = add_shifts((left.column_factors, right.column_factors))
    return Moving(
        (1, width),
        multiple,
        left.columns + right.columns,
        column_factors=factors,
        varies=left.varies or right.varies,
    )
