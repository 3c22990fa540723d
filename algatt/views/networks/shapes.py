"""What a picture of a network consists of, before anything draws it: boxes, words and lines.

Lengths are points. What a layer takes flows in at its top and out at its bottom, on an axis: x is counted from it to
the right, y from the top down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

BODY, HEADING = 7.0, 8.0
"""Sizes of the words about a layer, and of its name."""

RADIUS = 4.2
"""Of the circle of a sum."""


@dataclass(frozen=True)
class Box:
    """A rectangle; a frame is around others and not filled."""

    left: float
    top: float
    right: float
    bottom: float
    tone: str
    frame: bool = False

    def moved(self, x: float, y: float) -> Box:
        """Return it somewhere else."""
        return replace(self, left=self.left + x, right=self.right + x, top=self.top + y, bottom=self.bottom + y)


@dataclass(frozen=True)
class Caption:
    """A text, its middle at the height y."""

    x: float
    y: float
    text: str
    size: float = BODY
    bold: bool = False
    quiet: bool = False
    side: str = "left"

    def moved(self, x: float, y: float) -> Caption:
        """Return it somewhere else."""
        return replace(self, x=self.x + x, y=self.y + y)


@dataclass(frozen=True)
class Segment:
    """A line through points, which may end in an arrow."""

    points: tuple[tuple[float, float], ...]
    arrow: bool = False

    def moved(self, x: float, y: float) -> Segment:
        """Return it somewhere else."""
        return replace(self, points=tuple((a + x, b + y) for a, b in self.points))


@dataclass(frozen=True)
class SumSign:
    """A circle with a plus, at which paths meet."""

    x: float
    y: float

    def moved(self, x: float, y: float) -> SumSign:
        """Return it somewhere else."""
        return replace(self, x=self.x + x, y=self.y + y)


Shown = Box | Caption | Segment | SumSign


@dataclass(frozen=True)
class Drawing:
    """Things to draw, and the room that they take around the axis.

    Parameters
    ----------
    left, right : float
        How far they reach to either side of the axis.
    height : float
        How far they reach down.
    shown : tuple of Box, Words, Line or Sum
        The things, what is behind first.
    """

    left: float
    right: float
    height: float
    shown: tuple[Shown, ...]

    def moved(self, x: float, y: float) -> tuple[Shown, ...]:
        """Return the things somewhere else."""
        return tuple(one.moved(x, y) for one in self.shown)


def down(start: float, end: float, *, x: float = 0.0, arrow: bool = False) -> Segment:
    """Return a vertical line."""
    return Segment(((x, start), (x, end)), arrow)


def stack(drawings: Sequence[Drawing]) -> Drawing:
    """Return drawings below each other on one axis."""
    shown: list[Shown] = []
    height = 0.0
    for one in drawings:
        shown += one.moved(0.0, height)
        height += one.height
    return Drawing(max(one.left for one in drawings), max(one.right for one in drawings), height, tuple(shown))
