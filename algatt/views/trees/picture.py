"""The picture of a graph of the recursion, if it can be drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from algatt.errors import InvalidArgument
from algatt.trees.graph import check_unrolled
from algatt.trees.unroll import nodes_of_dag, nodes_of_tree
from algatt.views.trees.dag_picture import picture_of_dag
from algatt.views.trees.shapes import DrawnTree
from algatt.views.trees.tree_picture import TreePicture

if TYPE_CHECKING:
    import networkx as nx

LAYERS = 6
"""The most layers of a tree that can be drawn: 364 factors."""


def picture(tree: nx.DiGraph, slot: int | None, column: float) -> DrawnTree:
    """Return the picture of a graph.

    Parameters
    ----------
    tree : networkx.DiGraph
        A graph made by `algatt.unroll`.
    slot : int or None
        The slot whose reflection is highlighted.
    column : float
        How many points wide one unit of x will be: labels that would overlap then are left out.

    Raises
    ------
    InvalidArgument
        If the tree has more than six layers, or the slot has no reflection, or is one of a dag.
    """
    check_drawable(tree)
    if tree.graph["kind"] == "tree":
        return TreePicture(tree, column).picture(slot)
    if slot is not None:
        raise InvalidArgument(
            "window", f"{slot!r}, for a dag", "given for a tree only: the slots of a dag are not apart"
        )
    return picture_of_dag(tree)


def check_drawable(tree: nx.DiGraph) -> None:
    """Raise `InvalidArgument` unless a graph was made by `algatt.unroll`, has all of its nodes, and is not too large
    for a picture.
    """
    check_unrolled(tree)
    layers = tree.graph["layers"]
    if tree.graph["kind"] == "tree" and layers > LAYERS:
        raise InvalidArgument(
            "tree",
            f"one of {layers} layers with {tree.graph['factors']:,} factors",
            f'of at most {LAYERS} layers; draw kind="dag"',
        )
    expected = nodes_of_tree(layers) if tree.graph["kind"] == "tree" else nodes_of_dag(layers)
    if len(tree) != expected:
        raise InvalidArgument(
            "tree",
            f"a graph of {len(tree)} nodes",
            f"one with all {expected} nodes that unroll makes for {layers} layers",
        )
