"""Evaluating a network by folding the graph of its recursion: the value of a node is the product of its children's, in
their order.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from algatt import verbs
from algatt.errors import InvalidArgument
from algatt.fields import Elements, PublicArray
from algatt.parameters import VirtualWeights
from algatt.trees.graph import DirectedGraph, check_unrolled, children


def check_virtual(theta: Any) -> None:
    """Raise `InvalidArgument` unless parameters are virtual weights."""
    if not isinstance(theta, VirtualWeights):
        raise InvalidArgument(
            "theta", f"of type {type(theta).__name__}", "VirtualWeights, as `convert` makes them of other parameters"
        )


def check_layers(theta: VirtualWeights, layers: int) -> None:
    """Raise `InvalidArgument` unless there is a matrix M_k for each layer."""
    check_virtual(theta)
    if len(theta.M_elements) != layers:
        raise InvalidArgument(
            "theta", f"{theta!r}", f"virtual weights of {layers} layer{'s' * (layers > 1)}, as many as the tree has"
        )


def check_tokens(theta: VirtualWeights, X: Elements, *, batches: bool) -> None:
    """Raise `InvalidArgument` unless X has tokens of the width of the virtual weights as its columns."""
    width = theta.L_elements.shape[1]
    fits = len(X.shape) in ((2, 3) if batches else (2,)) and X.shape[-2] == width and X.shape[-1] > 0
    if not fits:
        raise InvalidArgument(
            "inputs", f"of shape {X.shape}", f"of shape ({width}, t){f' or (batch, {width}, t)' * batches}, t >= 1"
        )


def matrix(attributes: Mapping[str, Any], theta: VirtualWeights, X: Elements) -> Elements:
    """Return the matrix of a node without children."""
    if attributes["kind"] == "factor":
        M = theta.M_elements[attributes["layer"] - 1]
        return M.T if attributes["transposed"] else M
    if attributes["kind"] == "leaf":
        return X @ X.T
    return theta.L_elements if attributes["kind"] == "output" else X


@verbs.evaluate.method
def fold_graph(tree: DirectedGraph, theta: VirtualWeights, inputs: Elements) -> Elements:
    """Multiply out each node once, children before parents: every node of a tree, every different matrix of a dag."""
    import networkx as nx

    check_unrolled(tree)
    check_layers(theta, tree.graph["layers"])
    check_tokens(theta, inputs, batches=True)
    values: dict[str, Elements] = {}
    for node in reversed(list(nx.topological_sort(tree))):
        parts = [values[child] for child in children(tree, node)]
        # From the right, since the product of the root begins there with the few columns of X.
        values[node] = (
            functools.reduce(lambda right, left: left @ right, reversed(parts))
            if parts
            else matrix(tree.nodes[node], theta, inputs)
        )
    return values[tree.graph["root"]]


@verbs.evaluate.method
def fold_graph_public(tree: DirectedGraph, theta: VirtualWeights, inputs: PublicArray) -> Any:
    return verbs.evaluate(tree, theta, Elements.of(theta.field, inputs, "inputs")).public()
