"""The record of a sweep: one SQLite file with a row for each answer, written by one process at a time."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from algatt.errors import InvalidArgument
from algatt.sweeps.answer import WORTH, contradiction
from algatt.verbs.views import Tabled

APPLICATION = 0x616C6761
"""SQLite's application_id of such a file: "alga"."""

SCHEMA_VERSION = 2

SCHEMA = """
CREATE TABLE answers (
    id INTEGER PRIMARY KEY,
    family TEXT NOT NULL,           -- the name of the family in the plan, or empty
    sizes TEXT NOT NULL,            -- its sizes, JSON
    architecture TEXT NOT NULL,     -- its whole description, JSON
    parameters INTEGER NOT NULL,
    question TEXT NOT NULL,
    seed INTEGER NOT NULL,          -- names the random points
    version TEXT NOT NULL,          -- of the package
    status TEXT NOT NULL,           -- proven, probable, numerical, or failed
    value INTEGER,                  -- the answer; NULL if there is none
    lower INTEGER,                  -- proven bounds, or NULL
    upper INTEGER,
    evidence TEXT NOT NULL,         -- JSON
    error TEXT,                     -- why it failed, in a line
    attempts INTEGER NOT NULL,
    seconds REAL NOT NULL,          -- wall time of the last attempt
    host TEXT NOT NULL,
    finished TEXT NOT NULL,         -- UTC, ISO 8601
    software TEXT NOT NULL,         -- JSON: the versions of what computed it
    UNIQUE (architecture, question, seed, version)
)
"""

COLUMNS = (
    "family", "sizes", "architecture", "parameters", "question", "seed", "version", "status", "value", "lower",
    "upper", "evidence", "error", "attempts", "seconds", "host", "finished", "software",
)  # fmt: skip

# S608: the names are those above, and no value stands in the texts.
INSERT = f"INSERT OR REPLACE INTO answers ({', '.join(COLUMNS)}) VALUES ({', '.join('?' for _ in COLUMNS)})"  # noqa: S608

SELECT = f"SELECT {', '.join(COLUMNS)} FROM answers ORDER BY id"  # noqa: S608

PATIENCE = 5.0
"""Seconds to wait for a reader that holds the file."""


@dataclass(frozen=True)
class Row(Tabled):
    """An answer in the record.

    Parameters
    ----------
    family, sizes, architecture, parameters
        What was asked: the name of the family, its sizes, the description as `algatt.layers.describe` makes it, and
        how many parameters it has.
    question, seed, version
        What was asked of it, the seed of the random points, and by which version of the package.
    status, value, lower, upper, evidence, error
        The answer; ``failed``, with an error, if there is none.
    attempts, seconds, host, finished, software
        How often it was tried, how long the last try took, where, when it ended, and the versions of Python and of
        what computes there.
    """

    family: str
    sizes: Mapping[str, int]
    architecture: str
    parameters: int
    question: str
    seed: int
    version: str
    status: str
    value: int | None
    lower: int | None
    upper: int | None
    evidence: Mapping[str, Any]
    error: str | None = None
    attempts: int = field(default=1, compare=False)
    seconds: float = field(default=0.0, compare=False)
    host: str = field(default="", compare=False)
    finished: str = field(default="", compare=False)
    software: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def key(self) -> tuple[str, str, int, str]:
        """What there is one row of."""
        return (self.architecture, self.question, self.seed, self.version)

    @property
    def failed(self) -> bool:
        """Whether there is no answer."""
        return self.status == "failed"


