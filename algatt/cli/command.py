"""What a command is: its options and what it asks, in the one file that defines it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import IO, Any

from algatt.cli.exit_codes import ExitCode
from algatt.cli.output import Output, print_json, print_text
from algatt.cli.parser import Parser
from algatt.views.progress import SILENCE, ProgressBar

Progress = ProgressBar
"""Callback progress(done, total)."""


@dataclass(frozen=True)
class Answer:
    """What a command found.

    Parameters
    ----------
    text : str or callable, optional
        What people read, or what writes it to a stream; nothing unless given.
    fields : callable, optional
        Returns what ``--json`` prints.
    content : callable, optional
        Returns what ``-o`` writes, in a format.
    code : ExitCode, optional
        What the exit code says.
    """

    text: str | Callable[[IO[str]], object] = ""
    fields: Callable[[], Mapping[str, Any]] = dict
    content: Callable[[str], bytes] | None = None
    code: ExitCode = ExitCode.DONE

    @classmethod
    def of(cls, found: Any, **more: Any) -> Answer:
        """Return a result of the package as an answer: its summary, and its fields."""
        from algatt.views.tables import print_summary

        return cls(lambda stream: print_summary(found, stream), found.to_dict, **more)

    def tell(self, name: str, options: argparse.Namespace, output: Output | None) -> int:
        """Write and print the answer of a command, and return the exit code."""
        if output is not None and self.content is not None:  # before printing, which may fail
            output.write(self.content(output.kind))
        if getattr(options, "json", False):
            print_json(name, self.fields())
        elif output is None or not output.on_stdout:
            print_text(self.text) if isinstance(self.text, str) else self.text(sys.stdout)
        return self.code


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
    ask : callable
        Does the work with the options that were given, and a callback for its progress.
    counts : str, optional
        What the callback counts.
    """

    description: str
    examples: tuple[str, ...]
    add_options: Callable[[Parser], None]
    ask: Callable[[argparse.Namespace, Progress], Answer]
    counts: str = ""

    def run(self, name: str, options: argparse.Namespace, lines: bool) -> int:
        """Do the work, tell the answer, and return the exit code; with lines of progress or without."""
        output = Output.of(options) if hasattr(options, "formats") else None  # errors now, not after the work
        if output is not None:
            output.check_installed()
        title = f"{name}: {self.counts}" if self.counts else name
        with Progress(title, silence=SILENCE if lines else None) as progress:
            answer = self.ask(options, progress)
        return answer.tell(name, options, output)
