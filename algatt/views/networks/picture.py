"""The picture of a network, made of boxes, words and lines: layers below each other, side by side, and in frames."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from algatt.architectures.parts import Part
from algatt.errors import InvalidArgument
from algatt.layers import Chain, Named, Stack, Tie
from algatt.views.networks.shapes import (
    BODY,
    HEADING,
    RADIUS,
    Box,
    Caption,
    Drawing,
    Segment,
    Shown,
    SumSign,
    down,
    stack,
)
from algatt.views.networks.words import TIMES, family_in_tex, note_of, phrases, times, tone

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

BESIDE = 14.0
"""Between two branches."""

WRAP = 96.0
"""Width up to which the words about a layer stand in one line."""

MOST = 200
"""So many boxes are drawn at most."""

Measure = Callable[[str, float, bool], float]
"""The width of a text of a size, bold or not."""


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
    return stack([head, maker.layer(whole, maker.needed(whole)), maker.end(last, above=False)])


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
            return Drawing(half, half, ROW, (Caption(0, ROW / 2, text, side="center"),))
        words = Caption(0, STUB + ROW / 2, text, side="center")
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
        shown: list[Shown] = [Caption(PAD - half, PAD + ROW / 2, name, HEADING, bold=True)]
        shown += [
            Caption(PAD - half, PAD + ROW * (number + 1.5), line, quiet=True) for number, line in enumerate(lines)
        ]
        start = half - PAD - self.widest([row[1] for row in rows]) - SHAPE_GAP - self.widest([row[0] for row in rows])
        for number, (left, right) in enumerate(rows):
            y = PAD + ROW * (number + 0.5)
            shown += [Caption(start, y, left), Caption(half - PAD, y, right, quiet=True, side="right")]
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
            return stack([Drawing(0, 0, STUB, (down(0, STUB, arrow=True),)), card])
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
        return stack(drawings)

    def mark(self, text: str) -> Drawing:
        """Return a piece of the axis with a shape beside it."""
        height = ROW + 2
        shown = (down(0, height), Caption(PAD, height / 2, text, quiet=True))
        return Drawing(0, PAD + self.measure(text, BODY, False), height, shown)

    def frame(self, inner: Drawing, label: str, *, lead: float = 5.0) -> Drawing:
        """Return a frame around a drawing, with a label at its top and a line that leads into it."""
        left = max(inner.left + PAD + 1, self.measure(label, HEADING, True) + 3 * PAD)
        right = inner.right + PAD + 1
        top, bottom = lead, lead + ROW + inner.height + PAD
        box = Box(-left, top, right, bottom, "other", frame=True)
        words = Caption(PAD - left, top + PAD / 2 + ROW / 2, label, HEADING, bold=True)
        ends = (down(0, top + ROW), down(top + ROW + inner.height, bottom))
        return Drawing(left, right, bottom, (box, words, *ends, *inner.moved(0, top + ROW)))

    def around(self, inner: Drawing) -> Drawing:
        """Return a layer with the path around it, which is added to its value."""
        end = FORK + inner.height
        centre = end + STUB - 2 + RADIUS
        lane = inner.right + LANE
        skip = Segment(((0, FORK), (lane, FORK), (lane, centre), (RADIUS, centre)), arrow=True)
        ends = (down(0, FORK), down(end, centre - RADIUS, arrow=True))
        return Drawing(inner.left, lane, centre + RADIUS, (skip, *ends, *inner.moved(0, FORK), SumSign(0, centre)))

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
            shown += [Segment(((0, FORK), (x, FORK))), *one.moved(x, FORK)]
            if abs(x) < 4 * RADIUS:  # from above
                bend = end + 3
                shown.append(Segment(((x, FORK + one.height), (x, bend), (0, bend), (0, centre - RADIUS)), arrow=True))
            else:
                side = RADIUS if x > 0 else -RADIUS
                shown.append(Segment(((x, FORK + one.height), (x, centre), (side, centre)), arrow=True))
        return Drawing(total / 2, total / 2, centre + RADIUS, (*shown, SumSign(0, centre)))
