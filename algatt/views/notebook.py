"""The recursion and networks in notebooks: views that show themselves, and an extension of IPython.

Once the extension is loaded, graphs of the recursion need no view.

IPython is never imported: ``%load_ext algatt.views.notebook`` calls `load_ipython_extension` and hands itself over.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from algatt import verbs
from algatt.architectures import Architecture
from algatt.arguments import instance
from algatt.errors import NETWORK, InvalidArgument, MissingExtra
from algatt.views import networks
from algatt.views.networks import page as network_page
from algatt.views.plotting import check_installed
from algatt.views.trees.figures import svg
from algatt.views.trees.page import page, title
from algatt.views.trees.picture import check_drawable

if TYPE_CHECKING:
    import networkx as nx

GRAPHS = ("networkx.classes.digraph", "DiGraph")
"""Module and name of the class of the graphs, by which IPython knows it before networkx is imported."""

SVG = "image/svg+xml"

HEIGHT = 600
"""Height of a page in a notebook, in pixels: a tree of four layers with its sequence of factors."""


NODES = 1000
"""Of the largest graph that is drawn without being asked: all trees that can be drawn have fewer, larger dags would
take seconds.
"""


@dataclass(frozen=True, eq=False)
class TreeView:
    """A graph of the recursion that a notebook shows: as the page to explore, or as a picture where there is no html.

    Parameters
    ----------
    tree : networkx.DiGraph
        A graph made by `algatt.unroll`: a tree of at most six layers, or any dag.

    Raises
    ------
    InvalidArgument
        If the graph was not made by `algatt.unroll`, or has more than six layers as a tree.

    Examples
    --------
    >>> import algatt
    >>> from algatt.views.notebook import TreeView
    >>> view = TreeView(algatt.unroll(3))
    >>> view._repr_html_()[:30]
    '<iframe title="The recursion u'
    """

    tree: nx.DiGraph

    def __post_init__(self) -> None:
        check_drawable(self.tree)

    def _repr_svg_(self) -> str | None:
        """Return the picture, or nothing if matplotlib is not installed: the page does without it."""
        try:
            return svg(self.tree)
        except MissingExtra:
            return None

    def _repr_html_(self) -> str:
        """Return the page in a frame."""
        return frame(page(self.tree), title(self.tree))


@dataclass(frozen=True, eq=False)
class NetworkView:
    """A network that a notebook shows: as the page to explore, or as a picture where there is no html.

    Parameters
    ----------
    network : Architecture
        A `Network`, or what is one by `algatt.expression`.

    Raises
    ------
    InvalidArgument
        If it is no architecture.

    Examples
    --------
    >>> import algatt
    >>> from algatt.layers import Heads, Residual
    >>> from algatt.views.notebook import NetworkView
    >>> NetworkView(algatt.Network(Residual(Heads(2)), tokens=3, width=4))._repr_html_()[:30]
    '<iframe title="Network(Residua'
    """

    network: Architecture

    def __post_init__(self) -> None:
        instance("network", self.network, Architecture, NETWORK)

    def _repr_svg_(self) -> str | None:
        """Return the picture, or nothing without matplotlib or with too much to draw: the page does without it."""
        try:
            return networks.svg(self.network)
        except (MissingExtra, InvalidArgument):
            return None

    def _repr_html_(self) -> str:
        """Return the page in a frame."""
        return frame(network_page.page(self.network), repr(self.network))


def frame(text: str, name: str) -> str:
    """Return a page in a frame with a name."""
    # The page has a style, a script and keys for a whole document: in a frame of its own it changes nothing in the
    # notebook, and in this sandbox its script reaches nothing there. An svg instead would be safe too, but that is what
    # the extension shows, and who asks for a view explores. A script misread in another encoding is not run.
    content = html.escape(text).encode("ascii", "xmlcharrefreplace").decode()
    size = f"width: 100%; height: {HEIGHT}px; border: 1px solid #8a929c"
    return f'<iframe title="{html.escape(name)}" sandbox="allow-scripts" style="{size}" srcdoc="{content}"></iframe>'


@dataclass(frozen=True)
class GraphPrinter:
    """What IPython calls for the svg of a directed graph, once the extension is loaded.

    Parameters
    ----------
    before : callable, optional
        What it called before, and what it still calls for graphs that `algatt.unroll` did not make.
    """

    before: Callable[[Any], Any] | None = None

    def __call__(self, graph: Any) -> Any:
        """Return the picture of a graph made by `algatt.unroll`; of others what there was before, which is nothing for
        a plain graph.
        """
        if is_drawable(graph):
            return svg(graph)
        if self.before is not None:
            return self.before(graph)
        # IPython does not ask the object itself where a printer is registered, so a subclass with a picture of its own
        # is asked here
        own = getattr(graph, "_repr_svg_", None)
        return None if own is None else own()


def is_drawable(graph: Any) -> bool:
    """Return whether a graph is one that `algatt.unroll` makes and `algatt.draw` draws: no part of one, and nothing
    changed but attributes added.
    """
    try:
        check_drawable(graph)
        if len(graph) > NODES:
            return False
        fresh = verbs.unroll(graph.graph["layers"], kind=graph.graph["kind"])
    except InvalidArgument:
        return False
    return holds(graph.nodes, fresh.nodes) and holds(graph.edges, fresh.edges)


def holds(parts: Mapping[Any, Any], expected: Mapping[Any, Any]) -> bool:
    """Return whether nodes or edges are those that are expected, with their attributes."""
    return parts.keys() == expected.keys() and all(
        attributes.items() <= parts[name].items() for name, attributes in expected.items()
    )


def load_ipython_extension(ipython: Any) -> None:
    """Have IPython show graphs made by `algatt.unroll` as pictures: ``%load_ext algatt.views.notebook``.

    They are shown as svg and not as the page. A picture is kept in the notebook and shown wherever that is; a frame is
    dropped where the notebook is not trusted, and then nothing at all would be shown.

    Parameters
    ----------
    ipython : IPython.InteractiveShell
        The running shell.

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.
    """
    check_installed()
    formatter = ipython.display_formatter.formatters[SVG]
    formatter.for_type_by_name(*GRAPHS, GraphPrinter(take_printer(formatter)))


def unload_ipython_extension(ipython: Any) -> None:
    """Have IPython show graphs as it did before: ``%unload_ext algatt.views.notebook``."""
    formatter = ipython.display_formatter.formatters[SVG]
    before = take_printer(formatter)
    if before is not None:
        formatter.for_type_by_name(*GRAPHS, before)


def take_printer(formatter: Any) -> Any:
    """Take away what is registered for directed graphs, and return it if it is not ours, else what was there before
    ours.

    What IPython has used once it finds before anything that is registered by name later, so it has to be taken away
    first.
    """
    printer = formatter.pop(".".join(GRAPHS), None)
    return printer.before if isinstance(printer, GraphPrinter) else printer
