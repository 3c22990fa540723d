"""Measure what the package promises to reach, and print it beside the promise.

    python scripts/benchmark.py                        everything, a few minutes
    python scripts/benchmark.py evaluate linalg        some sections
    python scripts/benchmark.py --quick --runs 1       smaller sizes, a few seconds
    python scripts/benchmark.py --json figures.json    as a file too

Figures are medians of several runs; what is compared is measured in turn in the same run, and the ratio is that of the medians.

Exit code: 0 if everything was measured, 1 if a measured command failed, 2 for bad arguments.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from benchmarks import dimension, evaluate, linalg, machine, startup
from benchmarks.figures import Figure
from benchmarks.timing import ProcessFailed
from rich.console import Console
from rich.table import Table

from algatt import OutputError
from algatt.files import check_writable, write_atomically

SECTIONS: dict[str, Callable[[int, bool], list[Figure]]] = {
    "dimension": dimension.measure,
    "import": startup.measure,
    "evaluate": evaluate.measure,
    "linalg": linalg.measure,
}

WIDTH = 120
"""In a file or a pipe, where there is no terminal to fit in, the tables are this wide."""


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """Print the message without the usage and exit with code 2."""
        self.exit(2, f"{self.prog}: {message}\n")


def positive(text: str) -> int:
    """Read an integer of at least 1."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is not at least 1")
    return number


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = Parser(prog="benchmark", description="Measure what the package promises to reach.")
    parser.add_argument("sections", nargs="*", metavar="section", help=f"{', '.join(SECTIONS)} (default: all)")
    parser.add_argument("--runs", type=positive, default=3, help="runs of each measurement (default: 3)")
    parser.add_argument("--quick", action="store_true", help="smaller sizes; not for quoting")
    parser.add_argument("--json", metavar="PATH", help="write the figures to a file")
    options = parser.parse_args(arguments)
    for name in options.sections:
        if name not in SECTIONS:
            parser.error(f"there is no section {name!r}; choose from {', '.join(SECTIONS)}")
    options.sections = [name for name in SECTIONS if name in options.sections or not options.sections]
    return options


def shown(value: float, unit: str) -> str:
    """Write a value with the digits that a measurement has."""
    return f"{value:.3g} {unit}" if value < 1000 else f"{value:.0f} {unit}"


def table(section: str, figures: Sequence[Figure]) -> Table:
    """Lay the figures of a section out, one in each row."""
    laid_out = Table(title=section, title_justify="left")
    laid_out.add_column("measured")
    for heading in ("median", "lowest to highest", "runs", "target", "met"):
        laid_out.add_column(heading, justify="right")
    for figure in figures:
        extremes = "" if figure.lowest is None or figure.highest is None else f"{figure.lowest:.3g} to {figure.highest:.3g}"
        target = "" if figure.target is None else f"at most {shown(figure.target, figure.unit)}"
        met = {None: "", True: "yes", False: "[bold red]no[/]"}[figure.met]
        laid_out.add_row(figure.name, shown(figure.value, figure.unit), extremes, str(figure.runs), target, met)
    return laid_out


def measure(sections: Sequence[str], runs: int, quick: bool, console: Console) -> dict[str, list[Figure]]:
    """Measure the sections and print each when it is done."""
    measured = {}
    for name in sections:
        print(f"benchmark: measuring {name}", file=sys.stderr)
        measured[name] = SECTIONS[name](runs, quick)
        console.print(table(name, measured[name]))
    return measured


def as_json(description: Mapping[str, Any], options: argparse.Namespace, measured: Mapping[str, Sequence[Figure]]) -> bytes:
    """Return the figures as a JSON text."""
    sections = {name: [figure.to_dict() for figure in figures] for name, figures in measured.items()}
    return json.dumps({"machine": description, "runs": options.runs, "quick": options.quick, "sections": sections}, indent=2).encode() + b"\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what is asked for and return the exit code."""
    options = parse(arguments)
    console = Console(width=None if sys.stdout.isatty() else WIDTH)
    description = machine.describe()
    try:
        if options.json is not None:
            check_writable(options.json)  # now, and not after minutes of measuring
        console.print(", ".join(f"{name} {value}" for name, value in description.items()), highlight=False)
        measured = measure(options.sections, options.runs, options.quick, console)
        if options.json is not None:
            write_atomically(options.json, as_json(description, options, measured))
    except (OutputError, ProcessFailed) as error:
        print(f"benchmark: {error}", file=sys.stderr)
        return 2 if isinstance(error, OutputError) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
