"""Verbs of the unrolled recursion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from algatt.dispatch import declare

if TYPE_CHECKING:
    import networkx as nx
    import numpy as np

    from algatt.architectures.lightning import Lightning
    from algatt.trees.factors import Factor
    from algatt.trees.graph import DirectedGraph


@declare(homes=["algatt.trees.unroll"])
def unroll(source: Lightning | int | np.integer, /, *, kind: str = "tree") -> nx.DiGraph:
    r"""Unroll a lightning network into the graph of its recursion, a `networkx.DiGraph` (HMK Lemma 3.6 and Figure 2).

    The root is :math:`\varphi(X) = L P_{l-1} M_l P_{l-2} M_{l-1} \cdots P_0 M_1 X` (Eq 11), its children are these
    factors in their order; those of :math:`P_i` are :math:`P_{i-1}, M_i, P_{i-1}, M_i^T, P_{i-1}` (Eq 10), and
    :math:`P_0 = X X^T` has none. Read from left to right, the matrices M are :math:`F_1, \dots, F_N`,
    :math:`N = (3^l - 1) / 2`, of Eq 12.

    Node ids are strings. Every node has the attributes `kind` ("function", "output", "power", "leaf", "factor" or
    "input"), `layer`, `transposed`, `slot` (m of F_m in a tree, else 0) and `symbol`; every edge has `places`, the
    positions of the child among its parent's children, counted from 0 and separated by commas; the graph has `layers`,
    `kind`, `factors` (N) and `root`. All are strings, integers or booleans, so that the writers of networkx take them;
    `algatt.trees.children` returns the ordered children of a node.

    Parameters
    ----------
    source : Lightning or int
        A network, or its number l of layers.
    kind : {"tree", "dag"}, optional
        A tree with about :math:`\tfrac{5}{4} 3^l` nodes, or a graph of 3 l + 2 nodes that has equal subtrees once.

    Returns
    -------
    networkx.DiGraph

    Raises
    ------
    InvalidArgument
        If the number of layers is less than 1, or so large that the tree would have more than 100,000 nodes.
    """


@declare(homes=["algatt.trees.factors"])
def factors(source: DirectedGraph | Lightning | int | np.integer, /) -> tuple[Factor, ...]:
    r"""Return the factors :math:`F_1, \dots, F_N` of the unrolled product :math:`L \prod_m (X X^T F_m) X`, as a tuple
    of `Factor` (HMK Eq 12).

    :math:`F_m` is :math:`M_k` if the last base-3 digit of m that is not zero is 1, and :math:`M_k^T` if it is 2;
    :math:`k - 1` zeros follow it. Cost: linear in :math:`N = (3^l - 1) / 2`.

    Parameters
    ----------
    source : int, Lightning or networkx.DiGraph
        The number l of layers or a network, to which the rule is applied; or a graph made by `unroll`, which is read
        from left to right.

    Raises
    ------
    InvalidArgument
        If the number of layers is not from 1 to 14, or the graph was not made by `unroll`.
    """
