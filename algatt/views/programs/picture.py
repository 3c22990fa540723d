"""The picture of a program: a box for each instruction below those whose results it takes.

What only reads something, a tensor, a constant or the input, is right above what takes it first. Lines to what is
several rows below have a place of their own in each row between.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from algatt.errors import InvalidArgument
from algatt.views.networks.shapes import BODY, Box, Caption, Drawing, Segment, Shown, down
from algatt.views.networks.words import in_tex, times

if TYPE_CHECKING:
    from algatt.programs import Program

MOST = 200
"""So many instructions are drawn at most."""

PAD = 5.0
"""Between the edge of a box and its words."""

HEIGHT = 22.0
"""Of a box: two rows of words."""

BESIDE = 10.0
"""Between two boxes of a row."""

BETWEEN = 22.0
"""Between two rows."""

LANE = 2.0
"""The width of a line that passes a row."""

SWEEPS = 8
"""So often the rows are put into the order of what is above them, and of what is below."""

TONES = {"tensor": "linear", "input": "attention", "constant": "norm"}
"""What the boxes look like, by the operation; functions of one variable as feedforward layers."""

FUNCTIONS = ("erf", "exp", "log", "positive", "reciprocal", "sigmoid", "sqrt", "largest")

Measure = Callable[[str, float, bool], float]
"""The width of a text of a size, bold or not."""


def program_picture(program: Program, measure: Measure) -> Drawing:
    """Return the picture of a program.

    Parameters
    ----------
    program : Program
        The program.
    measure : callable
        The width of a text in points: ``measure(text, size, bold)``.

    Raises
    ------
    InvalidArgument
        If it has too many instructions.
    """
    if len(program) > MOST:
        raise InvalidArgument(
            "program", f"one of {len(program)} instructions", f"one of at most {MOST}; write it as dot"
        )
    told = [words_of(program, number) for number in range(len(program))]
    widths = [2 * PAD + max(measure(text, BODY, False) for text in pair) for pair in told]
    rows, edges = rows_of(program)
    widths += [LANE] * (sum(map(len, rows)) - len(program))
    order(rows, edges)
    places = placed(rows, widths)
    shown: list[Shown] = []
    for x, y in places[len(program) :]:
        shown.append(down(y, y + HEIGHT, x=x))
    for above, below in edges:
        (x, y), (u, v) = places[above], places[below]
        shown.append(Segment(((x, y + HEIGHT), (u, v)), arrow=below < len(program)))
    for number, one in enumerate(program.instructions):
        (x, y), width = places[number], widths[number]
        tone = "feedforward" if one.operation in FUNCTIONS else TONES.get(one.operation, "other")
        shown.append(Box(x - width / 2, y, x + width / 2, y + HEIGHT, tone))
        shown.append(Caption(x, y + 0.3 * HEIGHT, told[number][0], side="center"))
        shown.append(Caption(x, y + 0.72 * HEIGHT, told[number][1], quiet=True, side="center"))
    reach = max(abs(x) + width / 2 for (x, _), width in zip(places, widths, strict=True))
    return Drawing(reach, reach, len(rows) * (HEIGHT + BETWEEN) - BETWEEN, tuple(shown))


def words_of(program: Program, number: int) -> tuple[str, str]:
    """Return what an instruction does, and its number with the shape of its result."""
    one = program.instructions[number]
    text = in_tex(one.argument) if one.operation == "tensor" else one.operation.replace("_", " ")
    return text, f"%{number}: {times(one.shape) if one.shape else 'number'}"


def depths(program: Program) -> list[int]:
    """Return the row of each instruction."""
    depth = [0] * len(program)
    first = [len(program)] * len(program)
    for number, one in enumerate(program.instructions):
        depth[number] = max((depth[operand] + 1 for operand in one.operands), default=0)
    for number, one in enumerate(program.instructions):
        for operand in one.operands:
            first[operand] = min(first[operand], depth[number])
    return [
        row if one.operands or row >= first[number] or first[number] > max(depth) else first[number] - 1
        for number, (row, one) in enumerate(zip(depth, program.instructions, strict=True))
    ]


def rows_of(program: Program) -> tuple[list[list[int]], list[tuple[int, int]]]:
    """Return what is in each row, instructions by their numbers and lines that pass by larger ones, and what is joined
    to what in the next row.
    """
    depth = depths(program)
    rows: list[list[int]] = [[] for _ in range(max(depth) + 1)]
    for number, row in enumerate(depth):
        rows[row].append(number)
    edges: dict[tuple[int, int], None] = {}
    passing: dict[tuple[int, int], int] = {}  # by the instruction and the row
    for number, one in enumerate(program.instructions):
        for operand in one.operands:
            above = operand
            for row in range(depth[operand] + 1, depth[number]):
                if (operand, row) not in passing:
                    passing[operand, row] = len(program) + len(passing)
                    rows[row].append(passing[operand, row])
                edges[above, passing[operand, row]] = None
                above = passing[operand, row]
            edges[above, number] = None
    return rows, list(edges)


def order(rows: Sequence[list[int]], edges: Sequence[tuple[int, int]]) -> None:
    """Put each row into the order of the means of what it is joined to, above and below in turn."""
    above: dict[int, list[int]] = {}
    below: dict[int, list[int]] = {}
    for one, other in edges:
        below.setdefault(one, []).append(other)
        above.setdefault(other, []).append(one)
    at = {number: (place + 0.5) / len(row) for row in rows for place, number in enumerate(row)}

    for sweep in range(SWEEPS):
        near = below if sweep % 2 else above
        for row in reversed(rows) if sweep % 2 else rows:
            joined = {number: near.get(number, [number]) for number in row}
            means = {number: sum(at[one] for one in others) / len(others) for number, others in joined.items()}
            row.sort(key=lambda number: (means[number], number))
            at.update({number: (place + 0.5) / len(row) for place, number in enumerate(row)})


def placed(rows: Sequence[Sequence[int]], widths: Sequence[float]) -> list[tuple[float, float]]:
    """Return for each thing in the rows its middle and its top."""
    places = [(0.0, 0.0)] * len(widths)
    for height, row in enumerate(rows):
        x = -(sum(widths[number] for number in row) + BESIDE * (len(row) - 1)) / 2
        for number in row:
            places[number] = (x + widths[number] / 2, height * (HEIGHT + BETWEEN))
            x += widths[number] + BESIDE
    return places
