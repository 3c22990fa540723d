"""Find a polynomial in the sizes and their minima that gives all answers of a family. It is a conjecture."""

from __future__ import annotations

import argparse

from algatt.cli.command import CommandAnswer, Progress
from algatt.cli.exit_codes import ExitCode
from algatt.cli.parser import Parser
from algatt.cli.sweeps import add_rows, rows_of

EXAMPLES = ("plan.sqlite", "plan.sqlite --question dimension --json")
COUNTS = "shapes"


def add_options(parser: Parser) -> None:
    """Add the record, its rows, and how the formula is written."""
    add_rows(parser)
    parser.option("--where CONDITION", "condition on the sizes, as 'a <= d'")
    parser.flag("--latex", "print LaTeX")


def ask(options: argparse.Namespace, progress: Progress) -> CommandAnswer:
    """Print the formula; the exit code is 1 if there is none, or rows refute it."""
    from algatt.sweeps import fit_formula

    found = fit_formula(rows_of(options), where=options.where, progress=progress)
    lines = [found.latex() if options.latex else str(found), found.statement]
    for sizes, value in found.refuted:
        lines.append(f"  {value} at {', '.join(f'{name} = {size}' for name, size in sizes.items())}")
    fields = {"formula": str(found), "latex": found.latex(), "rows": found.rows, "points": found.points}
    fields |= {"predicted": found.predicted, "unique": found.unique, "refuted": [*found.refuted]}
    code = ExitCode.NO if found.refuted else ExitCode.DONE
    return CommandAnswer("".join(f"{line}\n" for line in lines), lambda: fields, code=code)
