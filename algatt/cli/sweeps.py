"""What the commands that read the record of a sweep have in common."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from algatt.cli.parser import Parser
from algatt.errors import InvalidArgument

if TYPE_CHECKING:
    from algatt.sweeps import Row

__all__ = ["add_rows", "rows_of"]


def add_rows(parser: Parser) -> None:
    """Add the record, and which of its rows are meant."""
    parser.add_argument("store", metavar="STORE", help="the record of a sweep, an SQLite file")
    parser.add_argument("--family", metavar="NAME", help="of this family alone")
    parser.add_argument("--question", metavar="NAME", help="of this question alone")
    parser.add_argument("--version-of", metavar="V", help="by this version of algatt alone")


def rows_of(options: argparse.Namespace) -> list[Row]:
    """Return the rows that the options of `add_rows` name."""
    from algatt.sweeps import Store

    given = {"family": options.family, "question": options.question, "version": options.version_of}
    wanted = {name: value for name, value in given.items() if value is not None}
    with Store(options.store, writing=False) as store:
        rows = store.rows(**wanted)
        if rows or not wanted:
            return rows
        name, value = next(iter(wanted.items()))
        known = sorted({getattr(row, name) for row in store.rows()})
    option = "--version-of" if name == "version" else f"--{name}"
    raise InvalidArgument(option, repr(value), f"one that the record has: {', '.join(known) or 'it is empty'}")
