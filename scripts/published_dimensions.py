"""Recompute, with proof, every dimension that is published for lightning attention.

The configurations are those of Henry, Marchetti, Kohn, "Geometry of Lightning Self-Attention" (ICLR 2025), and of its
public script: three layers of width 4 with ranks 1 to 4, and two layers of widths 3 to 10 with rank 2, always 3 tokens.

Exit code: 0 if every dimension is proven and equal to what is published, 1 if not, 2 for bad arguments.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from options import Parser
from rich.console import Console
from rich.table import Table

import algatt

THREE_LAYERS = {1: 34, 2: 49, 3: 58, 4: 61}
"""The authors' public script, dims (4, 4, 4, 4): rank and dimension."""

TWO_LAYERS = range(3, 11)
"""The widths of Figure 3, whose ranks are 2."""

TOKENS = 3

WIDTH = 120
"""In a file or a pipe, where there is no terminal to fit in, the table is this wide."""


@dataclass(frozen=True)
class Published:
    """An architecture and the dimension that is published for it.

    Parameters
    ----------
    arch : algatt.Lightning
        The network.
    value : int
        Its dimension.
    """

    arch: algatt.Lightning
    value: int


@dataclass(frozen=True)
class Comparison:
    """A published dimension beside the one that was computed.

    Parameters
    ----------
    published : Published
        What is published.
    report : algatt.geometry.DimensionReport
        What was computed.
    """

    published: Published
    report: algatt.geometry.DimensionReport

    @property
    def agrees(self) -> bool:
        """Whether the computed dimension is proven and equal to the published one, and to the theorem's value where one
        applies.
        """
        proven = self.report.status == "proven"
        return (
            proven and self.report.value == self.published.value and self.report.formula in (None, self.published.value)
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as plain values for JSON."""
        return {**self.report.to_dict(), "published": self.published.value, "agrees": self.agrees}


def equation_14(dims: Sequence[int], ranks: Sequence[int]) -> int:
    """Return the right-hand side of Equation 14 for ranks that are no larger than the widths.

    Each layer has the dimension of its attention matrices of rank a and its d' d values; each interior width takes off
    its gauge group GL(d), and each layer one rescaling. This is written out here so that it shares nothing with the
    package's own formula.
    """
    layers = zip(dims[:-1], dims[1:], ranks, strict=True)
    return sum(2 * a * d - a**2 + d * e - 1 for d, e, a in layers) - sum(d**2 for d in dims[1:-1])


def configurations() -> dict[str, tuple[Published, ...]]:
    """Return the published configurations, by the name of their series."""
    three = tuple(Published(algatt.Lightning((4,) * 4, (a,) * 3, TOKENS), value) for a, value in THREE_LAYERS.items())
    two = tuple(
        Published(algatt.Lightning((d,) * 3, (2, 2), TOKENS), equation_14((d,) * 3, (2, 2))) for d in TWO_LAYERS
    )
    return {"three-layers": three, "two-layers": two}


def compare(published: Sequence[Published], seed: int) -> tuple[Comparison, ...]:
    """Compute the dimension of every configuration."""
    return tuple(Comparison(one, algatt.dimension(one.arch, seed=seed)) for one in published)


def table(comparisons: Sequence[Comparison]) -> Table:
    """Lay the comparisons out, one in each row."""
    shown = Table(title=f"Published dimensions of lightning attention, {TOKENS} tokens")
    for heading in ("dims", "ranks", "formula", "source"):
        shown.add_column(heading)
    for heading in ("dimension", "status", "inputs", "seconds"):
        shown.add_column(heading, justify="right")
    for comparison in comparisons:
        report, arch = comparison.report, comparison.published.arch
        # Where no theorem applies, the published value stands in its place.
        formula = comparison.published.value if report.formula is None else report.formula
        source = "published (no theorem)" if report.formula_source is None else report.formula_source
        shown.add_row(
            ",".join(map(str, arch.dims)),
            ",".join(map(str, arch.ranks)),
            str(formula),
            source,
            str(report.value) if report.lower == report.upper else f"{report.lower}..{report.upper}",
            report.status
            if comparison.agrees
            else f"[bold red]{report.status}, differs from {comparison.published.value}[/]",
            str(report.samples),
            f"{report.seconds:.3f}",
        )
    return shown


def parse(arguments: Sequence[str] | None, series: Sequence[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = Parser(
        prog="published_dimensions",
        description="Recompute, with proof, every dimension that is published for lightning attention.",
    )
    parser.add_argument(
        "--series", nargs="+", choices=series, default=list(series), help="the configurations (default: all)"
    )
    parser.add_argument("--seed", type=int, default=0, help="names the random points (default: 0)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparison and return the exit code."""
    published = configurations()
    options = parse(arguments, tuple(published))
    try:
        comparisons = compare(
            [one for name, series in published.items() if name in options.series for one in series], options.seed
        )
    except algatt.errors.InvalidArgument as error:
        print(f"published_dimensions: {error}", file=sys.stderr)
        return 2
    agrees = all(comparison.agrees for comparison in comparisons)
    if options.json:
        print(
            json.dumps(
                {"agrees": agrees, "configurations": [comparison.to_dict() for comparison in comparisons]}, indent=2
            )
        )
    else:
        Console(width=None if sys.stdout.isatty() else WIDTH).print(table(comparisons))
    return 0 if agrees else 1


if __name__ == "__main__":
    sys.exit(main())
