"""The families of a network as a table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from algatt.display import html_of_rows, in_html, list_names
from algatt.symmetry.legend import explain

if TYPE_CHECKING:
    from algatt.architectures import Architecture
    from algatt.symmetry.base import Symmetry

HEAD = ("name", "group", "dimension", "tensors", "basis")


class Symmetries(tuple["Symmetry", ...]):
    """The families of symmetries of a network: a tuple that is shown as a table."""

    __slots__ = ()

    def __repr__(self) -> str:
        if not self:
            return "()"
        told, space = self.legend, max(MOST_LINES - 1 - len(self.legend), 3)
        shown = self if len(self) <= space else (*self[: space - 2], self[-1])
        table = [HEAD, *map(line, shown)]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in table]
        if len(self) > space:
            lines.insert(-1, f"... {len(self) - len(shown)} more")
        return "\n".join((*lines, *(f"{name}: {meaning}" for name, meaning in told)))

    @property
    def legend(self) -> list[tuple[str, str]]:
        """The letters of groups and the words for what families rest on that occur, each with what it means."""
        return explain([str(one.group or "") for one in self], [one.basis for one in self])

    def _repr_html_(self) -> str:
        rows = [(f"<th>{in_html(name)}</th>", *map(in_html, others)) for name, *others in (HEAD, *map(cells, self))]
        told, caption = self.legend, f"{len(self)} families of symmetries"
        return html_of_rows(caption, [*rows, *((f"<th>{in_html(name)}</th>", in_html(text)) for name, text in told)])


MOST_LINES = 10
"""Maximum number of lines of the text of `Symmetries`, unless it explains more than six letters and words."""

FEW = 4
"""Maximum number of tensors in a line of this text."""


def cells(family: Symmetry) -> tuple[str, ...]:
    """Return a row of a table of families."""
    group = "" if family.group is None else str(family.group)
    return family.name, group, str(family.dimension), list_names(family.tensors), family.basis


def line(family: Symmetry) -> tuple[str, ...]:
    """Return the same row, with few tensors."""
    name, group, dimension, tensors, basis = cells(family)
    names = family.tensors
    few = tensors if len(names) <= FEW else f"{names[0]}, ..., {names[-1]} ({len(names)})"
    return name, group, dimension, few, basis


COLUMNS = ("name", "group", "dimension", "alone", "copies", "tensors", "basis")


def symmetries_as_dict(
    arch: Architecture, dimension: int, shared: int | None, families: Iterable[tuple[Any, ...]], seed: int | None
) -> dict[str, Any]:
    """Return symmetries as plain values for JSON, given the `COLUMNS` of each family."""
    return {
        "architecture": arch.description(),
        "parameters": arch.parameters,
        "dimension": dimension,
        "shared": shared,
        "symmetries": [dict(zip(COLUMNS, one, strict=True)) for one in families],
        "seed": seed,
    }
