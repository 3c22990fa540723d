"""The symmetries of a network as a file, in the format that the file's suffix names."""

from __future__ import annotations

import os

from algatt.architectures import Architecture
from algatt.errors import InvalidArgument
from algatt.files import write_atomically
from algatt.symmetry import SymmetryReport
from algatt.views.plotting import PICTURES, check_picture, render
from algatt.views.symmetries.picture import drawn_layers

SUFFIXES = (*PICTURES, "html")
"""The suffixes of the files that `write` writes."""


def check_kind(kind: str, arch: Architecture) -> None:
    """Raise an error now if the symmetries of a network could not be drawn in a format later."""
    if kind not in SUFFIXES:
        raise InvalidArgument("output", f"of the format {kind}", f"one of {', '.join(SUFFIXES)}, for symmetries")
    if kind in PICTURES:
        drawn_layers(arch)


def content(report: SymmetryReport, kind: str) -> bytes:
    """Return what `write` writes, in one of the formats `SUFFIXES`."""
    if kind == "html":
        from algatt.views.symmetries.page import page

        return page(report).encode()
    from algatt.views.symmetries.figures import drawing

    return render(drawing(report), kind)


def write(report: SymmetryReport, path: str | os.PathLike[str]) -> None:
    """Write the symmetries of a network to a file, in the format that the suffix names: svg, pdf, png or html.

    Parameters
    ----------
    report : SymmetryReport
        The symmetries.
    path : str or path
        Where to; a file that is there is replaced, and unchanged if anything fails.

    Raises
    ------
    InvalidArgument
        If the suffix is unknown, or the network has too many tensors for a picture.
    OutputError
        If the path cannot be written.
    MissingExtra
        If a picture is asked for and matplotlib is not installed.
    """
    write_atomically(path, content(report, check_picture(path, SUFFIXES)))
