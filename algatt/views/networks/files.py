"""A network as a file, in the format that the file's suffix names."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from algatt import verbs
from algatt.architectures import Architecture, outline
from algatt.files import write_atomically
from algatt.views.graph_files import graphml, quote
from algatt.views.plotting import PICTURES, check_picture, render

if TYPE_CHECKING:
    import networkx as nx


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


SUFFIXES = (*PICTURES, "html", "txt", "json", "dot", "graphml")
"""The suffixes of the files that `write` writes; the last two hold the program, as a graph, and the others the layers,
in JSON as the command line reads them.
"""


def content(arch: Architecture, kind: str) -> bytes:
    """Return what `write` writes, in one of the formats `SUFFIXES`."""
    if kind in PICTURES:
        from algatt.views.networks.figures import drawing

        return render(drawing(arch), kind)
    if kind in ("dot", "graphml"):
        return (dot if kind == "dot" else graphml)(verbs.program_graph(arch)).encode()
    if kind == "html":
        from algatt.views.networks.page import page

        return page(arch).encode()
    described = json.dumps(verbs.expression(arch).description(), indent=1) + "\n"
    return (outline(arch) if kind == "txt" else described).encode()


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
    write_atomically(path, content(arch, check_picture(path, SUFFIXES)))
