"""What a check of a statement says, of an identity and of an inequality."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt.dynamics.heads import ROUNDING

IDENTITY = 1e-10
"""The relative error up to which the two sides of an identity count as equal."""


@dataclass(frozen=True)
class StatementCheck:
    """What came out when a statement was checked at some tokens. Numerical.

    Parameters
    ----------
    statement : str
        What is claimed.
    source : str
        "P" for the paper, or "derived".
    hypotheses : tuple of (str, bool)
        What is assumed, and whether it holds here.
    error : float or None
        Of an identity, the relative difference of its two sides.
    margin : float or None
        Of an inequality, by how much it holds.
    holds : bool or None
        Whether the conclusion does; None if it is not asked, as a hypothesis fails, if rounding decides, or if it is
        about a limit that the run has not come to: no run is a counterexample.
    time : float or None
        Of a limit that the run has not come to, about the time that this would take; None if it is not known.
    """

    statement: str
    source: str
    hypotheses: tuple[tuple[str, bool], ...]
    error: float | None
    margin: float | None
    holds: bool | None
    time: float | None = None

    @property
    def applies(self) -> bool:
        """Whether all hypotheses hold."""
        return all(held for _, held in self.hypotheses)

    @property
    def verdict(self) -> str:
        """The outcome in words."""
        if not self.applies:
            return "does not apply"
        return {True: "holds", False: "fails", None: "undecided"}[self.holds]


def identity(
    statement: str,
    source: str,
    hypotheses: dict[str, bool],
    left: Any,
    right: Any,
    tolerance: float = IDENTITY,
    *,
    scale: float | None = None,
    rounding: float = 0.0,
) -> StatementCheck:
    """Return the check of an identity, undecided if its sides differ by no more than rounding, but by more than the
    tolerance.

    Its error is relative to the largest entry of the right side, unless a scale is given.
    """
    size = float(np.abs(right).max()) if scale is None else scale
    difference = float(np.abs(left - right).max())
    error = difference / (size or 1.0)
    decided = all(hypotheses.values()) and (error <= tolerance or not difference <= rounding)
    return StatementCheck(
        statement, source, tuple(hypotheses.items()), error, None, error <= tolerance if decided else None
    )


def inequality(statement: str, source: str, hypotheses: dict[str, bool], margin: float, scale: float) -> StatementCheck:
    """Return the check of an inequality margin >= 0 between numbers of a given size, undecided within their
    rounding.
    """
    decided = all(hypotheses.values()) and abs(margin) > ROUNDING * scale
    return StatementCheck(statement, source, tuple(hypotheses.items()), None, margin, margin > 0 if decided else None)
