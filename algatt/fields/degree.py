"""Degrees in place of numbers: evaluating a network over them bounds the degrees of its values as polynomials."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.fields.base import Field

__all__ = ["Degree", "Degrees"]


@dataclass(frozen=True)
class Degree:
    """Bounds on the degrees of the entries of an array of polynomials.

    Parameters
    ----------
    weights : int
        Degree in the parameters.
    inputs : int
        Degree in the entries of the input.
    shape : tuple of int, optional
        Shape of the array.
    """

    weights: int
    inputs: int
    shape: tuple[int, ...] = ()

    def times(self, other: Degree, shape: tuple[int, ...]) -> Degree:
        """Return the degree of a product: degrees add."""
        return Degree(self.weights + other.weights, self.inputs + other.inputs, shape)


@dataclass(frozen=True)
class Degrees(Field):
    """The semiring of degrees: a sum has the larger degree, a product the sum of the degrees. Its raw arrays are `Degree` values."""

    def __str__(self) -> str:
        return "degrees"

    @classmethod
    def examples(cls) -> Iterable[Field]:
        return (cls(),)


@verbs.encode.method
def encode_constant(field: Degrees, array: Any, *, argument: str = "array") -> Degree:
    return Degree(0, 0, np.shape(array))


@verbs.decode.method
def decode_degree(field: Degrees, raw: Degree) -> Degree:
    return raw


@verbs.add.method
def add_degrees(field: Degrees, left: Degree, right: Degree) -> Degree:
    shape = np.broadcast_shapes(left.shape, right.shape)
    return Degree(max(left.weights, right.weights), max(left.inputs, right.inputs), shape)


@verbs.negate.method
def negate_degree(field: Degrees, raw: Degree) -> Degree:
    return raw


@verbs.multiply.method
def multiply_degrees(field: Degrees, left: Degree, right: Degree) -> Degree:
    return left.times(right, np.broadcast_shapes(left.shape, right.shape))


@verbs.transpose.method
def transpose_degree(field: Degrees, raw: Degree) -> Degree:
    return Degree(raw.weights, raw.inputs, (*raw.shape[:-2], raw.shape[-1], raw.shape[-2]))


@verbs.product.method
def product_degrees(field: Degrees, left: Degree, right: Degree) -> Degree:
    batch = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
    return left.times(right, (*batch, left.shape[-2], right.shape[-1]))
