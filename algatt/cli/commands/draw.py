"""Draw a network: its layers nested in boxes, with their tensors and shapes; or write its program as a graph; or draw
its symmetries. Without -o it is printed as text.
"""

from __future__ import annotations

import argparse
import functools

from algatt.architectures import outline
from algatt.cli.command import CommandAnswer, Progress
from algatt.cli.options import add_network, network_of
from algatt.cli.output import Output, add_output
from algatt.cli.parser import Parser
from algatt.symmetry import SymmetryReport
from algatt.views import network_files, symmetry_files

EXAMPLES = ("gpt2 --tokens 3", "net.py:net --symmetries -o symmetries.html")
COUNTS = "families"


def add_options(parser: Parser) -> None:
    """Add the network and what is written."""
    add_network(parser)
    parser.flag(
        "--symmetries",
        "draw the symmetries: a line for each space, between the tensors that a change of its coordinates moves",
    )
    add_output(parser, "where to write, instead of text on stdout", network_files.SUFFIXES)


def ask(options: argparse.Namespace, progress: Progress) -> CommandAnswer:
    """Print or write a network, or its symmetries."""
    from algatt.views.tables import print_symmetries

    arch, silent = network_of(options), options.output is not None
    if not options.symmetries:
        fields = {"architecture": arch.description()}
        text = "" if silent else outline(arch)
        return CommandAnswer(text, lambda: fields, functools.partial(network_files.content, arch))
    output = Output.of(options)
    if output is not None:
        symmetry_files.check_kind(output.kind, arch)  # before the work
    report = SymmetryReport.of(arch, progress=progress)
    printed = "" if silent else functools.partial(print_symmetries, report)
    return CommandAnswer(printed, report.to_dict, functools.partial(symmetry_files.content, report))
