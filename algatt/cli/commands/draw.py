"""The command ``algatt draw``."""

from __future__ import annotations

import argparse
import sys

from algatt.architectures import outline
from algatt.cli.command import Command
from algatt.cli.exit_codes import ExitCode
from algatt.cli.networks import SOURCE, add_width, network_in
from algatt.cli.output import Output, add_output
from algatt.cli.parser import Parser
from algatt.views import network_files

__all__ = ["COMMAND"]


def add_options(parser: Parser) -> None:
    """Add the network and what is written."""
    parser.add_argument("network", metavar="NETWORK", help=SOURCE)
    parser.add_argument("--tokens", type=int, metavar="T", help="number of tokens, for a layer")
    add_width(parser)
    add_output(parser, "where to write, instead of text on stdout", network_files.SUFFIXES)


def run(options: argparse.Namespace) -> int:
    """Print or write a network."""
    output = Output.of(options)
    if output is not None:
        network_files.check_kind(output.kind)
    arch = network_in(options.network, options)
    if output is None:
        sys.stdout.write(outline(arch))
    else:
        output.write(network_files.content(arch, output.kind))
    return ExitCode.DONE


COMMAND = Command(
    description="Draw a network: its layers nested in boxes, with their tensors and shapes; or write its program "
    "as a graph. Without -o it is printed as text.",
    add_options=add_options,
    run=run,
)
