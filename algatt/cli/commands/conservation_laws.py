"""The command ``algatt conservation-laws``."""

from __future__ import annotations

import argparse
import sys

from algatt.cli.command import Command
from algatt.cli.exit_codes import ExitCode
from algatt.cli.options import add_network, add_seed, network_of
from algatt.cli.output import add_json, print_json, print_text
from algatt.cli.parser import Parser


def add_options(parser: Parser) -> None:
    """Add the network, and what is computed and printed of it."""
    add_network(parser)
    add_seed(parser)
    parser.add_argument(
        "--laws-only",
        action="store_true",
        help="list the quantities only: skip the longer check that there are no others",
    )
    parser.add_argument("--latex", action="store_true", help="print the quantities in LaTeX")
    add_json(parser, ", with the coefficients of all laws")


def run(options: argparse.Namespace) -> int:
    """Print the conserved quantities of a network."""
    import algatt
    from algatt.views.tables import print_summary

    found = algatt.conservation_laws(network_of(options), seed=options.seed, complete=not options.laws_only)
    if options.json:
        print_json("conservation-laws", found.to_dict())
    elif options.latex:
        print_text(f"{found.latex}\n")
    else:
        print_summary(found, sys.stdout)
    return ExitCode.DONE


COMMAND = Command(
    description="List the quantities that gradient flow keeps whatever the loss is, such as Q Q^T - K K^T, and say "
    "whether there can be others.",
    examples=("--dims 4,3,4 --ranks 2,2 --tokens 3", "net.json --latex"),
    add_options=add_options,
    run=run,
)
