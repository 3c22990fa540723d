"""Compute the degree of the closure of the set of functions of a network, whose values are polynomials."""

from __future__ import annotations

import argparse
from typing import Any

import algatt
from algatt.cli.command import CommandAnswer, Progress
from algatt.cli.options import add_network, add_seed, network_of
from algatt.cli.parser import Parser

EXAMPLES = ("--dims 2,1 --ranks 2 --tokens 2", "net.json --method monodromy --json")


def add_options(parser: Parser) -> None:
    """Add the network and the method."""
    add_network(parser)
    add_seed(parser)
    parser.option("--method M", "auto, formula, equations, monodromy or singular (default auto)", default="auto")
    parser.option("--points N", "maximum number of points to follow by monodromy (default 4096)", int, 4096)
    parser.flag("--fiber", "count the components of a generic fibre instead")


def ask(options: argparse.Namespace, progress: Progress) -> CommandAnswer:
    """Print the degree of the closure of a neuromanifold, or the components of a generic fibre."""
    net = network_of(options)
    if options.fiber:
        found: Any = algatt.geometry.fiber_components(net, seed=options.seed, points=options.points)
    else:
        found = algatt.degree_of_closure(net, seed=options.seed, method=options.method, points=options.points)
    return CommandAnswer.of(found)
