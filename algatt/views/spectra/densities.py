"""Densities of spectra and laws drawn with matplotlib, which is imported when something is drawn: the extra ``plot``
brings it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from algatt import verbs
from algatt.spectra import Law, SpectrumReport
from algatt.spectra.laws import edge
from algatt.views.plotting import COLUMN, check_axes, checked_axes
from algatt.views.spectra.styles import FILL, LAW, OLD, SMALL, TINY

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIZE, BOX = (COLUMN, 2.3), (0.14, 0.19, 0.83, 0.77)
"""Of a figure of one law or one spectrum: width and height in inches, and where its axes are."""

BINS = 60

POINTS = 600
"""Of a curve."""

DROPPED = 3
"""How many of the largest values of each draw pictures leave out, as HCK's do."""

LOWEST, TALLEST = 1e-3, 4.0
"""Ends of the axes of densities, in parts of the mean's inverse: logarithmic, since densities explode at zero, and laws
differ most near the edge.
"""


def curve(law: Law, end: float) -> tuple[np.ndarray, np.ndarray]:
    """Return points and densities of a law up to `end`, with points crowded at zero and at the ends of the support."""
    places = [np.linspace(0, 1, POINTS) ** 2 * end]
    for low, high in verbs.support(law):
        unit = (1 - np.cos(np.linspace(0, np.pi, POINTS))) / 2
        places.append(low + (high - low) * unit)
    x = np.unique(np.concatenate(places))
    return x[1:], verbs.density(law, x[1:])


def label_axes(ax: Axes, mean: float, end: float) -> None:
    """Give axes of densities their names and limits."""
    ax.set_xlim(0, end)
    ax.set(yscale="log", ylim=(LOWEST / mean, TALLEST / mean))
    ax.set_xlabel("squared singular value", fontsize=SMALL)
    ax.set_ylabel("density", fontsize=SMALL)
    ax.tick_params(labelsize=TINY)


@verbs.draw.method
def draw_law(law: Law, *, ax: Axes | None = None) -> Axes:
    """Draw the density of a law."""
    check_axes(ax)
    end = edge(law) * 1.08
    x, density = curve(law, end)
    ax = checked_axes(ax, SIZE, BOX)
    ax.plot(x, density, color=LAW, linewidth=1.2, label=str(law))
    label_axes(ax, mean_of(law), end)
    return ax


def mean_of(law: Law) -> float:
    """Return the mean of a law."""
    return float(verbs.moments(law, 1)[0])


def histogram(ax: Axes, values: np.ndarray, end: float, **style: Any) -> None:
    """Draw a histogram of values from zero on, as a density of all of them."""
    heights, edges = np.histogram(values, bins=BINS, range=(0, end))
    ax.stairs(
        heights / (values.size * np.diff(edges)), edges, baseline=LOWEST / end * 1e-6, **style
    )  # below the axes, which are logarithmic


def draw_laws(ax: Axes, report: SpectrumReport, end: float) -> None:
    """Draw the limit law and the Marchenko-Pastur law, dashed."""
    ax.plot(*curve(report.law, end), color=LAW, linewidth=1.0, label="limit law")
    ax.plot(
        *curve(report.marchenko_pastur, end), color=OLD, linewidth=1.0, linestyle=(0, (4, 2)), label="Marchenko-Pastur"
    )


def span(reports: Sequence[SpectrumReport]) -> float:
    """Return where the axes of reports end: beyond all values that are shown and the edge of the law."""
    largest = max(float(shown(report.values).max()) for report in reports)
    return 1.04 * min(max(largest, edge(reports[0].law)), 2 * edge(reports[0].law))


def shown(values: np.ndarray) -> np.ndarray:
    """Return the values of each draw without the largest ones."""
    return values[:, min(DROPPED, values.shape[1] - 1) :]


@verbs.draw.method
def draw_report(report: SpectrumReport, *, ax: Axes | None = None) -> Axes:
    """Draw the histogram of a spectrum without its three largest values, its limit law and the Marchenko-Pastur law."""
    check_axes(ax)
    end = span([report])
    ax = checked_axes(ax, SIZE, BOX)
    histogram(ax, shown(report.values), end, fill=True, color=FILL, label=f"${report.ensemble.symbol}$")
    draw_laws(ax, report, end)
    label_axes(ax, mean_of(report.law), end)
    ax.legend(fontsize=TINY, frameon=False)
    return ax
