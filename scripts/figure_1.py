"""Draw HMK Figure 1: a slice of the neuromanifold of one layer with d = 2, d' = 1, a = 2, the Whitney umbrella, and
save it as svg and png.

    python scripts/figure_1.py -o docs/figures

A function of this network is known by its two quadratic forms f = (a_1 . x)(v . x) and g = (a_2 . x)(v . x), HMK
Proposition A.5. The slice is that of f = x1^2 + z x2^2 and g = y x1 x2 + b x2^2. The surface is computed twice: from
the network, whose parameters give points of the slice, and from the resultant of f and g, which is zero where they have
a common factor. If the two differ, nothing is drawn. That this is the slice of the paper's figure is inferred from its
shape.

Exit code: 0 if the two agree and the files are written, 1 if they differ, 2 for bad arguments.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np
from figure_files import FigureError, run

import algatt
from algatt.views.plotting import PAGE, new_figure

ARCH = algatt.Lightning(dims=(2, 1), ranks=(2,), tokens=2)

ROOTS = np.linspace(-1.0, 1.0, 25)
"""The parameter s; v = (1, s), and -s is a zero of f."""

SLOPES = np.linspace(-1.0, 1.0, 17)
"""The coordinate y."""

HANDLE = 0.6
"""How far the line outside of the neuromanifold is drawn."""

TOLERANCE = 1e-9

SHEET, LINE, MARK = "#9ecae1", "#08306b", "#b5490b"
"""Light, dark and between: they differ in grey too."""


def parameters(s: float, y: float) -> algatt.AttentionMatrix:
    """Return the parameters with v = (1, s), a_1 = (1, -s) and a_2 = (0, y)."""
    return algatt.AttentionMatrix.of([(np.array([[1.0, 0.0], [-s, y]]), np.array([[1.0, s]]))])


def network_point(s: float, y: float) -> tuple[float, float, float]:
    """Return the point (y, z, b) of the slice that is the function of `parameters`."""
    f, g = algatt.geometry.quadratic_forms(ARCH, parameters(s, y)).coefficients[:, 0]
    if abs(f[0, 0] - 1) + abs(f[0, 1]) + abs(g[0, 0]) > TOLERANCE:
        raise FigureError(f"the function of s = {s}, y = {y} is not in the slice: f = {f.tolist()}, g = {g.tolist()}")
    return float(g[0, 1]), float(f[1, 1]), float(g[1, 1])


def network_surface() -> np.ndarray:
    """Return the points (y, z, b) of the network's functions, of shape (roots, slopes, 3)."""
    return np.array([[network_point(s, y) for y in SLOPES] for s in ROOTS])


def resultant(z: float, y: float, b: float) -> float:
    """Return the resultant of f and g in x1, at x2 = 1: the determinant of their Sylvester matrix, as a sum over
    permutations.
    """
    sylvester = ((1.0, 0.0, z, 0.0), (0.0, 1.0, 0.0, z), (0.0, y, b, 0.0), (0.0, 0.0, y, b))
    total = 0.0
    for order in permutations(range(4)):
        inversions = sum(order[i] > order[j] for i in range(4) for j in range(i + 1, 4))
        term = 1.0
        for row, column in zip(sylvester, order, strict=True):
            term *= row[column]
        total += -term if inversions % 2 else term
    return total


def resultant_heights(z: float, y: float) -> list[float]:
    """Return the real b at which the resultant is zero, with multiplicity: it is quadratic in b, so three values tell
    it.
    """
    below, middle, above = (resultant(z, y, b) for b in (-1.0, 0.0, 1.0))
    square, linear = (above + below) / 2 - middle, (above - below) / 2
    discriminant = linear**2 - 4 * square * middle
    if discriminant < 0:
        return []
    return sorted((-linear + sign * discriminant**0.5) / (2 * square) for sign in (-1, 1))


@dataclass(frozen=True)
class Slice:
    """The surface from the network, and how far that from the resultant is from it.

    Parameters
    ----------
    surface : numpy.ndarray
        Points (y, z, b), of shape (roots, slopes, 3).
    difference : float
        The largest distance, along b, between the network's points and the zeros of the resultant over the same (y, z).
    """

    surface: np.ndarray
    difference: float


def compute() -> Slice:
    """Compute the surface both ways, over z <= 0 where the network has points, and over z > 0 where it has none.

    Over (y, z) with z = -s^2 the network has the points of the roots s and -s. Over z > 0 the resultant must have real
    zeros on the line y = 0 alone, with b = 0: the line that belongs to the Zariski closure only.
    """
    surface = network_surface()
    differences = []
    for mirrored, points in zip(surface[::-1], surface, strict=True):
        for (y, z, b), (_, _, other) in zip(points, mirrored, strict=True):
            zeros = resultant_heights(z, y)
            differences.append(
                max(abs(x - w) for x, w in zip(zeros, sorted((b, other)), strict=True)) if zeros else np.inf
            )
    for z in ROOTS[ROOTS > 0] ** 2:
        for y in SLOPES:
            zeros = resultant_heights(z, y)
            expected = 2 * [0.0] if y == 0 else []
            differences.append(max((abs(x) for x in zeros), default=0.0) if len(zeros) == len(expected) else np.inf)
    return Slice(surface, float(max(differences)))


