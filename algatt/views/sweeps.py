"""Sweeps as tables: on the terminal, and as text for other programs."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Sequence
from typing import IO, Any

from rich import box
from rich.markup import escape
from rich.table import Table

from algatt.errors import InvalidArgument, MissingExtra
from algatt.sweeps import Row, frame_of
from algatt.sweeps.sweep import record_of
from algatt.views.tables import console

__all__ = ["FORMATS", "print_answers", "print_failures", "print_sweep", "table_of"]

FORMATS = ("csv", "md", "json", "parquet")
"""The formats of a table in a file."""

STYLES = {"proven": "green", "probable": "yellow", "numerical": "yellow", "failed": "red"}


def print_sweep(rows: Sequence[Row], asked: int, stream: IO[str]) -> None:
    """Print how many answers of each kind there are, family by family."""
    counts = Counter((row.family, row.question, row.version, row.status) for row in rows)
    table = Table(box=box.SIMPLE)
    for heading in ("family", "question", "version", "status"):
        table.add_column(heading)
    table.add_column("answers", justify="right")
    for (family, question, version, status), count in counts.items():
        table.add_row(escape(family), question, version, f"[{STYLES[status]}]{status}[/]", str(count))
    printer = console(stream)
    printer.print(table)
    printer.print(f"  {len(rows)} answers, of which {asked} are new")


def print_answers(rows: Sequence[Row], stream: IO[str]) -> None:
    """Print a row for each answer, with a column for each size."""
    names = list(dict.fromkeys(name for row in rows for name in row.sizes))
    table = Table(box=box.SIMPLE)
    table.add_column("family")
    for name in names:
        table.add_column(escape(name), justify="right")
    for heading in ("parameters", "value"):
        table.add_column(heading, justify="right")
    for heading in ("status", "question", "version"):
        table.add_column(heading)
    for row in rows:
        sizes = [str(row.sizes.get(name, "")) for name in names]
        value = "" if row.value is None else str(row.value)
        status = f"[{STYLES[row.status]}]{row.status}[/]"
        table.add_row(escape(row.family), *sizes, str(row.parameters), value, status, row.question, row.version)
    console(stream).print(table)


def print_failures(rows: Sequence[Row], stream: IO[str]) -> None:
    """Print what has no answer, and why."""
    printer = console(stream)
    for row in rows:
        sizes = ", ".join(f"{name} = {size}" for name, size in row.sizes.items()) or row.architecture
        line = f"{row.family} {sizes}: {row.error or 'floats cannot decide'} ({row.attempts} tries)"
        printer.print(line.strip(), markup=False, soft_wrap=True)
    printer.print(f"{len(rows)} without an answer")


def table_of(rows: Sequence[Row], kind: str) -> bytes:
    """Return rows as a table in a file.

    Parameters
    ----------
    rows : sequence of Row
        The rows.
    kind : str
        ``csv``, ``md``, ``json`` or ``parquet``.

    Raises
    ------
    MissingExtra
        For parquet, if pandas or pyarrow is not installed.
    InvalidArgument
        For another format.
    """
    if kind not in FORMATS:
        raise InvalidArgument("format", repr(kind), f"one of {', '.join(FORMATS)}")
    records = [record_of(row) for row in rows]
    if kind == "json":
        return (json.dumps(records, indent=1) + "\n").encode()
    if kind == "parquet":
        buffer = io.BytesIO()
        try:
            frame_of(rows).to_parquet(buffer, index=False)
        except ImportError as error:
            raise error if isinstance(error, MissingExtra) else MissingExtra("pyarrow", "tables") from None
        return buffer.getvalue()
    names = list(dict.fromkeys(name for record in records for name in record))
    lines = [[cell(record.get(name)) for name in names] for record in records]
    if kind == "md":
        texts = [names, ["---"] * len(names), *([text.replace("|", r"\|") for text in line] for line in lines)]
        return "".join(f"| {' | '.join(line)} |\n" for line in texts).encode()
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows([names, *lines])
    return written.getvalue().encode()


def cell(value: Any) -> str:
    """Return a value as text; nothing for None."""
    return "" if value is None else str(value)
