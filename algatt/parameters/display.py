"""How parameters look in a notebook."""

from __future__ import annotations

import html
from typing import Any

from algatt.display import html_of_rows

LARGEST = 8
"""Matrices with more rows or columns than this are shown by their shape alone."""


def html_table(title: str, arrays: dict[str, Any]) -> str:
    """Return an HTML table of named matrices."""
    rows = []
    for name, array in arrays.items():
        letter, _, index = name.partition("_")
        path = "." in name or not index
        label = html.escape(name) if path else f"{html.escape(letter)}<sub>{html.escape(index)}</sub>"
        size = " &times; ".join(map(str, array.shape)) or "1"
        rows.append((f"<th>{label}</th>", f"<pre>{size}</pre>", entries(array)))
    return html_of_rows(html.escape(title), rows)


def entries(array: Any) -> str:
    """Return the entries of a small matrix as preformatted text."""
    if array.ndim > 2 or max(array.shape, default=1) > LARGEST:
        return "&hellip;"
    rows = array.reshape((1, 1, *array.shape)[-2:]).tolist()
    cells = [[f"{x:.4g}" if isinstance(x, float) else str(x) for x in row] for row in rows]
    width = max((len(cell) for row in cells for cell in row), default=0)
    lines = ["  ".join(cell.rjust(width) for cell in row) for row in cells]
    return f"<pre>{html.escape(chr(10).join(lines))}</pre>"
