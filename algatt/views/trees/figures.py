"""The recursion drawn with matplotlib, which is imported when something is drawn: the extra ``plot`` brings it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from algatt import verbs
from algatt.errors import InvalidArgument
from algatt.trees import DirectedGraph
from algatt.views.palette import PALETTE
from algatt.views.plotting import COLUMN, PAGE, check_axes, check_installed, new_figure, render, shown_figure
from algatt.views.trees.picture import check_drawable, picture
from algatt.views.trees.shapes import DOT, DrawnTree, Label, Stroke, columns

if TYPE_CHECKING:
    import networkx as nx
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

POINTS = 72
"""In an inch."""

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
def draw_graph(
    tree: DirectedGraph, *, ax: Axes | None = None, window: int | None = None, colours: Sequence[Any] | None = None
) -> Axes:
    check_axes(ax)
    check_drawable(tree)
    palette = checked_colours(colours)
    if ax is None:
        (ax,) = on_figure(tree, window, palette, shown_figure).axes
    else:
        put(picture(tree, window, points_wide(ax) / columns(tree)), ax, palette)
    return ax


def drawing(tree: nx.DiGraph, window: int | None = None) -> Figure:
    """Return `algatt.draw` of a graph as a figure of its own, of the width of a paper's column up to three layers and
    of its page beyond.
    """
    check_installed()
    check_drawable(tree)
    return on_figure(tree, window, PALETTE, new_figure)


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
    return render(drawing(tree, window), "svg").decode()


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


def on_figure(
    tree: nx.DiGraph,
    window: int | None,
    palette: Sequence[Any],
    make: Callable[[float, float], Figure],
) -> Figure:
    """Return the picture of a graph on a new figure, which it fills up to the title."""
    width = PAGE if tree.graph["kind"] == "tree" and tree.graph["layers"] > 3 else COLUMN
    inner = width - 2 * MARGIN
    drawn = picture(tree, window, POINTS * inner / columns(tree))
    rows = ROW * (drawn.top - drawn.bottom)
    height = rows + TITLE + MARGIN
    figure = make(width, height)
    put(drawn, figure.add_axes((MARGIN / width, MARGIN / height, inner / width, rows / height)), palette)
    return figure


def points_wide(ax: Axes) -> float:
    """Return the width of axes in points."""
    return float(ax.get_window_extent().width * POINTS / ax.figure.dpi)


def put(drawn: DrawnTree, ax: Axes, palette: Sequence[Any]) -> None:
    """Put the parts of a picture on axes."""
    from matplotlib.patches import Rectangle

    ax.set_axis_off()
    ax.set(xlim=(drawn.left, drawn.right), ylim=(drawn.bottom, drawn.top))
    ax.set_title(drawn.title, fontsize=8, color=INK, pad=4)
    for band in drawn.bands:
        ax.add_patch(
            Rectangle(
                (band.left, band.bottom),
                band.right - band.left,
                band.top - band.bottom,
                facecolor=SHADE,
                edgecolor="none",
                zorder=0,
            )
        )
    put_strokes(drawn.strokes, ax, palette)
    for filled, face in ((True, INK), (False, "white")):
        dots = [dot for dot in drawn.dots if dot.filled == filled]
        if dots:
            style: dict[str, Any] = {
                "s": (DOT - RIM) ** 2,
                "facecolor": face,
                "edgecolor": INK,
                "linewidth": RIM,
                "zorder": 3,
            }
            ax.scatter([dot.x for dot in dots], [dot.y for dot in dots], **style)
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
        collection = PathCollection(
            paths, facecolors="none", edgecolors=shades, linewidths=width, linestyles=[dashes], zorder=1
        )
        collection.set_transform(ax.transData)
        ax.add_collection(collection, autolim=False)


def put_label(label: Label, ax: Axes, palette: Sequence[Any]) -> None:
    """Put a formula on axes."""
    colour = colour_of(label.layer, palette)
    box = (
        {"boxstyle": "square,pad=0.15", "facecolor": "white", "edgecolor": colour, "linewidth": 0.8}
        if label.boxed
        else None
    )
    ax.text(
        label.x,
        label.y,
        f"${label.text}$",
        fontsize=label.size,
        color=colour,
        ha="center",
        va="center_baseline",
        bbox=box,
        zorder=4,
    )


def colour_of(layer: int, palette: Sequence[Any]) -> Any:
    """Return the colour of a layer."""
    return palette[(layer - 1) % len(palette)] if layer else INK
