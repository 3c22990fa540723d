"""The command ``algatt layers``."""

from __future__ import annotations

import argparse
import sys

from algatt.cli.command import Command
from algatt.cli.exit_codes import ExitCode
from algatt.cli.output import add_json, print_json
from algatt.cli.parser import Parser
from algatt.layers.catalogue import catalogue


def run(options: argparse.Namespace) -> int:
    """Print what networks are made of."""
    from algatt.views.tables import print_catalogue

    entries = catalogue()
    if options.json:
        listed = [{"name": one.name, "kind": one.kind, "line": one.line, "arxiv": list(one.arxiv)} for one in entries]
        print_json("layers", {"layers": listed})
    else:
        print_catalogue(entries, sys.stdout)
    return ExitCode.DONE


def add_options(parser: Parser) -> None:
    """Add the one option."""
    add_json(parser)


COMMAND = Command(
    description="List all layers, masks, positions and activations, one to a line, with the arXiv numbers of their "
    "papers.",
    examples=("", "--json"),
    add_options=add_options,
    run=run,
)
