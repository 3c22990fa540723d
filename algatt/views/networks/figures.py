"""Networks drawn with matplotlib, which is imported when something is drawn: the extra ``plot`` brings it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.parts import parts_of
from algatt.display import printable
from algatt.views.networks.picture import picture
from algatt.views.networks.shapes import RADIUS, Box, Caption, Segment, SumSign
from algatt.views.plotting import check_axes, check_installed, new_figure, render, shown_figure
from algatt.views.scaled import INK, Put, put_picture, put_picture_on_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

QUIET = "#59636e"
"""The colour of words that matter less."""

FILLS = {
    "attention": ("#dce9f7", "#2f6ba8"),
    "feedforward": ("#fde8d3", "#b8630f"),
    "norm": ("#f4f1e4", "#8a8263"),
    "linear": ("#e2f0e1", "#4b8a4a"),
    "other": ("#ffffff", "#6e7781"),
}
"""Fill and edge of the boxes of each kind of layer; their words tell them apart, too."""


@verbs.draw.method
def draw_architecture(arch: Architecture, *, ax: Axes | None = None) -> Axes:
    check_axes(ax)
    if ax is None:
        (ax,) = on_figure(arch, shown_figure).axes
    else:
        put_picture(picture(parts_of(arch), text_width), PUT, ax)
    return ax


def drawing(arch: Architecture) -> Figure:
    """Return `algatt.draw` of a network as a figure of its own, at least as wide as a paper's column."""
    check_installed()
    return on_figure(arch, new_figure)


def on_figure(arch: Architecture, make: Callable[[float, float], Figure]) -> Figure:
    """Return the picture of a network on a new figure."""
    drawn, network = picture(parts_of(arch), text_width), verbs.expression(arch)
    title = f"{network.parameters:,} parameters, {network.tokens} token{'s' * (network.tokens != 1)}"
    return put_picture_on_figure(drawn, title, drawn.left / (drawn.left + drawn.right), PUT, make)


def svg(arch: Architecture) -> str:
    """Return the picture of a network as the text of an svg file, which a notebook shows with ``IPython.display.SVG``.

    Parameters
    ----------
    arch : Architecture
        A `Network`, or what is one by `algatt.expression`.

    Raises
    ------
    InvalidArgument
        If it has too many layers that differ.
    MissingExtra
        If matplotlib is not installed.

    Examples
    --------
    >>> import algatt
    >>> from algatt.layers import Heads, Residual
    >>> from algatt.views.networks import svg
    >>> svg(algatt.Network(Residual(Heads(2)), tokens=3, width=4))[:5]
    '<?xml'
    """
    return render(drawing(arch), "svg").decode()


def text_width(text: str, size: float, bold: bool) -> float:
    """Return the width of a text in points."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(size=size, weight="bold" if bold else "normal")
    shown = printable(text, "\n")  # as `render` writes it
    width, _, _ = text_to_path.get_text_width_height_descent(shown, font, ismath="$" in shown)
    return float(width)


def put_box(box: Box, ax: Axes, scale: float, order: int) -> None:
    """Put a box on axes."""
    from matplotlib.patches import FancyBboxPatch

    fill, edge = FILLS[box.tone]
    style: dict[str, Any] = {"linestyle": (0, (3, 2)), "facecolor": "none"} if box.frame else {"facecolor": fill}
    ax.add_patch(
        FancyBboxPatch(
            (box.left, box.top),
            box.right - box.left,
            box.bottom - box.top,
            boxstyle=f"round,pad=0,rounding_size={4 if box.frame else 3}",
            edgecolor=edge,
            linewidth=0.8 * scale,
            zorder=order,
            clip_on=False,
            **style,
        )
    )


def put_words(words: Caption, ax: Axes, scale: float, order: int) -> None:
    """Put a text on axes."""
    ax.text(
        words.x,
        words.y,
        words.text,
        fontsize=words.size * scale,
        fontweight="bold" if words.bold else "normal",
        color=QUIET if words.quiet else INK,
        ha=words.side,
        va="center_baseline",
        zorder=order,
        parse_math="$" in words.text,
    )


def put_line(line: Segment, ax: Axes, scale: float, order: int) -> None:
    """Put a line on axes, with round corners."""
    from matplotlib.patches import FancyArrowPatch

    style = "-|>,head_length=3.2,head_width=1.5" if line.arrow else "-"
    ax.add_patch(
        FancyArrowPatch(
            path=round_path(line.points),
            arrowstyle=style,
            mutation_scale=scale,
            facecolor=INK if line.arrow else "none",
            edgecolor=INK,
            linewidth=0.8 * scale,
            shrinkA=0,
            shrinkB=0,
            joinstyle="miter",
            capstyle="projecting",
            zorder=order,
            clip_on=False,
        )
    )


def round_path(points: tuple[tuple[float, float], ...], radius: float = 4.0) -> Any:
    """Return a path through points whose corners are round."""
    from matplotlib.path import Path

    vertices, codes = [points[0]], [Path.MOVETO]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        vertices += [towards(corner, before, radius), corner, towards(corner, after, radius)]
        codes += [Path.LINETO, Path.CURVE3, Path.CURVE3]
    return Path([*vertices, points[-1]], [*codes, Path.LINETO])


def towards(start: tuple[float, float], end: tuple[float, float], most: float) -> tuple[float, float]:
    """Return the point at a distance from one point towards another, at most half of the way."""
    (x, y), (u, v) = start, end
    length = max(abs(u - x), abs(v - y))  # the lines are horizontal or vertical
    part = min(0.5, most / length) if length else 0.0
    return x + part * (u - x), y + part * (v - y)


def put_sum(one: SumSign, ax: Axes, scale: float, order: int) -> None:
    """Put the circle of a sum on axes."""
    from matplotlib.patches import Circle

    style: dict[str, Any] = {"linewidth": 0.8 * scale, "zorder": order, "clip_on": False}
    ax.add_patch(Circle((one.x, one.y), RADIUS, facecolor="white", edgecolor=INK, **style))
    reach = 0.55 * RADIUS
    for x, y in ((reach, 0.0), (0.0, reach)):
        ax.plot((one.x - x, one.x + x), (one.y - y, one.y + y), color=INK, linewidth=0.8 * scale, zorder=order + 0.5)


PUT: dict[type, Put] = {
    Box: put_box,
    Caption: put_words,
    Segment: put_line,
    SumSign: put_sum,
}
