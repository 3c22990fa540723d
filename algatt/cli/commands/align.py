"""The command ``algatt align``."""

from __future__ import annotations

import argparse
import dataclasses
import sys

from algatt.cli.checkpoints import CHECKPOINT, add_config, add_folder, check_folder, load_checkpoint, save_checkpoint
from algatt.cli.command import Command
from algatt.cli.exit_codes import ExitCode
from algatt.cli.output import add_json, print_json
from algatt.cli.parser import Parser


def add_options(parser: Parser) -> None:
    """Add the checkpoints, the starts, and where the result is written."""
    parser.add_argument("first", metavar="FIRST", help=f"target of the alignment, {CHECKPOINT}")
    parser.add_argument("second", metavar="SECOND", help="checkpoint to move; a checkpoint of the same network")
    add_config(parser)
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the random starts (default 0)")
    parser.add_argument("--starts", type=int, default=4, metavar="N", help="number of starts of the search (default 4)")
    add_folder(parser, "the second checkpoint, moved")
    add_json(parser, ", with the distance of each tensor")


def run(options: argparse.Namespace) -> int:
    """Move a checkpoint near to another one, and print the distances."""
    import algatt
    from algatt.views.progress import ProgressBar
    from algatt.views.tables import print_summary

    target = None if options.output is None else check_folder(options)
    first, second = (load_checkpoint(path, options) for path in (options.first, options.second))
    with ProgressBar("starts") as progress:
        found = algatt.align(first, second, seed=options.seed, starts=options.starts, progress=progress)
    if target is not None:
        network = algatt.published.read(found.config, tokens=second.network.tokens)
        save_checkpoint(target, dataclasses.replace(second, network=network, config=found.config), found.weights)
    if options.json:
        print_json("align", found.to_dict())
    else:
        print_summary(found, sys.stdout)
    return ExitCode.DONE


COMMAND = Command(
    description="Move a checkpoint by a symmetry of its network as near to another one as is found, as for merging and "
    "averaging: its function stays, and that is checked. Without -o the distances alone are printed.",
    examples=("one two -o moved", "one two --starts 8 --json"),
    add_options=add_options,
    run=run,
)
