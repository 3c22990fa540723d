"""How centred and turned arrays move, their parts, and arrays that are joined."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from algatt import verbs
from algatt.fields.motions.field import Motions
from algatt.fields.motions.moving import Action, Moving, sizes
from algatt.fields.motions.words import (
    Centring,
    Form,
    Letter,
    Ones,
    Selection,
    Shift,
    Turns,
    Word,
    add_shifts,
    after,
    spread,
    times,
)


@verbs.centre.method
def centre_moving(field: Motions, raw: Moving) -> Moving:
    height = raw.shape[-2]
    field.require_none(raw, "left", "right", "column_factors")
    rows = field.image(Centring(height), raw.rows, "centre")
    left = times(after(Letter(Centring(height)), raw.left), Fraction(1, height)) if height > 1 else {}
    factors = raw.column_factors
    return Moving(raw.shape, rows, raw.columns, None, left, {}, {}, factors, {None: {}}, varies=raw.varies)


@verbs.rotate.method
def rotate_moving(field: Motions, raw: Moving, *, angles: tuple[float, ...], positions: tuple[int, ...]) -> Moving:
    """What commutes with the turn of every pair by its number, different for different angles, commutes with all turns
    of pairs by multiples of the angles.
    """
    field.require_none(raw, "column_factors")
    equations, count = field.equations, 2 * len(angles)
    if raw.shape[-2] > count:  # these rows are dropped
        raw = verbs.take(field, raw, rows=slice(count), columns=slice(None))
    if raw.shape[-1] < len(positions):  # the only column is spread
        raw = verbs.product(field, raw, field.ones((1, len(positions))))
    if len(set(positions)) > 1:
        equations.require_diagonal(raw.columns)
    sizes_of_angles = {
        size: number for number, size in enumerate(sorted({abs(angle) for angle in angles} - {0.0}), start=1)
    }
    speeds = tuple(sizes_of_angles.get(abs(angle), 0) * (1 if angle > 0 else -1) for angle in angles)
    if any(speeds) and set(positions) != {0}:
        rows = equations.resolve(raw.rows)
        if not rows.scalar:
            equations.require_intertwining(rows, Turns(raw.shape[-2], speeds), rows)

    return Moving(raw.shape, raw.rows, raw.columns, column_factors=raw.column_factors, varies=raw.varies)


def positions(chosen: Any, count: int) -> list[int]:
    """Return the numbers of the rows that an index takes out of `count` rows."""
    return list(range(count)[chosen]) if isinstance(chosen, slice) else list(chosen)


@verbs.take.method
def take_moving(field: Motions, raw: Moving, *, rows: Any, columns: Any) -> Moving:
    height, width = sizes(raw.shape)
    chosen, beside = positions(rows, height), positions(columns, width)
    shape = (len(chosen), len(beside))
    if raw.constant is not None:
        return field.fixed(shape, raw.constant[chosen][:, beside])
    if chosen != list(range(height)):
        raw = rows_of(field, raw, chosen)
    return rows_of(field, raw.T, beside).T if beside != list(range(width)) else raw


def rows_of(field: Motions, raw: Moving, chosen: list[int]) -> Moving:
    """Return some rows of an array."""
    height, width = sizes(raw.shape)
    part = Selection(height, tuple(chosen))
    return Moving(
        (len(chosen), width),
        field.image(part, raw.rows, "part"),
        raw.columns,
        None,
        after(Letter(part), raw.left),
        raw.right,
        after(Letter(part), raw.row_factors),
        raw.column_factors,
        across=raw.across,
        varies=raw.varies,
        takes={kind: one for kind, one in raw.takes.items() if kind == "right"},
        single=raw.single,
    )


@verbs.concatenate.method
def concatenate_moving(field: Motions, parts: tuple, *, axis: int) -> Moving:
    if axis == -1:
        turned = verbs.concatenate(field, tuple(verbs.transpose(field, part) for part in parts), axis=-2)
        return verbs.transpose(field, turned)
    equations = field.equations
    if all(part.constant is not None for part in parts):
        constant = np.concatenate([part.constant for part in parts])
        return field.fixed(constant.shape, constant)
    first, *others = parts
    actions = [first.rows]
    for other in others:
        multiple = equations.number(1)
        equations.require_zero(first.columns - other.columns + multiple.resize(first.columns.size))
        actions.append(other.rows + multiple.resize(other.rows.size))
    heights = [action.size for action in actions]
    for other in others:
        for kind in ("right", "column_factors"):
            equations.require_no_shift(add_shifts((getattr(first, kind), getattr(other, kind)), -1))
    whole = number_of_all(list(map(equations.resolve, actions))) or equations.unknown(sum(heights), "join")
    start = 0
    common, parts_left = common_numbers(parts)
    left: list[Shift] = [spread(common, sum(heights))]
    factors: list[Shift] = []
    for action, part, beside in zip(actions, parts, parts_left, strict=True):
        place = Selection(sum(heights), tuple(range(start, start + action.size)), transposed=True)
        equations.require_intertwining(whole, place, action)
        left.append(after(Letter(place), beside))
        factors.append(after(Letter(place), part.row_factors))
        start += action.size
    return Moving(
        (sum(heights), first.shape[-1]),
        whole,
        first.columns,
        None,
        add_shifts(left),
        first.right,
        add_shifts(factors),
        first.column_factors,
        varies=any(part.varies for part in parts),
    )


def number_of_all(actions: list[Action]) -> Action | None:
    """Return the multiple of the identity that the actions on rows that are joined are together, or None."""
    if not all(action.scalar for action in actions):
        return None
    whole = actions[0].resize(sum(action.size for action in actions))
    return whole if all((whole.resize(action.size) - action).zero for action in actions) else None


def common_numbers(parts: tuple[Moving, ...]) -> tuple[Shift, list[Shift]]:
    """Return the numbers that are added to all entries of all parts, and what is added to columns of each besides."""
    numbers: list[dict[Word, Form]] = []
    for part in parts:
        height = sizes(part.shape)[0]
        ones = () if height == 1 else (Letter(Ones(height, 1)),)
        numbers.append(
            {
                Word(word.letters[len(ones) :], word.numbers): form
                for word, form in part.left.items()
                if word.letters[: len(ones)] == ones
            }
        )
    common = {word: form for word, form in numbers[0].items() if all(one.get(word) == form for one in numbers)}
    rest = [add_shifts((part.left, spread(common, sizes(part.shape)[0])), -1) for part in parts]
    return common, rest
