"""Values as JSON has them: numbers, texts, lists and objects."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

__all__ = ["plain"]


def plain(value: Any) -> Any:
    """Return a value as JSON has it: a noun as its name and its fields, an array as lists, and NaN and infinity, which
    JSON does not have, as None.

    Examples
    --------
    >>> import algatt
    >>> from algatt.plain import plain
    >>> plain(algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0),), beta=2.0))["heads"]
    [{'name': 'ScalarHead', 'strength': 1.0}]
    """
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            "name": type(value).__name__,
            **{field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)},
        }
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, Mapping):
        return {key: plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
