"""A figure of which little moves: the rest is drawn once.

This module imports matplotlib, so it is imported when a film is made.
"""

from __future__ import annotations

from typing import Any

from algatt.views.figure import OwnFigure


class MovingFigure(OwnFigure):
    """A figure that is saved as the pixels of what stays, drawn once, and what moves above it: the writers of
    matplotlib save each frame of a film, and a whole figure takes ten times as long.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.moving: list[Any] = []
        self.resting: Any = None

    def savefig(self, fname: Any, **options: Any) -> None:
        """Write the pixels to a stream, four bytes each."""
        canvas: Any = self.canvas
        if self.resting is None:
            for artist in self.moving:
                artist.set_animated(True)
            canvas.draw()
            self.resting = canvas.copy_from_bbox(self.bbox)
        canvas.restore_region(self.resting)
        for artist in self.moving:
            self.draw_artist(artist)
        fname.write(canvas.buffer_rgba())
