"""How sums move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from algatt import verbs
from algatt.fields.motions.constants import Ones
from algatt.fields.motions.field import Motions, broadcast
from algatt.fields.motions.moving import Action, Moving, sizes
from algatt.fields.motions.words import EMPTY, Letter, Shift, Sum, Totals, add_shifts, spread, times

__all__: list[str] = []

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
