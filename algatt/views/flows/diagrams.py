"""Diagrams of equiangular tokens: where heads are radially dominant, and how long clustering takes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from algatt import verbs
from algatt.arguments import whole
from algatt.dynamics import (
    EquiangularFlow,
    clustering_time,
    linearised_clustering_time,
    radial_dominance_threshold,
    softmax_inflection,
)
from algatt.errors import InvalidArgument
from algatt.layers import Exponential, ReLU, Unnormalized
from algatt.views.flows import BOX, INK, SIZE
from algatt.views.palette import PALETTE
from algatt.views.plotting import COLUMN, PAGE, check_axes, check_installed, checked_axes, shown_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_phase_diagram(
    *,
    tokens: int = 64,
    cosine: float = 0.0,
    heads: Sequence[int] = tuple(range(2, 17)),
    betas: Sequence[float] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw where H equal scalar heads of strength 1 are radially dominant at equiangular tokens, over beta and H, with
    the threshold beta_c.

    Parameters
    ----------
    tokens : int, optional
        The number n.
    cosine : float, optional
        The common cosine of the tokens.
    heads : sequence of int, optional
        The numbers of heads, increasing by one.
    betas : sequence of float, optional
        The inverse temperatures, at least two, increasing by equal steps; from 0.02 to 3 unless given.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Unless given, a new figure, which is shown as by `algatt.draw`.

    Raises
    ------
    InvalidArgument
        If an argument is out of range.
    MissingExtra
        If matplotlib is not installed.
    """
    check_axes(ax)
    heads = [whole("heads", H) for H in heads]
    if not heads or any(after - before != 1 for before, after in pairwise(heads)):
        raise InvalidArgument("heads", repr(heads), "integers that increase by one, at least one of them")
    values = np.linspace(0.02, 3.0, 150) if betas is None else np.array(betas, dtype=np.float64)
    steps = np.diff(values)
    if len(values) < 2 or not (steps[0] > 0 and np.allclose(steps, steps[0], rtol=1e-6)):
        raise InvalidArgument("betas", repr(betas), "at least two numbers that increase by equal steps")
    margins = [
        [verbs.radial_dominance(EquiangularFlow((1.0,) * H, tokens, beta=float(beta)), cosine)[0] for beta in values]
        for H in heads
    ]
    dominant = (np.array(margins) >= 0).astype(float)
    half = (values[1] - values[0]) / 2
    extent = (values[0] - half, values[-1] + half, heads[0] - 0.5, heads[-1] + 0.5)
    thresholds = [radial_dominance_threshold(tokens, H, cosine=cosine) for H in heads]
    ax = checked_axes(ax, (COLUMN, 2.6), BOX)
    from matplotlib.colors import ListedColormap

    ax.imshow(
        dominant,
        extent=extent,
        origin="lower",
        aspect="auto",
        cmap=ListedColormap(["#f3ecd8", "#8fb4d9"]),
        vmin=0,
        vmax=1,
    )
    ax.plot(thresholds, list(heads), color=INK, linewidth=1.2, marker=".", markersize=4, label=r"$\beta_c$")
    ax.text(0.03, 0.05, "radially dominant", transform=ax.transAxes, fontsize=SIZE, color=INK)
    ax.text(0.97, 0.93, "not dominant", transform=ax.transAxes, fontsize=SIZE, color=INK, ha="right", va="top")
    ax.set(xlim=extent[:2], ylim=extent[2:])
    ax.set_xlabel(r"$\beta$", fontsize=SIZE + 1, labelpad=1)
    ax.set_ylabel("number of heads $H$", fontsize=SIZE)
    ax.set_title(f"$n = {tokens}$ tokens at the cosine $g = {cosine:g}$", fontsize=SIZE + 1, color=INK)
    ax.tick_params(labelsize=SIZE)
    ax.legend(loc="center right", fontsize=SIZE, frameon=False)
    return ax


def draw_clustering_times(
    *,
    tokens: Sequence[int] = (4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096),
    dimensions: Sequence[int] = (16, 64, 256, 1024, 4096, 16384, 65536),
    end: float = 0.5,
    axes: Sequence[Axes] | None = None,
) -> list[Axes]:
    """Draw the times of clustering from g = d^(-1/2), linearised and whole, with exponential and ReLU weights: against
    n, and against d.

    Parameters
    ----------
    tokens : sequence of int, optional
        The numbers n of the left picture; the right one has their middle.
    dimensions : sequence of int, optional
        The dimensions d of the right picture; the left one has their middle.
    end : float, optional
        The cosine at which tokens count as clustered, larger than d^(-1/2).
    axes : sequence of matplotlib.axes.Axes, optional
        Two of them. Unless given, a new figure, which is shown as by `algatt.draw`.

    Raises
    ------
    InvalidArgument
        If an argument is out of range.
    MissingExtra
        If matplotlib is not installed.
    """
    for name, numbers in (("tokens", tokens), ("dimensions", dimensions)):
        if not [whole(name, number) for number in numbers]:
            raise InvalidArgument(name, "empty", "at least one number")
    check_installed()
    n, d = tokens[len(tokens) // 2], dimensions[len(dimensions) // 2]
    by_tokens = times([(count, d) for count in tokens], end)
    by_dimension = times([(n, dimension) for dimension in dimensions], end)
    if axes is None:
        figure = shown_figure(PAGE, 2.5)
        axes = [figure.add_axes((left, 0.17, 0.33, 0.7)) for left in (0.08, 0.5)]
    left, right = axes
    draw_times(left, tokens, by_tokens)
    draw_times(right, dimensions, by_dimension)
    left.set_xlabel("tokens $n$", fontsize=SIZE, labelpad=1)
    left.set_ylabel("time until clustered", fontsize=SIZE)
    left.set_title(f"$d = {d}$", fontsize=SIZE + 1, color=INK)
    right.set_xlabel("dimension $d$", fontsize=SIZE, labelpad=1)
    right.set_title(f"$n = {n}$", fontsize=SIZE + 1, color=INK)
    right.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=SIZE - 0.5, frameon=False, handlelength=2.6)
    return [left, right]


