"""The command ``algatt report``."""

from __future__ import annotations

import argparse
import sys

from algatt.cli.command import Command
from algatt.cli.exit_codes import ExitCode
from algatt.cli.parser import Parser
from algatt.cli.sweeps import add_rows, rows_of

__all__ = ["COMMAND"]


def add_options(parser: Parser) -> None:
    """Add the record, and whether failures are listed."""
    add_rows(parser)
    parser.add_argument("--failed", action="store_true", help="list what has no answer, and why")


def run(options: argparse.Namespace) -> int:
    """Print how many answers there are, or what has none."""
    from algatt.views.sweeps.tables import print_failures, print_sweep

    rows = rows_of(options)
    if options.failed:
        print_failures([row for row in rows if row.value is None], sys.stdout)
    else:
        print_sweep(rows, 0, sys.stdout)
    return ExitCode.DONE


COMMAND = Command(
    description="Count the answers of a sweep by family and status, or list what has none.",
    add_options=add_options,
    run=run,
)
