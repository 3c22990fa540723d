"""The command ``algatt drift``."""

from __future__ import annotations

import argparse
import sys

from algatt.cli.checkpoints import CHECKPOINT, add_config, load_checkpoint
from algatt.cli.command import Command
from algatt.cli.exit_codes import ExitCode
from algatt.cli.output import add_json, print_json
from algatt.cli.parser import Parser


def add_options(parser: Parser) -> None:
    """Add the checkpoints."""
    parser.add_argument("first", metavar="FIRST", help=CHECKPOINT)
    parser.add_argument("others", nargs="+", metavar="OTHER", help="later checkpoints of the same training run")
    add_config(parser)
    add_json(parser, ", with the change of each quantity")


def run(options: argparse.Namespace) -> int:
    """Print how far conserved quantities moved between checkpoints."""
    from algatt import checkpoints
    from algatt.views.tables import print_summary

    found = checkpoints.drift(*(load_checkpoint(path, options) for path in (options.first, *options.others)))
    if options.json:
        print_json("drift", found.to_dict())
    else:
        print_summary(found, sys.stdout)
    return ExitCode.DONE


COMMAND = Command(
    description="Measure how far the quantities that gradient flow keeps, such as Q Q^T - K K^T of each head, moved "
    "from a checkpoint to others, relative to their sizes, and how far the weights moved: small steps of gradient "
    "descent keep the quantities, Adam and other runs do not.",
    examples=("step-0 step-100 step-200", "base fine-tuned --json"),
    add_options=add_options,
    run=run,
)
