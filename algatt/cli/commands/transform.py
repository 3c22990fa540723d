"""Rewrite a checkpoint without changing its function, and check that its values stay the same."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from algatt.cli.command import CommandAnswer, Progress
from algatt.cli.parser import Parser, UsageError

if TYPE_CHECKING:
    from algatt.checkpoints import Checkpoint, Conversion

EXAMPLES = ("model folded --by fold-norms", "model rotated --by rotate --matrix hadamard")

NAMES = (
    *("fold-norms", "centre", "untie", "rotate", "fold-value-biases", "balance"),
    *("separate-keys", "halves", "interleaved", "merge-lora"),
)
"""The conversions."""


def add_options(parser: Parser) -> None:
    """Add the conversion, where the checkpoint is, and where the other one is written."""
    parser.option("checkpoint IN", "a folder with a config.json and tensors, or a file")
    parser.option("folder OUT", "a new folder, for config.json and model.safetensors")
    parser.option("--by NAME", f"one of {', '.join(NAMES)}", required=True, choices=NAMES)
    parser.option("--matrix M", "for rotate: random (the default), hadamard, or an .npy file with an orthogonal matrix")
    parser.option("--adapter FOLDER", "for merge-lora: folder of the adapter")
    parser.option("--seed N", "seed of random matrices (default 0)", int, 0)
    parser.option("--tokens T", "number of tokens of the inputs of the check (default 2)", int)
    parser.flag("--no-check", "do not compare values before and after")


def ask(options: argparse.Namespace, progress: Progress) -> CommandAnswer:
    """Write a checkpoint after a conversion."""
    from algatt import checkpoints
    from algatt.checkpoints.folder import check_config, check_new

    conversion = conversion_of(options)
    check_new(options.folder)  # before the work
    before = checkpoints.load(options.checkpoint, tokens=options.tokens, reach=False)
    after = checkpoints.transform(conversion, before, check=not options.no_check, seed=options.seed)
    check_config(after)
    checkpoints.save(options.folder, after, shapes=shapes_of(before))
    checked = conversion.keeps_function and not options.no_check
    answer = changes(before, after, checked=checked)
    fields = {"by": options.by, "keeps_function": conversion.keeps_function, **answer}
    text = text_of(options.by, answer, keeps=conversion.keeps_function)
    return CommandAnswer(text, lambda: fields, written=[options.folder])


def conversion_of(options: argparse.Namespace) -> Conversion:
    """Return the conversion that the options name."""
    from algatt import checkpoints
    from algatt.errors import InvalidArgument

    for name, by in (("matrix", "rotate"), ("adapter", "merge-lora")):
        if getattr(options, name) is not None and options.by != by:
            raise UsageError(f"--{name} is for --by {by}")
    if options.by == "rotate":
        matrix: Any = options.matrix or "random"
        if matrix not in ("random", "hadamard"):
            from algatt.files import read_array

            try:
                matrix = read_array(matrix)
            except (OSError, ValueError) as error:
                raise InvalidArgument("--matrix", repr(matrix), "random, hadamard, or an .npy file") from error
        return checkpoints.Rotate(matrix, seed=options.seed)
    if options.by == "merge-lora":
        if options.adapter is None:
            raise UsageError("the following arguments are required: --adapter")
        return checkpoints.MergeLoRA(options.adapter)
    made: dict[str, Conversion] = {
        "fold-norms": checkpoints.FoldNorms(),
        "centre": checkpoints.Centre(),
        "untie": checkpoints.Untie(),
        "fold-value-biases": checkpoints.FoldValueBiases(),
        "balance": checkpoints.Balance(),
        "separate-keys": checkpoints.SeparateKeys(),
        "halves": checkpoints.RotaryLayout("halves"),
        "interleaved": checkpoints.RotaryLayout("interleaved"),
    }
    return made[options.by]


def shapes_of(checkpoint: Checkpoint) -> dict[str, tuple[int, ...]]:
    """Return the shapes of the tensors of a checkpoint by the names of its family; none if its names are others."""
    from algatt.checkpoints.checkpoint import named
    from algatt.checkpoints.transformer_lens import is_transformer_lens

    if checkpoint.tensors is None or is_transformer_lens(checkpoint.tensors):
        return {}
    found, _ = named(checkpoint.network, checkpoint.config, checkpoint.tensors)
    return {name: member.shape for name, member in found.members.items()}


def changes(before: Checkpoint, after: Checkpoint, *, checked: bool) -> dict[str, Any]:
    """Return which tensors were changed, gains that are not 1, and by how much values differ if that is checked."""
    from algatt.checkpoints import largest_difference
    from algatt.checkpoints.conversions.fold_norms import norm_tensors

    old, new = before.weights.tensors, after.weights.tensors
    difference, largest = largest_difference(before, after) if checked else (None, None)
    return {
        "tensors": len(new),
        "changed": [name for name, one in new.items() if name not in old or not same(old[name].raw, one.raw)],
        "gains": [name for name in norm_tensors(after.network, "g") if (new[name].raw != 1).any()],
        "difference": difference,
        "largest": largest,
    }


def text_of(by: str, answer: dict[str, Any], *, keeps: bool) -> str:
    """Return what was changed, and by how much values differ, in words."""
    text = f"{by}: {len(answer['changed'])} of {answer['tensors']} tensors are changed\n"
    if by == "fold-norms" and answer["gains"]:
        text += f"  gains that nothing can take up: {', '.join(answer['gains'])}\n"
    if not keeps:
        return f"{text}  another function, as it is meant to be\n"
    if answer["difference"] is None:
        return text
    differ = f"values at random inputs differ by {answer['difference']:.1e}"
    return f"{text}  {differ}, the largest is {answer['largest']:.1e}\n"


def same(one: Any, two: Any) -> bool:
    """Return whether two arrays are equal."""
    import numpy as np

    return np.array_equal(one, two)
