"""The command ``algatt draw``."""

from __future__ import annotations

import argparse
import sys

from algatt.architectures import outline
from algatt.cli.command import Command
from algatt.cli.exit_codes import ExitCode
from algatt.cli.options import add_network, network_of
from algatt.cli.output import Output, add_output, print_text
from algatt.cli.parser import Parser
from algatt.symmetry import SymmetryReport
from algatt.views import network_files, symmetry_files


def add_options(parser: Parser) -> None:
    """Add the network and what is written."""
    add_network(parser)
    parser.add_argument(
        "--symmetries",
        action="store_true",
        help="draw the symmetries: a line for each space, between the tensors that a change of its coordinates moves",
    )
    add_output(parser, "where to write, instead of text on stdout", network_files.SUFFIXES)


def run(options: argparse.Namespace) -> int:
    """Print or write a network, or its symmetries."""
    from algatt.views.progress import ProgressBar

    output = Output.of(options)
    if output is not None:
        (symmetry_files if options.symmetries else network_files).check_kind(output.kind)
    arch = network_of(options)
    if options.symmetries:
        with ProgressBar("families") as progress:
            report = SymmetryReport.of(arch, progress=progress)
        draw_symmetries(report, output)
    elif output is None:
        print_text(outline(arch))
    else:
        output.write(network_files.content(arch, output.kind))
    return ExitCode.DONE


def draw_symmetries(report: SymmetryReport, output: Output | None) -> None:
    """Print or write the symmetries of a network."""
    from algatt.views.tables import print_symmetries

    if output is None:
        print_symmetries(report, sys.stdout)
    else:
        output.write(symmetry_files.content(report, output.kind))


COMMAND = Command(
    description="Draw a network: its layers nested in boxes, with their tensors and shapes; or write its program "
    "as a graph; or draw its symmetries. Without -o it is printed as text.",
    examples=("gpt2 --tokens 3", "net.py:net --symmetries -o symmetries.html"),
    add_options=add_options,
    run=run,
)
