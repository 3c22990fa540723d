"""Pictures whose lengths are points, on figures of their size, and on any axes as large as there is room for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from algatt.views.plotting import COLUMN

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

POINTS = 72
"""In an inch."""

MARGIN = 4.0
"""Points between a picture and the edge of its figure."""

TITLE = 16.0
"""Points for the title."""

INK = "#1f2328"
"""The colour of words and lines."""

Put = Callable[[Any, "Axes", float, int], None]
"""What puts a thing on axes, given how much larger than points it is, and its place among what is in front of it."""


class ScaledPicture(Protocol):
    """Things to draw, and how far they reach to the left and the right of zero and down."""

    @property
    def left(self) -> float: ...

    @property
    def right(self) -> float: ...

    @property
    def height(self) -> float: ...

    @property
    def shown(self) -> tuple[Any, ...]: ...


def put_picture_on_figure(
    picture: ScaledPicture,
    title: str,
    place: float,
    kinds: Mapping[type, Put],
    make: Callable[[float, float], Figure],
) -> Figure:
    """Return a picture on a new figure, which is at least as wide as a paper's column, with a title above a place from
    0 to 1 of its width.
    """
    inner = picture.left + picture.right
    width = max(COLUMN * POINTS, inner + 2 * MARGIN)
    height = picture.height + TITLE + 2 * MARGIN
    figure = make(width / POINTS, height / POINTS)
    beside = (width - inner) / 2
    ax = figure.add_axes((beside / width, MARGIN / height, inner / width, picture.height / height))
    ax.set_title(title, x=place, fontsize=8, color=INK, pad=5)
    put_picture(picture, kinds, ax)
    return figure


def put_picture(picture: ScaledPicture, kinds: Mapping[type, Put], ax: Axes) -> None:
    """Put a picture on axes, as large as there is room for it."""
    ax.set_axis_off()
    ax.set(xlim=(-picture.left, picture.right), ylim=(picture.height, 0))
    ax.set_aspect("equal")
    room = ax.get_window_extent()
    dots = POINTS / ax.figure.dpi
    scale = min(room.width * dots / (picture.left + picture.right), room.height * dots / picture.height)
    for order, one in enumerate(picture.shown, start=1):
        kinds[type(one)](one, ax, scale, order)
