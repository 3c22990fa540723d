"""How products move."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from algatt import verbs
from algatt.fields.motions.constants import Ones
from algatt.fields.motions.field import Motions, Taken
from algatt.fields.motions.moving import Moving, noun_of, sizes
from algatt.fields.motions.words import (
    EMPTY,
    Letter,
    Shift,
    Totals,
    Word,
    add_shifts,
    after,
    spread,
    times,
    times_sum,
)
from algatt.fields.shape import Shape, Shapes

__all__: list[str] = []


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
