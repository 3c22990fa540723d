"""A figure that a notebook shows where it is the value of a cell.

This module imports matplotlib, so it is imported when something is drawn.
"""

from __future__ import annotations

from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from algatt.views.plotting import render


class OwnFigure(Figure):
    """A figure that is known to nothing but its owner: pyplot neither shows it nor keeps it alive."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        FigureCanvasAgg(self)

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        """Return the picture and its size on a screen, for IPython, which knows matplotlib's figures once pyplot was
        used.
        """
        width, height = self.get_size_inches() * self.dpi
        return render(self, "png"), {"width": round(width), "height": round(height)}
