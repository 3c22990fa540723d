"""What all pictures share: matplotlib, an optional extra; figures and axes to draw on; files that are the same each
time.
"""

from __future__ import annotations

import io
import os
import sys
import threading
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from algatt.arguments import instance
from algatt.display import printable
from algatt.errors import MissingExtra
from algatt.files import check_writable, checked_suffix

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

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

UNSEEN = "drawn by algatt"
"""What the one figure is called that pyplot has where it can show none."""

FILES = ("agg", "cairo", "pdf", "pgf", "ps", "svg", "template")
"""The backends of matplotlib that write files and show nothing."""

SCREEN = 150
"""Dots per inch of figures on a screen: labels as small as a paper's are hard to read at matplotlib's own 100 dots."""

LONGEST = 65_000
"""Dots of the longest pixel picture: a long one gets fewer to the inch, since matplotlib can draw no more than 2^16."""

RENDERING = threading.RLock()
"""Held while a file is made: matplotlib's settings belong to all threads."""


def check_installed() -> None:
    """Raise `MissingExtra` if matplotlib is not installed."""
    if find_spec("matplotlib") is None:
        raise MissingExtra("matplotlib", "plot")


def check_picture(path: str | os.PathLike[str], suffixes: Sequence[str] = PICTURES) -> str:
    """Return the format of a file, a picture or another one, or raise an error now if it could not be written later.

    Raises
    ------
    InvalidArgument
        If the suffix is none of those given.
    MissingExtra
        If it is that of a picture, and matplotlib is not installed.
    OutputError
        If the path cannot be written.
    """
    suffix = checked_suffix(path, suffixes)
    if suffix in PICTURES:
        check_installed()
    check_writable(path)
    return suffix


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure of a size in inches, known to its owner alone: pyplot neither shows it nor keeps it alive.

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.
    """
    check_installed()
    from algatt.views.figure import OwnFigure

    return OwnFigure(figsize=(width, height), dpi=dots())


def shown_figure(width: float, height: float) -> Figure:
    """Return an empty figure of a size in inches that a notebook shows below its cell, and pyplot in a window.

    It is pyplot's, if pyplot was imported or somebody types at a prompt, as in a notebook; else, and in other threads
    than the main one, it is that of `new_figure`. Where pyplot can show nothing, as in a script without a display, it
    has the last one alone, for `matplotlib.pyplot.savefig`: it would keep all of them alive.

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.
    """
    check_installed()
    in_use = "matplotlib.pyplot" in sys.modules or hasattr(sys, "ps1")
    if not in_use or threading.current_thread() is not threading.main_thread():
        return new_figure(width, height)
    from matplotlib import pyplot

    if pyplot.get_backend().lower() not in FILES:
        return pyplot.figure(figsize=(width, height), dpi=dots())
    pyplot.close(UNSEEN)
    return pyplot.figure(UNSEEN, figsize=(width, height), dpi=dots())


def dots() -> float:
    """Return the dots per inch of new figures: those of matplotlib's settings, and at least `SCREEN`."""
    from matplotlib import rcParams

    return max(float(SCREEN), rcParams["figure.dpi"])


def check_axes(ax: Any) -> None:
    """Raise `InvalidArgument` unless there are none or they are axes of matplotlib."""
    check_installed()
    from matplotlib.axes import Axes

    instance("ax", ax, Axes | None, "axes of matplotlib")


def checked_axes(ax: Axes | None, size: tuple[float, float], box: tuple[float, float, float, float]) -> Axes:
    """Return the axes that were given, or new ones in a box of a figure that is shown, of a width and height in inches.

    To be called when nothing can fail any more, since a new figure is shown as it is then.
    """
    check_axes(ax)
    return shown_figure(*size).add_axes(box) if ax is None else ax


def render(figure: Any, kind: str) -> bytes:
    """Return a figure as the bytes of a file: svg, pdf or png.

    The same figure gives the same bytes: no date is written, and names in an svg are not random. Its labels are curves,
    so that they look the same where a font is missing; each has its text beside it as a comment.
    """
    import matplotlib
    from matplotlib.text import Text

    for text in figure.findobj(Text):
        text.set_text(printable(text.get_text(), "\n"))  # an svg with a control character is none
    stream = io.BytesIO()
    with RENDERING, matplotlib.rc_context({"svg.hashsalt": "algatt", "svg.fonttype": "path", "pdf.fonttype": 42}):
        figure.savefig(
            stream, format=kind, dpi=min(DOTS, LONGEST / figure.get_figheight()), metadata=dict.fromkeys(UNSTEADY[kind])
        )
    return stream.getvalue()
