"""Lines over the time of a run, one for each head: energies, radial shadows, margins and entropies."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from algatt.dynamics import Flow, Trajectory, clusters
from algatt.errors import InvalidArgument
from algatt.views.flows.styles import BOX, INK, SIZE
from algatt.views.palette import PALETTE
from algatt.views.plotting import COLUMN, check_axes, checked_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DASHES = ("-", "--", "-.", ":")
"""Line styles of the heads in turn, so that they differ without colours."""

ORDER = (2, 3, 0, 5, 4, 1)
"""The colours of the palette that the heads take in turn: blue and orange first."""

ROUNDING = 1e-9
"""Up to this, relative to the square of the shadows, a margin of dominance is the error of a run."""

LONG = 1e3
"""A run is long if a tenth of its recorded times are so many times less than its end: its axis of time is
logarithmic.
"""

MOST_HEADS = 8
"""With more heads than this a legend has no room, and lines are not told apart."""


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
    time_axis(ax, trajectory.times)
    ax.tick_params(labelsize=SIZE)
    ax.yaxis.get_offset_text().set_fontsize(SIZE)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(fontsize=SIZE - 0.5, frameon=False, handlelength=2.2, labelspacing=0.2)
    return ax


def is_long(times: np.ndarray) -> bool:
    """Return whether times are best drawn by their logarithms."""
    return bool(times[-1] > LONG * np.quantile(times, 0.1) > 0.0)


def time_axis(ax: Axes, times: np.ndarray) -> None:
    """Set the axis of time, logarithmic in long runs."""
    if not is_long(times):
        ax.locator_params(axis="x", nbins=4)
        ax.set_xlim(0, float(times[-1]) or 1.0)
        return
    from matplotlib.ticker import LogLocator, NullLocator

    ax.set_xscale("log")
    ax.xaxis.set_major_locator(LogLocator(numticks=5))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.set_xlim(float(times[times > 0][0]), float(times[-1]))


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


def dominance_shares(trajectory: Trajectory) -> np.ndarray:
    """Return for each time and head the share of tokens at which it is radially dominant, of those at which floats can
    decide; NaN where there are none.
    """
    with np.errstate(over="ignore"):  # margins are no numbers then
        errors = ROUNDING * np.square(np.abs(trajectory.shadows).sum(axis=1, keepdims=True))
    margins = trajectory.margins
    decided, dominant = (np.abs(margins) > errors).sum(axis=2), (margins > errors).sum(axis=2)
    return np.divide(dominant, decided, out=np.full(decided.shape, np.nan), where=decided > 0)


def draw_dominance(trajectory: Trajectory, *, ax: Axes | None = None) -> Axes:
    """Draw for each head the share of tokens at which it is radially dominant over time; arguments as for
    `draw_energies`.

    Tokens whose margin is zero up to the errors of a run are not counted, and where none is left the line ends: at rest
    floats cannot decide.
    """
    ax = axes_over_time(ax, trajectory)
    shares = dominance_shares(trajectory)
    for h, style in head_lines(trajectory):
        ax.plot(trajectory.times, shares[:, h], label=f"head {h + 1}", **style)
    ax.set_ylim(-0.03, 1.03)
    return finish(ax, trajectory, "share of dominant tokens")


def draw_clusters(trajectory: Trajectory, *, angle: float = 0.1, ax: Axes | None = None) -> Axes:
    """Draw the number of clusters over time as a staircase, and the total energy beside it; the time is logarithmic
    where the run is long.

    Parameters
    ----------
    trajectory : Trajectory
        A run.
    angle : float, optional
        As for `algatt.dynamics.clusters`.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Unless given, a new figure, which is shown as by `algatt.draw`.

    Raises
    ------
    InvalidArgument
        If the angle is out of range.
    MissingExtra
        If matplotlib is not installed.
    """
    check_axes(ax)
    found = clusters(trajectory, angle=angle)
    ax = checked_axes(ax, (COLUMN, 2.3), (0.15, 0.19, 0.68, 0.68))
    times, energies = trajectory.times, trajectory.total_energies
    ax.plot(times, found.counts, drawstyle="steps-post", color=PALETTE[2], linewidth=1.3, label="clusters")
    ax.set_ylim(0, 1.06 * found.counts.max() + 0.2)
    ax.locator_params(axis="y", integer=True)
    ax.set_ylabel("clusters", fontsize=SIZE, color=PALETTE[2], labelpad=2)
    ax.set_xlabel("$t$", fontsize=SIZE, labelpad=1)
    ax.set_title(f"clusters of the angle {angle:g}, and energy", fontsize=SIZE + 1, color=INK)
    right = ax.twinx()
    right.plot(times, energies, color=PALETTE[3], linewidth=1.1, linestyle="--", label="total energy")
    right.set_ylabel("total energy", fontsize=SIZE, color=PALETTE[3], labelpad=3)
    time_axis(ax, times)
    for axes in (ax, right):
        axes.tick_params(labelsize=SIZE)
        axes.spines["top"].set_visible(False)
        axes.yaxis.get_offset_text().set_fontsize(SIZE)
    return ax
