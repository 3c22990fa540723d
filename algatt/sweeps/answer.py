"""What a question says of an architecture: an integer, what it is worth, and the evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from algatt.errors import InvalidArgument

__all__ = ["Answer"]

WORTH = ("proven", "probable", "numerical")


@dataclass(frozen=True)
class Answer:
    """An integer and what it is worth.

    Parameters
    ----------
    value : int or None
        The integer; None where floats cannot decide.
    status : str
        ``proven``, ``probable`` or ``numerical``.
    lower, upper : int or None, optional
        Proven bounds, where there are any.
    evidence : mapping, optional
        Plain values for JSON: a field, a seed, an error bound.
    """

    value: int | None
    status: str
    lower: int | None = None
    upper: int | None = None
    evidence: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.status not in WORTH:
            raise InvalidArgument("status", repr(self.status), f"one of {', '.join(WORTH)}")
