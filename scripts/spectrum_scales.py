"""Show at which scales of weights and inputs the spectrum of a softmax network is widest open.

    python scripts/spectrum_scales.py

An entry is the ratio of the singular values around the dimension, where those below the level of rounding count as
that: the gap that floating point has to see, 1 if there is none. It is the median over random points of the package
("uniform"); the largest of each network has a star.

Exit code: 0, or 2 for bad arguments.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Sequence

from options import Parser
from rich.console import Console
from rich.table import Table

import algatt
from algatt.views.progress import ProgressBar

NETWORKS = (
    algatt.Softmax((10, 10, 10), (2, 2), 3),
    algatt.Softmax((4, 4, 4, 4, 4), (2, 2, 2, 2), 3),
    algatt.Softmax((4, 4, 4, 4, 4, 4, 4), (2, 2, 2, 2, 2, 2), 3),
)

SCALES = (0.25, 0.5, 1.0, 2.0, 4.0)

VISIBLE = 10
"""A smaller ratio is no gap."""

COLUMNS = 120
"""In a file or a pipe, where there is no terminal to fit in, the tables are this wide."""

INPUTS = 60
"""Many more rows than parameters."""

Grid = dict[tuple[float, float], float]


def median_opening(arch: algatt.Normalized, weight_scale: float, input_scale: float, points: int) -> float:
    """Return the median over random points of the ratio around the dimension."""
    options = {"weight_scale": weight_scale, "input_scale": input_scale, "inputs": INPUTS}
    return statistics.median(algatt.jacobian_spectrum(arch, seed=seed, **options).opening for seed in range(points))


def grids(points: int) -> dict[algatt.Normalized, Grid]:
    """Return the medians of every network by its scales of weights and inputs."""
    pairs = [(weight, entry) for weight in SCALES for entry in SCALES]
    found: dict[algatt.Normalized, Grid] = {}
    with ProgressBar("scales") as progress:
        for done, arch in enumerate(NETWORKS):
            found[arch] = {}
            for number, pair in enumerate(pairs, start=1):
                found[arch][pair] = median_opening(arch, *pair, points)
                progress(done * len(pairs) + number, len(NETWORKS) * len(pairs))
    return found


def table(grid: Grid) -> Table:
    """Lay out the medians of a network: weights in rows, inputs in columns."""
    shown = Table()
    shown.add_column("weights \\ inputs")
    for scale in SCALES:
        shown.add_column(f"{scale:g}", justify="right")
    best = max(grid.values())
    for weight in SCALES:
        row = [grid[weight, entry] for entry in SCALES]
        shown.add_row(f"{weight:g}", *(f"{'* ' if value == best >= VISIBLE else ''}{value:.0e}" for value in row))
    return shown


def main(arguments: Sequence[str] | None = None) -> int:
    """Compute all medians, print a table for each network, and return the exit code."""
    parser = Parser(
        prog="spectrum_scales", description="At which scales the spectrum of a softmax network is widest open."
    )
    parser.add_argument(
        "--points", type=int, choices=range(1, 101), default=3, metavar="N", help="random points, 1 to 100 (default: 3)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    options = parser.parse_args(arguments)
    found = grids(options.points)
    if options.json:
        rows = [
            {"architecture": arch.description(), "weights": w, "inputs": x, "opening": v}
            for arch, grid in found.items()
            for (w, x), v in grid.items()
        ]
        print(json.dumps(rows, indent=2))
    else:
        printer = Console(width=None if sys.stdout.isatty() else COLUMNS)
        for arch, grid in found.items():
            printer.print(f"{arch}", soft_wrap=True, highlight=False)
            printer.print(table(grid))
    return 0


if __name__ == "__main__":
    sys.exit(main())
