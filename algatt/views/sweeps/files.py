"""Pictures of the answers of a sweep as files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from algatt.views.plotting import COLUMN, PICTURES, new_figure, render
from algatt.views.sweeps.pictures import (
    BESIDE,
    BOX,
    HEIGHT,
    axes_of,
    heat_map_size,
    plot_answers,
    plot_heat_map,
    points_of,
    rows_of,
)

if TYPE_CHECKING:
    from algatt.sweeps import Row
    from algatt.sweeps.expected import Expected

__all__ = ["PICTURES", "picture"]


def picture(
    rows: Sequence[Row],
    kind: str,
    *,
    x: str | None = None,
    y: str | None = None,
    by: str | None = None,
    defect: bool = False,
    expected: Expected | None = None,
) -> bytes:
    """Return the answers of a sweep as a picture: a heat map if there is a `y`, else curves.

    Parameters
    ----------
    rows : sequence of Row
        Answers of one family to one question.
    kind : str
        ``svg``, ``pdf`` or ``png``.
    x, y, by, defect, expected
        As in `plot_answers` and `plot_heat_map`.

    Raises
    ------
    InvalidArgument
        If these cannot be drawn.
    MissingExtra
        If matplotlib is not installed.
    """
    points = points_of(rows_of(rows), defect, expected)
    if y is None:
        figure = new_figure(COLUMN, HEIGHT)
        alone = axes_of(points, x, by, {"x": x, "by": by})[1] is None
        plot_answers(rows, x, by=by, defect=defect, expected=expected, ax=figure.add_axes(BOX if alone else BESIDE))
        return render(figure, kind)
    shown = axes_of(points, x, y, {"x": x, "y": y})
    width, height, box = heat_map_size(*(len({point.sizes.get(name or y) for point in points}) for name in shown))
    figure = new_figure(width, height)
    plot_heat_map(rows, x, y, defect=defect, expected=expected, ax=figure.add_axes(box))
    return render(figure, kind)
