"""A run of a flow as a film: the tokens as they move, and a line through the panels over time."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from algatt.dynamics import Trajectory
from algatt.errors import InvalidArgument
from algatt.views.flows.over_time import check_heads
from algatt.views.flows.projection import evenly, positions
from algatt.views.flows.run import HEIGHT, add_panels, share_legend
from algatt.views.flows.styles import INK, SIZE
from algatt.views.flows.tokens import ACCENT, PALE, draw_grid, draw_outline
from algatt.views.palette import PALETTE
from algatt.views.plotting import PAGE, RENDERING, check_installed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FILMS = {"gif": "pillow", "mp4": "ffmpeg"}
"""The formats of films, with the writers of matplotlib that make them."""

THEMES = ("light", "dark")

FRAMES, PER_SECOND = 120, 20
"""The most frames of a film, and how many of them make a second."""

TRAIL = 12
"""Frames that the path behind a token lasts."""

DOTS = 120
"""Dots per inch of films, whose pages are seven inches wide: an even number of them, as videos need."""

DARK = {
    INK: "#e9ecf0",
    "black": "#e9ecf0",
    "white": "#15181c",
    PALE: "#4d5866",
    ACCENT: "#ef9a48",
    **dict(zip(PALETTE, ("#b9d2ff", "#ffc793", "#7fb2ee", "#ef9a48", "#4f94cf", "#c97a1c"), strict=True)),
}
"""The colours on a dark ground in place of those on a light one, as the html page has them."""


def check_writer(kind: str) -> None:
    """Raise an error unless matplotlib can make films of a kind here.

    Raises
    ------
    InvalidArgument
        If the program that makes them is not installed.
    MissingExtra
        If matplotlib is not installed.
    """
    check_installed()
    from matplotlib.animation import writers

    if not writers.is_available(FILMS[kind]):
        others = [name for name, writer in FILMS.items() if writers.is_available(writer)]
        should = f"{' or '.join([*others, 'html'])}, or {FILMS[kind]} installed, a program of its own"
        raise InvalidArgument("format", f"{kind}, which {FILMS[kind]} makes, and that is not installed", should)


def film(trajectory: Trajectory, kind: str = "gif", *, theme: str = "light") -> bytes:
    """Return a run as a film: the tokens on the sphere, beside what `run_figure` draws over time.

    Parameters
    ----------
    trajectory : Trajectory
        Of at most eight heads. A film has at most 120 of its states, evenly chosen, each for a twentieth of a second.
    kind : {"gif", "mp4"}, optional
        The format; mp4 needs the program ffmpeg.
    theme : {"light", "dark"}, optional
        The ground.

    Returns
    -------
    bytes
        The content of the file.

    Raises
    ------
    InvalidArgument
        If there are too many heads, or the format, its program or the theme is not there.
    MissingExtra
        If matplotlib is not installed.
    """
    if kind not in FILMS:
        raise InvalidArgument("kind", repr(kind), f"one of {', '.join(FILMS)}")
    if theme not in THEMES:
        raise InvalidArgument("theme", repr(theme), f"one of {', '.join(THEMES)}")
    check_heads(trajectory.flow)
    check_writer(kind)
    from matplotlib.animation import writers

    make: Any = writers[FILMS[kind]]
    steady = ["-fflags", "+bitexact", "-flags:v", "+bitexact", "-pix_fmt", "yuv420p"]  # no date, and no version
    writer = make(fps=PER_SECOND, extra_args=steady) if kind == "mp4" else make(fps=PER_SECOND)
    with tempfile.TemporaryDirectory() as folder, RENDERING:
        path = Path(folder) / f"film.{kind}"
        figure, draw, frames = film_figure(trajectory, theme)
        with writer.saving(figure, path, figure.dpi):
            for frame in range(frames):
                draw(frame)
                writer.grab_frame()
        return path.read_bytes()


def film_figure(trajectory: Trajectory, theme: str) -> tuple[Figure, Callable[[int], None], int]:
    """Return the figure of a film, the function that moves what moves to one of its frames, and how many there are."""
    from matplotlib.collections import LineCollection
    from matplotlib.colors import to_rgba_array

    from algatt.views.flows.moving import MovingFigure

    colours = {colour: DARK[colour] if theme == "dark" else colour for colour in DARK}
    points, projection = positions(trajectory)
    chosen = evenly(len(points), FRAMES)
    points, times = points[chosen], trajectory.times[chosen]
    figure = MovingFigure(figsize=(PAGE, HEIGHT), dpi=DOTS)
    ax, panels = add_panels(figure, trajectory)
    share_legend(figure, panels)
    radius = prepared(ax, points)
    if theme == "dark":
        darken(figure)
    trails = LineCollection([], colors=colours[PALETTE[2]], linewidths=0.7, alpha=0.6, zorder=2)
    ax.add_collection(trails)
    dots = ax.scatter(points[0, 0], points[0, 1], s=14, edgecolor="none", zorder=4)
    title = ax.set_title("", fontsize=SIZE + 1, color=colours[INK])
    lines = [panel.axvline(0.0, color=colours[INK], linewidth=0.7) for panel in panels]
    figure.moving = [trails, dots, title, *lines]
    faces = np.repeat(to_rgba_array(colours[ACCENT]), points.shape[2], axis=0)
    below = f"\n{projection}" if projection else ""

    def draw(frame: int) -> None:
        state = points[frame]
        order = np.argsort(state[2])
        depth = np.clip(0.5 + 0.5 * state[2] / radius, 0.0, 1.0)[order]
        faces[:, 3] = 0.35 + 0.65 * depth
        dots.set(offsets=state[:2, order].T, sizes=8.0 + 10.0 * depth, facecolor=faces)
        trails.set_segments(list(np.moveaxis(points[max(0, frame - TRAIL) : frame + 1, :2], 2, 0)))
        for line in lines:
            line.set_xdata([times[frame]] * 2)
        title.set_text(f"{state.shape[1]} tokens, t = {times[frame]:.4g}{below}")

    return figure, draw, len(points)


def prepared(ax: Axes, points: np.ndarray) -> float:
    """Draw the sphere with its grid and axes, and return its radius."""
    radius = max(1.0, float(np.abs(points).max()))
    draw_outline(ax, radius)
    draw_grid(ax, radius)
    ax.set(xlim=(-1.08 * radius, 1.08 * radius), ylim=(-1.08 * radius, 1.08 * radius), aspect="equal")
    ax.set_axis_off()
    return radius


def darken(figure: Figure) -> None:
    """Change all colours of a figure to those on a dark ground."""
    from matplotlib.collections import Collection
    from matplotlib.colors import to_hex
    from matplotlib.patches import Patch

    dark = {to_hex(light): colour for light, colour in DARK.items()}

    def darker(colour: Any) -> str:
        return dark.get(to_hex(colour), to_hex(colour))

    for artist in figure.findobj():
        parts: Any = artist
        if isinstance(artist, Patch):
            for name in ("facecolor", "edgecolor"):
                red, green, blue, alpha = getattr(parts, f"get_{name}")()
                if alpha > 0:
                    getattr(parts, f"set_{name}")(darker((red, green, blue)))
        elif isinstance(artist, Collection):
            for name in ("facecolor", "edgecolor"):
                colours = getattr(parts, f"get_{name}")()
                if len(colours):
                    getattr(parts, f"set_{name}")([darker(colour) for colour in colours])
        elif hasattr(artist, "get_color"):
            parts.set_color(darker(parts.get_color()))
    for ax in figure.axes:
        ax.tick_params(colors=DARK[INK])
