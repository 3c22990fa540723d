"""The commands, a file for each, in the order in which ``algatt --help`` lists them."""

from algatt.cli.command import Command
from algatt.cli.commands import (
    attention_spectrum,
    compare,
    dimension,
    draw,
    fiber,
    flow,
    jacobian_spectrum,
    layers,
    methods,
    symmetries,
    tree,
    verify,
)

__all__ = ["COMMANDS"]

COMMANDS: tuple[Command, ...] = (
    dimension.COMMAND,
    symmetries.COMMAND,
    jacobian_spectrum.COMMAND,
    verify.COMMAND,
    compare.COMMAND,
    fiber.COMMAND,
    draw.COMMAND,
    layers.COMMAND,
    tree.COMMAND,
    flow.COMMAND,
    attention_spectrum.COMMAND,
    methods.COMMAND,
)
