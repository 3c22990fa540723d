"""Compute, for each degree, the number of forms in the coefficients that are linearly independent on the set of
functions of a network.
"""

from __future__ import annotations

import argparse

import algatt
from algatt.cli.command import CommandAnswer, Progress
from algatt.cli.options import add_network, network_of
from algatt.cli.parser import Parser

EXAMPLES = ("--dims 2,2 --ranks 2 --tokens 2 --degree 3", "net.json --json")


def add_options(parser: Parser) -> None:
    """Add the network and the degree."""
    add_network(parser)
    parser.option("--degree D", "maximum degree (default 3)", int, 3)


def ask(options: argparse.Namespace, progress: Progress) -> CommandAnswer:
    """Print the Hilbert function of the closure of a neuromanifold."""
    found = algatt.hilbert_function(network_of(options), options.degree)
    lines = [f"{'degree':>6}  {'monomials':>12}  {'equations':>12}  {'value':>12}"]
    for degree, row in enumerate(zip(found.monomials, found.equations, found.values, strict=True)):
        lines.append(f"{degree:>6}  {'  '.join(f'{number:>12,}' for number in row)}")
    worth = found.status if found.error is None else f"{found.status}, error at most {found.error:.2g}"
    lines.append(f"{worth}, in projective space" if found.projective else worth)
    return CommandAnswer("".join(f"{line}\n" for line in lines), found.to_dict)
