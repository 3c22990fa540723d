"""Shapes in place of numbers: evaluating a network over them tells the shape of its value."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import InvalidArgument
from algatt.fields.base import Field
from algatt.fields.functions import Function


@dataclass(frozen=True)
class Shape:
    """An array without entries.

    Parameters
    ----------
    shape : tuple of int
        Its shape.
    """

    shape: tuple[int, ...]


@dataclass(frozen=True)
class Shapes(Field):
    """The field of arrays without entries: every operation gives the shape of its result. Its raw arrays are `Shape`
    values.
    """

    def __str__(self) -> str:
        return "shapes"

    @classmethod
    def examples(cls) -> Iterable[Field]:
        return (cls(),)


@verbs.encode.method
def encode_shape(field: Shapes, array: Any, *, argument: str = "array") -> Shape:
    return Shape(np.shape(array))


@verbs.circle_points.method
def circle_points_of_shapes(
    field: Shapes, *, angles: tuple[float, ...], positions: tuple[int, ...]
) -> tuple[Shape, Shape]:
    points = Shape((len(angles), len(positions)))
    return points, points


@verbs.add.method
def add_shapes(field: Shapes, left: Shape, right: Shape) -> Shape:
    return broadcast(left, right)


@verbs.multiply.method
def multiply_shapes(field: Shapes, left: Shape, right: Shape) -> Shape:
    return broadcast(left, right)


def broadcast(left: Shape, right: Shape) -> Shape:
    """Return the shape of a sum or of an entrywise product."""
    try:
        return Shape(np.broadcast_shapes(left.shape, right.shape))
    except ValueError:
        raise InvalidArgument("operand", f"of shape {right.shape}", f"of a shape that fits {left.shape}") from None


@verbs.negate.method
def negate_shape(field: Shapes, raw: Shape) -> Shape:
    return raw


@verbs.reciprocal.method
def reciprocal_shape(field: Shapes, raw: Shape) -> Shape:
    return raw


@verbs.entrywise.method
def entrywise_shape(field: Shapes, function: Function, raw: Shape) -> Shape:
    return raw


@verbs.largest.method
def largest_shape(field: Shapes, raw: Shape, *, count: int) -> Shape:
    return raw


@verbs.transpose.method
def transpose_shape(field: Shapes, raw: Shape) -> Shape:
    return Shape((*raw.shape[:-2], raw.shape[-1], raw.shape[-2]))


@verbs.product.method
def product_shape(field: Shapes, left: Shape, right: Shape) -> Shape:
    if left.shape[-1] != right.shape[-2]:
        raise InvalidArgument("operand", f"of shape {right.shape}", f"a matrix with {left.shape[-1]} rows")
    batch = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
    return Shape((*batch, left.shape[-2], right.shape[-1]))


@verbs.take.method
def take_shape(field: Shapes, raw: Shape, *, rows: Any, columns: Any) -> Shape:
    return Shape((*raw.shape[:-2], length(rows, raw.shape[-2]), length(columns, raw.shape[-1])))


def length(index: Any, size: int) -> int:
    """Return how many of `size` rows or columns an index takes."""
    return len(range(size)[index]) if isinstance(index, slice) else len(index)


@verbs.concatenate.method
def concatenate_shapes(field: Shapes, parts: tuple, *, axis: int) -> Shape:
    batch = np.broadcast_shapes(*(part.shape[:-2] for part in parts))
    sizes = list(parts[0].shape[-2:])
    sizes[axis] = sum(part.shape[axis] for part in parts)
    return Shape((*batch, *sizes))
