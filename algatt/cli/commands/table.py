"""List the answers of a sweep, a row for each; or those of two versions side by side; or draw them over their sizes, by
the suffix of -o: curves, or with --y a heat map.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from algatt.cli.command import CommandAnswer, Progress
from algatt.cli.exit_codes import ExitCode
from algatt.cli.output import Output, add_output
from algatt.cli.parser import Parser
from algatt.cli.sweeps import add_rows, rows_of
from algatt.errors import InvalidArgument
from algatt.views.plotting import PICTURES

if TYPE_CHECKING:
    from algatt.sweeps import Row

EXAMPLES = ("plan.sqlite", 'plan.sqlite --at "d <= 5" -o table.csv')

FORMATS = ("csv", "md", "json", "parquet", *PICTURES)


def add_options(parser: Parser) -> None:
    """Add the record, its rows, what is shown of them, and the file."""
    add_rows(parser)
    parser.flag("--defect", "also show expected minus computed values; a picture shows only these")
    parser.option("--expected FORMULA", "expected value for --defect, as 'd*e - 1' (default: the bound)")
    parser.add_argument("--versions", nargs=2, metavar=("V", "W"), help="compare the answers of two versions of algatt")
    parser.option("--x SIZE", "in a picture, the size across")
    parser.option("--y SIZE", "the size upwards, for a heat map")
    parser.option("--by SIZE", "the size that separates the curves of a picture")
    add_output(parser, "write the table, or a picture", FORMATS)


def ask(options: argparse.Namespace, progress: Progress) -> CommandAnswer:
    """Print or write the answers of a sweep; the exit code is 1 if two versions give different values."""
    from algatt.views.sweeps import picture
    from algatt.views.sweeps.tables import print_answers, records_of_answers, table_of

    output = Output.of(options)
    drawn = output is not None and output.kind in PICTURES
    check_options(options, drawn)
    rows = rows_of(options)
    if options.versions:
        return compare(rows, options)
    shown = {"defect": options.defect, "expected": options.expected}
    records = records_of_answers(rows, **shown)

    def content(kind: str) -> bytes:
        sizes = {name: getattr(options, name) for name in ("x", "y", "by")}
        return picture(rows, kind, **shown, **sizes) if drawn else table_of(records, kind)

    text = "" if output is not None else lambda stream: print_answers(rows, stream, **shown)
    return CommandAnswer(text, lambda: {"answers": records}, content)


def check_options(options: argparse.Namespace, drawn: bool) -> None:
    """Raise an error for options that do not go together."""
    for name in ("x", "y", "by"):
        if getattr(options, name) is not None and not drawn:
            raise InvalidArgument(f"--{name}", "given without a picture", f"given with -o and {', '.join(PICTURES)}")
    if options.y is not None and options.by is not None:
        raise InvalidArgument("--by", "given with --y", "given without: a heat map has no curves")
    if options.expected is not None and not options.defect:
        raise InvalidArgument("--expected", "given without --defect", "given with it")
    if options.versions is not None and (drawn or options.defect or options.version_of is not None):
        raise InvalidArgument("--versions", "given with a picture, --defect or --version-of", "given without")


def compare(rows: Sequence[Row], options: argparse.Namespace) -> CommandAnswer:
    """Return the answers of two versions side by side."""
    from algatt.sweeps import compare_versions
    from algatt.views.sweeps.tables import print_versions, records_of_versions, table_of

    pairs = compare_versions(rows, *options.versions)
    records = records_of_versions(pairs)
    different = any(pair.verdict in ("different", "contradiction") for pair in pairs)
    return CommandAnswer(
        "" if options.output is not None else lambda stream: print_versions(pairs, stream),
        lambda: {"answers": records},
        lambda kind: table_of(records, kind),
        ExitCode.NO if different else ExitCode.DONE,
    )
