"""The command ``algatt fit-formula``."""

from __future__ import annotations

import argparse

from algatt.cli.command import Command
from algatt.cli.exit_codes import ExitCode
from algatt.cli.output import add_json, print_json, print_text
from algatt.cli.parser import Parser
from algatt.cli.sweeps import add_rows, rows_of


def add_options(parser: Parser) -> None:
    """Add the record, its rows, and how the formula is written."""
    add_rows(parser)
    parser.add_argument("--where", metavar="CONDITION", help="condition on the sizes, as 'a <= d'")
    parser.add_argument("--latex", action="store_true", help="print LaTeX")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Print the formula; the exit code is 1 if there is none, or rows refute it."""
    from algatt.sweeps import fit_formula
    from algatt.views.progress import ProgressBar

    rows = rows_of(options)
    with ProgressBar("shapes") as progress:
        found = fit_formula(rows, where=options.where, progress=progress)
    if options.json:
        fields = {"formula": str(found), "latex": found.latex(), "rows": found.rows, "points": found.points}
        print_json(
            "fit-formula", fields | {"predicted": found.predicted, "unique": found.unique, "refuted": [*found.refuted]}
        )
    else:
        print_text(f"{found.latex() if options.latex else found}\n{found.statement}\n")
        for sizes, value in found.refuted:
            print_text(f"  {value} at {', '.join(f'{name} = {size}' for name, size in sizes.items())}\n")
    return ExitCode.NO if found.refuted else ExitCode.DONE


COMMAND = Command(
    description="Find the polynomial in sizes and their minima that gives all answers of a family: a conjecture.",
    examples=("plan.sqlite", "plan.sqlite --question dimension --json"),
    add_options=add_options,
    run=run,
)
