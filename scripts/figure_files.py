"""What the scripts that draw a figure of the paper share: the option -o, the two files, and the exit code."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from options import Parser

import algatt
from algatt.files import check_writable, write_atomically
from algatt.views.plotting import render


class FigureError(Exception):
    """A figure would show something wrong, so it is not drawn."""


def run(name: str, description: str, draw: Callable[[], Any], arguments: Sequence[str] | None) -> int:
    """Draw a figure, save it as svg and png, and return the exit code: 0 done, 1 wrong, 2 bad arguments."""
    parser = Parser(prog=name, description=description)
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        default=Path(),
        metavar="DIR",
        help="the folder of the two files (default: this one)",
    )
    folder = parser.parse_args(arguments).output
    files = [folder / f"{name}.{suffix}" for suffix in ("svg", "png")]
    try:
        for file in files:  # before the work, which may take minutes
            check_writable(file)
        figure = draw()
        for file in files:
            write_atomically(file, render(figure, file.suffix.removeprefix(".")))
    except FigureError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 1
    except algatt.AlgattError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 2
    return 0
