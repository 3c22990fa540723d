"""How centred and turned typed arrays move, their parts, and arrays that are joined."""

from __future__ import annotations

from typing import Any

import numpy as np

from algatt import verbs
from algatt.fields.motions.constants import Centring, Selection, Turns
from algatt.fields.motions.field import Motions, Moving, sizes

__all__: list[str] = []


@verbs.centre.method
def centre_typed(field: Motions, raw: Moving) -> Moving:
    return Moving(raw.shape, field.image(Centring(raw.shape[-2]), raw.rows, "centre"), raw.columns)


@verbs.rotate.method
def rotate_typed(field: Motions, raw: Moving, *, angles: tuple[float, ...], positions: tuple[int, ...]) -> Moving:
    """What commutes with the turn of every pair by its number, different for different angles, commutes with all turns
    of pairs by multiples of the angles.
    """
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
    return Moving(raw.shape, raw.rows, raw.columns)


def positions(chosen: Any, count: int) -> list[int]:
    """Return the numbers of the rows that an index takes out of `count` rows."""
    return list(range(count)[chosen]) if isinstance(chosen, slice) else list(chosen)


@verbs.take.method
def take_typed(field: Motions, raw: Moving, *, rows: Any, columns: Any) -> Moving:
    height, width = sizes(raw.shape)
    chosen, beside = positions(rows, height), positions(columns, width)
    shape = (len(chosen), len(beside))
    if raw.constant is not None:
        return field.fixed(shape, raw.constant[chosen][:, beside])
    left, right = raw.rows, raw.columns
    if chosen != list(range(height)):
        left = field.image(Selection(height, tuple(chosen)), left, "part")
    if beside != list(range(width)):
        right = field.image(Selection(width, tuple(beside)), right.T, "part").T
    return Moving(shape, left, right)


@verbs.concatenate.method
def concatenate_typed(field: Motions, parts: tuple, *, axis: int) -> Moving:
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
    whole = equations.unknown(sum(heights), "join")
    start = 0
    for action, height in zip(actions, heights, strict=True):
        place = Selection(sum(heights), tuple(range(start, start + height)), transposed=True)
        equations.require_intertwining(whole, place, action)
        start += height
    return Moving((sum(heights), first.shape[-1]), whole, first.columns)
