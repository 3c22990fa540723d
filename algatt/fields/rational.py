"""Constants as fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from algatt.errors import InvalidArgument

__all__ = ["rational"]


def rational(entry: Any, argument: str) -> Fraction:
    """Return a constant as a fraction."""
    try:
        return Fraction(entry)
    except (TypeError, ValueError, OverflowError):
        raise InvalidArgument(argument, f"with the entry {entry!r}", "made of rational numbers") from None
