"""Runs of a flow drawn with matplotlib: tokens on the sphere, energies, radial shadows, margins and entropies."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from algatt import verbs
from algatt.dynamics import (
    Flow,
    Trajectory,
)
from algatt.errors import InvalidArgument
from algatt.views.plotting import COLUMN, PAGE, check_axes, checked_axes, new_figure
from algatt.views.tree_picture import PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "BOX",
    "INK",
    "SIZE",
    "check_heads",
    "draw_dominance",
    "draw_energies",
    "draw_entropies",
    "draw_shadows",
    "draw_tokens",
    "positions",
    "run_figure",
]

INK = "#262626"
"""The colour of what belongs to no head."""

PALE = "#b8c4d6"
"""The colour of paths at their start, and of the sphere's outline."""

ACCENT = "#c0590a"
"""The colour of the last state."""

DASHES = ("-", "--", "-.", ":")
"""Line styles of the heads in turn, so that they differ without colours."""

PIECES, STATES = 8, 65
"""Shades of a path, and the most states on it: a shade for each of many states would make a large file."""

ORDER = (2, 3, 0, 5, 4, 1)
"""The colours of the palette that the heads take in turn: blue and orange first."""

ROUNDING = 1e-9
"""Up to this, relative to the square of the shadows, a margin of dominance is the error of a run."""

MOST_HEADS = 8
"""With more heads than this a legend has no room, and lines are not told apart."""

SIZE = 7
"""Size of labels in points."""

BOX = (0.17, 0.19, 0.79, 0.7)
"""Axes over time in a figure of their own, with room for labels: left, bottom, width and height."""


def positions(trajectory: Trajectory) -> tuple[np.ndarray, str]:
    """Return the states as points of space, of shape (T, 3, n), seen from in front of where the tokens end, and how
    they were projected.

    Tokens of more than three dimensions are projected to the three principal axes of all states; fewer dimensions are
    filled up with zeros. The third coordinate points to the viewer.
    """
    states = trajectory.states
    T, d, n = states.shape
    if d > 3:
        from scipy.linalg import eigh

        everything = np.moveaxis(states, 1, 0).reshape(d, T * n)
        _, axes = eigh(
            everything @ everything.T, subset_by_index=(d - 3, d - 1)
        )  # in thousands of dimensions three are much faster than all
        return turned(axes[:, ::-1].T @ states), f"3 principal axes of {d} dimensions"
    if d < 3:
        return np.concatenate([states, np.zeros((T, 3 - d, n))], axis=1), ""
    return turned(states), ""


def turned(points: np.ndarray) -> np.ndarray:
    """Return points of space turned so that the mean of the last state is in front, to the right and above of the
    middle.
    """
    mean = points[-1].mean(axis=1)
    size = np.linalg.norm(mean)
    front = mean / size if size > 1e-6 else np.array([1.0, 0.0, 0.0])
    helper = np.eye(3)[int(np.abs(front).argmin())]
    right = np.cross(helper, front)
    right /= np.linalg.norm(right)
    up = np.cross(front, right)
    a, b = math.radians(20.0), math.radians(15.0)
    tilt = np.array([[math.cos(a), 0, math.sin(a)], [0, 1, 0], [-math.sin(a), 0, math.cos(a)]])
    tilt = np.array([[1, 0, 0], [0, math.cos(b), math.sin(b)], [0, -math.sin(b), math.cos(b)]]) @ tilt
    return tilt @ np.stack([right, up, front]) @ points


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


def draw_paths(ax: Axes, points: np.ndarray) -> None:
    """Draw the paths in pieces, darker with time, thin on the far side."""
    from matplotlib.collections import LineCollection
    from matplotlib.colors import LinearSegmentedColormap

    colours = LinearSegmentedColormap.from_list("time", [PALE, PALETTE[2], PALETTE[0]])
    points = points[np.unique(np.linspace(0, len(points) - 1, min(STATES, len(points))).round().astype(int))]
    ends = np.unique(np.linspace(0, len(points) - 1, PIECES + 1).round().astype(int))
    for number, (first, last) in enumerate(pairwise(ends)):
        piece = points[first : last + 1]
        widths = np.select([piece[:, 2].mean(axis=0) >= 0], [0.9], 0.3)
        lines = np.moveaxis(piece[:, :2], 2, 0)
        ax.add_collection(LineCollection(list(lines), colors=[colours(number / PIECES)], linewidths=widths, zorder=2))


def check_heads(flow: Flow) -> int:
    """Return the number of heads, or raise `InvalidArgument` if there are too many to be told apart."""
    heads = len(flow.heads)
    if heads > MOST_HEADS:
        raise InvalidArgument(
            "flow", f"of {heads} heads", f"of at most {MOST_HEADS} heads for a picture, whose lines can be told apart"
        )
    return heads


def head_lines(trajectory: Trajectory) -> Iterator[tuple[int, dict[str, Any]]]:
    """Iterate over the heads with the style of their lines."""
    for h in range(check_heads(trajectory.flow)):
        yield h, {"color": PALETTE[ORDER[h % len(ORDER)]], "linestyle": DASHES[h % len(DASHES)], "linewidth": 1.1}


def axes_over_time(ax: Axes | None, trajectory: Trajectory) -> Axes:
    """Return axes for lines of all heads, or raise `InvalidArgument` if there are too many of these."""
    check_heads(trajectory.flow)
    return checked_axes(ax, (COLUMN, 2.0), BOX)


