"""The recursion of lightning attention (HMK Lemma 3.6) as a graph: unrolled into a tree (HMK Figure 2), or with its
equal subtrees shared.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from algatt import verbs
from algatt.architectures import Lightning
from algatt.arguments import whole
from algatt.errors import InvalidArgument
from algatt.trees.graph import KINDS, number_of_factors

if TYPE_CHECKING:
    import networkx as nx

ROOT = "phi"
"""The node of the network itself."""

NODES_OF_A_TREE = 100_000
"""The largest tree that is made, reached with ten layers: a graph library takes about a kilobyte for each node."""

LAYERS_OF_A_DAG = 1000
"""The most layers of a dag: its attribute `factors` has 477 digits then, and file formats do not expect many more."""


def nodes_of_tree(layers: int) -> int:
    r"""Return the number of nodes of the tree, :math:`(5 N - l) / 2 + 3` with :math:`N = (3^l - 1) / 2`."""
    return (5 * number_of_factors(layers) - layers) // 2 + 3


def nodes_of_dag(layers: int) -> int:
    """Return the number of nodes of the dag: phi, L, X, P_0, ..., P_{l-1}, M_1, ..., M_l and the transposes of all of
    these but the last.
    """
    return 3 * layers + 2


def output(layers: int) -> dict[str, Any]:
    """Return the attributes of the node of L."""
    return {"kind": "output", "layer": layers, "transposed": False, "slot": 0, "symbol": "L"}


def power(layer: int) -> dict[str, Any]:
    """Return the attributes of a node of P_i; P_0 = X X^T is a leaf."""
    kind, symbol = ("power", f"P_{layer}") if layer else ("leaf", "X X^T")
    return {"kind": kind, "layer": layer, "transposed": False, "slot": 0, "symbol": symbol}


def factor(layer: int, transposed: bool = False) -> dict[str, Any]:
    """Return the attributes of a node of M_k or of its transpose; its slot is known when the tree is read from the
    left.
    """
    return {
        "kind": "factor",
        "layer": layer,
        "transposed": transposed,
        "slot": 0,
        "symbol": f"M_{layer}{'^T' if transposed else ''}",
    }


INPUT = {"kind": "input", "layer": 0, "transposed": False, "slot": 0, "symbol": "X"}
FUNCTION = {"kind": "function", "layer": 0, "transposed": False, "slot": 0, "symbol": "phi"}


def parts(attributes: dict[str, Any], layers: int) -> list[dict[str, Any]]:
    """Return the factors of a node's matrix, from left to right: the recursion (HMK Eq 10 and 11)."""
    if attributes["kind"] == "function":
        chain = [part for k in range(layers, 0, -1) for part in (power(k - 1), factor(k))]
        return [output(layers), *chain, INPUT]
    if attributes["kind"] == "power":
        below, i = power(attributes["layer"] - 1), attributes["layer"]
        return [below, factor(i), below, factor(i, transposed=True), below]
    return []


def grow_tree(graph: nx.DiGraph, layers: int) -> None:
    """Add the nodes of the tree in the order in which the product is read, so that the factors get their slots."""
    slot = 0
    stack = [(ROOT, FUNCTION)]
    while stack:
        node, attributes = stack.pop()
        if attributes["kind"] == "factor":
            slot += 1
            attributes = {**attributes, "slot": slot}
        graph.add_node(node, **attributes)
        if node != ROOT:
            parent, place = node.rsplit("/", 1)
            graph.add_edge(parent, node, places=place)
        below = [(f"{node}/{place}", part) for place, part in enumerate(parts(attributes, layers))]
        stack.extend(reversed(below))


def grow_dag(graph: nx.DiGraph, layers: int) -> None:
    """Add every different matrix once, under its own name; P_0 is named so, not by its product."""
    powers = [(f"P_{i}", power(i)) for i in range(layers - 1, -1, -1)]
    graph.add_node(ROOT, **FUNCTION)
    for node, attributes in [(ROOT, FUNCTION), *powers]:
        places: dict[str, list[str]] = {}
        for place, part in enumerate(parts(attributes, layers)):
            name = "P_0" if part["kind"] == "leaf" else part["symbol"]
            graph.add_node(name, **part)
            places.setdefault(name, []).append(str(place))
        for name, found in places.items():
            graph.add_edge(node, name, places=",".join(found))


def check_size(layers: int, kind: str) -> None:
    """Raise `InvalidArgument` if the graph would be too large to be of use."""
    most = LAYERS_OF_A_DAG if kind == "dag" else largest_tree()
    if layers <= most:
        return
    should = f"at most {most} for kind={kind!r}"
    if layers > LAYERS_OF_A_DAG:
        raise InvalidArgument("layers", f"{layers}", should)
    raise InvalidArgument(
        "layers",
        f"{layers}, whose tree has {nodes_of_tree(layers):,} nodes",
        f'{should}; kind="dag" shares equal subtrees',
    )


def largest_tree() -> int:
    """Return the number of layers of the largest tree that is made."""
    layers = 1
    while nodes_of_tree(layers + 1) <= NODES_OF_A_TREE:
        layers += 1
    return layers


@verbs.unroll.method
def unroll_layers(source: int | np.integer, *, kind: str = "tree") -> nx.DiGraph:
    import networkx as nx

    layers = whole("layers", source)
    if kind not in KINDS:
        raise InvalidArgument("kind", repr(kind), "'tree' or 'dag'")
    check_size(layers, kind)
    graph = nx.DiGraph(layers=layers, kind=kind, factors=number_of_factors(layers), root=ROOT)
    grow: dict[str, Callable[[nx.DiGraph, int], None]] = {"tree": grow_tree, "dag": grow_dag}
    grow[kind](graph, layers)
    return graph


@verbs.unroll.method
def unroll_architecture(source: Lightning, *, kind: str = "tree") -> nx.DiGraph:
    return verbs.unroll(source.layers, kind=kind)
