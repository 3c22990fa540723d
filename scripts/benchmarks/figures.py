"""What a section returns: named figures with a target, reduced from several runs."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["Figure", "median_of", "ratio_of"]


@dataclass(frozen=True)
class Figure:
    """One measured quantity.

    Parameters
    ----------
    name : str
        What was measured.
    value : float
        The figure.
    unit : str
        ``s``, ``MB``, ``ns``, ``GF/s``, ``x`` for a ratio, or a noun for what is counted.
    runs : int
        The number of runs that it is the median of, or the ratio of the medians of.
    lowest, highest : float or None
        The extreme runs; None for a ratio.
    target : float or None
        What it should not exceed, or None where nothing was promised.
    at_least : bool
        Whether the target is instead what it should reach.
    case : str or None
        What it was measured on, if the section measures the same quantities on many; None where the name says it.
    """

    name: str
    value: float
    unit: str
    runs: int
    lowest: float | None = None
    highest: float | None = None
    target: float | None = None
    at_least: bool = False
    case: str | None = None

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None without a target."""
        if self.target is None:
            return None
        return self.value >= self.target if self.at_least else self.value <= self.target

    def to_dict(self) -> dict[str, Any]:
        """Return the figure as plain values for JSON."""
        return {
            "case": self.case,
            "name": self.name,
            "value": self.value,
            "unit": self.unit,
            "runs": self.runs,
            "lowest": self.lowest,
            "highest": self.highest,
            "target": self.target,
            "at_least": self.at_least,
            "met": self.met,
        }


def median_of(
    name: str,
    values: Sequence[float],
    unit: str,
    target: float | None = None,
    *,
    at_least: bool = False,
    case: str | None = None,
) -> Figure:
    """Return the median of several runs."""
    return Figure(name, statistics.median(values), unit, len(values), min(values), max(values), target, at_least, case)


def ratio_of(
    name: str,
    numerator: Sequence[float],
    denominator: Sequence[float],
    target: float | None = None,
    *,
    at_least: bool = False,
    case: str | None = None,
) -> Figure:
    """Return the ratio of two medians, which come from the same interleaved runs."""
    ratio = statistics.median(numerator) / statistics.median(denominator)
    return Figure(name, ratio, "x", len(numerator), target=target, at_least=at_least, case=case)
