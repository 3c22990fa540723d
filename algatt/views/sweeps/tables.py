"""Sweeps as tables: on the terminal, and as text for other programs."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import IO, Any

from rich import box
from rich.markup import escape
from rich.table import Table

from algatt.display import printable
from algatt.errors import InvalidArgument, MissingExtra
from algatt.sweeps import Row, VersionPair, expected_value
from algatt.sweeps.expected import Expected
from algatt.sweeps.sweep import frame_of_records, record_of
from algatt.views.tables import console

FORMATS = ("csv", "md", "json", "parquet")
"""The formats of a table in a file."""

STYLES = {
    "proven": "green",
    "probable": "yellow",
    "numerical": "yellow",
    "failed": "red",
    "different": "yellow",
    "contradiction": "red",
}

MARKDOWN = re.compile(r"[\\|`<\[]")
"""What would end a cell of a table in Markdown, or begin code, a tag or a link."""

FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What a formula of a spreadsheet begins with; also as wide signs."""

SIZE = "sizes."
"""What the names of sizes begin with in a record."""

OWN = ("version", "value", "status", "lower", "upper", "error", "seconds", "host")
"""What the two sides of a comparison have each."""


def counts_of(rows: Sequence[Row]) -> Counter[tuple[str, str, str, str]]:
    """Return how many answers there are of each family, question, version and status."""
    return Counter((row.family, row.question, row.version, row.status) for row in rows)


def print_sweep(rows: Sequence[Row], asked: int | None, stream: IO[str]) -> None:
    """Print how many answers of each kind there are, family by family, and of a sweep how many are new."""
    counts = counts_of(rows)
    table = Table(box=box.SIMPLE)
    for heading in ("family", "question", "version", "status"):
        table.add_column(heading)
    table.add_column("answers", justify="right")
    for (family, question, version, status), count in counts.items():
        names = (escape(printable(name)) for name in (family, question, version))
        table.add_row(*names, f"[{STYLES[status]}]{status}[/]", str(count))
    printer = console(stream)
    printer.print(table)
    printer.print(f"  {len(rows)} answers" + ("" if asked is None else f", {asked or 'none'} of them new"))


def print_answers(
    rows: Sequence[Row], stream: IO[str], *, defect: bool = False, expected: Expected | None = None
) -> None:
    """Print a row for each answer, with a column for each size, and perhaps what is expected and the defect."""
    numbers = ("parameters", "value", *(("expected", "defect") if defect else ()))
    texts = ("status", "question", "version")
    print_records(records_of_answers(rows, defect=defect, expected=expected), numbers, texts, stream)


def print_versions(pairs: Sequence[VersionPair], stream: IO[str]) -> None:
    """Print the answers of two versions side by side, and how many are equal."""
    records = records_of_versions(pairs)
    numbers, texts = [], []
    for name in dict.fromkeys(name for record in records for name in record):
        if name.startswith("value "):
            numbers.append(name)
        elif name.startswith("status "):
            texts.append(name)
    print_records(records, numbers, (*texts, "question", "answers"), stream)
    counts = Counter(pair.verdict for pair in pairs)
    console(stream).print("  " + ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))


def print_records(
    records: Sequence[Mapping[str, Any]], numbers: Sequence[str], texts: Sequence[str], stream: IO[str]
) -> None:
    """Print records: the family, a column for each size, and columns of numbers and of texts."""
    sizes = list(dict.fromkeys(name for record in records for name in record if name.startswith(SIZE)))
    table = Table(box=box.SIMPLE)
    table.add_column("family")
    for name in (*sizes, *numbers):
        table.add_column(escape(printable(name.removeprefix(SIZE))), justify="right")
    for name in texts:
        table.add_column(escape(printable(name)))
    for record in records:
        cells = [escape(cell(record.get(name))) for name in ("family", *sizes, *numbers, *texts)]
        styles = [STYLES.get(text) for text in cells]
        table.add_row(*(f"[{style}]{text}[/]" if style else text for style, text in zip(styles, cells, strict=True)))
    console(stream).print(table)


def records_of_answers(
    rows: Sequence[Row], *, defect: bool = False, expected: Expected | None = None
) -> list[dict[str, Any]]:
    """Return rows as plain values, with what is expected and the defect if that is asked for."""
    records = []
    for row in rows:
        record = record_of(row)
        if defect:
            wanted = expected_value(row, expected)
            missed = None if wanted is None or row.value is None else wanted - row.value
            record |= {"expected": wanted, "defect": missed}
        records.append(record)
    return records


def records_of_versions(pairs: Sequence[VersionPair]) -> list[dict[str, Any]]:
    """Return the answers of two versions as plain values, a record for each architecture, and their verdict."""
    names = [
        next((row.version for row in side if row is not None), "") for side in zip(*map(rows_of, pairs), strict=True)
    ]
    records = []
    for pair in pairs:
        whole = record_of(pair.row)
        kept = {name: value for name, value in whole.items() if name not in OWN}
        for name, row in zip(names, rows_of(pair), strict=True):
            kept |= {f"value {name}": row and row.value, f"status {name}": "" if row is None else row.status}
        records.append({**kept, "answers": pair.verdict})
    return records


def rows_of(pair: VersionPair) -> tuple[Row | None, Row | None]:
    """Return the two rows of a pair."""
    return pair.first, pair.second


def print_failures(rows: Sequence[Row], stream: IO[str]) -> None:
    """Print what has no answer, and why."""
    printer = console(stream)
    for row in rows:
        sizes = ", ".join(f"{name} = {size}" for name, size in row.sizes.items()) or row.architecture
        line = f"{row.family} {sizes}: {row.error or 'floats cannot decide'} ({row.attempts} tries)"
        printer.print(printable(line.strip()), markup=False, soft_wrap=True)
    printer.print(f"{len(rows)} without an answer")


def table_of(records: Sequence[Mapping[str, Any]], kind: str) -> bytes:
    """Return records as a table in a file.

    Parameters
    ----------
    records : sequence of mapping
        The records, as `records_of_answers` and `records_of_versions` return them.
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
    if kind == "json":
        return (json.dumps(records, indent=1) + "\n").encode()
    if kind == "parquet":
        buffer = io.BytesIO()
        try:
            frame_of_records(records).to_parquet(buffer, index=False)
        except ImportError as error:
            raise error if isinstance(error, MissingExtra) else MissingExtra("pyarrow", "tables") from None
        return buffer.getvalue()
    names = list(dict.fromkeys(name for record in records for name in record))
    lines: list[list[Any]] = [names, *[[record.get(name) for name in names] for record in records]]
    if kind == "md":
        head, *texts = [[MARKDOWN.sub(r"\\\g<0>", cell(value)) for value in line] for line in lines]
        return "".join(f"| {' | '.join(line)} |\n" for line in (head, ["---"] * len(names), *texts)).encode()
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows([no_formula(value) for value in line] for line in lines)
    return written.getvalue().encode()


def cell(value: Any) -> str:
    """Return a value as text in one line; nothing for None."""
    return "" if value is None else printable(str(value))


def no_formula(value: Any) -> str:
    """Return a value as a spreadsheet shows it: a text that it would take for a formula begins with an apostrophe."""
    text = cell(value)
    return f"'{text}" if isinstance(value, str) and text.lstrip().startswith(FORMULA) else text
