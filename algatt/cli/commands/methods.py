"""Print the methods of a verb, with file and line."""

from __future__ import annotations

import argparse
from types import FunctionType
from typing import Any

from algatt import dispatch
from algatt.cli.command import CommandAnswer, Progress
from algatt.cli.parser import Parser, suggestion
from algatt.errors import InvalidArgument

EXAMPLES = ("", "dimension")


def add_options(parser: Parser) -> None:
    """Add the verb."""
    parser.option("verb VERB", "a verb, such as dimension (default: list all verbs and functions)", nargs="?")


def ask(options: argparse.Namespace, progress: Progress) -> CommandAnswer:
    """Print the methods of a verb, or all verbs."""
    from algatt.views.tables import print_methods

    verbs = named_verbs()
    if options.verb is None:
        counted = [{"name": name, "methods": len(dispatch.methods(verb))} for name, verb in verbs.items()]
        return CommandAnswer("".join(f"{name}\n" for name in verbs), lambda: {"verbs": counted})
    if options.verb not in verbs:
        near = suggestion(options.verb, verbs)
        raise InvalidArgument("verb", repr(options.verb), f"one that 'algatt methods' lists{near}")
    table = dispatch.methods(verbs[options.verb])
    methods = [
        {"verb": one.verb, "signature": [kind.__name__ for kind in one.signature], "location": one.location}
        for one in table
    ]
    return CommandAnswer(lambda stream: print_methods(table, stream), lambda: {"methods": methods})


def named_verbs() -> dict[str, Any]:
    """Return all verbs by their names, and before them the functions that `algatt` exports."""
    import algatt

    public = {name: getattr(algatt, name) for name in vars(algatt)["__all__"]}
    functions = {name: one for name, one in public.items() if isinstance(one, FunctionType)}
    return functions | {verb.name: verb for verb in dispatch.verbs()}
