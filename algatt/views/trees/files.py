"""The recursion as a file, in the format that the file's suffix names."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from algatt.errors import InvalidArgument
from algatt.files import write_atomically
from algatt.trees import children, factor_at, window
from algatt.trees.graph import check_unrolled
from algatt.version import __version__
from algatt.views.graph_files import graphml as graphml
from algatt.views.graph_files import quote
from algatt.views.palette import PALETTE, colour_number
from algatt.views.plotting import PICTURES, check_picture, render
from algatt.views.trees.picture import picture
from algatt.views.trees.shapes import DrawnTree

if TYPE_CHECKING:
    import networkx as nx

TIKZ_COLUMN = 0.6
"""Centimetres between two leaves of a TikZ picture."""

TIKZ_NARROWER = 0.76
"""Small sizes of TeX's own font are wider than those of matplotlib's, so labels are chosen as for a
narrower picture.
"""

TIKZ_DAG = 1.6
"""Centimetres of the unit of a dag."""

TIKZ_ROW = 0.9
"""Centimetres of a layer."""

POINTS = 72.27 / 2.54
"""TeX's points in a centimetre."""


def outline(tree: nx.DiGraph, slot: int | None = None) -> str:
    """Return a graph as text: each part below its whole and further in, with the slots of the factors, and last the
    product.
    """
    lines = list(indented_lines(tree)) if tree.graph["kind"] == "tree" else list(equations(tree))
    if slot is not None:
        places = window(tree.graph["layers"], slot)
        pairs = [
            f"j_{left} <-> j_{right}" for left, right in zip(places, reversed(places), strict=True) if left < right
        ]
        lines += ["", f"reflection at slot {slot}, {factor_at(slot)}: {', '.join(reversed(pairs))}"]
    return "".join(f"{line}\n" for line in lines)


def indented_lines(tree: nx.DiGraph) -> Iterator[str]:
    """Iterate over the lines of a tree and of its product."""
    sequence: list[str] = []
    stack = [(tree.graph["root"], 0)]
    while stack:
        node, depth = stack.pop()
        attributes = tree.nodes[node]
        symbol = "P_0 = X X^T" if attributes["kind"] == "leaf" else attributes["symbol"]
        yield f"{'  ' * depth}{symbol}" + (f"  (slot {attributes['slot']})" if attributes["slot"] else "")
        if attributes["kind"] == "factor":
            sequence.append(attributes["symbol"])
        stack.extend((child, depth + 1) for child in reversed(children(tree, node)))
    yield ""
    yield f"factors: {' '.join(sequence)}"


def equations(tree: nx.DiGraph) -> Iterator[str]:
    """Iterate over the products of a dag."""
    for node in tree:
        below = children(tree, node)
        if below:
            yield f"{node} = {' '.join(below)}"
    yield "P_0 = X X^T"


def dot(tree: nx.DiGraph) -> str:
    """Return a graph in the language of Graphviz, with all its attributes; the children of a node keep their order."""
    lines = ["digraph algatt {", "  ordering=out;"]
    lines += [f"  {name}={quote(str(value))};" for name, value in tree.graph.items()]
    for node, attributes in tree.nodes(data=True):
        shown = {"label": attributes["symbol"], "shape": "plaintext"}
        if attributes["kind"] in ("power", "factor"):
            shown["fontcolor"] = PALETTE[colour_number(attributes["layer"])]
        listed = ", ".join(f"{name}={quote(str(value))}" for name, value in {**shown, **attributes}.items())
        lines.append(f"  {quote(node)} [{listed}];")
    for parent, child, places in tree.edges(data="places"):
        lines.append(f"  {quote(parent)} -> {quote(child)} [places={quote(str(places))}];")
    return "\n".join([*lines, "}", ""])


def node_link_data(tree: nx.DiGraph) -> dict[str, Any]:
    """Return a graph as plain values, which ``networkx.node_link_graph(data, edges="edges")`` reads back."""
    return {
        "directed": True,
        "multigraph": False,
        "graph": dict(tree.graph),
        "nodes": [{"id": node, **attributes} for node, attributes in tree.nodes(data=True)],
        "edges": [{"source": parent, "target": child, **edge} for parent, child, edge in tree.edges(data=True)],
    }


def node_link(tree: nx.DiGraph) -> str:
    """Return a graph as node-link JSON."""
    head = {"format": "algatt tree", "version": 1, "made_with": f"algatt {__version__}"}
    return json.dumps({**head, **node_link_data(tree)}, indent=1) + "\n"


