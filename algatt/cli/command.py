"""What a command is: a module with its options and what it asks."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import IO, Any

from algatt.cli.exit_codes import ExitCode
from algatt.cli.output import Output, print_json, print_text, written_files
from algatt.views.progress import SILENCE, ProgressBar

Progress = ProgressBar
"""Callback progress(done, total)."""


@dataclass(frozen=True)
class CommandAnswer:
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
    written : sequence of str, optional
        Files and folders that the command wrote itself.
    """

    text: str | Callable[[IO[str]], object] = ""
    fields: Callable[[], Mapping[str, Any]] = dict
    content: Callable[[str], bytes] | None = None
    code: ExitCode = ExitCode.DONE
    written: Sequence[str] = ()

    @classmethod
    def of(cls, found: Any, **more: Any) -> CommandAnswer:
        """Return a result of the package as an answer: its summary, and its fields."""
        from algatt.views.tables import print_summary

        return cls(lambda stream: print_summary(found, stream), found.to_dict, **more)

    def tell(self, name: str, options: argparse.Namespace, output: Output | None) -> int:
        """Write and print the answer of a command, and return the exit code."""
        paths = list(self.written)
        if output is not None and self.content is not None:  # before printing, which may fail
            output.write(self.content(output.kind))
            paths.append(output.target)
        if options.json:
            written = {"written": written_files(paths)} if paths else {}
            print_json(name, {**self.fields(), **written})
        elif output is None or not output.on_stdout:
            print_text(self.text) if isinstance(self.text, str) else self.text(sys.stdout)
        return self.code


def run_command(command: ModuleType, name: str, options: argparse.Namespace, *, lines: bool) -> int:
    """Have a command do its work, tell the answer, and return the exit code; with lines of progress or without.

    A command is a module: its docstring begins its help, `EXAMPLES` are what may follow its name on the command line,
    `add_options` adds its options to a parser, and `ask` does the work with those that were given. What the callback of
    `ask` counts is in `COUNTS`.
    """
    output = Output.of(options) if hasattr(options, "formats") else None  # errors now, not after the work
    if output is not None:
        output.check_installed()
    title = ": ".join((name, *([command.COUNTS] if hasattr(command, "COUNTS") else [])))
    with Progress(title, silence=SILENCE if lines else None) as progress:
        answer: CommandAnswer = command.ask(options, progress)
    return answer.tell(name, options, output)
