"""What a command is: its options and what it does, in the one file that defines it."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass

from algatt.cli.parser import Parser


@dataclass(frozen=True)
class Command:
    """A command of the program ``algatt``.

    Parameters
    ----------
    description : str
        The first sentences of its own help.
    examples : tuple of str
        What may follow its name on the command line, for the end of its help.
    add_options : callable
        Adds its options to a parser.
    run : callable
        Does the work with the options that were given, and returns the exit code.
    """

    description: str
    examples: tuple[str, ...]
    add_options: Callable[[Parser], None]
    run: Callable[[argparse.Namespace], int]
