"""Measure how far the quantities that gradient flow keeps, such as Q Q^T - K K^T of each head, moved from a checkpoint
to others, relative to their sizes, and how far the weights moved: small steps of gradient descent keep the quantities,
Adam and other runs do not.
"""

from __future__ import annotations

import argparse

from algatt.cli.checkpoints import CHECKPOINT, add_config, load_checkpoint
from algatt.cli.command import CommandAnswer, Progress
from algatt.cli.parser import Parser

EXAMPLES = ("step-0 step-100 step-200", "base fine-tuned --json")


def add_options(parser: Parser) -> None:
    """Add the checkpoints."""
    parser.option("first FIRST", CHECKPOINT)
    parser.option("others OTHER", "later checkpoints of the same training run", nargs="+")
    add_config(parser)


def ask(options: argparse.Namespace, progress: Progress) -> CommandAnswer:
    """Print how far conserved quantities moved between checkpoints."""
    from algatt import checkpoints

    return CommandAnswer.of(
        checkpoints.drift(*(load_checkpoint(path, options) for path in (options.first, *options.others)))
    )
