"""A run of a flow on one page: its tokens, and what is drawn over time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from algatt.dynamics import Trajectory
from algatt.views.flows.over_time import check_heads, draw_dominance, draw_energies, draw_entropies, draw_shadows
from algatt.views.flows.styles import SIZE
from algatt.views.flows.tokens import draw_tokens
from algatt.views.plotting import PAGE, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

HEIGHT = 3.7
"""Of the figure of a run, in inches."""


def run_figure(trajectory: Trajectory) -> Figure:
    """Return a figure of a run, as wide as a page: the tokens, and energies, shadows, dominance and entropies over
    time.
    """
    check_heads(trajectory.flow)
    figure = new_figure(PAGE, HEIGHT)
    ax, panels = add_panels(figure, trajectory)
    draw_tokens(trajectory, ax=ax)
    share_legend(figure, panels)
    return figure


def add_panels(figure: Figure, trajectory: Trajectory) -> tuple[Axes, list[Axes]]:
    """Draw the panels over time, and return the empty axes of the tokens and those of the panels."""
    ax = figure.add_axes((0.01, 0.09, 0.41, 0.8))
    places = ((0.475, 0.65), (0.77, 0.65), (0.475, 0.2), (0.77, 0.2))
    draws: Sequence[Callable[..., Axes]] = (draw_energies, draw_shadows, draw_dominance, draw_entropies)
    panels = [
        draw(trajectory, ax=figure.add_axes((*place, 0.2, 0.28))) for draw, place in zip(draws, places, strict=True)
    ]
    return ax, panels


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
