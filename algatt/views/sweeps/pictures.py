"""The answers of a sweep drawn with matplotlib, which is imported when something is drawn: the extra ``plot`` brings
it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from algatt.errors import InvalidArgument
from algatt.views.plotting import COLUMN, PAGE, check_axes, checked_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from algatt.sweeps import Row, Sweep
    from algatt.sweeps.expected import Expected

SMALL, TINY = 7, 6
"""Sizes of letters."""

INK = "#262626"

HEIGHT = 2.6
"""Of a figure with curves, in inches."""

BOX, BESIDE = (0.14, 0.15, 0.83, 0.71), (0.14, 0.15, 0.66, 0.71)
"""The axes in it: left, bottom, width and height; and those of several curves, whose legend is beside them."""

MOST_NAMES = 14
"""So many curves have names in the legend; of more, some have."""

LETTERS = 17
"""So many letters of a title are an inch long."""

CURVES = ("#0b1f4b", "#3f97c9", "#7a2e00", "#e6862e")
"""Curves have colours from the first to the last of these, in the order of their sizes, and markers that differ too."""

MARKERS = "osD^vPX*"

CELL, MOST_CELLS = 0.3, 30
"""Inches of a cell of a heat map, and how many cells a side has whose numbers are written."""

LEFT, RIGHT, BOTTOM, TOP = 0.5, 0.15, 0.42, 0.55
"""Inches around a heat map."""


@dataclass(frozen=True)
class PlottedPoint:
    """What is drawn of a row.

    Parameters
    ----------
    sizes : mapping of str to int
        Where.
    value : int or None
        The answer, or the defect; None if there is none.
    proven : bool
        Whether it is proven.
    """

    sizes: Mapping[str, int]
    value: int | None
    proven: bool


def plot_answers(
    rows: Sweep | Iterable[Row],
    x: str | None = None,
    *,
    by: str | None = None,
    defect: bool = False,
    expected: Expected | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the answers of a sweep over a size, such as dimensions, or by how much they miss what is expected.

    Proven answers have filled markers, others open ones.

    Parameters
    ----------
    rows : Sweep or iterable of Row
        Answers of one family to one question.
    x : str, optional
        The size; it can be left out if one of the sizes varies, or if `by` is given and two vary.
    by : str, optional
        Another size, with a curve for each of its values; it can be left out if it is the only other that varies.
    defect : bool, optional
        Whether to draw expected minus true values in place of the true ones.
    expected : str, FittedFormula or callable, optional
        What is expected, as in `algatt.sweeps.expected_value`.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Unless given, a new figure of the width of a paper's column, which is shown as by `algatt.draw`.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    InvalidArgument
        If sizes are named that the rows do not have, several rows would be drawn at one place, there is nothing to
        draw, or `ax` are no axes.
    MissingExtra
        If matplotlib is not installed.

    Examples
    --------
    >>> import tempfile
    >>> import algatt
    >>> family = algatt.sweeps.Family("Lightning((d, d), (a,), 2)", {"d": (2, 3), "a": (1, 2, 3)})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     found = algatt.sweep(family, f"{folder}/runs.sqlite")
    >>> ax = algatt.views.sweeps.plot_answers(found, "a", by="d")
    >>> ax.get_xlabel(), [line.get_label() for line in ax.lines]
    ('a', ['d = 2', 'd = 3'])
    """
    check_axes(ax)
    given = rows_of(rows)
    points = points_of(given, defect, expected)
    x, by = axes_of(points, x, by, {"x": x, "by": by})
    check_apart(points, (x, by), "x and by")
    curves: dict[int | None, list[PlottedPoint]] = {}
    for point in sorted(points, key=lambda point: point.sizes[x]):
        curves.setdefault(None if by is None else point.sizes[by], []).append(point)
    ax = checked_axes(ax, (COLUMN, HEIGHT), BOX if by is None else BESIDE)
    colours, step = ramp(len(curves)), 1 + (len(curves) - 1) // MOST_NAMES
    for number, (size, curve) in enumerate(sorted(curves.items(), key=lambda item: item[0] or 0)):
        drawn = [(point.sizes[x], point.value, point.proven) for point in curve if point.value is not None]
        style: dict[str, Any] = {"color": colours[number], "marker": MARKERS[number % len(MARKERS)], "markersize": 3.2}
        sure = [place for place, (_, _, proven) in enumerate(drawn) if proven]
        label = "_" if by is None or number % step else f"{by} = {size}"
        places, values = [place for place, _, _ in drawn], [value for _, value, _ in drawn]
        ax.plot(places, values, linewidth=1.0, label=label, markevery=sure, markeredgewidth=0.8, **style)
        doubted = [(place, value) for place, value, proven in drawn if not proven]
        if doubted:
            style |= {"linestyle": "none", "markerfacecolor": "white", "markeredgewidth": 0.8, "label": "_"}
            ax.plot(*zip(*doubted, strict=True), **style)
    ax.set_ylabel(ylabel(given, defect), fontsize=SMALL)
    ax.spines[["top", "right"]].set_visible(False)
    finish(ax, x, title(given, points, "open: not proven"))
    if by is not None:
        ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1.02), fontsize=TINY, frameon=False, handlelength=1.8)
    return ax


