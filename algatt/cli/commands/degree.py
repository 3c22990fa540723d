"""The command ``algatt degree``."""

from __future__ import annotations

import argparse
import sys
from typing import Any

import algatt
from algatt.cli.command import Command
from algatt.cli.exit_codes import ExitCode
from algatt.cli.options import add_network, add_seed, network_of
from algatt.cli.output import add_json, print_json
from algatt.cli.parser import Parser


def add_options(parser: Parser) -> None:
    """Add the network and the method."""
    add_network(parser)
    add_seed(parser)
    parser.add_argument(
        "--method", default="auto", metavar="M", help="auto, formula, equations, monodromy or singular (default auto)"
    )
    parser.add_argument(
        "--points",
        type=int,
        default=4096,
        metavar="N",
        help="maximum number of points to follow by monodromy (default 4096)",
    )
    parser.add_argument("--fiber", action="store_true", help="count the components of a generic fibre instead")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Print the degree of the closure of a neuromanifold, or the components of a generic fibre."""
    from algatt.views.tables import print_summary

    net = network_of(options)
    if options.fiber:
        found: Any = algatt.geometry.fiber_components(net, seed=options.seed, points=options.points)
    else:
        found = algatt.degree_of_closure(net, seed=options.seed, method=options.method, points=options.points)
    if options.json:
        print_json("degree", found.to_dict())
    else:
        print_summary(found, sys.stdout)
    return ExitCode.DONE


COMMAND = Command(
    description="Compute the degree of the closure of the set of functions of a network, whose values are polynomials.",
    examples=("--dims 2,1 --ranks 2 --tokens 2", "net.json --method monodromy --json"),
    add_options=add_options,
    run=run,
)
