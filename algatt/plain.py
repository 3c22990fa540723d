"""Values as JSON has them: numbers, texts, lists and objects."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np


def plain(value: Any, *, exactly: bool = False) -> Any:
    """Return a value as JSON has it: a noun as its name and its fields, an array as lists, a fraction as text, a result
    as its `to_dict`.

    Parameters
    ----------
    value : object
        The value.
    exactly : bool, optional
        Whether different values stay different, as descriptions have it: NaN, infinity and whatever else JSON does not
        have are texts, and nouns say themselves what they are. Unless given, NaN and infinity are None, as results have
        it.

    Examples
    --------
    >>> import math
    >>> import algatt
    >>> from algatt.plain import plain
    >>> plain(algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0),), beta=2.0))["heads"]
    [{'name': 'ScalarHead', 'strength': 1.0}]
    >>> plain(math.inf), plain(math.inf, exactly=True)
    (None, 'inf')
    """
    if isinstance(value, np.ndarray | np.integer | np.bool_):
        return plain(value.tolist(), exactly=exactly)
    if isinstance(value, np.floating):
        return plain(float(value), exactly=exactly)
    if isinstance(value, Mapping):
        return {str(key): plain(entry, exactly=exactly) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry, exactly=exactly) for entry in value]
    if isinstance(value, set | frozenset):
        return sorted((plain(entry, exactly=exactly) for entry in value), key=repr)
    if isinstance(value, Fraction):
        return str(value)
    if not exactly and hasattr(value, "to_dict"):
        return value.to_dict()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return value.description() if exactly and hasattr(value, "description") else noun(value, exactly=exactly)
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value) if exactly else None
    return repr(value) if exactly and not isinstance(value, bool | int | float | str | None) else value


def noun(value: Any, *, exactly: bool) -> dict[str, Any]:
    """Return the name of a dataclass and its fields."""
    fields = {field.name: plain(getattr(value, field.name), exactly=exactly) for field in dataclasses.fields(value)}
    return {"name": type(value).__name__} | fields


def description_of(value: Any) -> dict[str, Any]:
    """Return the name of a dataclass and its fields, such that those of different values differ."""
    return noun(value, exactly=True)


def written(value: Any, names: str) -> dict[str, Any]:
    """Return some fields and properties of a value, named with blanks between, as JSON has them."""
    return {name: plain(getattr(value, name)) for name in names.split()}
