"""Print numbers of a checkpoint that no symmetry of its network changes: singular values, lengths and norms, space by
space. Of two checkpoints also print the distance of these numbers, which is 0 up to rounding if a symmetry carries one
to the other.
"""

from __future__ import annotations

import argparse
from typing import IO

from algatt.cli.checkpoints import CHECKPOINT, add_config, load_checkpoint
from algatt.cli.command import CommandAnswer, Progress
from algatt.cli.output import print_text
from algatt.cli.parser import Parser
from algatt.errors import InvalidArgument

EXAMPLES = ("model", "one two --json")


def add_options(parser: Parser) -> None:
    """Add the checkpoints."""
    parser.option("checkpoint CHECKPOINT", CHECKPOINT)
    parser.option("other OTHER", "another checkpoint of the same network, to compare with", nargs="?")
    add_config(parser)


def ask(options: argparse.Namespace, progress: Progress) -> CommandAnswer:
    """Print numbers that no symmetry changes, and how far those of two checkpoints are apart."""
    from algatt import checkpoints
    from algatt.views.tables import print_summary

    one = load_checkpoint(options.checkpoint, options)
    two = None if options.other is None else load_checkpoint(options.other, options)
    if two is not None and two.network != one.network:
        from algatt.checkpoints.comparison import difference_of

        what = difference_of(one.config, two.config)
        raise InvalidArgument("OTHER", f"a checkpoint of another network: {what}", "of the network of the first")
    found = checkpoints.invariants(one.network, one.weights)
    other = None if two is None else checkpoints.invariants(two.network, two.weights)
    distances = {} if other is None else found.distances(other)
    largest = None if other is None else found.distance(other)
    spaces = [{**space, "distance": distances.get(space["name"])} for space in found.to_dict()["spaces"]]

    def text(stream: IO[str]) -> None:
        print_summary(found, stream)
        width = max(map(len, distances), default=0)
        for name, distance in distances.items():
            print_text(f"  {name:{width}}  differ by {distance:.2g}, relative\n")
        if largest is not None:
            print_text(f"largest difference {largest:.2g}, relative\n")

    return CommandAnswer(text, lambda: {**found.to_dict(), "spaces": spaces, "distance": largest})
