"""What a question says of an architecture: an integer, what it is worth, and the evidence."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from algatt.errors import InvalidArgument

WORTH = ("proven", "probable", "numerical")

LARGEST = 2**63 - 1
"""What the record holds."""


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

    Raises
    ------
    InvalidArgument
        If the status is another, the value is not within the bounds or none though it is proven, an integer has more
        than 64 bits, or the evidence is not plain.
    """

    value: int | None
    status: str
    lower: int | None = None
    upper: int | None = None
    evidence: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.status not in WORTH:
            raise InvalidArgument("status", repr(self.status), f"one of {', '.join(WORTH)}")
        for name in ("value", "lower", "upper"):
            number = getattr(self, name)
            if number is not None and (not hasattr(number, "__index__") or abs(int(number)) > LARGEST):
                raise InvalidArgument(name, repr(number), "an integer of at most 64 bits, or None")
            object.__setattr__(self, name, None if number is None else int(number))
        reason = contradiction(self.value, self.status, self.lower, self.upper)
        if reason is not None:
            raise InvalidArgument("value", reason, "within its bounds")
        try:
            json.dumps(dict(self.evidence))
        except (TypeError, ValueError) as error:
            raise InvalidArgument("evidence", f"not plain ({error})", "a mapping of plain values for JSON") from None


def contradiction(value: int | None, status: str, lower: int | None, upper: int | None) -> str | None:
    """Return why an answer cannot be, or None."""
    if value is None:
        return "None, and proven" if status == "proven" else None
    if lower is not None and value < lower:
        return f"{value}, less than the lower bound {lower}"
    return f"{value}, more than the upper bound {upper}" if upper is not None and value > upper else None
