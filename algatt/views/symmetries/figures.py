"""Symmetries drawn with matplotlib, which is imported when something is drawn: the extra ``plot`` brings it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from algatt import verbs
from algatt.symmetry import SymmetryReport
from algatt.views.networks.figures import put_box, put_words, text_width
from algatt.views.networks.shapes import Box, Caption
from algatt.views.plotting import check_axes, check_installed, new_figure, render, shown_figure
from algatt.views.scaled import Put, put_picture, put_picture_on_figure
from algatt.views.symmetries.picture import Polyline, SpaceDot, symmetry_picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

RADIUS = 1.5
"""Of the dots at which a space meets a tensor."""


@verbs.draw.method
def draw_symmetries(report: SymmetryReport, *, ax: Axes | None = None) -> Axes:
    check_axes(ax)
    if ax is None:
        (ax,) = on_figure(report, shown_figure).axes
    else:
        put_picture(symmetry_picture(report, text_width), PUT, ax)
    return ax


def drawing(report: SymmetryReport) -> Figure:
    """Return `algatt.draw` of symmetries as a figure of its own, at least as wide as a paper's column."""
    check_installed()
    return on_figure(report, new_figure)


def on_figure(report: SymmetryReport, make: Callable[[float, float], Figure]) -> Figure:
    """Return the picture of symmetries on a new figure."""
    count = len(report.families)
    title = f"{count} space{'s' * (count != 1)}, together of dimension {report.dimension}, of {report.parameters:,} "
    return put_picture_on_figure(symmetry_picture(report, text_width), f"{title}parameters", 0.5, PUT, make)


def svg(report: SymmetryReport) -> str:
    """Return the picture of symmetries as the text of an svg file.

    Parameters
    ----------
    report : SymmetryReport
        The symmetries of a network.

    Raises
    ------
    InvalidArgument
        If the network has too many tensors.
    MissingExtra
        If matplotlib is not installed.

    Examples
    --------
    >>> import algatt
    >>> from algatt.layers import Heads, Residual
    >>> from algatt.views.symmetries import svg
    >>> net = algatt.Network(Residual(Heads(2)), tokens=3, width=4)
    >>> svg(algatt.symmetry.SymmetryReport.of(net))[:5]
    '<?xml'
    """
    return render(drawing(report), "svg").decode()


def put_stroke(stroke: Polyline, ax: Axes, scale: float, order: int) -> None:
    """Put a line on axes."""
    xs, ys = zip(*stroke.points, strict=True)
    ax.plot(
        xs, ys, color=stroke.colour, linewidth=stroke.width * scale, zorder=order, clip_on=False, solid_capstyle="round"
    )


def put_dot(dot: SpaceDot, ax: Axes, scale: float, order: int) -> None:
    """Put a dot, or a ring, on axes."""
    from matplotlib.patches import Circle

    fill = dot.colour if dot.full else "white"
    style: dict[str, Any] = {"facecolor": fill, "edgecolor": dot.colour, "linewidth": 0.8 * scale, "clip_on": False}
    ax.add_patch(Circle((dot.x, dot.y), RADIUS, zorder=order, **style))


PUT: dict[type, Put] = {
    Box: put_box,
    Caption: put_words,
    Polyline: put_stroke,
    SpaceDot: put_dot,
}
