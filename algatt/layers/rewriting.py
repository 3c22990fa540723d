"""Nouns with others in their places."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any


def rewritten(value: Any, change: Callable[[Any], Any]) -> Any:
    """Return a layer, or a tuple, in which all nouns, and what stands in their slots, are changed, the inner ones
    first.
    """
    known: dict[int, Any] = {}

    def changed(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(changed, value))
        if not dataclasses.is_dataclass(value) or isinstance(value, type):
            return value
        if id(value) not in known:  # equal blocks are changed once
            fields = {one.name: getattr(value, one.name) for one in dataclasses.fields(value) if one.init}
            new = {name: changed(field) for name, field in fields.items()}
            noun: Any = value
            known[id(value)] = change(value if new == fields else noun.of_fields(new))
        return known[id(value)]

    return changed(value)
