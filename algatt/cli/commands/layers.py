"""List all layers, masks, positions and activations, one to a line, with the arXiv numbers of their papers."""

from __future__ import annotations

import argparse

from algatt.cli.command import CommandAnswer, Progress
from algatt.cli.parser import Parser
from algatt.layers.catalogue import catalogue

EXAMPLES = ("", "--json")


def ask(options: argparse.Namespace, progress: Progress) -> CommandAnswer:
    """Print what networks are made of."""
    from algatt.views.tables import print_catalogue

    entries = catalogue()
    listed = [{"name": one.name, "kind": one.kind, "line": one.line, "arxiv": list(one.arxiv)} for one in entries]
    return CommandAnswer(lambda stream: print_catalogue(entries, stream), lambda: {"layers": listed})


def add_options(parser: Parser) -> None:
    """Add the one option."""
