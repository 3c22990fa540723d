"""What all pictures share: matplotlib, which is an optional extra, without its global state, and files that are the same each time."""

from __future__ import annotations

import io
import os
import threading
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from algatt.errors import MissingExtra
from algatt.files import check_writable, checked_suffix

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["COLUMN", "PAGE", "PICTURES", "check_installed", "check_picture", "new_figure", "rendered"]

COLUMN = 3.4
"""Width in inches of a column of a paper in two columns."""

PAGE = 7.0
"""Width in inches of its page."""

UNSTEADY = {"svg": ("Date", "Creator"), "pdf": ("CreationDate", "Creator", "Producer"), "png": ("Software",)}
"""What matplotlib writes into files that depends on the day and on its version."""

PICTURES = tuple(UNSTEADY)
"""The formats of pictures, by their suffixes."""

DOTS = 300
"""Dots per inch of pixel pictures."""

LONGEST = 65_000
"""Dots of the longest pixel picture: a long one gets fewer to the inch, since matplotlib can draw no more than 2^16."""

RENDERING = threading.RLock()
"""Held while a file is made: matplotlib's settings belong to all threads."""


def check_installed() -> None:
    """Raise `MissingExtra` if matplotlib is not installed."""
    if find_spec("matplotlib") is None:
        raise MissingExtra("matplotlib", "plot")


def check_picture(path: str | os.PathLike[str]) -> str:
    """Return the format of a picture, or raise an error now if it could not be drawn into a file later.

    Raises
    ------
    InvalidArgument
        If the suffix is none of a picture.
    MissingExtra
        If matplotlib is not installed.
    OutputError
        If the path cannot be written.
    """
    suffix = checked_suffix(path, PICTURES)
    check_installed()
    check_writable(path)
    return suffix


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure of a size in inches, known to nothing but its owner: pyplot neither shows it nor keeps it alive.

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.
    """
    check_installed()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height))
    FigureCanvasAgg(figure)
    return figure


def rendered(figure: Any, kind: str) -> bytes:
    """Return a figure as the bytes of a file: svg, pdf or png.

    The same figure gives the same bytes: no date is written, and names in an svg are not random. Its labels are curves, so that they look the same
    where a font is missing; each has its text beside it as a comment.
    """
    import matplotlib

    stream = io.BytesIO()
    with RENDERING, matplotlib.rc_context({"svg.hashsalt": "algatt", "svg.fonttype": "path", "pdf.fonttype": 42}):
        figure.savefig(stream, format=kind, dpi=min(DOTS, LONGEST / figure.get_figheight()), metadata=dict.fromkeys(UNSTEADY[kind]))
    return stream.getvalue()
