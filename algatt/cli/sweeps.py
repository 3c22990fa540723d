"""What the commands that read the record of a sweep have in common."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from algatt.cli.parser import Parser
from algatt.errors import InvalidArgument

if TYPE_CHECKING:
    from algatt.sweeps import Expression, Row


def add_rows(parser: Parser) -> None:
    """Add the record, and which of its rows are meant."""
    parser.option("store STORE", "the record of a sweep, an SQLite file")
    parser.option("--family NAME", "of this family alone")
    parser.option("--question NAME", "of this question alone")
    parser.option("--version-of V", "by this version of algatt alone")
    parser.option("--at CONDITION", "at these sizes alone, as 'a == 2 and d <= 5'")


def rows_of(options: argparse.Namespace) -> list[Row]:
    """Return the rows that the options of `add_rows` name."""
    from algatt.sweeps import Expression, Store

    given = {"family": options.family, "question": options.question, "version": options.version_of}
    wanted = {name: value for name, value in given.items() if value is not None}
    condition = None if options.at is None else Expression(options.at, "--at")
    with Store(options.store, writing=False) as store:
        rows = store.rows(**wanted)
        if rows or not wanted:
            return rows if condition is None else rows_at(rows, condition)
        name, value = next(iter(wanted.items()))
        known = sorted({getattr(row, name) for row in store.rows()})
    option = "--version-of" if name == "version" else f"--{name}"
    raise InvalidArgument(option, repr(value), f"one that the record has: {', '.join(known) or 'it is empty'}")


def rows_at(rows: list[Row], condition: Expression) -> list[Row]:
    """Return the rows whose sizes fulfil a condition; those without the sizes that it names are left out."""
    names = sorted({name for row in rows for name in row.sizes})
    missing = sorted(condition.names.difference(names))
    if missing:
        was = f"{condition.text!r}, where {missing[0]} is no size"
        raise InvalidArgument("--at", was, f"of the sizes {', '.join(names) or '(none)'}")
    found = [row for row in rows if condition.names <= row.sizes.keys() and condition.value(row.sizes)]
    if not found:
        raise InvalidArgument("--at", f"{condition.text!r}, which no row fulfils", "a condition that some do")
    return found
