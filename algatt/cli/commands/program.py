"""Print the straight-line program of a network: what it computes, an operation a line, as certificates have it, and its
SHA-256; or write it, as text, as a graph, or as a picture.
"""

from __future__ import annotations

import argparse

import algatt
from algatt.cli.command import CommandAnswer, Progress
from algatt.cli.options import add_network, network_of
from algatt.cli.output import add_output
from algatt.cli.parser import Parser
from algatt.views import program_files

EXAMPLES = ("--dims 4,3,4 --ranks 2,2 --tokens 3", "net.json -o program.svg")


def add_options(parser: Parser) -> None:
    """Add the network and what is written."""
    add_network(parser)
    add_output(parser, "where to write, instead of text on stdout", program_files.SUFFIXES)


def ask(options: argparse.Namespace, progress: Progress) -> CommandAnswer:
    """Print or write the program of a network."""
    program = algatt.maps.program(network_of(options))
    return CommandAnswer(
        program_files.text(program) if options.output is None else "",
        lambda: program_files.plain_program(program),
        lambda kind: program_files.content(program, kind),
    )
