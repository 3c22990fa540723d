"""The command ``algatt canonical``."""

from __future__ import annotations

import argparse

import algatt
from algatt.cli.command import Command
from algatt.cli.exit_codes import ExitCode
from algatt.cli.options import add_architecture, architecture_of
from algatt.cli.output import Output, add_output
from algatt.cli.parser import Parser, UsageError

__all__ = ["COMMAND"]


def add_options(parser: Parser) -> None:
    """Add the file, the architecture, and where the normal form is written."""
    parser.add_argument(
        "parameters",
        metavar="FILE",
        help="parameters that Parameters.save wrote, as algatt.Weights.of([(Q, K, V), ...]).save(FILE)",
    )
    add_architecture(parser)
    add_output(parser, "write the normal form, which 'algatt compare' reads", ["npz"])


def run(options: argparse.Namespace) -> int:
    """Write the normal form of parameters."""
    output = Output.of(options)
    if output is None:
        raise UsageError("the following arguments are required: -o")
    theta = algatt.load(options.parameters)
    output.write(algatt.canonical(architecture_of(theta, options), theta).to_bytes())
    return ExitCode.DONE


COMMAND = Command(
    description="Write the normal form of parameters: the same for all parameters that symmetries lead to.",
    add_options=add_options,
    run=run,
)
