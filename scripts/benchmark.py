"""Measure what the package promises to reach, and print it beside the promise.

    python scripts/benchmark.py                        everything, more than half an hour
    python scripts/benchmark.py evaluate linalg        some sections
    python scripts/benchmark.py --quick --runs 1       smaller sizes, a few seconds
    python scripts/benchmark.py --json figures.json    as a file too
    python scripts/benchmark.py linalg --sizes 1000 4000 --primes 8388593 --plot rank.svg

Figures are medians of several runs; what is compared is measured in turn in the same run, and the ratio is that of the
medians.

Exit code: 0 if everything was measured, 1 if a measured command failed, 2 for bad arguments or a plot without
matplotlib.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import flint
from benchmarks import (
    beside_rank,
    certificates,
    dimension,
    dynamics,
    elementary,
    evaluate,
    identifiability,
    linalg,
    machine,
    neurodim,
    normalized,
    plot,
    profile,
    spectra,
    startup,
    sweeps,
    symmetries,
    trees,
)
from benchmarks.figures import Figure
from benchmarks.plan import Plan
from benchmarks.timing import ProcessFailed
from options import Parser, positive
from rich.console import Console
from rich.table import Table

from algatt.errors import OutputError
from algatt.files import check_writable, write_atomically

SECTIONS: dict[str, Callable[[Plan], list[Figure]]] = {
    "dimension": dimension.measure,
    "beside-rank": beside_rank.measure,
    "import": startup.measure,
    "evaluate": evaluate.measure,
    "linalg": linalg.measure,
    "neurodim": neurodim.measure,
    "identifiability": identifiability.measure,
    "trees": trees.measure,
    "normalized": normalized.measure,
    "spectra": spectra.measure,
    "dynamics": dynamics.measure,
    "symmetries": symmetries.measure,
    "elementary": elementary.measure,
    "sweeps": sweeps.measure,
    "certificates": certificates.measure,
    "profile": profile.measure,
}

WIDTH = 120
"""In a file or a pipe, where there is no terminal to fit in, the tables are this wide."""


def prime(text: str) -> int:
    """Read a prime below 2^31, as every algorithm takes it."""
    p = positive(text)
    if p >= 2**31 or not flint.fmpz(p).is_prime():
        raise argparse.ArgumentTypeError(f"{p} is not a prime below 2^31")
    return p


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = Parser(prog="benchmark", description="Measure what the package promises to reach.")
    parser.add_argument("sections", nargs="*", metavar="section", help=f"{', '.join(SECTIONS)} (default: all)")
    parser.add_argument("--runs", type=positive, default=3, help="runs of each measurement (default: 3)")
    parser.add_argument("--quick", action="store_true", help="smaller sizes; not for quoting")
    parser.add_argument("--json", metavar="PATH", help="write the figures to a file")
    parser.add_argument("--plot", metavar="PATH", help="draw the times of linalg, as svg or png; needs matplotlib")
    parser.add_argument(
        "--sizes", type=positive, nargs="+", default=[], metavar="N", help="sizes of linalg (default: 250 to 8000)"
    )
    parser.add_argument(
        "--primes",
        type=prime,
        nargs="+",
        default=[],
        metavar="P",
        help="primes of linalg (default: 1048583 8388593 2147483647)",
    )
    parser.add_argument(
        "--processor",
        action="store_true",
        help="processor time of calls in this process instead of wall time: on a busy machine, with one thread",
    )
    options = parser.parse_args(arguments)
    for name in options.sections:
        if name not in SECTIONS:
            parser.error(f"there is no section {name!r}; choose from {', '.join(SECTIONS)}")
    options.sections = [name for name in SECTIONS if name in options.sections or not options.sections]
    if options.plot is not None and "linalg" not in options.sections:
        parser.error("--plot draws the section linalg, which is not measured")
    if options.plot is not None and not options.plot.endswith((".svg", ".png")):
        parser.error(f"{options.plot!r} does not end in .svg or .png")
    return options


def shown(value: float, unit: str) -> str:
    """Write a value with the digits that a measurement has."""
    return f"{value:.3g} {unit}" if value < 1000 else f"{value:.0f} {unit}"


def promise(figure: Figure) -> str:
    """Write the target of a figure."""
    if figure.target is None:
        return ""
    return f"at {'least' if figure.at_least else 'most'} {shown(figure.target, figure.unit)}"


def table(section: str, figures: Sequence[Figure]) -> Table:
    """Lay the figures of a section out, one in each row."""
    laid_out = Table(title=section, title_justify="left")
    laid_out.add_column("measured")
    for heading in ("median", "lowest to highest", "runs", "target", "met"):
        laid_out.add_column(heading, justify="right")
    for figure in figures:
        extremes = (
            "" if figure.lowest is None or figure.highest is None else f"{figure.lowest:.3g} to {figure.highest:.3g}"
        )
        met = {None: "", True: "yes", False: "[bold red]no[/]"}[figure.met]
        name = figure.name if figure.case is None else f"{figure.name}, {figure.case}"
        laid_out.add_row(name, shown(figure.value, figure.unit), extremes, str(figure.runs), promise(figure), met)
    return laid_out


def cell(figure: Figure) -> str:
    """Write a figure for a column of its own; where answers are counted, all that differ."""
    if figure.unit == "dimension" and figure.lowest != figure.highest:
        return f"{figure.lowest:.0f} to {figure.highest:.0f}"
    return f"{figure.value:.3g}"


def grid(title: str, figures: Sequence[Figure]) -> Table:
    """Lay out the same quantities of many cases: a row for each case, a column for each quantity."""
    laid_out = Table(title=title, title_justify="left")
    laid_out.add_column("", no_wrap=True)
    headings = list(dict.fromkeys(figure.name for figure in figures))
    for heading in headings:
        laid_out.add_column(heading, justify="right")
    cells: dict[str | None, dict[str, str]] = {}
    for figure in figures:
        cells.setdefault(figure.case, {})[figure.name] = cell(figure)
    for case, row in cells.items():
        laid_out.add_row(case, *(row.get(heading, "") for heading in headings))
    return laid_out


def tables(section: str, figures: Sequence[Figure]) -> list[Table]:
    """Lay a section out: what was measured on many cases as grids, one of seconds and one of the rest; what has a
    target in rows.
    """
    cases = [figure for figure in figures if figure.case is not None]
    seconds = [figure for figure in cases if figure.unit == "s"]
    rest = [figure for figure in cases if figure.unit != "s"]
    grids = [
        grid(f"{section}: {name}", some)
        for name, some in (("seconds", seconds), ("ratios, rates and answers", rest))
        if some
    ]
    return [*grids, table(section, [figure for figure in figures if figure.case is None or figure.target is not None])]


def measure(sections: Sequence[str], plan: Plan, console: Console) -> dict[str, list[Figure]]:
    """Measure the sections and print each when it is done."""
    measured = {}
    for name in sections:
        print(f"benchmark: measuring {name}", file=sys.stderr)
        measured[name] = SECTIONS[name](plan)
        for laid_out in tables(name, measured[name]):
            if laid_out.rows:
                console.print(laid_out)
    return measured


def as_json(
    description: Mapping[str, Any], options: argparse.Namespace, measured: Mapping[str, Sequence[Figure]]
) -> bytes:
    """Return the figures as a JSON text."""
    sections = {name: [figure.to_dict() for figure in figures] for name, figures in measured.items()}
    return (
        json.dumps(
            {"machine": description, "runs": options.runs, "quick": options.quick, "sections": sections}, indent=2
        ).encode()
        + b"\n"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what is asked for and return the exit code."""
    options = parse(arguments)
    if options.plot is not None and not plot.can_plot():
        print("benchmark: --plot needs matplotlib, which is not installed", file=sys.stderr)
        return 2
    console = Console(width=None if sys.stdout.isatty() else WIDTH)
    description = machine.describe()
    if options.processor:
        os.environ["BENCHMARK_PROCESSOR"] = "1"
        description["clock"] = "of the processor"
    try:
        for path in (options.json, options.plot):
            if path is not None:
                check_writable(path)  # now, and not after minutes of measuring
        console.print(", ".join(f"{name} {value}" for name, value in description.items()), highlight=False)
        measured = measure(
            options.sections, Plan(options.runs, options.quick, tuple(options.sizes), tuple(options.primes)), console
        )
        if options.json is not None:
            write_atomically(options.json, as_json(description, options, measured))
        if options.plot is not None:
            plot.draw(measured["linalg"], options.plot)
    except (OutputError, ProcessFailed) as error:
        print(f"benchmark: {error}", file=sys.stderr)
        return 2 if isinstance(error, OutputError) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
