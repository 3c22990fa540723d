"""The laws of attention beside the Marchenko-Pastur law, as a figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from algatt.errors import InvalidArgument
from algatt.spectra import AttentionLaw, MarchenkoPastur
from algatt.spectra.laws import edge
from algatt.views.plotting import PAGE, new_figure
from algatt.views.spectra.densities import curve, label_axes, mean_of
from algatt.views.spectra.styles import INK, SMALL, STYLES

if TYPE_CHECKING:
    from matplotlib.figure import Figure


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
        end = 1.05 * max(edge(AttentionLaw(beta, ratio)) / mean_of(AttentionLaw(beta, ratio)) for beta in betas)
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
