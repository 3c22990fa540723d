"""The command ``algatt equations``."""

from __future__ import annotations

import argparse

import algatt
from algatt.cli.command import Command
from algatt.cli.exit_codes import ExitCode
from algatt.cli.options import add_network, network_of
from algatt.cli.output import add_json, print_json, print_text
from algatt.cli.parser import Parser


def add_options(parser: Parser) -> None:
    """Add the network and the degree."""
    add_network(parser)
    parser.add_argument("--degree", type=int, default=2, metavar="D", help="maximum degree (default 2)")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Print the equations of the closure of a neuromanifold."""
    found = algatt.equations(network_of(options), options.degree)
    if options.json:
        print_json("equations", found.to_dict())
    else:
        count = len(found.generators)
        space = " in projective space" if found.hilbert_function.projective else ""
        told = f"{count} generator{'s' * (count != 1)} up to degree {options.degree}{space} ({found.status})"
        print_text(f"{found}\n{told}, {found.unnamed} without a name\n")
    return ExitCode.DONE


COMMAND = Command(
    description="Print the polynomial equations, up to a degree, that the coefficients of the functions of a network "
    "satisfy for all weights.",
    examples=("--dims 2,1 --ranks 2 --tokens 2 --degree 4", "net.json --json"),
    add_options=add_options,
    run=run,
)
