"""Where to draw the nodes of an unrolled network: leaves evenly spread in the order of the product, parents centred
over their children.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from algatt.errors import InvalidArgument
from algatt.trees.graph import check_unrolled, children

if TYPE_CHECKING:
    import networkx as nx

Positions = dict[str, tuple[float, float]]


def layout(tree: nx.DiGraph) -> Positions:
    """Return the positions of the nodes of a tree, such as networkx's drawing functions take them.

    The nodes without children have x = 0, 1, 2, ... from left to right, in the order of the product; a parent is in the
    middle between its first and its last child; y is minus the distance from the root. So no two edges cross, and no
    two nodes have one position.

    Parameters
    ----------
    tree : networkx.DiGraph
        A tree made by `algatt.unroll`.

    Returns
    -------
    dict
        A pair (x, y) for each node.

    Raises
    ------
    InvalidArgument
        If the graph is a dag, since a shared node has no place in the order; or if it was not made by `algatt.unroll`.

    Examples
    --------
    >>> import algatt
    >>> from algatt.trees import layout
    >>> layout(algatt.unroll(1))
    {'phi/0': (0.0, -1.0), 'phi/1': (1.0, -1.0), 'phi/2': (2.0, -1.0), 'phi/3': (3.0, -1.0), 'phi': (1.5, 0.0)}
    """
    check_unrolled(tree)
    if tree.graph["kind"] != "tree":
        raise InvalidArgument("tree", f"a graph of kind {tree.graph['kind']!r}", "a tree")
    positions: Positions = {}
    place_subtree(tree, tree.graph["root"], 0, 0, positions)
    if len(positions) != len(tree):
        raise InvalidArgument(
            "tree",
            f"a graph with only {len(positions)} of its {len(tree)} nodes below its root",
            "a tree made by unroll",
        )
    return positions


def place_subtree(tree: nx.DiGraph, node: str, depth: int, first: int, positions: Positions) -> int:
    """Place a node and all below it, whose leftmost leaf has x = `first`; return the x of the next leaf to
    the right.
    """
    below = children(tree, node)
    free = first
    for child in below:
        free = place_subtree(tree, child, depth + 1, free, positions)
    x = (positions[below[0]][0] + positions[below[-1]][0]) / 2 if below else float(first)
    positions[node] = (x, float(-depth))
    return free if below else first + 1
