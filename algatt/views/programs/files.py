"""A program as a file, in the format that the file's suffix names."""

from __future__ import annotations

import json
import os
from typing import Any

from algatt import verbs
from algatt.files import write_atomically
from algatt.programs import Program
from algatt.version import __version__
from algatt.views.graph_files import graphml
from algatt.views.networks.files import dot
from algatt.views.plotting import PICTURES, check_picture, render


def text(program: Program) -> str:
    """Return a program as text: its instructions with their numbers, and last its hash."""
    return f"{program}\n\nSHA-256 {program.sha256}\n"


def plain_program(program: Program) -> dict[str, Any]:
    """Return a program as plain values: its lines, and its hash, as certificates have them."""
    return {"program": list(program.lines), "sha256": program.sha256}


SUFFIXES = (*PICTURES, "txt", "json", "dot", "graphml")
"""The suffixes of the files that `write` writes."""


def content(program: Program, kind: str) -> bytes:
    """Return what `write` writes, in one of the formats `SUFFIXES`."""
    if kind in PICTURES:
        from algatt.views.programs.figures import drawing

        return render(drawing(program), kind)
    if kind in ("dot", "graphml"):
        return (dot if kind == "dot" else graphml)(verbs.program_graph(program)).encode()
    head = {"format": "algatt program", "version": 1, "made_with": f"algatt {__version__}"}
    in_json = json.dumps({**head, **plain_program(program)}, indent=2) + "\n"
    return (text(program) if kind == "txt" else in_json).encode()


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
    write_atomically(path, content(program, check_picture(path, SUFFIXES)))
