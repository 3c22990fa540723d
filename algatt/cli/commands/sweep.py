"""Ask one question about every architecture of a plan, and record each answer as it comes."""

from __future__ import annotations

import argparse
from pathlib import Path

from algatt.cli.command import CommandAnswer, Progress
from algatt.cli.exit_codes import ExitCode
from algatt.cli.parser import Parser

EXAMPLES = ("plan.toml", "plan.toml --workers 8 --limit 60")
COUNTS = "answers"


def add_options(parser: Parser) -> None:
    """Add the plan, the record, and who is asked."""
    parser.option("plan PLAN", "a TOML file with families of architectures, and a question")
    parser.option("--store FILE", "the record, an SQLite file (default: PLAN with .sqlite)")
    parser.option("--workers N", "number of worker processes (default: run in this one)", int)
    parser.option("--scheduler ADDRESS", "run on the workers of a Dask scheduler")
    parser.option("--limit S", "time limit of a question in seconds", float)
    parser.flag("--again", "ask failed questions once more")
    parser.flag("--yes", "do not ask for confirmation of large sweeps")


def ask(options: argparse.Namespace, progress: Progress) -> CommandAnswer:
    """Ask what is missing; the exit code is 1 if something has no answer."""
    import algatt
    from algatt.sweeps import read_plan
    from algatt.sweeps.store import check_place
    from algatt.sweeps.sweep import MOST
    from algatt.views.sweeps.tables import print_sweep

    store = Path(options.plan).with_suffix(".sqlite") if options.store is None else options.store
    check_place(store)
    plan = read_plan(options.plan)
    named = {name: getattr(options, name) for name in ("limit", "workers", "scheduler", "again")}
    most = max(MOST, plan.products) if options.yes else MOST
    found = algatt.sweep(plan, store, most=most, progress=progress, **named)
    answers = {"store": str(store), "asked": found.asked, "answers": len(found.rows), "status": found.counts}
    code = ExitCode.NO if found.failed else ExitCode.DONE
    return CommandAnswer(lambda stream: print_sweep(found.rows, found.asked, stream), lambda: answers, code=code)