def plot_heat_map(
    rows: Sweep | Iterable[Row],
    x: str | None = None,
    y: str | None = None,
    *,
    defect: bool = False,
    expected: Expected | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the answers of a sweep over two sizes, a coloured cell for each, or by how much they miss what is expected.

    Cells have their numbers in them where there is room, else there is a scale beside them. Numbers in brackets are not
    proven; a cross stands where there is no answer.

    Parameters
    ----------
    rows : Sweep or iterable of Row
        Answers of one family to one question.
    x, y : str, optional
        The sizes; they can be left out if no others vary.
    defect : bool, optional
        Whether to draw expected minus true values in place of the true ones.
    expected : str, FittedFormula or callable, optional
        What is expected, as in `algatt.sweeps.expected_value`.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Unless given, a new figure, which is shown as by `algatt.draw`.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    InvalidArgument
        If sizes are named that the rows do not have, several rows would be drawn in one cell, there is nothing to draw,
        or `ax` are no axes.
    MissingExtra
        If matplotlib is not installed.

    Examples
    --------
    >>> import tempfile
    >>> import algatt
    >>> family = algatt.sweeps.Family("Lightning((d, d), (a,), 2)", {"d": (2, 3), "a": (1, 2, 3)})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     found = algatt.sweep(family, f"{folder}/runs.sqlite")
    >>> ax = algatt.views.sweeps.plot_heat_map(found, "d", "a")
    >>> [text.get_text() for text in ax.texts]
    ['6', '7', '7', '13', '16', '17']
    """
    check_axes(ax)
    given = rows_of(rows)
    points = points_of(given, defect, expected)
    x, y = axes_of(points, x, y, {"x": x, "y": y})
    if y is None:
        raise InvalidArgument("y", "None, and no other size varies", "a size of the rows")
    check_apart(points, (x, y), "x and y")
    columns, lines = (sorted({point.sizes[name] for point in points}) for name in (x, y))
    width, height, box = heat_map_size(len(columns), len(lines))
    ax = checked_axes(ax, (width, height), box)
    from matplotlib import colormaps

    values = [point.value for point in points if point.value is not None]
    least, most = (min(values), max(values)) if values else (0, 0)
    if not defect:
        chosen, span = colormaps["Blues"], (least - 0.1 * (most - least) - 0.5, most + 0.5)
    elif least >= 0:
        chosen, span = colormaps["Oranges"], (0.0, most + 1.0)
    else:
        chosen, span = colormaps["PuOr_r"], (-float(max(-least, most)), float(max(-least, most)))
    grid: list[list[float]] = [[float("nan")] * len(columns) for _ in lines]
    for point in points:
        if point.value is not None:
            grid[lines.index(point.sizes[y])][columns.index(point.sizes[x])] = point.value
    edges = [[place - 0.5 for place in range(len(sizes) + 1)] for sizes in (columns, lines)]
    mesh = ax.pcolormesh(*edges, grid, cmap=chosen, vmin=span[0], vmax=span[1], edgecolors="white", linewidth=0.4)
    if max(len(columns), len(lines)) <= MOST_CELLS:
        write_cells(ax, points, lambda point: (columns.index(point.sizes[x]), lines.index(point.sizes[y])), mesh)
    else:
        bar = ax.figure.colorbar(mesh, ax=ax, fraction=0.04, pad=0.02)
        bar.ax.tick_params(labelsize=TINY)
        bar.outline.set_visible(False)
    for axis, sizes in ((ax.xaxis, columns), (ax.yaxis, lines)):
        step = 1 + (len(sizes) - 1) // MOST_CELLS
        axis.set_ticks(range(0, len(sizes), step), [str(size) for size in sizes[::step]])
    ax.set_ylabel(y, fontsize=SMALL)
    ax.spines[:].set_visible(False)
    finish(ax, x, [ylabel(given, defect), *title(given, points, "in brackets: not proven")])
    return ax


def write_cells(
    ax: Axes, points: Sequence[PlottedPoint], place: Callable[[PlottedPoint], tuple[int, int]], mesh: Any
) -> None:
    """Write the number of each cell into it, light on dark."""
    for point in points:
        if point.value is None:
            text, colour = "\N{MULTIPLICATION SIGN}", INK
        else:
            red, green, blue, _ = mesh.cmap(mesh.norm(point.value))
            colour = "white" if 0.3 * red + 0.59 * green + 0.11 * blue < 0.5 else INK
            text = str(point.value).replace("-", "\N{MINUS SIGN}")
            text = text if point.proven else f"({text})"
        ax.text(
            *place(point), text, ha="center", va="center", fontsize=TINY if len(text) < 5 else TINY - 1, color=colour
        )


def heat_map_size(columns: int, lines: int) -> tuple[float, float, tuple[float, float, float, float]]:
    """Return the width and height of a figure for a heat map, in inches, and the box of its axes in it."""
    most = PAGE - LEFT - RIGHT
    across, up = max(min(CELL * columns, most), 1.6), max(min(0.8 * CELL * lines, most), 0.6)
    width, height = LEFT + across + RIGHT, BOTTOM + up + TOP
    return width, height, (LEFT / width, BOTTOM / height, across / width, up / height)


def rows_of(rows: Sweep | Iterable[Row]) -> Sequence[Row]:
    """Return the rows to draw, which are of one family, question, seed and version."""
    from algatt.sweeps import Sweep

    given = list(rows.rows if isinstance(rows, Sweep) else rows)
    if not given:
        raise InvalidArgument("rows", "none", "answers of a sweep")
    for name in ("family", "question", "seed", "version"):
        several = sorted({str(getattr(row, name)) for row in given})
        if len(several) > 1:
            raise InvalidArgument("rows", f"of {len(several)} kinds of {name}: {', '.join(several)}", f"of one {name}")
    return given


def points_of(rows: Sequence[Row], defect: bool, expected: Expected | None) -> list[PlottedPoint]:
    """Return what is drawn of rows."""
    from algatt.sweeps import expected_value

    points, known = [], False
    for row in rows:
        value = row.value
        if defect:
            wanted = expected_value(row, expected)
            known = known or wanted is not None
            value = None if wanted is None or value is None else wanted - value
        points.append(PlottedPoint(dict(row.sizes), value, row.status == "proven"))
    if defect and not known:
        raise InvalidArgument("expected", "None, and the rows have no bounds", "a formula in the sizes")
    if all(point.value is None for point in points):
        raise InvalidArgument("rows", "without any answer", "some with one")
    return points


def axes_of(
    points: Sequence[PlottedPoint], first: str | None, second: str | None, given: Mapping[str, str | None]
) -> tuple[str, str | None]:
    """Return the sizes on two axes: those that are named, and those that vary in the place of the others."""
    names = list(points[0].sizes)
    if any(list(point.sizes) != names for point in points) or not names:
        raise InvalidArgument("rows", "of different sizes, or of none", "of one family with names of sizes")
    for argument, name in given.items():
        if name is not None and name not in names:
            raise InvalidArgument(argument, repr(name), f"one of the sizes {', '.join(names)}")
    left = [name for name in names if name not in (first, second)]
    varying = [name for name in left if len({point.sizes[name] for point in points}) > 1]
    if first is None:
        first = (varying or left or names)[0]
        varying = [name for name in varying if name != first]
    if second is None and len(varying) == 1:
        second = varying[0]
    return first, second


def check_apart(points: Sequence[PlottedPoint], shown: Sequence[str | None], arguments: str) -> None:
    """Raise an error if two points would be drawn at one place."""
    places: dict[tuple[int, ...], PlottedPoint] = {}
    for point in points:
        place = tuple(point.sizes[name] for name in shown if name is not None)
        other = places.setdefault(place, point)
        if other is not point:
            where = ", ".join(f"{name} = {point.sizes[name]}" for name in shown if name is not None)
            names = [name for name in point.sizes if point.sizes[name] != other.sizes[name]]
            was = f"several at {where}, of different {', '.join(names)}"
            raise InvalidArgument("rows", was, f"such that {arguments} tell them apart, or chosen by a condition")


def ramp(count: int) -> list[Any]:
    """Return so many colours, from the first to the last of the curves'."""
    from matplotlib.colors import LinearSegmentedColormap

    whole = LinearSegmentedColormap.from_list("curves", CURVES)
    return [whole(place / max(1, count - 1)) for place in range(count)]


def ylabel(rows: Sequence[Row], defect: bool) -> str:
    """Return what is drawn."""
    question = rows[0].question.rpartition(".")[2].replace("_", " ")
    return f"expected minus true {question}" if defect else question


def title(rows: Sequence[Row], points: Sequence[PlottedPoint], doubted: str) -> list[str]:
    """Return the family, the sizes that are the same for all, and what is not proven or has no answer, in parts."""
    same = [name for name in points[0].sizes if len({point.sizes[name] for point in points}) == 1]
    parts = [rows[0].family, *(f"{name} = {points[0].sizes[name]}" for name in same if len(points) > 1)]
    if any(point.value is not None and not point.proven for point in points):
        parts.append(doubted)
    missing = sum(point.value is None for point in points)
    if missing:
        parts.append(f"{missing} without an answer")
    return [part for part in parts if part]


def finish(ax: Axes, x: str, parts: Sequence[str]) -> None:
    """Write what is below and above, in small letters and lines that fit; sizes are integers."""
    from matplotlib.ticker import MaxNLocator

    room = LETTERS * (ax.get_window_extent().width / ax.figure.dpi + 0.3)
    lines = [""]
    for part in parts:
        joined = f"{lines[-1]}, {part}" if lines[-1] else part
        lines[-1:] = [joined] if len(joined) <= room else [*filter(None, lines[-1:]), part]
    ax.set_xlabel(x, fontsize=SMALL, labelpad=2)
    ax.set_title("\n".join(lines), fontsize=SMALL, color=INK)
    ax.tick_params(labelsize=SMALL, length=2.5)
    for axis in (ax.xaxis, ax.yaxis):
        if axis.get_major_locator().__class__.__name__ == "AutoLocator":
            axis.set_major_locator(MaxNLocator(integer=True))
