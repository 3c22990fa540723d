"""The times of the section ``linalg`` as a plot, with matplotlib if it is installed."""

from __future__ import annotations

import importlib
import importlib.util
import re
from collections.abc import Sequence
from typing import Any

from benchmarks.figures import Figure

__all__ = ["can_plot", "draw", "series"]

Series = dict[int, dict[str, list[tuple[int, float]]]]

CASE = re.compile(r"n = (\d+), p = (\d+), rank (\d+)")


def can_plot() -> bool:
    """Return whether matplotlib is installed."""
    return importlib.util.find_spec("matplotlib") is not None


def series(figures: Sequence[Figure]) -> Series:
    """Return the medians at full rank, by prime and algorithm, in the order of the sizes."""
    found: Series = {}
    for figure in figures:
        case = CASE.fullmatch(figure.case or "")
        if case and figure.unit == "s":
            size, p, rank = map(int, case.groups())
            if rank == size:
                found.setdefault(p, {}).setdefault(figure.name, []).append((size, figure.value))
    return {p: {name: sorted(points) for name, points in by_name.items()} for p, by_name in found.items()}


def draw(figures: Sequence[Figure], path: str) -> None:
    """Plot the times at full rank over the size, one panel for each prime; the name's ending chooses the format.

    Raises
    ------
    OSError
        If the file cannot be written.
    ValueError
        If the ending is no format that matplotlib writes.
    """
    drawn = series(figures)
    figure_class: Any = importlib.import_module("matplotlib.figure").Figure
    canvas = figure_class(figsize=(5 * max(1, len(drawn)), 4.5), layout="constrained")
    for axes, (p, by_name) in zip(
        canvas.subplots(1, max(1, len(drawn)), sharey=True, squeeze=False)[0], drawn.items(), strict=False
    ):
        for name, points in by_name.items():
            axes.loglog(*zip(*points, strict=True), marker="o", label=name, linewidth=2.5 if name == "algatt" else 1.2)
        axes.set(title=f"rank of a random n x n matrix, p = {p}", xlabel="n", ylabel="seconds")
        axes.grid(visible=True, alpha=0.3)
        axes.legend(fontsize="small")
    canvas.savefig(path)
