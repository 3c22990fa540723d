"""What a person sees of a value first, and how it looks in a notebook: the one home of the html of tables.

A `Summary` is text, the same for the terminal and for notebooks; here it becomes html. All text is escaped, so a name
may hold anything.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

COLOURS = {"good": "#1a7f37", "doubtful": "#8a5a00", "wrong": "#b3261e"}
"""The grounds of verdicts, on which white text is easy to read: so they are the same in light and dark notebooks."""

STYLE = (
    ".algatt.algatt { overflow-x: auto; }"
    ".algatt.algatt table { display: block; margin: 0; border: none; border-collapse: collapse; color: inherit; }"
    ".algatt.algatt caption { display: block; padding: 0 0 .4em; text-align: left; font-weight: bold; color: inherit; }"
    ".algatt.algatt th, .algatt.algatt td { padding: .2em 1.2em .2em .4em; border: none; color: inherit; }"
    ".algatt.algatt th, .algatt.algatt td { text-align: left; vertical-align: top; }"
    ".algatt.algatt th { font-weight: normal; opacity: .75; }"
    ".algatt.algatt th.part { padding-left: 1.6em; }"
    ".algatt.algatt th, .algatt.algatt td { max-width: 60em; overflow-wrap: break-word; }"
    ".algatt.algatt td { white-space: pre-wrap; }"
    ".algatt.algatt pre { white-space: pre; margin: 0; padding: 0; background: none; color: inherit; }"
    ".algatt .verdict { padding: 0 .45em; border-radius: .6em; color: #ffffff; font-weight: bold; }"
    + "".join(f".algatt .{tone} {{ background: {colour}; }}" for tone, colour in COLOURS.items())
)
"""Of all tables. Text keeps the colour of the notebook, light or dark; the class stands twice to be stronger than the
notebook's rules for tables of numbers; the title is a block, so that its lines are not as short as those of the table;
and words stay whole: a table that is too wide is scrolled.
"""


@dataclass(frozen=True)
class Said:
    """A piece of text that is said in a tone: ``strong``, ``good``, ``doubtful`` or ``wrong``."""

    text: str
    tone: str


@dataclass(frozen=True)
class Worth:
    """What an answer is worth: its status, such as ``proven``, or a verdict, such as ``refuted``."""

    status: str

    @property
    def tone(self) -> str:
        """The tone in which it is said: nothing but what is proven, or was verified, is good."""
        return {"proven": "good", "verified": "good", "refuted": "wrong"}.get(self.status, "doubtful")


Text = str | tuple[str | Said | Worth, ...]
"""A text, or its pieces."""

Rows = list[tuple[str, Text]]
"""The rows of a summary: names and texts."""

MOST_ROWS = 12
"""Maximum number of parts of one kind that are listed."""


MOST_LINES = 10
"""Maximum number of lines of a result in a shell."""

LONGEST = 120
"""Maximum length of such a line."""


@dataclass(frozen=True)
class Summary:
    """What a person wants to see of a value first.

    Parameters
    ----------
    title : str
        What it is, or the answer.
    rows : sequence of pairs
        Names and texts. A name that is further in, as ``"  - key-query"``, is that of a part of what is above it.
    worth : Worth, optional
        What the answer in the title is worth.
    """

    title: str
    rows: Sequence[tuple[str, Text]]
    worth: Worth | None = None


def pieces(text: Text) -> tuple[str | Said | Worth, ...]:
    """Return the pieces of a text."""
    return (text,) if isinstance(text, str) else text


def plain_text(piece: str | Said | Worth) -> str:
    """Return a piece of text without its tone; what an answer is worth is in brackets."""
    if isinstance(piece, Worth):
        return f"({piece.status})"
    return piece.text if isinstance(piece, Said) else piece


def plain(text: Text) -> str:
    """Return a text without its tones."""
    return "".join(map(plain_text, pieces(text)))


def in_html(text: Text) -> str:
    """Return a text as html."""
    return "".join(map(piece_in_html, pieces(text)))


def piece_in_html(piece: str | Said | Worth) -> str:
    """Return a piece of text as html."""
    if isinstance(piece, str):
        return html.escape(piece)
    shown = html.escape(piece.status if isinstance(piece, Worth) else piece.text)
    if piece.tone == "strong":
        return f"<strong>{shown}</strong>"
    return f'<span class="verdict {piece.tone}">{shown}</span>'


def html_of_rows(caption: str, rows: Iterable[tuple[str, ...]]) -> str:
    """Return a table of html as a notebook shows it: a caption, and rows of cells, each after its heading; the last
    cell of a short row is as wide as those that it lacks.
    """
    rows = list(rows)
    most = max(map(len, rows), default=0)
    table = f"<table><caption>{caption}</caption>"
    for heading, *cells, last in rows:
        wide = f' colspan="{most - len(cells) - 1}"' if len(cells) + 2 < most else ""
        table += f"<tr>{heading}{''.join(f'<td>{cell}</td>' for cell in cells)}<td{wide}>{last}</td></tr>"
    return f'<div class="algatt"><style>{STYLE}</style>{table}</table></div>'


def html_of(summary: Summary) -> str:
    """Return a summary as a notebook shows it."""
    caption = html.escape(summary.title) + ("" if summary.worth is None else f" {piece_in_html(summary.worth)}")
    return html_of_rows(caption, ((heading(name), in_html(text)) for name, text in summary.rows))


def text_of(summary: Summary) -> str:
    """Return a summary as a shell shows it, in at most `MOST_LINES` lines: parts go first where there are too many."""
    rows = summary.rows
    if len(rows) >= MOST_LINES:
        rows = [row for row in rows if not row[0].startswith(" ")]
    width = max((len(name) for name, _ in rows), default=0)
    lines = [plain((summary.title, *(() if summary.worth is None else (" ", summary.worth))))]
    for name, text in rows:
        first, *others = plain(text).split("\n")
        lines += [f"  {name:{width}}  {first}", *(f"  {'':{width}}  {line}" for line in others)]
    if len(lines) > MOST_LINES:
        lines[MOST_LINES - 1 :] = ["  ..."]
    return "\n".join(f"{line[: LONGEST - 3]}..." if len(line) > LONGEST else line for line in map(printable, lines))


def heading(name: str) -> str:
    """Return the heading of a row; that of a part is further in."""
    shown = html.escape(name.lstrip(" -"))
    return f'<th class="part">{shown}</th>' if name.startswith(" ") else f"<th>{shown}</th>"


def printable(text: str, kept: str = "") -> str:
    """Return a text with what would not be seen, or steer a terminal, written as escapes: control characters, marks of
    direction, halves of surrogate pairs; the signs in `kept` stay.
    """
    return "".join(sign if sign.isprintable() or sign in kept else repr(sign)[1:-1] for sign in text)


def list_names(names: Sequence[str], most: int = MOST_ROWS) -> str:
    """Return names in a line: the first ones, the last one and their number where they are many."""
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(names[: most - 1])}, ..., {names[-1]} ({len(names)})"


def one_line(text: str) -> str:
    """Return the beginning of a text in one line."""
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def value_in_lines(value: object) -> str:
    """Return the value of a field, shortened, and of a tuple the first entries in lines."""
    if not isinstance(value, tuple) or len(str(value)) <= LONGEST // 2:
        return one_line(str(value))
    more = [f"and {len(value) - MOST_ROWS} more"] if len(value) > MOST_ROWS else []
    return "\n".join([*map(value_in_lines, value[:MOST_ROWS]), *more])
