"""What a picture of a network consists of, before anything draws it: boxes, words and lines.

Lengths are points. What a layer takes flows in at its top and out at its bottom, on an axis: x is counted from it to
the right, y from the top down.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from algatt.architectures.parts import Family, Part, slots
from algatt.errors import InvalidArgument
from algatt.layers import (
    Chain,
    Embedding,
    Experts,
    Feedforward,
    Heads,
    Layer,
    LayerNorm,
    LayerScale,
    LearnedPosition,
    Linear,
    Named,
    RMSNorm,
    Stack,
    Tie,
    Unembedding,
)
from algatt.layers.base import Noun

__all__ = ["BODY", "TIMES", "Box", "Drawing", "Line", "Sum", "Words", "in_tex", "phrases", "picture", "times", "tone"]

TIMES = "\N{MULTIPLICATION SIGN}"
"""Between the numbers of a shape, and after that of equal blocks."""

BODY, HEADING = 7.0, 8.0
"""Sizes of the words about a layer, and of its name."""

ROW = 9.6
"""Height of a row of words."""

PAD = 5.0
"""Between the edge of a box and what is in it."""

COLUMN_GAP = 16.0
"""Between the name of a layer and its tensors."""

SHAPE_GAP = 8.0
"""Between the names of tensors and their shapes."""

STUB = 12.0
"""Length of the line that leads into a box."""

FORK = 6.0
"""Length of the line before a fork."""

LANE = 11.0
"""Between a layer and the path around it."""

RADIUS = 4.2
"""Of the circle of a sum."""

BESIDE = 14.0
"""Between two branches."""

WRAP = 96.0
"""Width up to which the words about a layer stand in one line."""

MOST = 200
"""So many boxes are drawn at most."""

TONES: dict[type, str] = {
    Heads: "attention",
    Feedforward: "feedforward",
    Experts: "feedforward",
    RMSNorm: "norm",
    LayerNorm: "norm",
    LayerScale: "norm",
    Linear: "linear",
    Embedding: "linear",
    Unembedding: "linear",
    LearnedPosition: "linear",
}
"""Kinds of layers, each of which has a colour."""

Measure = Callable[[str, float, bool], float]
"""The width of a text of a size, bold or not."""


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
class Words:
    """A text, its middle at the height y."""

    x: float
    y: float
    text: str
    size: float = BODY
    bold: bool = False
    quiet: bool = False
    side: str = "left"

    def moved(self, x: float, y: float) -> Words:
        """Return it somewhere else."""
        return replace(self, x=self.x + x, y=self.y + y)


@dataclass(frozen=True)
class Line:
    """A line through points, which may end in an arrow."""

    points: tuple[tuple[float, float], ...]
    arrow: bool = False

    def moved(self, x: float, y: float) -> Line:
        """Return it somewhere else."""
        return replace(self, points=tuple((a + x, b + y) for a, b in self.points))


@dataclass(frozen=True)
class Sum:
    """A circle with a plus, at which paths meet."""

    x: float
    y: float

    def moved(self, x: float, y: float) -> Sum:
        """Return it somewhere else."""
        return replace(self, x=self.x + x, y=self.y + y)


Shown = Box | Words | Line | Sum


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


def down(start: float, end: float, *, x: float = 0.0, arrow: bool = False) -> Line:
    """Return a vertical line."""
    return Line(((x, start), (x, end)), arrow)


def stacked(drawings: Sequence[Drawing]) -> Drawing:
    """Return drawings below each other on one axis."""
    shown: list[Shown] = []
    height = 0.0
    for one in drawings:
        shown += one.moved(0.0, height)
        height += one.height
    return Drawing(max(one.left for one in drawings), max(one.right for one in drawings), height, tuple(shown))


def times(shape: Sequence[int]) -> str:
    """Return a shape as it is printed."""
    return f" {TIMES} ".join(map(str, shape)) or "1"


def tone(layer: Layer) -> str:
    """Return the kind of a layer."""
    return next((TONES[kind] for kind in type(layer).__mro__ if kind in TONES), "other")


def in_tex(name: str) -> str:
    """Return the name of a tensor as a formula: ``b_Q_1`` has the letter b and the indices Q and 1."""
    if not re.fullmatch(r"[A-Za-z0-9]+(_[A-Za-z0-9]+)*", name):
        return name.replace("$", r"\$")
    base, *indices = (part if len(part) == 1 or part.isdigit() else rf"\mathrm{{{part}}}" for part in name.split("_"))
    return f"${base}_{{{','.join(indices)}}}$" if indices else f"${base}$"


def phrases(layer: Layer) -> list[str]:
    """Return in words what is in the slots of a layer."""
    words = []
    for name, value in slots(layer):
        named = name.replace("_", " ")
        if isinstance(value, bool):
            words.append(named if value else f"no {named}")
        elif dataclasses.is_dataclass(value):
            words.append(in_words(value))
        else:
            words.append(f"{named} {value}")
    return words


def in_words(value: object) -> str:
    """Return what is in a slot as it is written, without empty brackets."""
    return repr(value).removesuffix("()") if isinstance(value, Noun) else str(value)


def family_in_tex(family: Family) -> str:
    """Return the names of tensors that differ in their numbers."""
    first = family.tensors[0]
    if first.tied:
        return f"{in_tex(first.name)} = {first.path}"
    listed = family.listed([in_tex(tensor.name) for tensor in family.tensors])
    return ", ".join("…" if name == "..." else name for name in listed)


def picture(whole: Part, measure: Measure) -> Drawing:
    """Return the picture of a network.

    Parameters
    ----------
    whole : Part
        What `algatt.architectures.parts.parts_of` returns.
    measure : callable
        The width of a text in points: ``measure(text, size, bold)``.

    Raises
    ------
    InvalidArgument
        If it has too many boxes.
    """
    count = boxes(whole)
    if count > MOST:
        raise InvalidArgument(
            "network",
            f"one of {count} boxes",
            f"one of at most {MOST}, equal blocks counted once; the text and the html page have no limit",
        )
    maker = Maker(measure)
    first, last = f"$X$   {times(whole.input_shape)}", times(whole.output_shape)
    head = maker.end(first, above=True)
    return stacked([head, maker.layer(whole, maker.needed(whole)), maker.end(last, above=False)])


def boxes(part: Part) -> int:
    """Return the number of boxes of a picture."""
    return (part.wiring == "inside") + sum(boxes(below) for below, _ in part.runs())


@dataclass(frozen=True)
class Maker:
    """Makes the drawings of layers.

    Parameters
    ----------
    measure : callable
        The width of a text.
    """

    measure: Measure

    def end(self, text: str, *, above: bool) -> Drawing:
        """Return the input above a network, or its value below it."""
        half = self.measure(text, BODY, False) / 2
        if above:
            return Drawing(half, half, ROW, (Words(0, ROW / 2, text, side="center"),))
        words = Words(0, STUB + ROW / 2, text, side="center")
        return Drawing(half, half, STUB + ROW, (down(0, STUB - 1, arrow=True), words))

    def rows(self, part: Part) -> list[tuple[str, str]]:
        """Return the rows of the table of the tensors of a layer."""
        return [(family_in_tex(family), times(family.shape)) for family in part.families]

    def widest(self, texts: Sequence[str]) -> float:
        """Return the width of the widest of some texts."""
        return max((self.measure(text, BODY, False) for text in texts), default=0.0)

    def wrapped(self, words: Sequence[str]) -> list[str]:
        """Return phrases in lines."""
        lines: list[str] = []
        for phrase in words:
            longer = f"{lines[-1]}, {phrase}" if lines else phrase
            if lines and self.measure(longer, BODY, False) <= WRAP:
                lines[-1] = longer
            else:
                if lines:
                    lines[-1] += ","
                lines.append(phrase)
        return lines

    def told(self, part: Part, note: str) -> tuple[str, list[str]]:
        """Return the name of a layer and the lines below it; a number is a factor of the name, another note a line."""
        name = type(part.layer).__name__
        if note.endswith(TIMES):
            return f"{note} {name}", self.wrapped(phrases(part.layer))
        return name, self.wrapped([*([note] if note else []), *phrases(part.layer)])

    def card_width(self, part: Part, note: str) -> float:
        """Return the width that the box of a layer needs."""
        name, lines = self.told(part, note)
        rows = self.rows(part)
        left = max(self.measure(name, HEADING, True), self.widest(lines))
        names, shapes = self.widest([row[0] for row in rows]), self.widest([row[1] for row in rows])
        right = COLUMN_GAP + names + SHAPE_GAP + shapes if rows else 0.0
        inner = max((self.room_within(below, note_of(below, count)) for below, count in part.runs()), default=0.0)
        return max(2 * PAD + left + right, 2 * PAD + inner)

    def room_within(self, part: Part, note: str) -> float:
        """Return the width that a part of a layer needs in its box."""
        if part.wiring == "inside":
            return self.card_width(part, note)
        drawn = self.within(part, 0.0, note)
        return 2 * max(drawn.left, drawn.right)

    def needed(self, part: Part, note: str = "") -> float:
        """Return the width of the boxes of a column: the same for all of them, but for those of branches."""
        if part.wiring == "inside":
            return self.card_width(part, note)
        if part.wiring == "parallel":
            return 0.0
        return max(self.needed(below) for below in part.parts)

    def card(self, part: Part, width: float, note: str = "") -> Drawing:
        """Return the box of a layer, without the line that leads into it."""
        name, lines = self.told(part, note)
        rows = self.rows(part)
        half = width / 2
        height = ROW * max(1 + len(lines), len(rows))
        shown: list[Shown] = [Words(PAD - half, PAD + ROW / 2, name, HEADING, bold=True)]
        shown += [Words(PAD - half, PAD + ROW * (number + 1.5), line, quiet=True) for number, line in enumerate(lines)]
        start = half - PAD - self.widest([row[1] for row in rows]) - SHAPE_GAP - self.widest([row[0] for row in rows])
        for number, (left, right) in enumerate(rows):
            y = PAD + ROW * (number + 0.5)
            shown += [Words(start, y, left), Words(half - PAD, y, right, quiet=True, side="right")]
        y = PAD + height
        below: list[Shown] = []
        for inner, count in part.runs():
            drawn = self.within(inner, width - 2 * PAD, note_of(inner, count))
            below += drawn.moved(0, y + PAD / 2)
            y += drawn.height + PAD / 2
        box = Box(-half, 0, half, y + PAD, tone(part.layer))
        return Drawing(half, half, box.bottom, (box, *shown, *below))

    def within(self, part: Part, width: float, note: str) -> Drawing:
        """Return a part of a layer that says itself how it uses it: its box, or a frame around what it is made of."""
        if part.wiring == "inside":
            return self.card(part, width, note)
        return self.frame(self.layer(part, self.needed(part)), note, lead=0.0)

    def layer(self, part: Part, width: float) -> Drawing:
        """Return a layer with the line that leads into it."""
        if part.wiring == "inside":
            card = self.card(part, width)
            return stacked([Drawing(0, 0, STUB, (down(0, STUB, arrow=True),)), card])
        if part.wiring == "residual":
            return self.around(self.layer(part.parts[0], width))
        if part.wiring == "parallel":
            return self.branches([self.layer(below, self.needed(below)) for below in part.parts])
        drawn = self.sequence(part, width)
        return self.frame(drawn, part.layer.label) if isinstance(part.layer, Named) else drawn

    def sequence(self, part: Part, width: float) -> Drawing:
        """Return layers one after the other, with the shapes between them where they change."""
        drawings = []
        runs = part.runs()
        for number, (below, count) in enumerate(runs):
            drawn = self.layer(below, width)
            if count > 1:
                drawn = self.frame(drawn, f"{count} {TIMES}")
            elif isinstance(part.layer, Stack) and len(runs) > 1 and isinstance(below.layer, Chain | Tie):
                drawn = self.frame(drawn, f"block {below.key}")
            drawings.append(drawn)
            if number < len(runs) - 1 and below.output_shape != below.input_shape:
                drawings.append(self.mark(times(below.output_shape)))
        return stacked(drawings)

    def mark(self, text: str) -> Drawing:
        """Return a piece of the axis with a shape beside it."""
        height = ROW + 2
        shown = (down(0, height), Words(PAD, height / 2, text, quiet=True))
        return Drawing(0, PAD + self.measure(text, BODY, False), height, shown)

    def frame(self, inner: Drawing, label: str, *, lead: float = 5.0) -> Drawing:
        """Return a frame around a drawing, with a label at its top and a line that leads into it."""
        left = max(inner.left + PAD + 1, self.measure(label, HEADING, True) + 3 * PAD)
        right = inner.right + PAD + 1
        top, bottom = lead, lead + ROW + inner.height + PAD
        box = Box(-left, top, right, bottom, "other", frame=True)
        words = Words(PAD - left, top + PAD / 2 + ROW / 2, label, HEADING, bold=True)
        ends = (down(0, top + ROW), down(top + ROW + inner.height, bottom))
        return Drawing(left, right, bottom, (box, words, *ends, *inner.moved(0, top + ROW)))

    def around(self, inner: Drawing) -> Drawing:
        """Return a layer with the path around it, which is added to its value."""
        end = FORK + inner.height
        centre = end + STUB - 2 + RADIUS
        lane = inner.right + LANE
        skip = Line(((0, FORK), (lane, FORK), (lane, centre), (RADIUS, centre)), arrow=True)
        ends = (down(0, FORK), down(end, centre - RADIUS, arrow=True))
        return Drawing(inner.left, lane, centre + RADIUS, (skip, *ends, *inner.moved(0, FORK), Sum(0, centre)))

    def branches(self, drawings: Sequence[Drawing]) -> Drawing:
        """Return layers side by side, and the sum of their values."""
        total = sum(one.left + one.right for one in drawings) + BESIDE * (len(drawings) - 1)
        end = FORK + max(one.height for one in drawings)
        centre = end + STUB - 2 + RADIUS
        shown: list[Shown] = [down(0, FORK)]
        at = -total / 2
        for one in drawings:
            x = at + one.left
            at += one.left + one.right + BESIDE
            shown += [Line(((0, FORK), (x, FORK))), *one.moved(x, FORK)]
            if abs(x) < 4 * RADIUS:  # from above
                bend = end + 3
                shown.append(Line(((x, FORK + one.height), (x, bend), (0, bend), (0, centre - RADIUS)), arrow=True))
            else:
                side = RADIUS if x > 0 else -RADIUS
                shown.append(Line(((x, FORK + one.height), (x, centre), (side, centre)), arrow=True))
        return Drawing(total / 2, total / 2, centre + RADIUS, (*shown, Sum(0, centre)))


def note_of(part: Part, count: int) -> str:
    """Return what tells a part from others in a layer: how many there are, or its name unless that is a number."""
    if count > 1:
        return f"{count} {TIMES}"
    return "" if part.key.isdigit() else part.key.replace("_", " ")