class Store:
    """The file of a sweep.

    Parameters
    ----------
    path : path
        The file; it is made unless it is there.
    writing : bool, optional
        Whether rows are to be added. One process at a time does.

    Raises
    ------
    InvalidArgument
        If it is no record of a sweep, of another version of its schema, cannot be opened or written, or another process
        writes it.

    """

    def __init__(self, path: str | os.PathLike[str], *, writing: bool = True) -> None:
        check_place(path, writing=writing)
        self.given, self.path = os.fspath(path), Path(os.path.realpath(path))  # SQLite writes beside the file itself
        self._lock: sqlite3.Connection | None = None
        try:
            if writing:
                self._lock = self.locked()
            self.connection = self.connected(writing)
        except sqlite3.Error as error:
            self.close()
            should = f"an SQLite file that can be {'written' if writing else 'read'}"
            raise self.refusal(f"which cannot be used ({error})", should) from None
        except InvalidArgument:
            self.close()
            raise

    def refusal(self, was: str, should: str) -> InvalidArgument:
        """Return the error for this file."""
        return refusal(self.given, was, should)

    def locked(self) -> sqlite3.Connection:
        """Hold the lock of the writer, which ends with its process however that ends: a transaction on a file beside
        the record, whatever link leads to it, so that readers of the record are in nobody's way.
        """
        lock = sqlite3.connect(f"{self.path}-writer", timeout=0, isolation_level=None)
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            lock.close()
            if "locked" not in str(error):
                raise
            raise self.refusal("to which another process writes", "one that no sweep is at work on") from None
        return lock

    def connected(self, writing: bool) -> sqlite3.Connection:
        """Open the record, and make its table if it is new."""
        # to read a WAL file, too, SQLite writes beside it; in a folder where nobody can, nobody changes the file either
        still = not writing and not os.access(self.path.absolute().parent, os.W_OK)
        still = still and not Path(f"{self.path}-wal").exists()
        mode = "?mode=rwc" if writing else "?mode=ro&immutable=1" if still else "?mode=ro"
        source = self.path.absolute().as_uri() + mode
        connection = sqlite3.connect(source, uri=True, timeout=PATIENCE, isolation_level=None)
        try:
            self.prepare(connection, writing)
        except BaseException:
            connection.close()
            raise
        return connection

    def prepare(self, connection: sqlite3.Connection, writing: bool) -> None:
        """See that the file is a record of this version, or make it one if it is empty."""
        try:
            tables = connection.execute("SELECT name FROM sqlite_master").fetchall()
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise
            raise self.refusal("which is no SQLite file", "the record of a sweep") from None
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if not tables and writing and application == 0:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("BEGIN")
            connection.execute(SCHEMA)
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            connection.execute("COMMIT")
        elif not tables and application == 0:
            raise self.refusal("which is empty", "the record of a sweep")
        elif application != APPLICATION:
            raise self.refusal("a database of something else", "the record of a sweep")
        elif version != SCHEMA_VERSION:
            raise self.refusal(f"whose schema has version {version}", f"one of version {SCHEMA_VERSION}")
        if writing:
            # what is in the log survives the end of a process; a failing machine may lose the last rows, never the file
            connection.execute("PRAGMA synchronous = NORMAL")

    def add(self, row: Row) -> None:
        """Write a row, in a transaction of its own; it takes the place of one of the same key."""
        values = (getattr(row, name) for name in COLUMNS)
        plain = [json.dumps(one) if isinstance(one, Mapping) else one for one in values]
        try:
            self.connection.execute(INSERT, plain)
        except sqlite3.Error as error:
            raise self.refusal(f"which cannot be written ({error})", "a file that can") from None

    def rows(self, **wanted: Any) -> list[Row]:
        """Return the rows with given values of columns, in the order in which they were written."""
        try:
            rows = [row_of(values) for values in self.connection.execute(SELECT)]
            wrongs = ((number, wrong(row)) for number, row in enumerate(rows, 1))
            changed = next((f"{number} was changed: {reason}" for number, reason in wrongs if reason), None)
        except (sqlite3.Error, ValueError, TypeError) as error:
            raise self.refusal(f"which cannot be read ({error})", "the record of a sweep") from None
        if changed is not None:
            raise self.refusal(f"whose answer number {changed}", "as a sweep wrote it")
        return [row for row in rows if all(getattr(row, name) == value for name, value in wanted.items())]

    def close(self) -> None:
        """Close the file; what was added stays."""
        for connection in (getattr(self, "connection", None), self._lock):
            if connection is not None:
                with contextlib.suppress(sqlite3.Error):
                    connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows())


def refusal(path: str | os.PathLike[str], was: str, should: str) -> InvalidArgument:
    """Return the error for a file."""
    return InvalidArgument("store", f"{os.fspath(path)!r}, {was}", should)


def check_place(path: str | os.PathLike[str], *, writing: bool = True) -> None:
    """Raise `InvalidArgument` unless a path is that of a file, or of one that can be made, in which a record may be.

    SQLite keeps its log beside the name of a file, so one that is written has one name.
    """
    should = "the name of a file for the record" if writing else "the record of a sweep"
    if not os.fspath(path) or "\0" in os.fspath(path):
        raise refusal(path, "which names no file", should)
    try:
        status = Path(path).stat()
    except OSError as error:
        if not writing:
            raise refusal(path, "which is not there", should) from None
        if not Path(os.path.realpath(path)).parent.is_dir():
            raise refusal(path, f"which cannot be used ({error.strerror})", should) from None
        return
    if not stat.S_ISREG(status.st_mode):
        what = "a folder" if stat.S_ISDIR(status.st_mode) else "a pipe or a device"
        raise refusal(path, f"which is {what}", should)
    if any(is_open_as(status, number) for number in (1, 2)):
        raise refusal(path, "to which this process prints", should)
    if writing and status.st_nlink > 1:
        raise refusal(path, f"a file with {status.st_nlink} names (hard links)", "a file with one name")


def is_open_as(status: os.stat_result, number: int) -> bool:
    """Return whether a file is the one that this process has open as a number."""
    try:
        return os.path.samestat(status, os.fstat(number))
    except OSError:  # it has none
        return False


def wrong(row: Row) -> str | None:
    """Return what no sweep writes of a row, or None."""
    if row.status == "failed":
        return None if row.value is None else f"failed, with the value {row.value}"
    if row.status not in WORTH:
        return f"the status {row.status!r}"
    return contradiction(row.value, row.status, row.lower, row.upper)


def row_of(values: tuple[Any, ...]) -> Row:
    """Return a row of its columns."""
    named = dict(zip(COLUMNS, values, strict=True))
    return Row(**{**named, **{name: json.loads(named[name]) for name in ("sizes", "evidence", "software")}})
