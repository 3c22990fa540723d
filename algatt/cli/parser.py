"""How the command line is read: errors are one line, unknown names get a suggestion, and an option given twice is
refused.
"""

from __future__ import annotations

import argparse
import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NoReturn


class UsageError(Exception):
    """The command line cannot be understood."""


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return the end of a message about an unknown name: the names that it may stand for, or nothing."""
    known = list(known)
    near = difflib.get_close_matches(name, known, n=1) or [
        other for other in known if name.strip("-") and other.startswith(name)
    ]
    return f"; did you mean {' or '.join(near[:3])}?" if near else ""


class Formatter(argparse.HelpFormatter):
    """Wraps the lines of a text, but for those of a list of examples."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if text.startswith("examples:") else super()._fill_text(text, width, indent)


class Parser(argparse.ArgumentParser):
    """A parser that raises instead of printing its usage: bad input is told in one line.

    Options have to be written in full, since a short form stops being one when an option is added. `elsewhere` says of
    names that users know from other commands what takes their place here.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"formatter_class": Formatter, **kwargs, "allow_abbrev": False})
        self.elsewhere: dict[str, str] = {}

    def option(self, name: str, told: str, kind: Any = None, default: Any = None, **more: Any) -> None:
        """Add an option or argument; behind its names is what stands for its value, as in ``--tokens T``."""
        *names, metavar = name.split()
        self.add_argument(*names, metavar=metavar, help=told, type=kind, default=default, **more)

    def flag(self, name: str, told: str) -> None:
        """Add an option without a value."""
        self.add_argument(name, action="store_true", help=told)

    def error(self, message: str) -> NoReturn:
        """Raise `UsageError`."""
        spaced = re.search(r"unrecognized arguments: [\d. ]+$", message)  # --dims 4 3 4
        raise UsageError(f"{message}; a list has commas and no spaces, as 4,3,4" if spaced else message)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse arguments after their names are checked: else a misspelt option is told as a missing one, and the last
        of two counts.
        """
        if args is not None:
            args = self.join_negative(args)
            self.check_names(args)
        return super().parse_known_args(args, namespace)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Raise `UsageError` unless a value is one of the choices of an option, or a command."""
        if action.choices is None or value in action.choices:
            return
        if isinstance(action, argparse._SubParsersAction):
            near = suggestion(value, [*action.choices, *self._option_string_actions])
            raise UsageError(f"there is no command {value!r}{near or f'; {self.prog} --help lists them'}")
        name = "/".join(action.option_strings) or action.metavar
        choices = ", ".join(str(choice) for choice in action.choices)
        raise UsageError(
            f"{name} was {value!r}; it should be one of {choices}{suggestion(str(value), map(str, action.choices))}"
        )

    def join_negative(self, arguments: Sequence[str]) -> list[str]:
        """Write ``--dims -4,1`` as ``--dims=-4,1``: what begins like a negative number is no option, and is to be
        refused as what it is.
        """
        result: list[str] = []
        for argument in arguments:
            action = self._option_string_actions.get(result[-1]) if result else None
            if (
                action is not None
                and action.nargs is None
                and result[-1].startswith("--")
                and re.match(r"-[\d.]", argument)
            ):
                result[-1] += f"={argument}"
            else:
                result.append(argument)
        return result

    def own(self, arguments: Sequence[str]) -> Iterator[str]:
        """Iterate over the names of options among arguments; those after a command are its own."""
        for argument in arguments:
            if argument == "--" or (self._subparsers is not None and not argument.startswith("-")):
                return
            if re.match(r"--|-[^\d.]", argument):
                yield argument.partition("=")[0]

    def check_names(self, arguments: Sequence[str]) -> None:
        """Raise `UsageError` at the first option that is unknown, or that is given a second time."""
        known = self._option_string_actions
        before: dict[argparse.Action, str] = {}
        for name in self.own(arguments):
            if name not in known and f"-{name}" not in known and name[:2] in known:
                name = name[:2]  # as -oFILE
            if name not in known:
                told = (
                    f"; {self.elsewhere[name]}"
                    if name in self.elsewhere
                    else suggestion(name if name[:2] == "--" else f"-{name}", known)
                )
                raise UsageError(f"unrecognized arguments: {name}{told}")
            action = known[name]
            if action in before:
                when = "twice" if name == before[action] else f"after {before[action]}, which is the same option"
                raise UsageError(f"{name} was given {when}; it should be given once")
            before[action] = name
