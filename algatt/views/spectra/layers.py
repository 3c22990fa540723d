"""The spectra of whole layers beside their laws, as a figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from algatt import verbs
from algatt.spectra import SpectrumReport
from algatt.views.plotting import COLUMN, PAGE, new_figure
from algatt.views.spectra.matrices import check_panels
from algatt.views.spectra.styles import FILL, INK, LAW, OLD, SMALL, TINY

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

IN_A_ROW = 4

LEVELS = 400
"""Points of a curve."""


def layers_figure(
    reports: Mapping[str, SpectrumReport], depth: Mapping[str, tuple[Sequence[float], Sequence[float]]] | None = None
) -> Figure:
    """Return the spectra of layers, a panel for each: sorted singular values of all draws, the quantiles of the law,
    and dashed those of the Marchenko-Pastur law of the same mean.

    Parameters
    ----------
    reports : mapping
        Reports by the titles of their panels; at most fifteen.
    depth : mapping, optional
        For one more panel, by their names: the effective ranks of 1, 2, ... layers as measured and as predicted.

    Returns
    -------
    matplotlib.figure.Figure
        Singular values on a logarithmic axis against their part of all, the largest ones left.

    Raises
    ------
    InvalidArgument
        If there are no reports, or more than fit.
    MissingExtra
        If matplotlib is not installed.
    """
    panels = len(reports) + (1 if depth else 0)
    check_panels(panels)
    columns = min(panels, IN_A_ROW)
    rows = -(-panels // columns)
    height = 0.5 + 1.9 * rows
    figure = new_figure(COLUMN if columns == 1 else PAGE, height)
    axes = figure.subplots(rows, columns, squeeze=False)
    figure.subplots_adjust(
        left=0.5 / figure.get_figwidth(),
        right=0.98,
        top=1 - 0.5 / height,
        bottom=0.4 / height,
        wspace=0.35,
        hspace=0.5,
    )
    for ax, (title, report) in zip(axes.flat, reports.items(), strict=False):
        draw_quantiles(ax, report)
        ax.set_title(title, fontsize=SMALL)
    if depth:
        draw_depth(axes.flat[len(reports)], depth)
    for ax in list(axes.flat)[panels:]:
        ax.remove()
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper center", ncols=3, fontsize=SMALL, frameon=False, borderaxespad=0.1)
    return figure


def draw_quantiles(ax: Axes, report: SpectrumReport) -> None:
    """Draw sorted singular values and the quantiles of the two laws."""
    from matplotlib.ticker import NullFormatter

    values = np.sqrt(np.sort(report.values, axis=None)[::-1])
    ax.plot((np.arange(len(values)) + 0.5) / len(values), values, color=FILL, linewidth=3.5, label="singular values")
    levels = 10 ** np.linspace(np.log10(0.5 / len(values)), 0, LEVELS)[:-1]
    for law, color, style, name in (
        (report.law, LAW, "-", "law"),
        (report.marchenko_pastur, OLD, (0, (4, 2)), "Marchenko-Pastur"),
    ):
        ax.plot(
            levels, np.sqrt(verbs.quantile(law, 1 - levels)), color=color, linewidth=0.9, linestyle=style, label=name
        )
    low = float(np.sqrt(verbs.quantile(report.law, 0.02)))
    ax.set(xscale="log", yscale="log", xlim=(levels[0], 1), ylim=(max(low, 1e-3 * values[0]) / 1.5, 1.5 * values[0]))
    ax.yaxis.set_minor_formatter(NullFormatter())
    ax.set_xlabel("part of all", fontsize=TINY)
    ax.tick_params(labelsize=TINY)


def draw_depth(ax: Axes, depth: Mapping[str, tuple[Sequence[float], Sequence[float]]]) -> None:
    """Draw effective ranks against the number of layers."""
    for (name, (measured, predicted)), color in zip(depth.items(), (INK, LAW, FILL, OLD), strict=False):
        layers = np.arange(1, len(measured) + 1)
        ax.plot(layers, measured, "o", color=color, markersize=3, label=name)
        ax.plot(layers, predicted, color=color, linewidth=0.8)
    ax.set_title("effective rank / tokens", fontsize=SMALL)
    ax.set(ylim=(0, 1.4), yticks=np.linspace(0, 1, 6), xticks=np.arange(1, len(measured) + 1))  # room for the legend
    ax.set_xlabel("layers", fontsize=TINY)
    ax.tick_params(labelsize=TINY)
    ax.legend(fontsize=TINY, frameon=False)
