"""The command ``algatt fiber``."""

from __future__ import annotations

import argparse
import sys

import algatt
from algatt.cli.command import Command
from algatt.cli.exit_codes import ExitCode
from algatt.cli.options import add_architecture, architecture_of
from algatt.cli.output import Output, add_json, add_output, print_json
from algatt.cli.parser import Parser


def add_options(parser: Parser) -> None:
    """Add the file, the architecture, and the point that is written."""
    parser.add_argument(
        "parameters",
        metavar="FILE",
        help="weights saved by Python: algatt.Weights.of([(Q, K, V), ...]).save(FILE)",
    )
    add_architecture(parser)
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the random point of -o (default 0)")
    add_output(parser, "write a random point of the fibre, which 'algatt compare' reads", ["npz"], "--sample")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Describe a fibre, and write a point of it."""
    from algatt.views.tables import print_summary

    output = Output.of(options)
    theta = algatt.parameters.load(options.parameters)
    answer = algatt.fiber(architecture_of(theta, options), theta)
    if output is not None:
        output.write(answer.sample(options.seed).to_bytes())
    if options.json:
        print_json("fiber", answer.to_dict())
    elif output is None or not output.on_stdout:
        print_summary(answer, sys.stdout)
    return ExitCode.DONE


COMMAND = Command(
    description="Describe the fibre of the parametrization through a point: its case, dimension, components, or the "
    "hypotheses that fail.",
    examples=("theta.npz --tokens 3", "theta.npz --network net.json -o other.npz"),
    add_options=add_options,
    run=run,
)
