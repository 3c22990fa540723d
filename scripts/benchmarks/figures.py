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
        ``s``, ``MB``, ``ns`` or ``x`` for a ratio.
    runs : int
        The number of runs that it is the median of, or the ratio of the medians of.
    lowest, highest : float or None
        The extreme runs; None for a ratio.
    target : float or None
        What it should not exceed, or None where nothing was promised.
    """

    name: str
    value: float
    unit: str
    runs: int
    lowest: float | None = None
    highest: float | None = None
    target: float | None = None

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None without a target."""
        return None if self.target is None else self.value <= self.target

    def to_dict(self) -> dict[str, Any]:
        """Return the figure as plain values for JSON."""
        return {
            "name": self.name,
            "value": self.value,
            "unit": self.unit,
            "runs": self.runs,
            "lowest": self.lowest,
            "highest": self.highest,
            "target": self.target,
            "met": self.met,
        }


def median_of(name: str, values: Sequence[float], unit: str, target: float | None = None) -> Figure:
    """Return the median of several runs."""
    return Figure(name, statistics.median(values), unit, len(values), min(values), max(values), target)


def ratio_of(name: str, numerator: Sequence[float], denominator: Sequence[float], target: float | None = None) -> Figure:
    """Return the ratio of two medians, which come from the same interleaved runs."""
    return Figure(name, statistics.median(numerator) / statistics.median(denominator), "x", len(numerator), target=target)
