"""The distances of spectra to their limit laws, as a figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from algatt import verbs
from algatt.errors import InvalidArgument
from algatt.spectra import SpectrumReport
from algatt.views.plotting import PAGE, new_figure
from algatt.views.spectra.densities import mean_of
from algatt.views.spectra.styles import INK, SMALL, STYLES, TINY

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def convergence_figure(reports: Sequence[SpectrumReport]) -> Figure:
    """Return the distances of reports to their limit laws, in parts of the mean, against the tokens at each beta and
    against beta / sqrt(log tokens).

    A thin line without marks is the distance of the limit law to the Marchenko-Pastur law, at the beta of its colour:
    below it, a spectrum tells the two apart. The vertical line is where :func:`~algatt.spectra.needed_tokens` is the
    number of tokens.

    Raises
    ------
    InvalidArgument
        If there are more values of beta than can be told apart, or none.
    MissingExtra
        If matplotlib is not installed.
    """
    betas = sorted({report.ensemble.beta for report in reports})
    if not 0 < len(betas) <= len(STYLES):
        raise InvalidArgument("reports", f"of {len(betas)} values of beta", f"of one to {len(STYLES)} of them")
    figure = new_figure(PAGE, 2.6)
    left, right = figure.subplots(1, 2, sharey=True)
    figure.subplots_adjust(left=0.09, right=0.98, top=0.95, bottom=0.16, wspace=0.14)
    for beta, (colour, line), marker in zip(betas, STYLES, "os^D", strict=False):
        chosen = sorted(
            (report for report in reports if report.ensemble.beta == beta), key=lambda report: report.ensemble.tokens
        )
        tokens = np.array([report.ensemble.tokens for report in chosen])
        distances = [report.wasserstein / mean_of(report.law) for report in chosen]
        style = {"color": colour, "linestyle": line, "marker": marker, "markersize": 3.5, "linewidth": 1.0}
        left.plot(tokens, distances, **style, label=rf"$\beta = {beta:g}$")
        right.plot(beta / np.sqrt(np.log(tokens)), distances, **style)
        old = verbs.wasserstein_distance(chosen[-1].law, chosen[-1].marchenko_pastur) / mean_of(chosen[-1].law)
        left.axhline(old, color=colour, linewidth=0.6)
    left.set(xscale="log", yscale="log", xlabel="tokens $l$", ylabel="Wasserstein-1 distance / mean")
    right.axvline(0.5, color=INK, linewidth=0.6, linestyle=":")
    right.set(xlabel=r"$\beta\,/\,\sqrt{\log l}$")
    ticks = sorted({report.ensemble.tokens for report in reports})
    left.set_xticks(ticks, [str(tick) for tick in ticks])
    left.minorticks_off()
    handles, labels = left.get_legend_handles_labels()
    right.legend(
        [*handles, left.lines[1]], [*labels, "law to Marchenko-Pastur"], loc="upper left", fontsize=TINY, frameon=False
    )
    for ax in (left, right):
        ax.tick_params(labelsize=TINY)
        ax.xaxis.label.set_size(SMALL)
        ax.yaxis.label.set_size(SMALL)
    return figure
