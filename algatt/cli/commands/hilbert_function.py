"""The command ``algatt hilbert-function``."""

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
    parser.add_argument("--degree", type=int, default=3, metavar="D", help="maximum degree (default 3)")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Print the Hilbert function of the closure of a neuromanifold."""
    found = algatt.hilbert_function(network_of(options), options.degree)
    if options.json:
        print_json("hilbert-function", found.to_dict())
    else:
        print_text(f"{'degree':>6}  {'monomials':>12}  {'equations':>12}  {'value':>12}\n")
        for degree, row in enumerate(zip(found.monomials, found.equations, found.values, strict=True)):
            print_text(f"{degree:>6}  {'  '.join(f'{number:>12,}' for number in row)}\n")
        worth = found.status if found.error is None else f"{found.status}, error at most {found.error:.2g}"
        print_text(f"{worth}, in projective space\n" if found.projective else f"{worth}\n")
    return ExitCode.DONE


COMMAND = Command(
    description="Compute, for each degree, how many independent functions the forms in the coefficients of a network "
    "are on its neuromanifold.",
    examples=("--dims 2,2 --ranks 2 --tokens 2 --degree 3", "net.json --json"),
    add_options=add_options,
    run=run,
)