def finish(ax: Axes, trajectory: Trajectory, title: str) -> Axes:
    """Put the labels on axes over time, and the legend beside the lines where there is most room."""
    ax.set_title(title, fontsize=SIZE + 1, color=INK)
    ax.set_xlabel("$t$", fontsize=SIZE, labelpad=1)
    ax.locator_params(axis="x", nbins=4)
    ax.tick_params(labelsize=SIZE)
    ax.yaxis.get_offset_text().set_fontsize(SIZE)
    ax.set_xlim(0, float(trajectory.times[-1]) or 1.0)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(fontsize=SIZE - 0.5, frameon=False, handlelength=2.2, labelspacing=0.2)
    return ax


def draw_energies(trajectory: Trajectory, *, ax: Axes | None = None) -> Axes:
    """Draw the energy of each head and the total over time; arguments and errors as for `draw_tokens`, with at most
    eight heads.
    """
    ax = axes_over_time(ax, trajectory)
    for h, style in head_lines(trajectory):
        ax.plot(trajectory.times, trajectory.energies[:, h], label=f"$E_{{{h + 1}}}$", **style)
    if len(trajectory.flow.heads) > 1:
        ax.plot(trajectory.times, trajectory.total_energies, color=INK, linewidth=1.6, label="total")
    return finish(ax, trajectory, "energy")


def draw_shadows(trajectory: Trajectory, *, ax: Axes | None = None) -> Axes:
    """Draw the mean radial shadow of each head over time, in a band from the least to the largest; arguments as for
    `draw_energies`.
    """
    ax = axes_over_time(ax, trajectory)
    for h, style in head_lines(trajectory):
        shadows = trajectory.shadows[:, h]
        ax.fill_between(
            trajectory.times, shadows.min(axis=1), shadows.max(axis=1), color=style["color"], alpha=0.15, linewidth=0
        )
        ax.plot(trajectory.times, shadows.mean(axis=1), label=f"$s^{{{h + 1}}}$", **style)
    return finish(ax, trajectory, "radial shadow")


def draw_entropies(trajectory: Trajectory, *, ax: Axes | None = None) -> Axes:
    """Draw the mean entropy of attention of each head over time, and its limit ln n; arguments as for
    `draw_energies`.
    """
    ax = axes_over_time(ax, trajectory)
    for h, style in head_lines(trajectory):
        ax.plot(trajectory.times, trajectory.entropies[:, h].mean(axis=1), label=f"$S^{{{h + 1}}}$", **style)
    ax.axhline(math.log(trajectory.states.shape[2]), color=INK, linewidth=0.6, linestyle=":", label=r"$\ln n$")
    return finish(ax, trajectory, "entropy of attention")


def draw_dominance(trajectory: Trajectory, *, ax: Axes | None = None) -> Axes:
    """Draw for each head the share of tokens at which it is radially dominant over time; arguments as for
    `draw_energies`.

    Tokens whose margin is zero up to the errors of a run are not counted, and where none is left the line ends: at rest
    floats cannot decide.
    """
    ax = axes_over_time(ax, trajectory)
    with np.errstate(over="ignore"):  # margins are no numbers then
        errors = ROUNDING * np.square(np.abs(trajectory.shadows).sum(axis=1))
    for h, style in head_lines(trajectory):
        margins = trajectory.margins[:, h]
        decided, dominant = (np.abs(margins) > errors).sum(axis=1), (margins > errors).sum(axis=1)
        shares = np.divide(dominant, decided, out=np.full(len(decided), np.nan), where=decided > 0)
        ax.plot(trajectory.times, shares, label=f"head {h + 1}", **style)
    ax.set_ylim(-0.03, 1.03)
    return finish(ax, trajectory, "share of dominant tokens")


def run_figure(trajectory: Trajectory) -> Figure:
    """Return a figure of a run, as wide as a page: the tokens, and energies, shadows, dominance and entropies over
    time.
    """
    check_heads(trajectory.flow)
    figure = new_figure(PAGE, 3.7)
    draw_tokens(trajectory, ax=figure.add_axes((0.01, 0.09, 0.41, 0.8)))
    places = ((0.475, 0.65), (0.77, 0.65), (0.475, 0.2), (0.77, 0.2))
    draws: Sequence[Callable[..., Axes]] = (draw_energies, draw_shadows, draw_dominance, draw_entropies)
    panels = [
        draw(trajectory, ax=figure.add_axes((*place, 0.2, 0.28))) for draw, place in zip(draws, places, strict=True)
    ]
    share_legend(figure, panels)
    return figure


def share_legend(figure: Figure, panels: Sequence[Axes]) -> None:
    """Replace the legends of panels by one below them: the heads, the total energy and the limit of the entropy."""
    energies, _, dominance, entropies = panels
    handles, labels = dominance.get_legend_handles_labels()
    for panel, extra, name in ((energies, "total", "total energy"), (entropies, r"$\ln n$", r"$\ln n$")):
        for handle, label in zip(*panel.get_legend_handles_labels(), strict=True):
            if label == extra:
                handles.append(handle)
                labels.append(name)
    for panel in panels:
        legend = panel.get_legend()
        if legend is not None:
            legend.remove()
    columns = min(len(labels), 5)
    figure.legend(
        handles,
        labels,
        loc="lower center",
        bbox_to_anchor=(0.735, 0.0),
        ncols=columns,
        fontsize=SIZE,
        frameon=False,
        columnspacing=1.2,
    )


@verbs.draw.method
def draw_trajectory(trajectory: Trajectory, *, ax: Axes | None = None) -> Axes:
    """The run of a flow: its tokens on the sphere."""
    return draw_tokens(trajectory, ax=ax)
