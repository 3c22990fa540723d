"""The command ``algatt program``."""

from __future__ import annotations

import argparse

import algatt
from algatt.cli.command import Command
from algatt.cli.exit_codes import ExitCode
from algatt.cli.options import add_network, network_of
from algatt.cli.output import Output, add_json, add_output, print_json, print_text
from algatt.cli.parser import Parser
from algatt.views import program_files


def add_options(parser: Parser) -> None:
    """Add the network and what is written."""
    add_network(parser)
    add_output(parser, "where to write, instead of text on stdout", program_files.SUFFIXES)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Print or write the program of a network."""
    output = Output.of(options)
    if output is not None:
        program_files.check_kind(output.kind)
    program = algatt.maps.program(network_of(options))
    if output is not None:
        output.write(program_files.content(program, output.kind))
    if options.json:
        print_json("program", program_files.plain_program(program))
    elif output is None:
        print_text(program_files.text(program))
    return ExitCode.DONE


COMMAND = Command(
    description="Print the straight-line program of a network: what it computes, an operation a line, as certificates "
    "have it, and its SHA-256; or write it, as text, as a graph, or as a picture.",
    examples=("--dims 4,3,4 --ranks 2,2 --tokens 3", "net.json -o program.svg"),
    add_options=add_options,
    run=run,
)
