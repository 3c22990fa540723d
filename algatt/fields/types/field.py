r"""The field of types: an array M is typed by the pair (L, R) with :math:`\dot M = L M + M R` when the weights move.

Each rule asks for linear equations that are sufficient for the result to move in the same manner; docs/theory/types.md
has the proof, rule by rule.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import InvalidArgument
from algatt.fields.base import Field
from algatt.fields.functions.base import Function
from algatt.fields.functions.positive import Positive
from algatt.fields.functions.sqrt import Sqrt
from algatt.fields.shape import Shape, Shapes
from algatt.fields.trace import rational
from algatt.fields.types.action import Action
from algatt.fields.types.constants import Centring, Constant, Entries, Ones, Selection, Turns
from algatt.fields.types.equations import Equations

__all__ = ["Typed", "Types"]


@dataclass(frozen=True, eq=False)
class Typed:
    """A matrix without entries that knows how it moves.

    Parameters
    ----------
    shape : tuple of int
        Its shape.
    rows, columns : Action
        L and R.
    constant : ndarray or None
        Its entries, if it is a constant of the code; then L and R are zero.
    """

    shape: tuple[int, ...]
    rows: Action
    columns: Action
    constant: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class Types(Field):
    """The field of types: every operation collects equations. Its raw arrays are `Typed` values.

    Parameters
    ----------
    equations : Equations
        What was collected so far.
    """

    equations: Equations = field(default_factory=Equations)

    def __str__(self) -> str:
        return "types"

    @classmethod
    def examples(cls) -> Iterable[Field]:
        """None: equal arrays have types that are equal after their equations are solved only."""
        return ()

    def tensor(self, name: str, shape: tuple[int, ...]) -> Typed:
        """Return a tensor of the weights: it may move in any way."""
        height, width = sizes(shape)
        make = self.equations.unknown
        return Typed(shape, make(height, f"{name}, rows"), make(width, f"{name}, columns"))

    def fixed(self, shape: tuple[int, ...], constant: Any = None) -> Typed:
        """Return an array that does not move, as the input; or a constant."""
        height, width = sizes(shape)
        entries = None
        if constant is not None:
            entries = np.empty(shape, dtype=object)
            entries[...] = constant  # numpy makes numbers of arrays without axes
        return Typed(shape, Action(height), Action(width), entries)

    def require_fixed(self, raw: Typed) -> None:
        """Require an array not to move: L and R are multiples of the identity that cancel."""
        multiple = self.equations.require_scalar(raw.rows)
        self.equations.require_zero(raw.columns + multiple.resize(raw.columns.size))

    def image(self, constant: Constant, action: Action, label: str) -> Action:
        """Return the action A with A C = C B for a constant matrix C and an action B."""
        action, size = self.equations.resolve(action), constant.shape[0]
        if action.scalar:
            return action.resize(size)
        image = self.equations.unknown(size, label)
        self.equations.require_intertwining(image, constant, action)
        return image


def sizes(shape: tuple[int, ...]) -> tuple[int, int]:
    """Return the numbers of rows and columns of an array of at most two axes."""
    if len(shape) > 2:
        raise InvalidArgument("shape", repr(shape), "that of a matrix, as types are about matrices")
    height, width = ((1, 1) + tuple(shape))[-2:]
    return height, width


def positions(chosen: Any, count: int) -> list[int]:
    """Return the numbers of the rows that an index takes out of `count` rows."""
    return list(range(count)[chosen]) if isinstance(chosen, slice) else list(chosen)


@verbs.encode.method
def encode_constant(field: Types, array: Any, *, argument: str = "array") -> Typed:
    """Constants are rational numbers; floats stand for exactly what they are."""
    values = np.asarray(array)
    entries = np.empty(values.size, dtype=object)  # no entry can be too large
    listed = values.ravel().tolist()
    entries[:] = listed if values.dtype.kind in "iu" else [rational(entry, argument) for entry in listed]
    return field.fixed(values.shape, entries.reshape(values.shape))


@verbs.decode.method
def decode_typed(field: Types, raw: Typed) -> Typed:
    return raw


@verbs.transpose.method
def transpose_typed(field: Types, raw: Typed) -> Typed:
    constant = None if raw.constant is None else np.swapaxes(raw.constant, -1, -2)
    return Typed(raw.shape[::-1], raw.columns.T, raw.rows.T, constant)


@verbs.negate.method
def negate_typed(field: Types, raw: Typed) -> Typed:
    return raw if raw.constant is None else field.fixed(raw.shape, -raw.constant)


@verbs.add.method
def add_typed(field: Types, left: Typed, right: Typed) -> Typed:
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
    return Typed(shape, left.rows, left.columns)


def broadcast(verb: Any, left: Typed, right: Typed) -> tuple[int, ...]:
    """Return the shape of a sum or of an entrywise product."""
    result: Shape = verb(Shapes(), Shape(left.shape), Shape(right.shape))
    return result.shape


@verbs.multiply.method
def multiply_typed(field: Types, left: Typed, right: Typed) -> Typed:
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
    return Typed(shape, rows, columns)


def varies_along(one: Typed, axis: int) -> bool:
    """Return whether the entries of an array may differ along an axis."""
    if sizes(one.shape)[axis] == 1:
        return False
    if one.constant is None:
        return True
    matrix = one.constant.reshape(sizes(one.shape))
    return bool((matrix != np.take(matrix, [0], axis=axis)).any())


@verbs.product.method
def product_typed(field: Types, left: Typed, right: Typed) -> Typed:
    equations = field.equations
    shape: Shape = verbs.product(Shapes(), Shape(left.shape), Shape(right.shape))
    if left.constant is not None and right.constant is not None:
        return field.fixed(shape.shape, left.constant @ right.constant)
    if left.constant is not None:
        return Typed(shape.shape, field.image(noun_of(left.constant), right.rows, "image"), right.columns)
    if right.constant is not None:
        return Typed(shape.shape, left.rows, field.image(noun_of(right.constant.T), left.columns.T, "image").T)
    multiple = equations.number(1)
    equations.require_zero(left.columns + right.rows - multiple.resize(left.columns.size))
    return Typed(shape.shape, left.rows + multiple.resize(left.rows.size), right.columns)


def noun_of(constant: np.ndarray) -> Constant:
    """Return the entries of a constant matrix as a noun."""
    return Ones(*constant.shape) if (constant == 1).all() else Entries.of(constant)


@verbs.column_products.method
def column_products_of_typed(field: Types, left: Typed, right: Typed) -> Typed:
    equations = field.equations
    for one in (left, right):
        equations.require_diagonal(one.columns)
    multiple = equations.number(1)
    equations.require_zero(left.rows.T + right.rows - multiple.resize(left.rows.size))
    return Typed((1, left.shape[-1]), multiple, left.columns + right.columns)


@verbs.centre.method
def centre_typed(field: Types, raw: Typed) -> Typed:
    return Typed(raw.shape, field.image(Centring(raw.shape[-2]), raw.rows, "centre"), raw.columns)


@verbs.rotate.method
def rotate_typed(field: Types, raw: Typed, *, angles: tuple[float, ...], positions: tuple[int, ...]) -> Typed:
    """What commutes with the turn of every pair by its number, different for different angles, commutes with all turns
    of pairs by multiples of the angles.
    """
    equations = field.equations
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
    return Typed(raw.shape, raw.rows, raw.columns)


@verbs.take.method
def take_typed(field: Types, raw: Typed, *, rows: Any, columns: Any) -> Typed:
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
    return Typed(shape, left, right)


@verbs.concatenate.method
def concatenate_typed(field: Types, parts: tuple, *, axis: int) -> Typed:
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
    return Typed((sum(heights), first.shape[-1]), whole, first.columns)


@verbs.reciprocal.method
def reciprocal_typed(field: Types, raw: Typed) -> Typed:
    if raw.constant is not None:
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
