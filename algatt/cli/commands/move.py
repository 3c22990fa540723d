"""Move the weights of a checkpoint by a random symmetry of its network. The result is another checkpoint with the same
function, for tests of analyses that should not depend on the weights.
"""

from __future__ import annotations

import argparse

from algatt.cli.checkpoints import CHECKPOINT, add_config, add_folder, check_folder, load_checkpoint, save_checkpoint
from algatt.cli.command import CommandAnswer, Progress
from algatt.cli.parser import Parser

EXAMPLES = ("model -o moved", "model --seed 1 --condition 2 -o moved")


def add_options(parser: Parser) -> None:
    """Add the checkpoint, the element, and where the result is written."""
    parser.option("checkpoint CHECKPOINT", CHECKPOINT)
    add_config(parser)
    parser.option("--seed N", "seed of the random element (default 0)", int, 0)
    parser.option(
        "--condition C", "maximum condition number of the matrices that are not orthogonal (default 4)", float, 4.0
    )
    add_folder(parser, "the checkpoint that is moved")


def ask(options: argparse.Namespace, progress: Progress) -> CommandAnswer:
    """Write a checkpoint moved by a random element of the group of its network."""
    from algatt import checkpoints

    target = check_folder(options)
    found = load_checkpoint(options.checkpoint, options)
    moved = checkpoints.move(found.network, found.weights, seed=options.seed, condition=options.condition)
    save_checkpoint(target, found, moved)
    return CommandAnswer(fields=lambda: {"seed": options.seed, "condition": options.condition}, written=[target])
