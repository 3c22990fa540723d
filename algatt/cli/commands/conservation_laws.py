"""List the quantities that gradient flow keeps whatever the loss is, such as Q Q^T - K K^T, and say whether there can
be others.
"""

from __future__ import annotations

import argparse

from algatt.cli.command import CommandAnswer, Progress
from algatt.cli.options import add_network, add_seed, network_of
from algatt.cli.parser import Parser

EXAMPLES = ("--dims 4,3,4 --ranks 2,2 --tokens 3", "net.json --latex")


def add_options(parser: Parser) -> None:
    """Add the network, and what is computed and printed of it."""
    add_network(parser)
    add_seed(parser)
    parser.flag("--laws-only", "list the quantities only: skip the longer check that there are no others")
    parser.flag("--latex", "print the quantities in LaTeX")


def ask(options: argparse.Namespace, progress: Progress) -> CommandAnswer:
    """Print the conserved quantities of a network."""
    import algatt

    found = algatt.conservation_laws(network_of(options), seed=options.seed, complete=not options.laws_only)
    return CommandAnswer(f"{found.latex}\n", found.to_dict) if options.latex else CommandAnswer.of(found)
