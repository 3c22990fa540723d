"""The command ``algatt tree``."""

from __future__ import annotations

import argparse

import algatt
from algatt.cli.command import Command
from algatt.cli.exit_codes import ExitCode
from algatt.cli.options import add_network, network_of
from algatt.cli.output import Output, add_output, print_text
from algatt.cli.parser import Parser, UsageError
from algatt.errors import InvalidArgument, in_words
from algatt.views import tree_files


def add_options(parser: Parser) -> None:
    """Add the network, the kind of the graph, and what is written."""
    add_network(parser)
    parser.add_argument("--layers", type=int, metavar="L", help="number of layers, in place of a network")
    parser.add_argument("--dag", action="store_true", help="merge equal subtrees: a graph of 3 L + 2 nodes")
    parser.add_argument(
        "--slot", type=int, metavar="M", help="show the reflection at this factor of the product, counted from 1"
    )
    add_output(parser, "where to write, instead of text on stdout", tree_files.SUFFIXES)


def run(options: argparse.Namespace) -> int:
    """Print or write the recursion of a network."""
    output = Output.of(options)
    if output is not None:
        tree_files.check_kind(output.kind, options.slot)  # before the work
    graph = algatt.unroll(source_of(options), kind="dag" if options.dag else "tree")
    if output is None:
        print_text(tree_files.outline(graph, options.slot))
    else:
        output.write(tree_files.content(graph, output.kind, slot=options.slot))
    return ExitCode.DONE


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


COMMAND = Command(
    description="Draw the unrolled recursion of a network, or write it as a file for other programs; without -o it is "
    "printed as text.",
    examples=("--layers 3 -o tree.svg", "net.json --dag -o tree.dot"),
    add_options=add_options,
    run=run,
)
