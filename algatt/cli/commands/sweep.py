"""The command ``algatt sweep``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from algatt.cli.command import Command
from algatt.cli.exit_codes import ExitCode
from algatt.cli.output import add_json, print_json
from algatt.cli.parser import Parser


def add_options(parser: Parser) -> None:
    """Add the plan, the record, and who is asked."""
    parser.add_argument("plan", metavar="PLAN", help="a TOML file with families of architectures, and a question")
    parser.add_argument("--store", metavar="FILE", help="the record, an SQLite file (default: PLAN with .sqlite)")
    parser.add_argument(
        "--workers", type=int, metavar="N", help="number of worker processes (default: run in this one)"
    )
    parser.add_argument("--scheduler", metavar="ADDRESS", help="run on the workers of a Dask scheduler")
    parser.add_argument("--limit", type=float, metavar="S", help="time limit of a question in seconds")
    parser.add_argument("--again", action="store_true", help="ask failed questions once more")
    parser.add_argument("--yes", action="store_true", help="do not ask for confirmation of large sweeps")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Ask what is missing; the exit code is 1 if something has no answer."""
    import algatt
    from algatt.sweeps import read_plan
    from algatt.sweeps.store import check_place
    from algatt.sweeps.sweep import MOST
    from algatt.views.progress import ProgressBar
    from algatt.views.sweeps.tables import print_sweep

    store = Path(options.plan).with_suffix(".sqlite") if options.store is None else options.store
    check_place(store)
    plan = read_plan(options.plan)
    with ProgressBar("answers") as progress:
        found = algatt.sweep(
            plan,
            store,
            limit=options.limit,
            workers=options.workers,
            scheduler=options.scheduler,
            again=options.again,
            most=max(MOST, plan.products) if options.yes else MOST,
            progress=progress,
        )
    if options.json:
        answers = {"store": str(store), "asked": found.asked, "answers": len(found.rows), "status": found.counts}
        print_json("sweep", answers)
    else:
        print_sweep(found.rows, found.asked, sys.stdout)
    return ExitCode.NO if found.failed else ExitCode.DONE


COMMAND = Command(
    description="Ask every architecture of a plan one question, and record each answer when it is there.",
    examples=("plan.toml", "plan.toml --workers 8 --limit 60"),
    add_options=add_options,
    run=run,
)