def times(cases: Sequence[tuple[int, int]], end: float) -> list[tuple[list[float], dict[str, Any]]]:
    """Return four lines of times over cases of n and d, each with its style."""
    lines = []
    for weights, colour, name, mark in (
        (Unnormalized(ReLU()), PALETTE[3], "ReLU", "s"),
        (Unnormalized(Exponential()), PALETTE[2], "exp", "o"),
    ):
        for time, dashes, kind in ((linearised_clustering_time, "--", "linearised"), (clustering_time, "-", "whole")):
            face = colour if kind == "whole" else "white"
            style = {"linestyle": dashes, "marker": mark, "markersize": 3, "markerfacecolor": face, "linewidth": 1.1}
            values = [time(EquiangularFlow((1.0,), n, weights), d**-0.5, end) for n, d in cases]
            lines.append((values, {"color": colour, "label": f"{name}, {kind}", **style}))
    return lines


def draw_times(ax: Axes, places: Sequence[int], lines: Sequence[tuple[list[float], dict[str, Any]]]) -> None:
    """Draw lines of times over n or d."""
    for values, style in lines:
        ax.plot(places, values, **style)
    ax.set(xscale="log", yscale="log")
    ax.tick_params(labelsize=SIZE)
    ax.spines[["top", "right"]].set_visible(False)


def draw_softmax_rate(*, tokens: Sequence[int] = (5, 64, 1000), ax: Axes | None = None) -> Axes:
    """Draw the rate b / (e^b + n - 1) of a softmax head over b = beta lambda (1 - g), divided by its largest value: up
    to the point that is marked it is concave, and unequal heads are slower.

    Parameters
    ----------
    tokens : sequence of int, optional
        The numbers n.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Unless given, a new figure, which is shown as by `algatt.draw`.

    Raises
    ------
    InvalidArgument
        If an argument is out of range.
    MissingExtra
        If matplotlib is not installed.
    """
    check_axes(ax)
    ends = [softmax_inflection(n) for n in tokens]
    if not ends:
        raise InvalidArgument("tokens", "empty", "at least one number")
    places = np.linspace(0.0, max(ends) + 7.0, 400)
    ax = checked_axes(ax, (COLUMN, 2.6), BOX)
    for number, (n, end) in enumerate(zip(tokens, ends, strict=True)):
        rates = places / (np.exp(places) + n - 1)
        colour, top = PALETTE[number % len(PALETTE)], rates.max()
        ax.plot(places, rates / top, color=colour, linewidth=1.2, label=f"$n = {n}$, $b^* = {end:.2f}$")
        ax.plot([end], [end / (np.exp(end) + n - 1) / top], color=colour, marker="o", markersize=4)
    ax.set_xlabel(r"$b = \beta \lambda (1 - g)$", fontsize=SIZE, labelpad=1)
    ax.set_ylabel("rate, divided by the largest", fontsize=SIZE)
    ax.set_title("softmax: concave up to the point", fontsize=SIZE + 1, color=INK)
    return with_legend(ax, SIZE - 0.5)


def draw_crossover(
    *,
    tokens: int = 64,
    dimension: int = 64,
    end: float = 0.99,
    betas: Sequence[float] = tuple(np.linspace(0.25, 8.0, 32)),
    ax: Axes | None = None,
) -> Axes:
    """Draw the times of clustering from g = d^(-1/2) with softmax and ReLU weights over beta: softmax is earlier at
    small beta, ReLU at large.

    Parameters
    ----------
    tokens, dimension : int, optional
        The numbers n and d.
    end : float, optional
        The cosine at which tokens count as clustered, larger than d^(-1/2).
    betas : sequence of float, optional
        The inverse temperatures.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Unless given, a new figure, which is shown as by `algatt.draw`.

    Raises
    ------
    InvalidArgument
        If an argument is out of range.
    MissingExtra
        If matplotlib is not installed.
    """
    check_axes(ax)
    start = whole("dimension", dimension) ** -0.5
    lines = [
        ([clustering_time(EquiangularFlow((1.0,), tokens, kind, float(b)), start, end) for b in betas], colour, name)
        for kind, colour, name in ((Unnormalized(ReLU()), PALETTE[3], "ReLU"), (Exponential(), PALETTE[0], "softmax"))
    ]
    ax = checked_axes(ax, (COLUMN, 2.6), BOX)
    for values, colour, name in lines:
        ax.plot(list(betas), values, color=colour, linewidth=1.2, label=name)
    ax.set(yscale="log")
    ax.set_xlabel(r"$\beta$", fontsize=SIZE + 1, labelpad=1)
    ax.set_ylabel(f"time to the cosine {end:g}", fontsize=SIZE)
    ax.set_title(f"$n = {tokens}$, $d = {dimension}$", fontsize=SIZE + 1, color=INK)
    return with_legend(ax, SIZE)


def with_legend(ax: Axes, size: float) -> Axes:
    """Return axes with a legend, small numbers, and without a frame."""
    ax.tick_params(labelsize=SIZE)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(fontsize=size, frameon=False)
    return ax
