"""The command ``algatt table``."""

from __future__ import annotations

import argparse
import sys

from algatt.cli.command import Command
from algatt.cli.exit_codes import ExitCode
from algatt.cli.output import Output, add_output
from algatt.cli.parser import Parser
from algatt.cli.sweeps import add_rows, rows_of

__all__ = ["COMMAND"]

FORMATS = ("csv", "md", "json", "parquet")


def add_options(parser: Parser) -> None:
    """Add the record, its rows, and the file."""
    add_rows(parser)
    add_output(parser, "write the table", FORMATS)


def run(options: argparse.Namespace) -> int:
    """Print or write the answers of a sweep."""
    from algatt.views.sweeps import print_answers, table_of

    output = Output.of(options)
    rows = rows_of(options)
    if output is None:
        print_answers(rows, sys.stdout)
    else:
        output.write(table_of(rows, output.kind))
    return ExitCode.DONE


COMMAND = Command(description="List the answers of a sweep, a row for each.", add_options=add_options, run=run)
