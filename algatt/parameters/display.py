"""How parameters look in a notebook."""

from __future__ import annotations

import html
from typing import Any

from algatt.display import html_of_rows

__all__ = ["html_table"]

LARGEST = 8
"""Matrices with more rows or columns than this are shown by their shape alone."""


def html_table(title: str, arrays: dict[str, Any]) -> str:
    """Return an HTML table of named matrices."""
    rows = []
    for name, array in arrays.items():
        letter, _, index = name.partition("_")
        label = f"{html.escape(letter)}<sub>{html.escape(index)}</sub>" if index else html.escape(letter)
        rows.append((f"<th>{label}</th>", f"{array.shape[0]} &times; {array.shape[1]}", entries(array)))
    return html_of_rows(html.escape(title), rows)


def entries(array: Any) -> str:
    """Return the entries of a small matrix as preformatted text."""
    if max(array.shape) > LARGEST:
        return "&hellip;"
    cells = [[f"{x:.4g}" if isinstance(x, float) else str(x) for x in row] for row in array.tolist()]
    width = max((len(cell) for row in cells for cell in row), default=0)
    lines = ["  ".join(cell.rjust(width) for cell in row) for row in cells]
    return f"<pre>{html.escape(chr(10).join(lines))}</pre>"
