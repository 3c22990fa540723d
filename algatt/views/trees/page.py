"""A graph of the recursion as one html page that holds its style, its script and its data, and that may not use the
network.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from algatt.trees.graph import check_unrolled
from algatt.views.pages import fill_page

if TYPE_CHECKING:
    import networkx as nx


def page(tree: nx.DiGraph) -> str:
    """Return a graph of the recursion as a self-contained html page.

    The page draws the tree, whose subtrees can be opened and closed, above the sequence of factors F_1, ..., F_N (HMK
    Eq 12). A chosen factor is shown with its matrix, its slot and the slot's base-3 digits, its place in the product
    and its reflection (HMK Figure 4). A dag is drawn by layers.

    Parameters
    ----------
    tree : networkx.DiGraph
        A graph made by `algatt.unroll`.

    Returns
    -------
    str
        The page. Its Content-Security-Policy allows its own style and script and nothing else.

    Raises
    ------
    InvalidArgument
        If the graph was not made by `algatt.unroll`.

    Examples
    --------
    >>> import algatt
    >>> from algatt.views.trees.page import page
    >>> print(page(algatt.unroll(3)).partition("<title>")[2].partition("</title>")[0])
    The recursion unrolled: 3 layers
    """
    check_unrolled(tree)
    return fill_page("trees", title(tree), contents(tree))


def title(tree: nx.DiGraph) -> str:
    """Return what the page is called."""
    layers = tree.graph["layers"]
    shared = ", equal subtrees drawn once" if tree.graph["kind"] == "dag" else ""
    return f"The recursion unrolled: {layers} layer{'s' * (layers != 1)}{shared}"


def contents(tree: nx.DiGraph) -> dict[str, object]:
    """Return the graph as a dictionary of scalars and lists."""
    return {
        "graph": dict(tree.graph),
        "nodes": [{"id": node, **attributes} for node, attributes in tree.nodes(data=True)],
        "edges": [
            {"source": parent, "target": child, **attributes} for parent, child, attributes in tree.edges(data=True)
        ],
    }
