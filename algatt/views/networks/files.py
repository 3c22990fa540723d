"""A network as a file, in the format that the file's suffix names."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from algatt import verbs
from algatt.architectures import Architecture, outline
from algatt.files import check_writable, checked_suffix, write_atomically
from algatt.views.graph_files import graphml, quote
from algatt.views.plotting import PICTURES, check_installed, render

if TYPE_CHECKING:
    import networkx as nx


def writer_of(kind: str) -> Callable[[Architecture], bytes]:
    """Return the writer of one of matplotlib's formats."""

    def write_drawing(arch: Architecture) -> bytes:
        from algatt.views.networks.figures import drawing

        return render(drawing(arch), kind)

    return write_drawing


def html(arch: Architecture) -> str:
    """Return the page on which a network can be explored."""
    from algatt.views.networks.page import page

    return page(arch)


def dot(graph: nx.DiGraph) -> str:
    """Return the graph of a program in the language of Graphviz, where `shape` is that of a node."""
    lines = ["digraph algatt {", *(f"  {name}={quote(value)};" for name, value in graph.graph.items())]
    for node, attributes in graph.nodes(data=True):
        operation, shape = attributes["operation"], attributes["shape"]
        box = "box" if operation in ("tensor", "input", "constant") else "ellipse"
        label = " ".join(filter(None, (attributes["tensor"] or operation, shape)))
        listed = {**attributes, "result": shape, "label": label, "shape": box}
        lines.append(f"  {quote(node)} [{', '.join(f'{name}={quote(value)}' for name, value in listed.items())}];")
    for operand, operation, places in graph.edges(data="places"):
        lines.append(f"  {quote(operand)} -> {quote(operation)} [places={quote(places)}];")
    return "\n".join([*lines, "}", ""])


def description(arch: Architecture) -> str:
    """Return the description of a network in JSON, which the command line reads."""
    return json.dumps(verbs.expression(arch).description(), indent=1) + "\n"


OF_LAYERS: dict[str, Callable[[Architecture], bytes]] = {
    **{kind: writer_of(kind) for kind in PICTURES},
    "html": lambda arch: html(arch).encode(),
    "txt": lambda arch: outline(arch).encode(),
    "json": lambda arch: description(arch).encode(),
}
"""The formats that have the layers."""

OF_PROGRAM: dict[str, Callable[[nx.DiGraph], str]] = {"dot": dot, "graphml": graphml}
"""The formats that hold the program, as a graph."""

SUFFIXES = (*OF_LAYERS, *OF_PROGRAM)
"""The suffixes of the files that `write` writes."""


def check_kind(kind: str) -> None:
    """Raise an error now if a network could not be drawn in a format later."""
    if kind in PICTURES:
        check_installed()


def content(arch: Architecture, kind: str) -> bytes:
    """Return what `write` writes, in one of the formats `SUFFIXES`."""
    return OF_LAYERS[kind](arch) if kind in OF_LAYERS else OF_PROGRAM[kind](verbs.program_graph(arch)).encode()


def write(arch: Architecture, path: str | os.PathLike[str]) -> None:
    """Write a network to a file, in the format that the suffix names: svg, pdf, png, html, txt or json.

    In the formats dot and graphml it is the graph of its program, see `algatt.maps.program_graph`.

    Parameters
    ----------
    arch : Architecture
        A `Network`, or what is one by `algatt.expression`.
    path : str or path
        Where to; a file that is there is replaced, and unchanged if anything fails.

    Raises
    ------
    InvalidArgument
        If the suffix is unknown, or the network has too many layers that differ for a picture.
    OutputError
        If the path cannot be written.
    MissingExtra
        If a picture is asked for and matplotlib is not installed.
    """
    kind = checked_suffix(path, SUFFIXES)
    check_kind(kind)
    check_writable(path)
    write_atomically(path, content(arch, kind))
