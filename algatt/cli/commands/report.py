"""Count the answers of a sweep by family and status, or list what has none."""

from __future__ import annotations

import argparse

from algatt.cli.command import CommandAnswer, Progress
from algatt.cli.parser import Parser
from algatt.cli.sweeps import add_rows, rows_of

EXAMPLES = ("plan.sqlite", "plan.sqlite --failed --json")


def add_options(parser: Parser) -> None:
    """Add the record, and whether failures are listed."""
    add_rows(parser)
    parser.flag("--failed", "list the unanswered questions with their reasons")


def ask(options: argparse.Namespace, progress: Progress) -> CommandAnswer:
    """Print how many answers there are, or what has none."""
    from algatt.views.sweeps.tables import counts_of, print_failures, print_sweep

    rows = rows_of(options)
    unanswered = [row for row in rows if row.value is None]
    names = ("family", "question", "version", "status")
    counts = [{**dict(zip(names, key, strict=True)), "answers": count} for key, count in counts_of(rows).items()]
    told = ("family", "sizes", "architecture", "error", "attempts")
    failed = [{name: getattr(row, name) for name in told} for row in unanswered]
    return CommandAnswer(
        lambda stream: print_failures(unanswered, stream) if options.failed else print_sweep(rows, None, stream),
        lambda: {"answers": len(rows), "counts": counts, "failed": failed},
    )
