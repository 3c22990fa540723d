"""The spectra of given attention matrices, as a figure and as a file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from algatt import verbs
from algatt.errors import InvalidArgument
from algatt.files import write_atomically
from algatt.spectra import SpectrumReport
from algatt.views.plotting import COLUMN, PAGE, check_picture, new_figure, render
from algatt.views.spectra.styles import SMALL

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PANELS_IN_A_ROW, MOST_PANELS = 4, 16
"""Of a picture of several matrices: what is legible on a page."""


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


def check_panels(count: int) -> None:
    """Raise `InvalidArgument` unless so many panels fit on a page."""
    if not 0 < count <= MOST_PANELS:
        raise InvalidArgument(
            "reports", f"of {count} matrices", f"of at most {MOST_PANELS} for a picture, and of one at least"
        )


def write_matrices(reports: Sequence[SpectrumReport], path: str | os.PathLike[str]) -> None:
    """Write `matrices_figure` to a file in the same way."""
    write_atomically(path, render(matrices_figure(reports), check_picture(path)))
