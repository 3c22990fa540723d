"""A spectrum drawn with matplotlib, which is imported when something is drawn: the extra ``plot`` brings it."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from algatt.architectures import AttentionNetwork
from algatt.arguments import instance
from algatt.geometry import FloatSpectrum, JacobianSpectrum
from algatt.views.plotting import COLUMN, check_axes, checked_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHT = 2.8
"""Of the figure, in inches."""

BOX = (0.17, 0.29, 0.81, 0.59)
"""The axes in the figure: left, bottom, width and height, with room for the legend below."""

DARK, LIGHT, LINE = "#08306b", "#e6862e", "#595959"
"""Of float64, float32 and the dimension: one dark, one light, and their markers differ too."""

BELOW = 1e-3
"""A singular value that is exactly zero is drawn this far below all others, at the edge."""


ARROW = 1e2
"""From this width on a gap has an arrow."""


def plot_spectrum(spectrum: JacobianSpectrum, *, ax: Axes | None = None) -> Axes:
    """Draw the singular values of a Jacobian with what float32, float64, the gap and the formula say about its rank.

    Float64 has filled dots and float32 open squares, each by its largest one, on a logarithmic scale. A dashed line of
    the same colour is the default tolerance of `matrix_rank`: the legend says how many singular values are above it.
    The vertical line is the expected dimension, or the proven one if there is no formula; the arrow is the widest gap
    in float64.

    Parameters
    ----------
    spectrum : JacobianSpectrum
        What `algatt.jacobian_spectrum` returns.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Unless given, a new figure of the width of a paper's column, which is shown as by `algatt.draw`.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    InvalidArgument
        If `spectrum` is no spectrum, or `ax` are no axes.
    MissingExtra
        If matplotlib is not installed.

    Examples
    --------
    >>> import algatt
    >>> ax = algatt.views.plot_spectrum(algatt.jacobian_spectrum(algatt.Softmax((3, 3), (2,), 2)))
    >>> ax.get_ylabel()
    'singular value / largest'
    """
    check_axes(ax)
    instance("spectrum", spectrum, JacobianSpectrum, "what algatt.jacobian_spectrum returns")
    lowest = bottom(spectrum)
    ax = checked_axes(ax, (COLUMN, HEIGHT), BOX)
    put_values(
        ax,
        spectrum.double,
        lowest,
        f"float64: {spectrum.double.rank}",
        {"marker": "o", "color": DARK, "markersize": 2.2, "zorder": 3},
    )
    if spectrum.single is not None:
        style = {
            "marker": "s",
            "color": LIGHT,
            "markersize": 3.0,
            "markerfacecolor": "none",
            "markeredgewidth": 0.6,
            "zorder": 2,
        }
        put_values(ax, spectrum.single, lowest, f"float32: {spectrum.single.rank}", style)
    else:
        ax.plot([], [], linestyle="none", label="float32: overflow")
    put_dimension(ax, spectrum)
    put_gap(ax, spectrum, lowest)
    ax.set_yscale("log")
    ax.set(
        xlabel="number",
        ylabel="singular value / largest",
        ylim=(lowest, 30),
        xlim=(0, len(spectrum.singular_values) + 1),
    )
    ax.set_title(title(spectrum), fontsize=7)
    ax.tick_params(labelsize=7)
    ax.xaxis.label.set_fontsize(7)
    ax.yaxis.label.set_fontsize(7)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(
        loc="upper center",
        bbox_to_anchor=(0.4, -0.2),
        ncols=2,
        fontsize=6.5,
        frameon=False,
        columnspacing=1.2,
        handlelength=1.8,
    )
    return ax


def title(spectrum: JacobianSpectrum) -> str:
    """Return what the figure is of, and what float64 decides by the rule of `jacobian_spectrum`."""
    arch = spectrum.architecture
    sizes, others = str(arch), ""
    if isinstance(arch, AttentionNetwork):
        name, widths, ranks = type(arch).__name__, ",".join(map(str, arch.dims)), ",".join(map(str, arch.ranks))
        sizes = f"{name} {widths}; a = {ranks}; t = {arch.tokens}"
        own = dataclasses.fields(arch)[len(dataclasses.fields(AttentionNetwork)) :]
        others = "".join(f"{getattr(arch, field.name)}; " for field in own)
    return f"{sizes}\n{others}verdict: " + ("refused" if spectrum.verdict is None else str(spectrum.verdict.rank))


def relative(spectrum: FloatSpectrum) -> np.ndarray:
    """Return the singular values by the largest, in float64."""
    values = spectrum.singular_values.astype(np.float64)
    return values / values[0] if values.size and values[0] > 0 else values


def bottom(spectrum: JacobianSpectrum) -> float:
    """Return the lower end of the scale: below everything that is not zero, and below rounding."""
    values = np.concatenate([relative(one) for one in (spectrum.double, spectrum.single) if one is not None])
    return max(float(values[values > 0].min(initial=np.finfo(np.float64).eps)), 1e-40) * BELOW


def put_values(ax: Axes, spectrum: FloatSpectrum, lowest: float, label: str, style: dict[str, Any]) -> None:
    """Draw the singular values of one precision, and the tolerance."""
    values = np.maximum(relative(spectrum), lowest)
    ax.plot(np.arange(1, len(values) + 1), values, linestyle="none", label=label, clip_on=False, **style)
    if spectrum.tolerance > 0:
        ax.axhline(
            spectrum.tolerance / float(spectrum.singular_values[0]),
            color=style["color"],
            linewidth=0.8,
            linestyle=(0, (4, 2)),
            zorder=1,
        )


def put_dimension(ax: Axes, spectrum: JacobianSpectrum) -> None:
    """Draw a line after the expected dimension, or the proven one if there is no formula."""
    expected, proven = spectrum.expected, spectrum.proven
    lines = []
    if expected is not None:
        source = expected.source.partition("(Eq ")[2].partition(")")[0]
        named = "expected" + (f", Eq {source}" if source else "")
        agree = expected.value == proven
        lines.append(
            (
                expected.value,
                f"{named}{', and proven' if agree else ''}: {expected.value}",
                "solid" if agree else (0, (1, 1.5)),
            )
        )
    if proven is not None and (expected is None or expected.value != proven):
        lines.append((proven, f"proven: {proven}", "solid"))
    for value, label, dashes in lines:
        ax.axvline(value + 0.5, color=LINE, linewidth=0.9, linestyle=dashes, label=label, zorder=0)


def put_gap(ax: Axes, spectrum: JacobianSpectrum, lowest: float) -> None:
    """Draw an arrow over the widest gap, rounding being its lower end where no singular value is between, and write its
    width and place.
    """
    gap = spectrum.gap
    if not math.isfinite(gap.gap):
        return
    upper = float(relative(spectrum.double)[gap.rank - 1])
    lower = max(upper / gap.gap, lowest)
    place, middle = gap.rank + 0.5, math.sqrt(lower * upper)
    wide = gap.gap >= ARROW
    if wide:
        arrow = {"arrowstyle": "<->", "color": DARK, "linewidth": 0.9, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 6}
        ax.annotate("", (place, lower), (place, upper), arrowprops=arrow, zorder=4)
    text = f"widest gap {gap.gap:.0e}\nafter {gap.rank}"
    box = {"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none", "alpha": 0.85}
    options: dict[str, Any] = {"va": "center", "fontsize": 6.5, "color": DARK, "bbox": box, "zorder": 4}
    if not wide:  # where the values fall slowly, there is room below them
        ax.text(0.03, 0.1, text, transform=ax.transAxes, **options)
    elif gap.rank < 0.3 * len(spectrum.singular_values):  # and where they fall early, above
        ax.text(0.97, 0.9, text, transform=ax.transAxes, ha="right", **options)
    else:
        ax.annotate(text, (place, middle), xytext=(-5, 0), textcoords="offset points", ha="right", **options)
