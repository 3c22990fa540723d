"""What becomes of a certificate."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Verdict"]


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
        What is not checked: theorems.
    """

    claim: str
    reasons: tuple[str, ...]
    rests_on: tuple[str, ...]
