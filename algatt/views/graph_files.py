"""Graphs of networkx in the formats of other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from algatt.display import printable

if TYPE_CHECKING:
    import networkx as nx


def quote(text: str) -> str:
    """Return a text as a string of the DOT language, in which a quote is escaped and a backslash at the end would
    escape the closing one.
    """
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def graphml(tree: nx.DiGraph) -> str:
    """Return a graph as GraphML, which `networkx.read_graphml` reads back."""
    import networkx as nx

    return "\n".join(
        ['<?xml version="1.0" encoding="utf-8"?>', *(printable(line, "\n\t") for line in nx.generate_graphml(tree)), ""]
    )
