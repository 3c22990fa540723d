"""The command ``algatt move``."""

from __future__ import annotations

import argparse

from algatt.cli.checkpoints import CHECKPOINT, add_config, add_folder, check_folder, load_checkpoint, save_checkpoint
from algatt.cli.command import Command
from algatt.cli.exit_codes import ExitCode
from algatt.cli.parser import Parser


def add_options(parser: Parser) -> None:
    """Add the checkpoint, the element, and where the result is written."""
    parser.add_argument("checkpoint", metavar="CHECKPOINT", help=CHECKPOINT)
    add_config(parser)
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the random element (default 0)")
    parser.add_argument(
        "--condition",
        type=float,
        default=4.0,
        metavar="C",
        help="maximum condition number of the matrices that are not orthogonal (default 4)",
    )
    add_folder(parser, "the checkpoint that is moved")


def run(options: argparse.Namespace) -> int:
    """Write a checkpoint moved by a random element of the group of its network."""
    from algatt import checkpoints

    target = check_folder(options)
    found = load_checkpoint(options.checkpoint, options)
    moved = checkpoints.move(found.network, found.weights, seed=options.seed, condition=options.condition)
    save_checkpoint(target, found, moved)
    return ExitCode.DONE


COMMAND = Command(
    description="Move the weights of a checkpoint by a random element of the whole group of its network: another "
    "checkpoint of the same function, to test analyses with.",
    examples=("model -o moved", "model --seed 1 --condition 2 -o moved"),
    add_options=add_options,
    run=run,
)
