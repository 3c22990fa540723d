"""The recursion drawn with matplotlib, which is imported when something is drawn: ``pip install 'algatt[plot]'``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from algatt import verbs
from algatt.errors import InvalidArgument
from algatt.trees import DirectedGraph
from algatt.views.plotting import COLUMN, PAGE, check_installed, new_figure, rendered
from algatt.views.tree_picture import DOT, PALETTE, Label, Picture, Stroke, check_drawable, columns, picture

if TYPE_CHECKING:
    import networkx as nx
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["drawing", "svg"]

ROW = 0.36
"""Height of a layer in inches."""

MARGIN = 0.05
"""Inches between a picture and the edge of its figure."""

TITLE = 0.28
"""Inches for the title."""

RIM = 0.5
"""Points of the line around a dot."""

INK = "#262626"
"""The colour of what belongs to no layer."""

SHADE = "#f3ecd8"
"""The colour behind a window, light enough for every label."""


@verbs.draw.method
def draw_graph(tree: DirectedGraph, *, ax: Axes | None = None, window: int | None = None, colours: Sequence[Any] | None = None) -> Axes:
    check_installed()
    check_drawable(tree)
    check_axes(ax)
    palette = checked_colours(colours)
    if ax is not None:
        put(picture(tree, window, points_wide(ax) / columns(tree)), ax, palette)
        return ax
    figure = empty_figure(tree)
    (ax,) = figure.axes
    drawn = picture(tree, window, points_wide(ax) / columns(tree))
    fit(figure, ax, drawn)
    put(drawn, ax, palette)
    return ax


def drawing(tree: nx.DiGraph, window: int | None = None) -> Figure:
    """Return `algatt.draw` of a graph as a figure of its own, of the width of a paper's column up to three layers and of its page beyond."""
    return verbs.draw(tree, window=window).figure


def svg(tree: nx.DiGraph, *, window: int | None = None) -> str:
    """Return the picture of a graph as the text of an svg file, which a notebook shows with ``IPython.display.SVG``.

    Parameters
    ----------
    tree : networkx.DiGraph
        A graph made by `algatt.unroll`: a tree of at most six layers, or any dag.
    window : int, optional
        The slot whose reflection is highlighted.

    Raises
    ------
    InvalidArgument
        If the tree has too many layers, or the slot has no reflection.
    MissingExtra
        If matplotlib is not installed.

    Examples
    --------
    >>> import algatt
    >>> from algatt.views.trees import svg
    >>> svg(algatt.unroll(2))[:5]
    '<?xml'
    """
    return rendered(drawing(tree, window), "svg").decode()


def check_axes(ax: Any) -> None:
    """Raise `InvalidArgument` unless there are none or they are axes of matplotlib."""
    from matplotlib.axes import Axes

    if ax is not None and not isinstance(ax, Axes):
        raise InvalidArgument("ax", repr(ax), "axes of matplotlib")


def checked_colours(colours: Sequence[Any] | None) -> tuple[Any, ...]:
    """Return the colours of the layers, or raise `InvalidArgument` if one of them is none."""
    from matplotlib.colors import is_color_like

    if colours is None:
        return PALETTE
    if not isinstance(colours, Iterable):
        raise InvalidArgument("colours", repr(colours), "a sequence of colours")
    given = (colours,) if isinstance(colours, str) else tuple(colours)
    for number, colour in enumerate(given):
        if not is_color_like(colour):
            raise InvalidArgument(f"colours[{number}]", repr(colour), "a colour that matplotlib knows")
    if not given:
        raise InvalidArgument("colours", "empty", "at least one colour")
    return given


def empty_figure(tree: nx.DiGraph) -> Figure:
    """Return a figure with axes, both of the width that a graph asks for; their height is set when the picture is known."""
    width = PAGE if tree.graph["kind"] == "tree" and tree.graph["layers"] > 3 else COLUMN
    figure = new_figure(width, 1.0)
    figure.add_axes((MARGIN / width, 0, 1 - 2 * MARGIN / width, 1))
    return figure


def fit(figure: Figure, ax: Axes, drawn: Picture) -> None:
    """Give a figure the height of its picture, and let the axes fill it up to the title."""
    width, inner = figure.get_figwidth(), ROW * (drawn.top - drawn.bottom)
    height = inner + TITLE + MARGIN
    figure.set_size_inches(width, height)
    ax.set_position((MARGIN / width, MARGIN / height, 1 - 2 * MARGIN / width, inner / height))


def points_wide(ax: Axes) -> float:
    """Return the width of axes in points."""
    return float(ax.get_window_extent().width * 72 / ax.figure.dpi)


def put(drawn: Picture, ax: Axes, palette: Sequence[Any]) -> None:
    """Put the parts of a picture on axes."""
    from matplotlib.patches import Rectangle

    ax.set_axis_off()
    ax.set(xlim=(drawn.left, drawn.right), ylim=(drawn.bottom, drawn.top))
    ax.set_title(drawn.title, fontsize=8, color=INK, pad=4)
    for band in drawn.bands:
        ax.add_patch(Rectangle((band.left, band.bottom), band.right - band.left, band.top - band.bottom, facecolor=SHADE, edgecolor="none", zorder=0))
    put_strokes(drawn.strokes, ax, palette)
    for filled, face in ((True, INK), (False, "white")):
        dots = [dot for dot in drawn.dots if dot.filled == filled]
        if dots:
            size = (DOT - RIM) ** 2
            ax.scatter([dot.x for dot in dots], [dot.y for dot in dots], s=size, facecolor=face, edgecolor=INK, linewidth=RIM, zorder=3)
    for label in drawn.labels:
        put_label(label, ax, palette)


def put_strokes(strokes: Sequence[Stroke], ax: Axes, palette: Sequence[Any]) -> None:
    """Put lines on axes, all of one style together: a tree may have thousands."""
    from matplotlib.collections import PathCollection
    from matplotlib.path import Path

    for dotted in (True, False):
        chosen = [stroke for stroke in strokes if stroke.dotted == dotted]
        if not chosen:
            continue
        curve = [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4]
        paths = [Path(list(stroke.points), curve if stroke.curved else None) for stroke in chosen]
        width, dashes = (0.5, (0, (1, 2))) if dotted else (0.8, "solid")
        shades = [colour_of(stroke.layer, palette) for stroke in chosen]
        collection = PathCollection(paths, facecolors="none", edgecolors=shades, linewidths=width, linestyles=[dashes], zorder=1)
        collection.set_transform(ax.transData)
        ax.add_collection(collection, autolim=False)


def put_label(label: Label, ax: Axes, palette: Sequence[Any]) -> None:
    """Put a formula on axes."""
    colour = colour_of(label.layer, palette)
    box = {"boxstyle": "square,pad=0.15", "facecolor": "white", "edgecolor": colour, "linewidth": 0.8} if label.boxed else None
    ax.text(label.x, label.y, f"${label.text}$", fontsize=label.size, color=colour, ha="center", va="center_baseline", bbox=box, zorder=4)


def colour_of(layer: int, palette: Sequence[Any]) -> Any:
    """Return the colour of a layer."""
    return palette[(layer - 1) % len(palette)] if layer else INK
