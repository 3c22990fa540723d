"""Spectra and laws drawn with matplotlib, which is imported when something is drawn: the extra ``plot`` brings it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from algatt import verbs
from algatt.errors import InvalidArgument
from algatt.files import write_atomically
from algatt.spectra import AttentionEnsemble, AttentionLaw, Law, MarchenkoPastur, SpectrumReport
from algatt.views.plotting import COLUMN, PAGE, check_axes, check_picture, checked_axes, new_figure, rendered

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "chain_figure",
    "check_panels",
    "convergence_figure",
    "laws_figure",
    "matrices_figure",
    "write_chain",
    "write_matrices",
]

FILL, INK, LAW, OLD = "#c6d3e1", "#262626", "#08306b", "#b5490b"
"""Histograms, the spectrum of attention, its law, and the Marchenko-Pastur law: dark lines on light, and the last one
dashed.
"""

STYLES = (("#9ecae1", "-"), ("#4292c6", "--"), ("#08306b", "-."), ("#b5490b", ":"))
"""Of several curves: colours, and lines that differ without them."""

SIZE, BOX = (COLUMN, 2.3), (0.14, 0.19, 0.83, 0.77)
"""Of a figure of one law or one spectrum: width and height in inches, and where its axes are."""

BINS = 60

POINTS = 600
"""Of a curve."""

PANELS_IN_A_ROW, MOST_PANELS = 4, 16
"""Of a picture of several matrices: what is legible on a page."""

DROPPED = 3
"""How many of the largest values of each draw pictures leave out, as HCK's do."""

LOWEST, TALLEST = 1e-3, 4.0
"""Ends of the axes of densities, in parts of the mean's inverse: logarithmic, since densities explode at zero, and laws
differ most near the edge.
"""

SMALL, TINY = 7, 6
"""Sizes of letters."""


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
    end = verbs.edge(law) * 1.08
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
    return 1.04 * min(max(largest, verbs.edge(reports[0].law)), 2 * verbs.edge(reports[0].law))


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


def matrices_figure(reports: Sequence[SpectrumReport]) -> Figure:
    """Return the spectra of given attention matrices, a panel for each: the histogram without the three largest values,
    and the two laws.

    Raises
    ------
    InvalidArgument
        If there are no reports, or more than sixteen.
    MissingExtra
        If matplotlib is not installed.
    """
    check_panels(len(reports))
    columns = min(len(reports), PANELS_IN_A_ROW)
    rows = -(-len(reports) // columns)
    figure = new_figure(COLUMN if columns == 1 else PAGE, 0.4 + 1.9 * rows)
    axes = figure.subplots(rows, columns, squeeze=False)
    height = 0.4 + 1.9 * rows
    figure.subplots_adjust(
        left=0.45 / figure.get_figwidth(),
        right=0.98,
        top=1 - 0.5 / height,
        bottom=0.4 / height,
        wspace=0.28,
        hspace=0.5,
    )
    for number, (ax, report) in enumerate(zip(axes.flat, reports, strict=False), start=1):
        verbs.draw(report, ax=ax)
        ax.get_legend().remove()
        ax.set_title(rf"{number}: $\beta = {report.ensemble.beta:.3g}$", fontsize=SMALL)
        ax.set(
            xlabel="squared singular value" if number > len(reports) - columns else None,
            ylabel="density" if (number - 1) % columns == 0 else None,
        )
    for ax in list(axes.flat)[len(reports) :]:
        ax.remove()
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper center", ncols=3, fontsize=SMALL, frameon=False, borderaxespad=0.1)
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


def laws_figure(betas: Sequence[float], ratios: Sequence[float]) -> Figure:
    """Return the densities of `AttentionLaw` beside that of the Marchenko-Pastur law, all of mean 1: a panel for each
    ratio, a curve for each beta.

    Raises
    ------
    InvalidArgument
        If there are more curves than can be told apart, or no panel.
    MissingExtra
        If matplotlib is not installed.
    """
    if not 0 < len(betas) < len(STYLES) + 1 or not ratios:
        raise InvalidArgument(
            "betas", f"{len(betas)} numbers, with {len(ratios)} ratios", f"at most {len(STYLES)}, and some ratio"
        )
    figure = new_figure(PAGE, 2.4)
    axes = figure.subplots(1, len(ratios), sharey=True, squeeze=False)[0]
    figure.subplots_adjust(left=0.07, right=0.99, top=0.8, bottom=0.17, wspace=0.08)
    old = MarchenkoPastur(1.0)
    for ax, ratio in zip(axes, ratios, strict=True):
        end = 1.05 * max(verbs.edge(AttentionLaw(beta, ratio)) / mean_of(AttentionLaw(beta, ratio)) for beta in betas)
        for beta, (colour, line) in zip(betas, STYLES, strict=False):
            law = AttentionLaw(beta, ratio)
            x, density = curve(law, end * law.mean)
            ax.plot(
                x / law.mean,
                density * law.mean,
                color=colour,
                linestyle=line,
                linewidth=1.2,
                label=rf"$\beta = {beta:g}$",
            )
        ax.plot(*curve(old, end), color=INK, linewidth=0.6, label="Marchenko-Pastur")
        label_axes(ax, 1.0, end)
        ax.set(xlabel="squared singular value / mean", ylabel="density" if ax is axes[0] else None)
        ax.set_title(f"$l\\,/\\,d_{{qk}} = {ratio:.3g}$", fontsize=SMALL + 1)
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(
        handles, labels, loc="upper center", ncols=len(handles), fontsize=SMALL, frameon=False, borderaxespad=0.1
    )
    return figure


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


def check_panels(count: int) -> None:
    """Raise `InvalidArgument` unless so many panels fit on a page."""
    if not 0 < count <= MOST_PANELS:
        raise InvalidArgument(
            "reports", f"of {count} matrices", f"of at most {MOST_PANELS} for a picture, and of one at least"
        )


def write_chain(reports: Sequence[SpectrumReport], path: str | os.PathLike[str]) -> None:
    """Write `chain_figure` to a file, in the format that its suffix names: svg, pdf or png; errors as in
    `check_picture`.
    """
    write_atomically(path, rendered(chain_figure(reports), check_picture(path)))


def write_matrices(reports: Sequence[SpectrumReport], path: str | os.PathLike[str]) -> None:
    """Write `matrices_figure` to a file in the same way."""
    write_atomically(path, rendered(matrices_figure(reports), check_picture(path)))
