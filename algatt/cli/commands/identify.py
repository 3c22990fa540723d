"""The command ``algatt identify``."""

from __future__ import annotations

import argparse

import algatt
from algatt.cli.command import Command
from algatt.cli.exit_codes import ExitCode
from algatt.cli.options import add_network, add_seed, network_of
from algatt.cli.output import add_json, print_json, print_text
from algatt.cli.parser import Parser
from algatt.files import read_bytes

LARGEST = 2**26
"""Maximum number of bytes of a file of coefficients."""


def add_options(parser: Parser) -> None:
    """Add the network, the file of coefficients, and the degree of equations."""
    add_network(parser)
    add_seed(parser)
    parser.add_argument(
        "--coefficients",
        metavar="FILE",
        required=True,
        help="a text with lines such as 'y_1_1: x_1_1^2*x_2_1 3/2', as algatt.coefficients prints them",
    )
    parser.add_argument(
        "--degree", type=int, default=4, metavar="D", help="maximum degree of the equations (default 4)"
    )
    parser.add_argument(
        "--groebner", action="store_true", help="let Singular decide whether complex weights exist, if none are found"
    )
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Print weights whose function is a polynomial map, or an equation that it violates."""
    text = read_bytes(options.coefficients, LARGEST).decode(errors="replace")
    found = algatt.identify(
        text, network_of(options), seed=options.seed, degree=options.degree, groebner=options.groebner
    )
    if options.json:
        print_json("identify", found.to_dict())
    else:
        inside = {True: "yes", False: "no", None: "not decided"}[found.in_closure]
        weights = [f"{name} = {rows}" for name, rows in (found.to_dict()["weights"] or {}).items()]
        print_text("\n".join([f"{found.reason} ({found.status})", f"in the closure: {inside}", *weights, ""]))
    if found:
        return ExitCode.DONE
    return ExitCode.UNDECIDED if found.status == "undecided" else ExitCode.NO


COMMAND = Command(
    description="Find weights of a network whose function is a polynomial map that is given by its coefficients, or an "
    "equation of the closure of its functions that the map violates. The exit code is 1 if there "
    "are no such weights, and 5 if this is undecided.",
    examples=("--dims 2,1 --ranks 1 --tokens 2 --coefficients map.txt", "net.json --coefficients map.txt --json"),
    add_options=add_options,
    run=run,
)
