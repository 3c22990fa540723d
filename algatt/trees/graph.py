"""What the graph of the recursion is: a `networkx.DiGraph` whose nodes are the matrices and the powers P_i, and how it
is read.

networkx takes a tenth of a second to import, so nothing here imports it before a graph is made or read.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

from algatt.arguments import whole
from algatt.errors import InvalidArgument

if TYPE_CHECKING:
    import networkx as nx

METADATA = ("layers", "kind", "factors", "root")
"""The attributes of a graph that `algatt.unroll` makes."""

KINDS = ("tree", "dag")


if TYPE_CHECKING:

    class DirectedGraph(Protocol):
        """What a type checker knows of a graph, whether it has types for networkx or not."""

        @property
        def graph(self) -> dict[str, Any]: ...

        @property
        def nodes(self) -> Any: ...

else:

    class DirectedGraph(ABC):
        """The class of `networkx.DiGraph` and its subclasses: verbs choose methods by it without importing networkx."""

        @classmethod
        def __subclasshook__(cls, subclass: type) -> Any:
            """Say yes to a class that descends from networkx.DiGraph."""
            return True if cls is DirectedGraph and is_class_of_graphs(subclass) else NotImplemented


def is_class_of_graphs(cls: type) -> bool:
    """Return whether a class is `networkx.DiGraph` or descends from it."""
    return ("networkx.classes.digraph", "DiGraph") in ((base.__module__, base.__qualname__) for base in cls.__mro__)


def number_of_factors(layers: int) -> int:
    r"""Return :math:`N = (3^l - 1) / 2`, the number of factors of the unrolled product (HMK Eq 12)."""
    return int((3**layers - 1) // 2)


def check_unrolled(tree: nx.DiGraph) -> None:
    """Raise `InvalidArgument` unless the graph has the metadata of one that `algatt.unroll` made."""
    if not is_class_of_graphs(type(tree)):
        raise InvalidArgument("tree", repr(tree), "a graph made by unroll")
    missing = [name for name in METADATA if name not in tree.graph]
    if tree.is_multigraph():
        raise InvalidArgument("tree", "a multigraph", "a graph made by unroll")
    if missing:
        raise InvalidArgument(
            "tree",
            f"a graph without the attribute{'s' * (len(missing) > 1)} {', '.join(missing)}",
            "a graph made by unroll",
        )
    if tree.graph["kind"] not in KINDS:
        raise InvalidArgument(
            "tree", f"a graph of kind {tree.graph['kind']!r}", f"of kind {KINDS[0]!r} or {KINDS[1]!r}"
        )
    whole('tree.graph["layers"]', tree.graph["layers"])
    if tree.graph["root"] not in tree:
        raise InvalidArgument("tree", f"a graph without its root {tree.graph['root']!r}", "a graph made by unroll")


def children(tree: nx.DiGraph, node: str) -> list[str]:
    """Return the children of a node in their order, one as often as its parent contains it.

    Parameters
    ----------
    tree : networkx.DiGraph
        A graph made by `algatt.unroll`, or read back from a file that keeps its attributes.
    node : str
        One of its nodes.

    Returns
    -------
    list of str

    Raises
    ------
    InvalidArgument
        If the graph has no such node.

    Examples
    --------
    >>> import algatt
    >>> algatt.trees.children(algatt.unroll(2, kind="dag"), "P_1")
    ['P_0', 'M_1', 'P_0', 'M_1^T', 'P_0']
    """
    if node not in tree:
        raise InvalidArgument("node", repr(node), "a node of the graph")
    places = ((int(place), child) for child, edge in tree.adj[node].items() for place in str(edge["places"]).split(","))
    return [child for _, child in sorted(places)]


def walk(tree: nx.DiGraph) -> Iterator[str]:
    """Iterate over the nodes without children from left to right, a shared node as often as the product contains it."""
    stack = [tree.graph["root"]]
    ordered: dict[str, list[str]] = {}
    while stack:
        node = stack.pop()
        if node not in ordered:
            ordered[node] = children(tree, node)
        if not ordered[node]:
            yield node
        stack.extend(reversed(ordered[node]))