def draw_umbrella(ax: Any, points: np.ndarray) -> None:
    """Draw the surface with the singular line, solid inside the neuromanifold and dotted outside of it."""
    y, z, b = np.moveaxis(points, -1, 0)
    ax.computed_zorder = False  # lines over surfaces are not sorted by depth; from here none of the line is hidden
    ax.plot_surface(
        b,
        y,
        z,
        color=SHEET,
        shade=False,
        edgecolor=LINE,
        linewidth=0.2,
        rcount=len(ROOTS),
        ccount=len(SLOPES),
        alpha=0.7,
        zorder=1,
    )
    ax.plot([0, 0], [0, 0], [z.min(), 0], color=LINE, linewidth=2, zorder=3)
    ax.plot([0, 0], [0, 0], [0, HANDLE], color=MARK, linewidth=1.8, linestyle=":", zorder=3)
    ax.plot([0], [0], [0], marker="o", color="white", markeredgecolor=MARK, markersize=5, markeredgewidth=1.3, zorder=4)
    ax.set(xlabel="$b$", ylabel="$y$", zlabel="$z$", zlim=(z.min(), HANDLE))
    ax.text(0, 0.06, HANDLE / 2, "closure only", color=MARK, fontsize=7, va="center", zorder=4)
    ax.text(0, 0.08, 0.03, "boundary point", color=MARK, fontsize=7, va="bottom", zorder=4)
    for axis in (ax.xaxis, ax.yaxis, ax.zaxis):
        axis.set_ticks([-1, 0] if axis is ax.zaxis else [-1, 0, 1])
        axis.pane.set_visible(False)
    ax.tick_params(labelsize=7, pad=-2)
    ax.xaxis.labelpad = ax.yaxis.labelpad = ax.zaxis.labelpad = -8
    ax.grid(visible=False)
    ax.set_title("$b^2 + z y^2 = 0$", fontsize=8, y=0.94)
    ax.view_init(elev=24, azim=18)
    ax.set_box_aspect((1, 1, 1.1), zoom=0.95)


def draw_slices(ax: Any, points: np.ndarray) -> None:
    """Draw the curves z = constant: lines from the network, dots from the resultant."""
    middle = len(ROOTS) // 2
    for distance, colour, dashes in ((middle, LINE, "-"), (middle // 2, "#3b7ab5", "--"), (0, MARK, "-.")):
        level = points[middle + distance, 0, 1]
        for number, label in ((middle + distance, f"$z={level:g}$"), (middle - distance, None)):
            ax.plot(
                points[number, :, 0], points[number, :, 2], color=colour, linestyle=dashes, linewidth=1.1, label=label
            )
        dots = [(y, b) for y in SLOPES[::2] for b in resultant_heights(level, y)]
        ax.plot(*zip(*dots, strict=True), linestyle="none", marker=".", markersize=4.5, color=colour)
    ax.set_title("lines: the network; dots: the resultant", fontsize=8, pad=22)
    ax.set(xlabel="$y$", ylabel="$b$", xticks=[-1, 0, 1], yticks=[-1, 0, 1], aspect="equal")
    ax.tick_params(labelsize=7)
    ax.legend(
        loc="upper center",
        bbox_to_anchor=(0.5, 1.16),
        ncols=3,
        fontsize=7,
        frameon=False,
        columnspacing=1,
        handlelength=1.8,
    )
    ax.spines[["top", "right"]].set_visible(False)


def draw(points: np.ndarray) -> Any:
    """Return the figure: the surface, and three slices of it."""
    figure = new_figure(PAGE, 3.1)
    draw_umbrella(figure.add_axes((-0.02, 0.0, 0.62, 1.0), projection="3d"), points)
    draw_slices(figure.add_axes((0.68, 0.14, 0.3, 0.68)), points)
    return figure


def checked_figure() -> Any:
    """Return the figure, or raise `FigureError` if the surface of the network is not that of the resultant."""
    computed = compute()
    if not computed.difference <= TOLERANCE:
        raise FigureError(f"the network and the resultant differ by {computed.difference:.3g}")
    print(f"figure_1: the network and the resultant agree to {computed.difference:.1g}")
    return draw(computed.surface)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compute the surface both ways, draw it if they agree, and return the exit code."""
    return run(
        "figure_1", "Draw the Whitney umbrella, a slice of the neuromanifold (HMK Figure 1).", checked_figure, arguments
    )


if __name__ == "__main__":
    sys.exit(main())
