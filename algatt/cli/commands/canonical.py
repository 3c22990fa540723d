"""Write the normal form of parameters: the same for all parameters that symmetries lead to; of a checkpoint the
balanced form, up to rounding.
"""

from __future__ import annotations

import argparse

import algatt
from algatt.cli.checkpoints import (
    CHECKPOINT,
    add_config,
    check_folder,
    is_parameters,
    load_checkpoint,
    save_checkpoint,
)
from algatt.cli.command import CommandAnswer, Progress
from algatt.cli.options import add_architecture, architecture_of
from algatt.cli.output import add_output
from algatt.cli.parser import Parser, UsageError
from algatt.errors import InvalidArgument

EXAMPLES = ("theta.npz --tokens 3 -o form.npz", "model -o balanced")


def add_options(parser: Parser) -> None:
    """Add the file, the architecture, and where the normal form is written."""
    parser.option("parameters FILE", f"weights saved by Python (.npz), or {CHECKPOINT}")
    add_architecture(parser)
    add_config(parser)
    add_output(parser, "write the normal form, which 'algatt compare' reads; of a checkpoint, a folder", ["npz"])


def ask(options: argparse.Namespace, progress: Progress) -> CommandAnswer:
    """Write the normal form of parameters, or the balanced form of a checkpoint."""
    if not is_parameters(options.parameters):
        return run_checkpoint(options)
    if options.config is not None:
        raise InvalidArgument("--config", "given with a file of parameters", "given with a checkpoint")
    if options.output is None:
        raise UsageError("the following arguments are required: -o")
    theta = algatt.parameters.load(options.parameters)
    form = algatt.canonical(architecture_of(theta, options), theta)
    rounded = "numerical: this normal form is rounded, and no bound for its error is known\n"
    fields = {"exact": theta.field.exact}
    return CommandAnswer("" if theta.field.exact else rounded, lambda: fields, lambda kind: form.to_bytes())


def run_checkpoint(options: argparse.Namespace) -> CommandAnswer:
    """Write the balanced form of a checkpoint to a folder."""
    from algatt import checkpoints

    for name in ("network", "tokens", "width", "dims", "ranks", "score"):
        if getattr(options, name) is not None:
            raise InvalidArgument(f"--{name}", "given with a checkpoint", "given with a file of parameters (.npz)")
    target = check_folder(options)
    found = load_checkpoint(options.parameters, options)
    save_checkpoint(target, found, checkpoints.balanced_form(found.network, found.weights))
    return CommandAnswer(fields=lambda: {"exact": False}, written=[target])
