"""The positions of a drawing: leaves evenly spread in the order of the product, parents in the middle of their
children.
"""

from itertools import pairwise

import networkx as nx
import pytest

import algatt
from algatt.trees import children, layout
from algatt.trees.graph import walk

LAYERS = pytest.mark.parametrize("layers", [1, 2, 3, 4, 6])


@LAYERS
def test_leaves_are_evenly_spread_in_the_order_of_the_product(layers):
    tree = algatt.unroll(layers)
    positions = layout(tree)
    assert [positions[node][0] for node in walk(tree)] == [
        float(x) for x in range(3**layers + 1)
    ]  # L, N times P_0 and M, X


@LAYERS
def test_parents_are_in_the_middle_and_depth_is_the_level(layers):
    tree = algatt.unroll(layers)
    positions = layout(tree)
    assert set(positions) == set(tree)
    depths = nx.shortest_path_length(tree, "phi")
    for node, (x, y) in positions.items():
        assert y == -depths[node]
        below = children(tree, node)
        if below:
            assert x == (positions[below[0]][0] + positions[below[-1]][0]) / 2


@LAYERS
def test_children_are_in_order_and_subtrees_do_not_overlap(layers):
    tree = algatt.unroll(layers)
    positions = layout(tree)
    levels = {}
    for node in nx.dfs_preorder_nodes(tree, "phi"):
        levels.setdefault(positions[node][1], []).append(positions[node][0])
        xs = [positions[child][0] for child in children(tree, node)]
        assert xs == sorted(xs)
        spans = [
            [positions[leaf][0] for leaf in nx.descendants(tree, child) | {child}] for child in children(tree, node)
        ]
        assert all(max(left) < min(right) for left, right in pairwise(spans))
    assert all(len(set(xs)) == len(xs) for xs in levels.values())


def test_one_layer():
    expected = {
        "phi": (1.5, 0.0),
        "phi/0": (0.0, -1.0),
        "phi/1": (1.0, -1.0),
        "phi/2": (2.0, -1.0),
        "phi/3": (3.0, -1.0),
    }
    assert layout(algatt.unroll(1)) == expected


def test_bad_input():
    with pytest.raises(algatt.errors.InvalidArgument, match="tree was a graph of kind 'dag'; it should be a tree"):
        layout(algatt.unroll(2, kind="dag"))
    for other in (nx.DiGraph(), nx.Graph(algatt.unroll(2)), 3, None):
        with pytest.raises(algatt.errors.InvalidArgument, match="it should be a graph made by unroll"):
            layout(other)
    with pytest.raises(
        algatt.errors.InvalidArgument, match="tree was a graph with only 1 of its 12 nodes below its root"
    ):
        layout(algatt.unroll(2).reverse())
    with pytest.raises(algatt.errors.InvalidArgument, match="node was 'P_1'; it should be a node of the graph"):
        children(algatt.unroll(2), "P_1")
