"""The options of commands that read checkpoints, and write them."""

from __future__ import annotations

import argparse
import dataclasses
import re
from pathlib import Path
from typing import TYPE_CHECKING

from algatt.cli.output import STDOUT
from algatt.cli.parser import Parser, UsageError
from algatt.errors import InvalidArgument

if TYPE_CHECKING:
    from algatt.checkpoints import Checkpoint
    from algatt.parameters import Weights

CHECKPOINT = "a checkpoint: a folder with a config.json and tensors, or a file with its config.json beside it"
"""What a command reads."""


NAMED = re.compile(r"\.py:\w+$")
"""How names of torch modules end, and of functions that return one and an example."""


def add_config(parser: Parser) -> None:
    """Add the option that names another config."""
    parser.option("--config FILE", "the config.json of a checkpoint, if it is elsewhere")


def add_folder(parser: Parser, what: str) -> None:
    """Add ``-o`` for a folder."""
    parser.option("-o --output FOLDER", f"write {what}: model.safetensors and config.json")


def add_model(parser: Parser, what: str) -> None:
    """Add the options that name a checkpoint and one of its layers of attention."""
    parser.option("--model CHECKPOINT", f"{what}: a folder with a config.json, or a file")
    add_config(parser)
    parser.option("--layer N", "with --model, which layer of attention (default 1)", int)
    parser.option("--head N", "with --model, which head (default all of the layer)", int)


def check_model(options: argparse.Namespace, others: tuple[str, ...], why: str) -> None:
    """Raise `InvalidArgument` for options that are given with a model and should not be, or without it and need it."""
    model = options.model is not None
    for name in others if model else ("config", "layer", "head"):
        if getattr(options, name) not in (None, False):
            option = f"--{name.replace('_', '-')}"
            raise InvalidArgument(
                option, f"given with{'' if model else 'out'} --model", why if model else "given with it"
            )


def is_parameters(path: str) -> bool:
    """Return whether a file is one that ``Parameters.save`` wrote, by its suffix, and no checkpoint."""
    return Path(path).suffix == ".npz"


def load_checkpoint(path: str, options: argparse.Namespace) -> Checkpoint:
    """Read a checkpoint with the config that the options name."""
    from algatt import checkpoints

    if NAMED.search(path):
        should = "a folder with a config.json, or a file; in Python, the verb takes the network and weights of a module"
        raise InvalidArgument("checkpoint", f"{path}, an object of Python", should)
    return checkpoints.load(path, options.config, reach=False)


def check_folder(options: argparse.Namespace) -> str:
    """Return the folder that is written; an error now, not after the work."""
    target: str | None = options.output
    if target is None:
        raise UsageError("the following arguments are required: -o")
    if target == STDOUT or (Path(target).exists() and not Path(target).is_dir()):
        raise InvalidArgument("output", "stdout" if target == STDOUT else f"the file {target}", "a folder")
    return target


def save_checkpoint(target: str, checkpoint: Checkpoint, weights: Weights) -> None:
    """Write weights to a folder, in the place of those of a checkpoint."""
    from algatt import checkpoints

    checkpoints.save(target, dataclasses.replace(checkpoint, weights=weights))
