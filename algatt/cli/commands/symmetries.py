"""List the symmetries of a network: its spaces, the groups that may change their coordinates, the dimensions of the
orbits, and the tensors that move.
"""

from __future__ import annotations

import argparse

from algatt import verbs
from algatt.cli.command import CommandAnswer, Progress
from algatt.cli.options import add_network, add_seed, network_of
from algatt.cli.parser import Parser
from algatt.symmetry import SymmetryReport

EXAMPLES = ("net.json", "block.py:block --tokens 3 --width 4 --json")
COUNTS = "families"

BY_SYMBOLS = 2_000_000
"""Minimum number of parameters for which symmetries are counted with sizes as symbols; matrices take minutes."""


def add_options(parser: Parser) -> None:
    """Add the network, and the form of the answer."""
    add_network(parser)
    add_seed(parser)


def ask(options: argparse.Namespace, progress: Progress) -> CommandAnswer:
    """Print the symmetries of a network."""
    from algatt.views.tables import print_symmetries

    net = network_of(options)
    if net.parameters >= BY_SYMBOLS:
        return CommandAnswer.of(verbs.symbolic_symmetries(net))
    report = SymmetryReport.of(net, options.seed, progress=progress)
    return CommandAnswer(lambda stream: print_symmetries(report, stream), report.to_dict)
