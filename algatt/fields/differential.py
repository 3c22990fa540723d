"""Rings over a field whose elements are numbers of the field with something beside them, such as derivatives."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np

from algatt import verbs
from algatt.fields.base import Field


class Differential(Field):
    """A ring over a field: what decides is the number of the field, and constants have nothing beside it.

    Parameters
    ----------
    base : Field
        The field.
    """

    base: Field

    @property
    def characteristic(self) -> int:
        return self.base.characteristic

    @property
    def exact(self) -> bool:
        return self.base.exact

    @abstractmethod
    def constant(self, value: Any) -> Any:
        """Return raw numbers of the field as raw constants."""

    @abstractmethod
    def value(self, raw: Any) -> Any:
        """Return the numbers of the field of a raw array."""


@verbs.encode.method
def encode_constants(field: Differential, array: object, *, argument: str = "array") -> Any:
    return field.constant(verbs.encode(field.base, array, argument=argument))


@verbs.embed.method
def embed_constants(field: Differential, constants: object) -> Any:
    return field.constant(verbs.embed(field.base, constants))


@verbs.decode.method
def decode_values(field: Differential, raw: object) -> Any:
    return verbs.decode(field.base, field.value(raw))


@verbs.largest.method
def largest_values(field: Differential, raw: object, *, count: int) -> Any:
    return field.constant(verbs.largest(field.base, field.value(raw), count=count))


@verbs.column_maximum.method
def column_maximum_of_values(field: Differential, raw: object, *, mask: np.ndarray | None = None) -> Any:
    largest = verbs.column_maximum(field.base, field.value(raw), mask=mask)
    return None if largest is None else field.constant(largest)


@verbs.circle_points.method
def constant_circle_points(field: Differential, *, angles: tuple[float, ...], positions: tuple[int, ...]) -> Any:
    cosines, sines = verbs.circle_points(field.base, angles=angles, positions=positions)
    return field.constant(cosines), field.constant(sines)
