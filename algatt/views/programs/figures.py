"""Programs drawn with matplotlib, which is imported when something is drawn: the extra ``plot`` brings it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from algatt import verbs
from algatt.programs import Program
from algatt.views.networks.figures import PUT, text_width
from algatt.views.plotting import check_axes, check_installed, new_figure, render, shown_figure
from algatt.views.programs.picture import program_picture
from algatt.views.scaled import put_picture, put_picture_on_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@verbs.draw.method
def draw_program(program: Program, *, ax: Axes | None = None) -> Axes:
    check_axes(ax)
    if ax is None:
        (ax,) = on_figure(program, shown_figure).axes
    else:
        put_picture(program_picture(program, text_width), PUT, ax)
    return ax


def drawing(program: Program) -> Figure:
    """Return `algatt.draw` of a program as a figure of its own, at least as wide as a paper's column."""
    check_installed()
    return on_figure(program, new_figure)


def on_figure(program: Program, make: Callable[[float, float], Figure]) -> Figure:
    """Return the picture of a program on a new figure."""
    drawn = program_picture(program, text_width)
    title = f"{len(program)} instruction{'s' * (len(program) != 1)}"
    return put_picture_on_figure(drawn, title, 0.5, PUT, make)


def svg(program: Program) -> str:
    """Return the picture of a program as the text of an svg file, which a notebook shows with ``IPython.display.SVG``.

    Parameters
    ----------
    program : Program
        What `algatt.maps.program` returns.

    Raises
    ------
    InvalidArgument
        If it has too many instructions.
    MissingExtra
        If matplotlib is not installed.

    Examples
    --------
    >>> import algatt
    >>> from algatt.views.programs import svg
    >>> svg(algatt.maps.program(algatt.Lightning((2, 2), (1,), 2)))[:5]
    '<?xml'
    """
    return render(drawing(program), "svg").decode()
