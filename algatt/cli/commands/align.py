"""Move a checkpoint by a symmetry of its network close to another one, as before merging or averaging. Its function
stays the same, which is checked. Without -o only the distances are printed.
"""

from __future__ import annotations

import argparse
import dataclasses

from algatt.cli.checkpoints import CHECKPOINT, add_config, add_folder, check_folder, load_checkpoint, save_checkpoint
from algatt.cli.command import CommandAnswer, Progress
from algatt.cli.parser import Parser

EXAMPLES = ("one two -o moved", "one two --starts 8 --json")
COUNTS = "starts"


def add_options(parser: Parser) -> None:
    """Add the checkpoints, the starts, and where the result is written."""
    parser.option("first FIRST", f"target of the alignment, {CHECKPOINT}")
    parser.option("second SECOND", "checkpoint to move; a checkpoint of the same network")
    add_config(parser)
    parser.option("--seed N", "seed of the random starts (default 0)", int, 0)
    parser.option("--starts N", "number of starts of the search (default 4)", int, 4)
    add_folder(parser, "the second checkpoint, moved")


def ask(options: argparse.Namespace, progress: Progress) -> CommandAnswer:
    """Move a checkpoint near to another one, and print the distances."""
    import algatt

    target = None if options.output is None else check_folder(options)
    first, second = (load_checkpoint(path, options) for path in (options.first, options.second))
    found = algatt.align(first, second, seed=options.seed, starts=options.starts, progress=progress)
    if target is not None:
        network = algatt.published.read(found.config, tokens=second.network.tokens)
        save_checkpoint(target, dataclasses.replace(second, network=network, config=found.config), found.weights)
    return CommandAnswer.of(found, written=[] if target is None else [target])
