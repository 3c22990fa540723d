"""The spectra of the chain of models that leads from attention to its limit law, as a figure and as a file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from algatt import verbs
from algatt.errors import InvalidArgument
from algatt.files import write_atomically
from algatt.spectra import AttentionEnsemble, SpectrumReport
from algatt.views.plotting import PAGE, check_picture, new_figure, render
from algatt.views.spectra.densities import draw_laws, histogram, label_axes, mean_of, shown, span
from algatt.views.spectra.styles import FILL, INK, LAW, OLD, SMALL, TINY

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def chain_figure(reports: Sequence[SpectrumReport]) -> Figure:
    """Return HCK's first figure: histograms and sorted values of each model of the chain, beside those of the attention
    matrix.

    Parameters
    ----------
    reports : sequence of SpectrumReport
        What `algatt.spectra.chain_reports` returns: the first is that of an `AttentionEnsemble`.

    Returns
    -------
    matplotlib.figure.Figure
        As wide as a paper's page. In each panel the line in black is the spectrum of sqrt(l) A without its three
        largest values; the filled histogram above, and the wide line below, are those of the model that the panel is
        named after.

    Raises
    ------
    InvalidArgument
        If the first report is not that of attention.
    MissingExtra
        If matplotlib is not installed.
    """
    first = reports[0] if reports else None
    if first is None or not isinstance(first.ensemble, AttentionEnsemble) or first.scaled_values is None:
        raise InvalidArgument(
            "reports", "without that of an AttentionEnsemble at the beginning", "what chain_reports returns"
        )
    figure = new_figure(PAGE, 3.1)
    axes = figure.subplots(2, len(reports), sharex="row", sharey="row", squeeze=False)
    figure.subplots_adjust(left=0.06, right=0.99, top=0.86, bottom=0.11, wspace=0.12, hspace=0.42)
    end = span(reports)
    attention = shown(first.scaled_values)
    for (top, bottom), report in zip(axes.T, reports, strict=True):
        histogram(top, shown(report.values), end, fill=True, color=FILL, label="model")
        histogram(top, attention, end, color=INK, linewidth=0.6, label=r"$\sqrt{l}\,A$")
        draw_laws(top, report, end)
        top.set_title(f"${report.ensemble.symbol}$", fontsize=SMALL + 1)
        label_axes(top, mean_of(report.law), end)
        top.set(xlabel=None, ylabel=None)
        draw_sorted(bottom, report, attention)
    for ax, name in ((axes[0, 0], "density"), (axes[1, 0], "$s_k^2$")):
        ax.set_ylabel(name, fontsize=SMALL)
    for ax in axes.flat:
        ax.tick_params(labelsize=TINY, length=2, pad=2)
        for axis in (ax.xaxis, ax.yaxis):
            axis.get_offset_text().set_fontsize(TINY)
    figure.text(0.525, 0.475, "squared singular value", fontsize=SMALL, ha="center", va="center")
    figure.text(0.525, 0.012, "$k\\,/\\,l$", fontsize=SMALL, ha="center", va="bottom")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper center", ncols=4, fontsize=SMALL, frameon=False, borderaxespad=0.1)
    return figure


def draw_sorted(ax: Axes, report: SpectrumReport, attention: np.ndarray) -> None:
    """Draw the values of a model and of attention in decreasing order, the mean over the draws, beside the quantiles of
    the laws.
    """
    tokens = report.values.shape[1]
    places = (np.arange(tokens - attention.shape[1], tokens) + 0.5) / tokens
    ax.plot(places, shown(report.values).mean(axis=0), color=FILL, linewidth=3.5, solid_capstyle="butt")
    ax.plot(places, attention.mean(axis=0), color=INK, linewidth=0.8)
    levels = np.linspace(0, 1, 200)
    ax.plot(levels, verbs.quantile(report.law, 1 - levels), color=LAW, linewidth=0.8)
    ax.plot(
        levels, verbs.quantile(report.marchenko_pastur, 1 - levels), color=OLD, linewidth=0.8, linestyle=(0, (4, 2))
    )
    ax.set(xlim=(0, 1), xticks=(0, 0.5), ylim=(0, None))


def write_chain(reports: Sequence[SpectrumReport], path: str | os.PathLike[str]) -> None:
    """Write `chain_figure` to a file, in the format that its suffix names: svg, pdf or png; errors as in
    `check_picture`.
    """
    write_atomically(path, render(chain_figure(reports), check_picture(path)))
