"""What a picture of symmetries consists of, before anything draws it: layers with their tensors below each other, and
beside them a line for each space, which joins the tensors that it moves.

Lengths are points; x is counted from the left, y from the top down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from algatt.architectures import Architecture
from algatt.architectures.parts import Part, parts_of
from algatt.errors import InvalidArgument
from algatt.symmetry import FamilyOrbit, SymmetryReport
from algatt.views.networks.picture import PAD, ROW, Measure
from algatt.views.networks.shapes import BODY, HEADING, Box, Caption
from algatt.views.networks.words import in_tex, times, tone

COLOURS = (
    *("#0b63b5", "#c8372d", "#1f8a4c", "#c77700", "#7442b0", "#00818a"),
    *("#b8236f", "#6b6b00", "#6a4435", "#4d6472"),
)
"""Of the spaces, one after the other; all are dark enough for lines on white."""

MOST = 200
"""So many tensors are drawn at most."""

GAP = 7.0
"""Between two layers."""

LANE = 9.0
"""Between the lines of two spaces that are beside each other."""

APART = 2.4
"""Between the lines of several spaces that end at one tensor."""

ENTRY = 10.5
"""Height of an entry of the legend."""

SMALL = 5.5
"""Size of the numbers at the lines."""


@dataclass(frozen=True)
class Polyline:
    """A line of a colour through points."""

    points: tuple[tuple[float, float], ...]
    colour: str
    width: float


@dataclass(frozen=True)
class SpaceDot:
    """Where a space meets a tensor: full where it acts on the rows, a ring where it acts on the columns."""

    x: float
    y: float
    colour: str
    full: bool


@dataclass(frozen=True)
class SymmetryPicture:
    """A picture and its size.

    Parameters
    ----------
    width, height : float
        Its size.
    shown : tuple of Box, Words, Stroke or Dot
        The things, what is behind first.
    """

    width: float
    height: float
    shown: tuple[Box | Caption | Polyline | SpaceDot, ...]

    @property
    def left(self) -> float:
        """Nothing is to the left of zero."""
        return 0.0

    @property
    def right(self) -> float:
        """How far it reaches to the right."""
        return self.width


@dataclass(frozen=True)
class TensorRow:
    """A tensor in its place: its name in the network, and the middle of its row."""

    path: str
    y: float


def symmetry_picture(report: SymmetryReport, measure: Measure) -> SymmetryPicture:
    """Return the picture of the symmetries of a network.

    Parameters
    ----------
    report : SymmetryReport
        The symmetries.
    measure : callable
        The width of a text in points: ``measure(text, size, bold)``.

    Raises
    ------
    InvalidArgument
        If there are too many tensors.
    """
    layers = drawn_layers(report.architecture)
    boxes, rows, right, bottom = stack(layers, measure)
    heights = {row.path: row.y for row in rows}
    moving = [family for family in report.families if family.tensors]
    moving.sort(key=lambda family: min(heights[tensor] for tensor in family.tensors))
    spans = [SpaceLine.of([heights[tensor] for tensor in family.tensors]) for family in moving]
    lanes, colours = lanes_of(spans), colours_of(spans)
    lines = join(moving, lanes, colours, rows, right)
    start = right + LANE * (max(lanes, default=0) + 3)
    legend, width, end = legend_of(moving, lines, colours, start, measure)
    for number, words in enumerate(f"{name}: {meaning}" for name, meaning in report.legend):
        legend.append(Caption(start + 22, end + ENTRY * number, words, quiet=True))
        width = max(width, start + 22 + measure(words, BODY, False))
    end += ENTRY * len(report.legend)
    return SymmetryPicture(width, max(bottom, end), (*boxes, *lines.shown, *legend))


def drawn_layers(arch: Architecture) -> list[Part]:
    """Return the layers with tensors; raise `InvalidArgument` for too many tensors."""
    layers = [part for part in parts_of(arch).walk() if any(not one.tied for one in part.tensors)]
    count = sum(len(part.tensors) for part in layers)
    if count > MOST:
        should = f"one of at most {MOST} tensors; the html page has no limit"
        raise InvalidArgument("report", f"of a network of {count} tensors", should)
    return layers


def stack(layers: Sequence[Part], measure: Measure) -> tuple[list[Box | Caption], list[TensorRow], float, float]:
    """Return the boxes of layers, the rows of their tensors, and how far they reach to the right and down."""
    width = 0.0
    for part in layers:
        heading = measure(type(part.layer).__name__, HEADING, True) + 2 * PAD + measure(place(part), BODY, False)
        rows = (measure(in_tex(one.name), BODY, False) + measure(times(one.shape), BODY, False) for one in part.tensors)
        width = max(width, 2 * PAD + heading, *(3 * PAD + 2 * PAD + row for row in rows))
    shown: list[Box | Caption] = []
    found: list[TensorRow] = []
    y = 0.0
    for part in layers:
        own = [one for one in part.tensors if not one.tied]
        height = PAD + ROW * (1 + len(own)) + PAD / 2
        shown.append(Box(0.0, y, width, y + height, tone(part.layer)))
        middle = y + PAD / 2 + ROW / 2
        shown.append(Caption(PAD, middle, type(part.layer).__name__, HEADING, bold=True))
        shown.append(Caption(width - PAD, middle, place(part), quiet=True, side="right"))
        for number, tensor in enumerate(own, start=1):
            at = middle + ROW * number
            shown.append(Caption(2 * PAD, at, in_tex(tensor.name)))
            shown.append(Caption(width - PAD, at, times(tensor.shape), quiet=True, side="right"))
            found.append(TensorRow(tensor.path, at))
        y += height + GAP
    return shown, found, width, y - GAP


def place(part: Part) -> str:
    """Return where a layer is in its network."""
    return part.path.removesuffix(".")


@dataclass(frozen=True)
class SpaceLine:
    """The heights that a line reaches from and to."""

    top: float
    bottom: float

    @classmethod
    def of(cls, heights: Sequence[float]) -> SpaceLine:
        """Return the span of the tensors that a line joins."""
        return cls(min(heights), max(heights))

    def meets(self, other: SpaceLine) -> bool:
        """Return whether two lines, with the numbers above them, have no room below each other."""
        return self.top - other.bottom < 1.5 * ROW and other.top - self.bottom < 1.5 * ROW


def lanes_of(spans: Sequence[SpaceLine]) -> list[int]:
    """Return a lane for each line, so that no two are on each other: short ones are near the tensors."""
    lanes = [0] * len(spans)
    taken: list[list[SpaceLine]] = []
    for index in sorted(range(len(spans)), key=lambda one: (spans[one].bottom - spans[one].top, one)):
        free = (lane for lane, others in enumerate(taken) if not any(map(spans[index].meets, others)))
        lane = next(free, len(taken))
        if lane == len(taken):
            taken.append([])
        taken[lane].append(spans[index])
        lanes[index] = lane
    return lanes


def colours_of(spans: Sequence[SpaceLine]) -> list[str]:
    """Return a colour for each line: the next one that no line beside it has."""
    chosen: list[str] = []
    for number, span in enumerate(spans):
        beside = {colour for colour, other in zip(chosen, spans, strict=False) if span.meets(other)}
        order = [COLOURS[(number + further) % len(COLOURS)] for further in range(len(COLOURS))]
        chosen.append(next((colour for colour in order if colour not in beside), order[0]))
    return chosen


@dataclass(frozen=True)
class Joined:
    """The lines of all spaces, and where each begins."""

    shown: tuple[Polyline | SpaceDot | Caption, ...]
    starts: tuple[float, ...]


def join(
    families: Sequence[FamilyOrbit],
    lanes: Sequence[int],
    colours: Sequence[str],
    rows: Sequence[TensorRow],
    right: float,
) -> Joined:
    """Return the lines that join the tensors of each family."""
    ends = {
        row.path: sorted(
            (lanes[number], number, side)
            for number, family in enumerate(families)
            for side in ends_at(family, row.path)
        )
        for row in rows
    }
    strokes: list[Polyline] = []
    dots: list[SpaceDot | Caption] = []
    starts = []
    for number, lane in enumerate(lanes):
        colour, x = colours[number], right + LANE * (lane + 1.5)
        heights = []
        for row in rows:
            at = ends[row.path]
            for position, (_, other, side) in enumerate(at):
                if other == number:
                    y = row.y + APART * (position - (len(at) - 1) / 2)
                    heights.append(y)
                    strokes.append(Polyline(((right, y), (x, y)), colour, 0.6))
                    dots.append(SpaceDot(x, y, colour, side != "columns"))
        strokes.append(Polyline(((x, min(heights)), (x, max(heights))), colour, 1.8))
        dots.append(Caption(x, min(heights) - ROW / 2, str(number + 1), SMALL, bold=True, side="center"))
        starts.append(min(heights))
    return Joined((*strokes, *dots), tuple(starts))


def ends_at(family: FamilyOrbit, tensor: str) -> tuple[str, ...]:
    """Return the sides of a tensor on which a family acts; a family that does not say which acts on the tensor."""
    sides = tuple(side for name, side in family.sides if name == tensor)
    return sides or (("both",) if tensor in family.tensors else ())


def legend_of(
    families: Sequence[FamilyOrbit], lines: Joined, colours: Sequence[str], start: float, measure: Measure
) -> tuple[list[Polyline | SpaceDot | Caption], float, float]:
    """Return the legend, in which each space is as high as its line begins or lower, and how far it reaches."""
    shown: list[Polyline | SpaceDot | Caption] = []
    name_at = start + 22
    group_at = name_at + 2 * PAD + max((measure(family.name, BODY, False) for family in families), default=0.0)
    words_at = group_at + 2 * PAD + max((measure(family.group or "", BODY, False) for family in families), default=0.0)
    width, y = words_at, 0.0
    for number in sorted(range(len(families)), key=lambda one: (lines.starts[one], one)):
        family, colour = families[number], colours[number]
        y = max(y, lines.starts[number])
        dimension = f"dimension {family.dimension}"
        shown.append(Polyline(((start + 8, y), (start + 18, y)), colour, 1.8))
        shown.append(Caption(start + 4, y, str(number + 1), SMALL, bold=True, side="right"))
        shown.append(Caption(name_at, y, family.name.replace("$", r"\$")))
        shown.append(Caption(group_at, y, family.group or ""))
        shown.append(Caption(words_at, y, dimension, quiet=True))
        width = max(width, words_at + measure(dimension, BODY, False))
        y += ENTRY
    y += ENTRY / 2
    told = ((True, "acts on the rows"), (False, "acts on the columns"))
    for full, words in told if any(family.sides for family in families) else ():
        shown += [SpaceDot(start + 13, y, "#59636e", full), Caption(name_at, y, words, quiet=True)]
        y += ENTRY
    return shown, width, y
