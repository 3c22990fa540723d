"""Nouns as plain values for JSON, with all their fields."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

__all__ = ["description_of"]


def description_of(noun: Any) -> dict[str, Any]:
    """Return the name of a dataclass and its fields as plain values for JSON."""
    fields = {field.name: plain(getattr(noun, field.name)) for field in dataclasses.fields(noun)}
    return {"name": type(noun).__name__} | fields


def plain(value: Any) -> Any:
    """Return a value as JSON has it: dataclasses by their descriptions or fields, and what else JSON has
    not as text.
    """
    if isinstance(value, np.ndarray | np.integer | np.bool_):
        return plain(value.tolist())
    if isinstance(value, np.floating):
        return plain(float(value))
    if value is None or isinstance(value, bool | int | str) or (isinstance(value, float) and math.isfinite(value)):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    if isinstance(value, set | frozenset):
        return sorted(map(plain, value), key=repr)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return value.description() if hasattr(value, "description") else description_of(value)
    return str(value) if isinstance(value, Fraction) else repr(value)
