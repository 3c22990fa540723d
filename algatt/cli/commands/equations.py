"""Print the polynomial equations, up to a degree, that the coefficients of the functions of a network satisfy for all
weights.
"""

from __future__ import annotations

import argparse

import algatt
from algatt.cli.command import CommandAnswer, Progress
from algatt.cli.options import add_network, network_of
from algatt.cli.parser import Parser

EXAMPLES = ("--dims 2,1 --ranks 2 --tokens 2 --degree 4", "net.json --json")


def add_options(parser: Parser) -> None:
    """Add the network and the degree."""
    add_network(parser)
    parser.option("--degree D", "maximum degree (default 2)", int, 2)


def ask(options: argparse.Namespace, progress: Progress) -> CommandAnswer:
    """Print the equations of the closure of a neuromanifold."""
    found = algatt.equations(network_of(options), options.degree)
    codimension, status = found.codimension
    told = f"{algatt.verbs.summarize(found).title} ({found.status}), {found.unnamed} without a name"
    room = f"the closure has codimension {codimension} in the space of the coordinates ({status})"
    return CommandAnswer(f"{found}\n{told}\n{room}\n", found.to_dict)
