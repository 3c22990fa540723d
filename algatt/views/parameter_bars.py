"""What makes parameters redundant, as bars drawn with matplotlib, which is imported when something is drawn: the extra
``plot`` brings it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from algatt.arguments import instance
from algatt.published import ParameterReport
from algatt.views.plotting import PAGE, check_axes, checked_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHT = 2.6
"""Of the figure, in inches."""

BOX = (0.2, 0.17, 0.75, 0.68)
"""The axes in the figure: left, bottom, width and height."""

DARK, LIGHT = "#08306b", "#e6862e"
"""Of a component, and of all together."""

ROOM = 30.0
"""The axis ends at so many times the longest bar, so that its number has room behind it."""


def plot_parameters(report: ParameterReport, *, ax: Axes | None = None) -> Axes:
    """Draw how many parameters each component makes redundant, on a logarithmic scale, a bar for each.

    Each bar has its number behind it; the last one is all together. What components have in common counts once, and is
    told as a number with a minus and no bar. The title has the model, the share that is redundant, and what is known.

    Parameters
    ----------
    report : ParameterReport
        What `algatt.published.parameters` returns.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Unless given, a new figure of the width of a page, which is shown as by `algatt.draw`.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    InvalidArgument
        If `report` is no such report, or `ax` are no axes.
    MissingExtra
        If matplotlib is not installed.

    Examples
    --------
    >>> import algatt
    >>> config = {"model_type": "llama", "num_hidden_layers": 2, "num_attention_heads": 2, "vocab_size": 90}
    >>> report = algatt.published.parameters(config | {"hidden_size": 8, "intermediate_size": 12})
    >>> ax = algatt.views.plot_parameters(report)
    >>> ax.get_xlabel()
    'redundant parameters'
    """
    check_axes(ax)
    instance("report", report, ParameterReport, "what algatt.published.parameters returns")
    ax = checked_axes(ax, (PAGE, HEIGHT), BOX)
    rows = [*((one.name, one.redundant) for one in report.components), ("together", report.redundant)]
    longest = max(1, *(number for _, number in rows))
    for place, (_, number) in enumerate(rows):
        colour = LIGHT if place == len(rows) - 1 else DARK
        if number > 0:
            ax.barh(place, number, height=0.7, left=0, color=colour)
        text = f"{number:,}".replace("-", "\N{MINUS SIGN}")
        ax.annotate(text, (max(number, 0.5), place), (3, 0), textcoords="offset points", va="center", fontsize=7)
    ax.set_xscale("log")
    ax.set(xlabel="redundant parameters", xlim=(0.5, longest * ROOM), ylim=(len(rows) - 0.4, -0.6))
    ax.set_yticks(range(len(rows)), [name for name, _ in rows], fontsize=7)
    ax.set_title(title(report), fontsize=7)
    ax.tick_params(labelsize=7)
    ax.xaxis.label.set_fontsize(7)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def title(report: ParameterReport) -> str:
    """Return the model, what is redundant of it, and what is known of that."""
    name = report.model or report.model_type
    read = f"read as {report.reading}{'' if report.eps is None else f', eps = {report.eps}'}"
    share = f"{report.redundant:,} of {report.parameters:,} parameters ({100 * report.share:.3g} %) are redundant"
    return f"{name}, {read}\n{share}: proven; that no more are: {report.equality}"