def tikz(tree: nx.DiGraph, slot: int | None = None) -> str:
    """Return the picture that `algatt.draw` draws as a TeX document of its own; its ``tikzpicture`` may be copied into
    another one.
    """
    unit = TIKZ_COLUMN if tree.graph["kind"] == "tree" else TIKZ_DAG
    drawn = picture(tree, slot, unit * POINTS * TIKZ_NARROWER)
    colours = [
        rf"\definecolor{{layer{number}}}{{HTML}}{{{colour[1:].upper()}}}" for number, colour in enumerate(PALETTE)
    ]
    return "\n".join(
        [
            r"\documentclass[tikz,border=2pt]{standalone}",
            r"\begin{document}",
            *colours,
            rf"\begin{{tikzpicture}}[x={unit}cm, y={TIKZ_ROW}cm, line width=0.6pt, inner sep=1pt]",
            *(f"  {line}" for line in tikz_lines(drawn)),
            r"\end{tikzpicture}",
            r"\end{document}",
            "",
        ]
    )


def tikz_lines(drawn: DrawnTree) -> Iterator[str]:
    """Iterate over the commands that draw a picture, what is behind first."""
    for band in drawn.bands:
        yield rf"\fill[black!7] ({band.left:g},{band.bottom:g}) rectangle ({band.right:g},{band.top:g});"
    for stroke in drawn.strokes:
        points = [f"({x:g},{y:g})" for x, y in stroke.points]
        path = (
            f"{points[0]} .. controls {points[1]} and {points[2]} .. {points[3]}"
            if stroke.curved
            else " -- ".join(points)
        )
        yield rf"\draw[{tikz_colour(stroke.layer)}{', dotted' if stroke.dotted else ''}] {path};"
    for point in drawn.dots:
        yield (
            rf"\draw[black, fill={'black' if point.filled else 'white'}] ({point.x:g},{point.y:g}) "
            rf"circle[radius=1pt];"
        )
    for label in drawn.labels:
        options = (
            f"text={tikz_colour(label.layer)}, font=\\fontsize{{{label.size:.1f}}}{{{label.size:.1f}}}\\selectfont"
        )
        if label.boxed:
            options += f", draw={tikz_colour(label.layer)}, fill=white"
        yield rf"\node[{options}] at ({label.x:g},{label.y:g}) {{${label.text}$}};"
    yield rf"\node[font=\small] at ({(drawn.left + drawn.right) / 2:g},{drawn.top + 0.4:g}) {{{drawn.title}}};"


def tikz_colour(layer: int) -> str:
    """Return the name of a layer's colour."""
    return f"layer{colour_number(layer)}" if layer else "black"


WITH_WINDOW = (*PICTURES, "tex", "txt")
"""The formats that can show a reflection."""

GRAPHS: dict[str, Callable[[nx.DiGraph], str]] = {"dot": dot, "graphml": graphml, "json": node_link}
"""The formats that hold the graph itself, all of its slots, as the page does."""

SUFFIXES = (*WITH_WINDOW, "html", *GRAPHS)
"""The suffixes of the files that `write` writes."""


def check_target(path: str | os.PathLike[str], slot: int | None = None) -> str:
    """Return the format of a path, or raise an error now if `write` could not write there later.

    Raises
    ------
    InvalidArgument
        If the suffix is unknown, or a slot is given to a format that shows none.
    OutputError
        If the path cannot be written.
    """
    suffix = check_picture(path, SUFFIXES)
    check_kind(suffix, slot)
    return suffix


def check_kind(kind: str, slot: int | None) -> None:
    """Raise `InvalidArgument` if a slot is given to a format that shows none."""
    if slot is not None and kind not in WITH_WINDOW:
        raise InvalidArgument(
            "slot", f"{slot}, for a .{kind} file", f"given for {', '.join(f'.{known}' for known in WITH_WINDOW)} only"
        )


def content(tree: nx.DiGraph, kind: str, *, slot: int | None = None) -> bytes:
    """Return what `write` writes, in one of the formats `SUFFIXES`."""
    if kind in PICTURES:
        from algatt.views.trees.figures import drawing

        return render(drawing(tree, slot), kind)
    if kind == "html":
        from algatt.views.trees.page import page

        return page(tree).encode()
    if kind in GRAPHS:
        return GRAPHS[kind](tree).encode()
    return (tikz if kind == "tex" else outline)(tree, slot).encode()


def write(tree: nx.DiGraph, path: str | os.PathLike[str], *, slot: int | None = None) -> None:
    """Write a graph to a file, in the format that the suffix names: svg, pdf, png, tex, txt, html, dot, graphml or
    json.

    Parameters
    ----------
    tree : networkx.DiGraph
        A graph made by `algatt.unroll`.
    path : str or path
        Where to; a file that is there is replaced, and unchanged if anything fails.
    slot : int, optional
        The slot whose reflection is shown: in pictures and text.

    Raises
    ------
    InvalidArgument
        If the suffix is unknown, the slot has no reflection, or the graph is too large for a picture.
    OutputError
        If the path cannot be written.
    MissingExtra
        If a picture is asked for and matplotlib is not installed.
    """
    check_unrolled(tree)
    suffix = check_target(path, slot)
    write_atomically(path, content(tree, suffix, slot=slot))
