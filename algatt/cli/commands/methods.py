"""The command ``algatt methods``."""

from __future__ import annotations

import argparse
import sys

from algatt import dispatch
from algatt.cli.command import Command
from algatt.cli.exit_codes import ExitCode
from algatt.cli.options import add_json
from algatt.cli.output import print_json
from algatt.cli.parser import Parser, suggestion
from algatt.errors import InvalidArgument

__all__ = ["COMMAND"]


def add_options(parser: Parser) -> None:
    """Add the verb."""
    parser.add_argument(
        "verb", nargs="?", metavar="VERB", help="such as evaluate; all verbs are listed if there is none"
    )
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Print the methods of a verb, or all verbs."""
    from algatt.views.tables import print_methods

    verbs = {verb.name: verb for verb in dispatch.verbs()}
    if options.verb is None:
        if options.json:
            print_json(
                "methods", {"verbs": [{"name": name, "methods": len(verb.table())} for name, verb in verbs.items()]}
            )
        else:
            sys.stdout.writelines(f"{name}\n" for name in verbs)
        return ExitCode.DONE
    if options.verb not in verbs:
        near = suggestion(options.verb, verbs)
        raise InvalidArgument("verb", repr(options.verb), f"one that 'algatt methods' lists{near}")
    table = verbs[options.verb].table()
    if options.json:
        methods = [
            {"verb": one.verb, "signature": [kind.__name__ for kind in one.signature], "location": one.location}
            for one in table
        ]
        print_json("methods", {"methods": methods})
    else:
        print_methods(table, sys.stdout)
    return ExitCode.DONE


COMMAND = Command(
    description="Print the methods of a verb, with file and line.",
    add_options=add_options,
    run=run,
)
