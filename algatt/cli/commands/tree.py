"""Draw the unrolled recursion of a network, or write it as a file for other programs; without -o it is printed as
text.
"""

from __future__ import annotations

import argparse

import algatt
from algatt.cli.command import CommandAnswer, Progress
from algatt.cli.options import add_network, network_of
from algatt.cli.output import Output, add_output
from algatt.cli.parser import Parser, UsageError
from algatt.errors import InvalidArgument, in_words
from algatt.views import tree_files

EXAMPLES = ("--layers 3 -o tree.svg", "net.json --dag -o tree.dot")


def add_options(parser: Parser) -> None:
    """Add the network, the kind of the graph, and what is written."""
    add_network(parser)
    parser.option("--layers L", "number of layers, in place of a network", int)
    parser.flag("--dag", "merge equal subtrees: a graph of 3 L + 2 nodes")
    parser.option("--slot M", "show the reflection at this factor of the product, counted from 1", int)
    add_output(parser, "where to write, instead of text on stdout", tree_files.SUFFIXES)


def ask(options: argparse.Namespace, progress: Progress) -> CommandAnswer:
    """Print or write the recursion of a network."""
    output = Output.of(options)
    if output is not None:
        tree_files.check_kind(output.kind, options.slot)  # before the work
    graph = algatt.unroll(source_of(options), kind="dag" if options.dag else "tree")
    text = tree_files.outline(graph, options.slot) if output is None else ""
    return CommandAnswer(
        text,
        lambda: tree_files.node_link_data(graph),
        lambda kind: tree_files.content(graph, kind, slot=options.slot),
    )


def source_of(options: argparse.Namespace) -> algatt.Lightning | int:
    """Return the network, or the number of layers, that the options name.

    Raises
    ------
    InvalidArgument
        If it is no lightning network.
    """
    if options.layers is not None:
        for name in ("network", "dims", "ranks", "tokens", "width", "score"):
            if getattr(options, name):
                raise InvalidArgument("--layers", "given with a network", "given without one")
        layers: int = options.layers
        return layers
    if not options.network and options.dims is None:
        raise UsageError("the following arguments are required: NETWORK, --dims, or --layers")
    arch = network_of(options)
    if not isinstance(arch, algatt.Lightning):
        raise InvalidArgument("network", in_words(arch), "a lightning network, as --dims names one")
    return arch
