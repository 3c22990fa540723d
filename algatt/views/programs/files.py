"""A program as a file, in the format that the file's suffix names."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

from algatt import verbs
from algatt.files import check_writable, checked_suffix, write_atomically
from algatt.programs import Program
from algatt.version import __version__
from algatt.views.graph_files import graphml
from algatt.views.networks.files import dot
from algatt.views.plotting import PICTURES, check_installed, render


def text(program: Program) -> str:
    """Return a program as text: its instructions with their numbers, and last its hash."""
    return f"{program}\n\nSHA-256 {program.sha256}\n"


def plain_program(program: Program) -> dict[str, Any]:
    """Return a program as plain values: its lines, and its hash, as certificates have them."""
    return {"program": list(program.lines), "sha256": program.sha256}


def in_json(program: Program) -> str:
    """Return a program in JSON."""
    head = {"format": "algatt program", "version": 1, "made_with": f"algatt {__version__}"}
    return json.dumps({**head, **plain_program(program)}, indent=2) + "\n"


def writer_of(kind: str) -> Callable[[Program], bytes]:
    """Return the writer of one of matplotlib's formats."""

    def write_drawing(program: Program) -> bytes:
        from algatt.views.programs.figures import drawing

        return render(drawing(program), kind)

    return write_drawing


WRITERS: dict[str, Callable[[Program], bytes]] = {
    **{kind: writer_of(kind) for kind in PICTURES},
    "txt": lambda program: text(program).encode(),
    "json": lambda program: in_json(program).encode(),
    "dot": lambda program: dot(verbs.program_graph(program)).encode(),
    "graphml": lambda program: graphml(verbs.program_graph(program)).encode(),
}
"""The formats, by their suffixes."""

SUFFIXES = tuple(WRITERS)
"""The suffixes of the files that `write` writes."""


def check_kind(kind: str) -> None:
    """Raise an error now if a program could not be drawn in a format later."""
    if kind in PICTURES:
        check_installed()


def content(program: Program, kind: str) -> bytes:
    """Return what `write` writes, in one of the formats `SUFFIXES`."""
    return WRITERS[kind](program)


def write(program: Program, path: str | os.PathLike[str]) -> None:
    """Write a program to a file, in the format that the suffix names: svg, pdf, png, txt, json, dot or graphml.

    Parameters
    ----------
    program : Program
        What `algatt.maps.program` returns.
    path : str or path
        Where to; a file that is there is replaced, and unchanged if anything fails.

    Raises
    ------
    InvalidArgument
        If the suffix is unknown, or the program has too many instructions for a picture.
    OutputError
        If the path cannot be written.
    MissingExtra
        If a picture is asked for and matplotlib is not installed.
    """
    kind = checked_suffix(path, SUFFIXES)
    check_kind(kind)
    check_writable(path)
    write_atomically(path, content(program, kind))
