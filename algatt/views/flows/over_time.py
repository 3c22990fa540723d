"""Lines over the time of a run, one for each head: energies, radial shadows, margins and entropies."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from algatt.dynamics import Flow, Trajectory
from algatt.errors import InvalidArgument
from algatt.views.flows.styles import BOX, INK, SIZE
from algatt.views.palette import PALETTE
from algatt.views.plotting import COLUMN, checked_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["check_heads", "draw_dominance", "draw_energies", "draw_entropies", "draw_shadows"]

DASHES = ("-", "--", "-.", ":")
"""Line styles of the heads in turn, so that they differ without colours."""

ORDER = (2, 3, 0, 5, 4, 1)
"""The colours of the palette that the heads take in turn: blue and orange first."""

ROUNDING = 1e-9
"""Up to this, relative to the square of the shadows, a margin of dominance is the error of a run."""

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
