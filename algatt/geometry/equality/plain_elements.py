"""Group elements as plain values for JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from algatt.architectures.network import Arrangement
from algatt.fields import Elements
from algatt.plain import plain
from algatt.symmetry import GroupElement, Symmetry
from algatt.symmetry.tensors_element import Sides


def plain_array(array: np.ndarray) -> Any:
    """Return an array as lists of numbers; rational numbers, of which JSON has none, are texts such as ``1/3``."""

    def entry(value: Any) -> Any:
        if isinstance(value, list):
            return [entry(part) for part in value]
        return value if isinstance(value, int | float) else str(value)

    return entry(array.tolist())


def plain_element(element: GroupElement) -> dict[str, Any]:
    """Return the name of an element's class and its fields."""
    return {"name": type(element).__name__, **plain_fields(element)}


def plain_fields(value: Any) -> dict[str, Any]:
    """Return the fields of an element, or of its parts, by name."""
    return {field.name: plain_part(getattr(value, field.name)) for field in dataclasses.fields(value)}


def plain_part(value: Any) -> Any:
    """Return a part of an element: families are their names, and tensors of a network in normal form are told by those
    that they are parts of.
    """
    if isinstance(value, Elements):
        return plain_array(value.public())
    if isinstance(value, GroupElement):
        return plain_element(value)
    if isinstance(value, Sides):
        return plain_fields(value)
    if isinstance(value, Symmetry):
        return value.name
    if isinstance(value, Arrangement):
        return {part.name: part.tensor for part in value.parts}
    if isinstance(value, Mapping):
        return {str(name): plain_part(entry) for name, entry in value.items()}
    if isinstance(value, tuple):
        return [plain_part(entry) for entry in value]
    return plain(value)
