"""Find weights of a network that compute a polynomial map, given by its coefficients, or an equation that all functions
of the network satisfy and the map violates. The exit code is 1 if there are no such weights, and 5 if this is
undecided.
"""

from __future__ import annotations

import argparse

import algatt
from algatt.cli.command import CommandAnswer, Progress
from algatt.cli.exit_codes import ExitCode
from algatt.cli.options import add_network, add_seed, network_of
from algatt.cli.parser import Parser
from algatt.files import read_bytes

EXAMPLES = ("--dims 2,1 --ranks 1 --tokens 2 --coefficients map.txt", "net.json --coefficients map.txt --json")

LARGEST = 2**26
"""Maximum number of bytes of a file of coefficients."""


def add_options(parser: Parser) -> None:
    """Add the network, the file of coefficients, and the degree of equations."""
    add_network(parser)
    add_seed(parser)
    parser.option(
        "--coefficients FILE",
        "a text with lines such as 'y_1_1: x_1_1^2*x_2_1 3/2', as algatt.coefficients prints them",
        required=True,
    )
    parser.option("--degree D", "maximum degree of the equations (default 4)", int, 4)
    parser.flag("--groebner", "let Singular decide whether complex weights exist, if none are found")


def ask(options: argparse.Namespace, progress: Progress) -> CommandAnswer:
    """Print weights whose function is a polynomial map, or an equation that it violates."""
    text = read_bytes(options.coefficients, LARGEST).decode(errors="replace")
    found = algatt.identify(
        text, network_of(options), seed=options.seed, degree=options.degree, groebner=options.groebner
    )
    inside = {True: "yes", False: "no", None: "not decided"}[found.in_closure]
    weights = [f"{name} = {rows}" for name, rows in (found.to_dict()["weights"] or {}).items()]
    text = "\n".join([f"{found.reason} ({found.status})", f"in the closure: {inside}", *weights, ""])
    no = ExitCode.UNDECIDED if found.status == "undecided" else ExitCode.NO
    return CommandAnswer(text, found.to_dict, code=ExitCode.DONE if found else no)
