"""The tokens of a run drawn on the sphere with matplotlib."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from algatt import verbs
from algatt.dynamics import Trajectory
from algatt.views.flows.projection import positions
from algatt.views.flows.styles import INK, SIZE
from algatt.views.palette import PALETTE
from algatt.views.plotting import COLUMN, check_axes, checked_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PALE = "#b8c4d6"
"""The colour of paths at their start, and of the sphere's outline."""

ACCENT = "#c0590a"
"""The colour of the last state."""

PIECES, STATES = 8, 65
"""Shades of a path, and the most states on it: a shade for each of many states would make a large file. The states are
at equal distances along the way, not in time: most moving may be in a small part of a run.
"""


def draw_tokens(trajectory: Trajectory, *, ax: Axes | None = None) -> Axes:
    """Draw the paths of tokens on the sphere, in parallel projection: paths darken with time, what is on the far side
    is thin.

    Parameters
    ----------
    trajectory : Trajectory
        Tokens of any dimension; more than three are projected to the principal axes of all states.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Unless given, a new figure, which is shown as by `algatt.draw`.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.
    """
    check_axes(ax)
    points, projection = positions(trajectory)
    radius = max(1.0, float(np.abs(points).max()))
    ax = checked_axes(ax, (COLUMN, COLUMN), (0.02, 0.02, 0.96, 0.9))
    draw_outline(ax, radius)
    draw_paths(ax, points)
    for state, face, edge, label in ((points[0], "white", PALETTE[2], "start"), (points[-1], ACCENT, ACCENT, "end")):
        ax.scatter(state[0], state[1], s=9, facecolor=face, edgecolor=edge, linewidth=0.7, label=label, zorder=4)
    ax.set(xlim=(-1.08 * radius, 1.08 * radius), ylim=(-1.08 * radius, 1.08 * radius), aspect="equal")
    ax.set_axis_off()
    title = f"{points.shape[2]} tokens, t = 0 to {trajectory.times[-1]:.3g}" + (f"\n{projection}" if projection else "")
    ax.set_title(title, fontsize=SIZE + 1, color=INK)
    ax.legend(loc="lower left", fontsize=SIZE, frameon=False, handletextpad=0.1, borderaxespad=0)
    return ax


def draw_outline(ax: Axes, radius: float) -> None:
    """Draw the outline of the sphere with its equator; tokens that left it get a larger one."""
    angles = np.linspace(0, 2 * math.pi, 200)
    ax.plot(radius * np.cos(angles), radius * np.sin(angles), color=PALE, linewidth=0.8, zorder=1)
    ax.plot(radius * np.cos(angles), 0.26 * radius * np.sin(angles), color=PALE, linewidth=0.4, zorder=1)


def draw_grid(ax: Axes, radius: float) -> None:
    """Draw circles of latitude and longitude of the near half of the sphere, and the axes of the view with their
    names.
    """
    turns = np.linspace(-math.pi, math.pi, 121)
    tilt = math.radians(15.0)  # as if seen from a little above, like the equator of the outline
    for latitude in np.radians([-60.0, -30.0, 0.0, 30.0, 60.0]):
        ring = np.stack(
            [np.cos(latitude) * np.sin(turns), np.full_like(turns, np.sin(latitude)), np.cos(latitude) * np.cos(turns)]
        )
        draw_near(ax, radius * ring, tilt)
    for longitude in np.radians(np.arange(0.0, 180.0, 30.0)):
        ring = np.stack([np.cos(turns) * np.sin(longitude), np.sin(turns), np.cos(turns) * np.cos(longitude)])
        draw_near(ax, radius * ring, tilt)


def draw_near(ax: Axes, ring: np.ndarray, tilt: float) -> None:
    """Draw the part of a circle that is on the near side."""
    x, y, z = ring
    up, front = math.cos(tilt) * y - math.sin(tilt) * z, math.sin(tilt) * y + math.cos(tilt) * z
    near = np.ma.masked_where(front < 0, up)
    ax.plot(np.ma.masked_where(front < 0, x), near, color=PALE, linewidth=0.3, zorder=1)


def draw_paths(ax: Axes, points: np.ndarray) -> None:
    """Draw the paths in pieces, darker with time, thin on the far side."""
    from matplotlib.collections import LineCollection
    from matplotlib.colors import LinearSegmentedColormap

    colours = LinearSegmentedColormap.from_list("time", [PALE, PALETTE[2], PALETTE[0]])
    way = np.cumsum([0, *np.linalg.norm(np.diff(points, axis=0), axis=1).max(axis=1)])
    points = points[np.unique([*np.searchsorted(way, np.linspace(0, way[-1], STATES)), len(points) - 1])]
    ends = np.unique(np.linspace(0, len(points) - 1, PIECES + 1).round().astype(int))
    for number, (first, last) in enumerate(pairwise(ends)):
        piece = points[first : last + 1]
        widths = np.select([piece[:, 2].mean(axis=0) >= 0], [0.9], 0.3)
        lines = np.moveaxis(piece[:, :2], 2, 0)
        ax.add_collection(LineCollection(list(lines), colors=[colours(number / PIECES)], linewidths=widths, zorder=2))


@verbs.draw.method
def draw_trajectory(trajectory: Trajectory, *, ax: Axes | None = None) -> Axes:
    """The run of a flow: its tokens on the sphere."""
    return draw_tokens(trajectory, ax=ax)
