"""Where results go: JSON for other programs on stdout, and files by ``-o``."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from algatt.cli.parser import Parser
from algatt.display import printable
from algatt.errors import InvalidArgument
from algatt.files import check_writable, checked_suffix, write_atomically
from algatt.version import __version__

STDOUT = "-"
"""The file name that stands for stdout."""

BINARY = ("pdf", "png", "npz", "parquet", "gif", "mp4")
"""Formats that no terminal shows."""


def print_json(command: str, fields: Mapping[str, Any], *, version: int = 1) -> None:
    """Print a result as JSON on stdout, behind what says of which schema it is and which program made it, in the words
    of certificates.

    docs/reference/json.md has the schemas; where a key changes its meaning or its place, the version grows.
    """
    from algatt.plain import plain

    head = {"format": f"algatt {command}", "version": version, "made_with": f"algatt {__version__}"}
    print(json.dumps({**head, **plain(fields)}, indent=2, allow_nan=False))


def print_text(text: str) -> None:
    """Print lines on stdout, with what steers a terminal written as escapes: names may hold anything."""
    sys.stdout.write(printable(text, "\n"))


def add_output(parser: Parser, what: str, formats: Sequence[str], *aliases: str) -> None:
    """Add ``-o``: what is written, in one of several formats, and names that the option had before."""
    several = len(formats) > 1
    by_suffix = f": {', '.join(formats)}, by its suffix" if several else ""
    parser.add_argument(
        "-o", "--output", *aliases, dest="output", metavar="FILE", help=f"{what}{by_suffix}; - is stdout"
    )
    if several:
        parser.option("--format F", "the format of -o, where no suffix says it", choices=formats)
    parser.set_defaults(formats=tuple(formats))


@dataclass(frozen=True)
class Output:
    """Where ``-o`` says that a file is to be written, and in which format.

    Parameters
    ----------
    target : str
        A path, or ``-`` for stdout.
    kind : str
        The format, as its suffix without the dot.
    """

    target: str
    kind: str

    @classmethod
    def of(cls, options: argparse.Namespace) -> Output | None:
        """Return where and what to write, or None without ``-o``; raise an error now if it could not be
        written later.
        """
        target = options.output
        if target is None:
            if getattr(options, "format", None) is not None:
                raise InvalidArgument("--format", "given without -o", "given with it")
            return None
        kind = options.formats[0] if len(options.formats) == 1 else options.format
        if target != STDOUT:
            kind = kind or checked_suffix(target, options.formats)
            check_writable(target)
            return cls(target, kind)
        if kind is None:
            raise InvalidArgument("output", "stdout", f"given with --format: one of {', '.join(options.formats)}")
        if options.json:
            raise InvalidArgument("--json", "given with -o -", "given without: stdout holds one thing")
        if kind in BINARY and sys.stdout.isatty():
            raise InvalidArgument("output", f"a terminal, for {kind}", "a file or a pipe")
        return cls(target, kind)

    def check_installed(self) -> None:
        """Raise an error now if there is nothing that could draw a picture later."""
        from algatt.views.plotting import PICTURES, check_installed

        if self.kind in PICTURES:
            check_installed()

    @property
    def on_stdout(self) -> bool:
        """Whether stdout holds the file, so that nothing else may go there."""
        return self.target == STDOUT

    def write(self, content: bytes) -> None:
        """Write the file, whole or not at all."""
        if not self.on_stdout:
            write_atomically(self.target, content)
        elif self.kind in BINARY:
            sys.stdout.buffer.write(content)
        else:
            sys.stdout.write(content.decode())


def written_files(paths: Sequence[str]) -> list[dict[str, Any]]:
    """Return what was written at some paths: the files, or those in folders, with their lengths and hashes."""
    files = [file for path in paths for file in files_of(Path(path))]
    return [{"path": str(file), "bytes": file.stat().st_size, "sha256": digest(file)} for file in files]


def files_of(path: Path) -> list[Path]:
    """Return a file, or the files in a folder; none for a name in a Python file."""
    return sorted(filter(Path.is_file, path.iterdir())) if path.is_dir() else [path] if path.is_file() else []


def digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def warnings_in_a_line(kind: type[Warning]) -> Iterator[None]:
    """Write each warning of a kind as one line on stderr."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", kind)
        yield
    for warning in caught:
        sys.stderr.write(f"algatt: warning: {printable(str(warning.message))}\n")
