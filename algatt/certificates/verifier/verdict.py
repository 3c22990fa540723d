"""What becomes of a certificate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .limits import printable

__all__ = ["Progress", "Verdict"]

Progress = Callable[[int, int], object]
"""Told how much is done, and of how much."""

LONGEST = 1000
"""So many characters of a reason are told."""


@dataclass(frozen=True)
class Verdict:
    """What became of a certificate.

    Parameters
    ----------
    claim : str
        What is claimed, in words.
    reasons : tuple of str
        Why it is not accepted; empty if it is.
    rests_on : tuple of str
        What is not checked: that erf is not elementary.
    """

    claim: str
    reasons: tuple[str, ...]
    rests_on: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "claim", printable(self.claim))  # these quote the file
        object.__setattr__(self, "reasons", tuple(printable(reason, LONGEST) for reason in self.reasons))
        object.__setattr__(self, "rests_on", tuple(printable(text, LONGEST) for text in self.rests_on))
