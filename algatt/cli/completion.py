"""Completion in shells: argcomplete asks this program, with an environment variable set, what may follow on a line."""

from __future__ import annotations

import argparse
import os
from importlib.util import find_spec
from typing import Any, cast

ASKED = "_ARGCOMPLETE"
"""Set by shells in which ``register-python-argcomplete algatt`` was evaluated."""


def is_asked() -> bool:
    """Return whether a shell asks for completions."""
    return ASKED in os.environ and find_spec("argcomplete") is not None


def asked_line() -> str:
    """Return the line that a shell asks about."""
    return os.environ.get("COMP_LINE", "")


def complete(parser: argparse.ArgumentParser) -> None:
    """Answer a shell that asks for completions, and end the process; do nothing otherwise, so that nothing is imported
    for it.
    """
    if not is_asked():
        return
    import argcomplete

    argcomplete.autocomplete(parser, always_complete_options="long", default_completer=cast(Any, values))


def values(prefix: str, action: argparse.Action, **context: object) -> list[str]:
    """Return what may follow an option: the names of files or of verbs, and no number; argcomplete drops what does not
    begin with the prefix.
    """
    from argcomplete.completers import FilesCompleter

    if action.metavar == "VERB":
        from algatt.cli.commands.methods import named_verbs

        return list(named_verbs())
    names: list[str] = FilesCompleter()(prefix) if action.metavar in ("FILE", "NETWORK") else []
    return names
