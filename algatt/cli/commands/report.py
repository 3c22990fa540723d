"""The command ``algatt report``."""

from __future__ import annotations

import argparse
import sys

from algatt.cli.command import Command
from algatt.cli.exit_codes import ExitCode
from algatt.cli.output import add_json, print_json
from algatt.cli.parser import Parser
from algatt.cli.sweeps import add_rows, rows_of


def add_options(parser: Parser) -> None:
    """Add the record, and whether failures are listed."""
    add_rows(parser)
    parser.add_argument("--failed", action="store_true", help="list the unanswered questions with their reasons")
    add_json(parser, ", with both")


def run(options: argparse.Namespace) -> int:
    """Print how many answers there are, or what has none."""
    from algatt.views.sweeps.tables import counts_of, print_failures, print_sweep

    rows = rows_of(options)
    if options.json:
        names = ("family", "question", "version", "status")
        counts = [{**dict(zip(names, key, strict=True)), "answers": count} for key, count in counts_of(rows).items()]
        told = ("family", "sizes", "architecture", "error", "attempts")
        failed = [{name: getattr(row, name) for name in told} for row in rows if row.value is None]
        print_json("report", {"answers": len(rows), "counts": counts, "failed": failed})
    elif options.failed:
        print_failures([row for row in rows if row.value is None], sys.stdout)
    else:
        print_sweep(rows, 0, sys.stdout)
    return ExitCode.DONE


COMMAND = Command(
    description="Count the answers of a sweep by family and status, or list what has none.",
    examples=("plan.sqlite", "plan.sqlite --failed --json"),
    add_options=add_options,
    run=run,
)
