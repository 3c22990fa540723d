"""The commands, a file for each; they are imported when they are run, so that ``algatt --help`` waits for none."""

from __future__ import annotations

import importlib

from algatt.cli.command import Command

__all__ = ["COMMANDS", "command_of"]

COMMANDS = {
    "dimension": "how many independent directions the functions of an architecture have",
    "symmetries": "which changes of the weights leave the functions of an architecture as they are",
    "parameters": "how many of the parameters of a published model count, of its config.json",
    "jacobian-spectrum": "what floating point says about the dimension, and whether to trust it",
    "certify": "a certificate of a dimension, or of a symmetry, of any network",
    "verify": "check a certificate",
    "compare": "whether two sets of weights are one function",
    "align": "a checkpoint moved by a symmetry as near to another one as is found",
    "canonical": "the normal form of a file of weights, or of a checkpoint",
    "transform": "a checkpoint rewritten, with the same values: norms folded, means centred, a stream rotated",
    "move": "a checkpoint moved by a random symmetry",
    "invariants": "numbers of a checkpoint that no symmetry changes, and how far two are apart",
    "fiber": "all parameters of the function of a file of weights",
    "draw": "a network as a picture, a page or text",
    "program": "what a network computes, an operation a line",
    "layers": "what networks are made of: layers, masks, positions, activations",
    "tree": "the recursion of a deep network as a tree",
    "flow": "attention as a flow of tokens on the sphere",
    "attention-spectrum": "the singular values of random attention matrices, or of your own, and their limit law",
    "sweep": "one question of many architectures, recorded and resumed",
    "table": "the answers of a sweep",
    "report": "how a sweep went, and what has no answer",
    "fit-formula": "the formula that gives all answers of a sweep, a conjecture",
    "methods": "the methods of a verb",
}
"""The names of the commands, in the order in which ``algatt --help`` lists them, and what it says of each."""


def command_of(name: str) -> Command:
    """Import a command."""
    command: Command = importlib.import_module(f"{__name__}.{name.replace('-', '_')}").COMMAND
    return command
