"""The graph of the recursion: its shape as HMK Lemma 3.6 says it, its sizes, and every writer of networkx."""

import io
import json

import networkx as nx
import numpy as np
import pytest

import algatt
from algatt.trees import DirectedGraph, children
from algatt.trees.graph import walk
from algatt.trees.unroll import nodes_of_tree

KINDS = ("function", "output", "power", "leaf", "factor", "input")
BOTH = pytest.mark.parametrize("kind", ["tree", "dag"])
LAYERS = pytest.mark.parametrize("layers", [1, 2, 3, 4])


def symbols(tree, nodes):
    return [tree.nodes[node]["symbol"] for node in nodes]


def powers_of_X(i):
    """The leaves and factors of P_i, by the recursion in symbols that do not commute."""
    if i == 0:
        return ["X X^T"]
    below = powers_of_X(i - 1)
    return [*below, f"M_{i}", *below, f"M_{i}^T", *below]


def product(layers):
    """The whole product L P_{l-1} M_l ... P_0 M_1 X."""
    return ["L", *(symbol for k in range(layers, 0, -1) for symbol in (*powers_of_X(k - 1), f"M_{k}")), "X"]


@LAYERS
@BOTH
def test_the_root_and_the_powers_have_the_children_of_the_recursion(layers, kind):
    tree = algatt.unroll(layers, kind=kind)
    expected = {
        "phi": [
            "L",
            *(name for k in range(layers, 0, -1) for name in (f"P_{k - 1}" if k > 1 else "X X^T", f"M_{k}")),
            "X",
        ]
    }
    for i in range(1, layers):
        below = f"P_{i - 1}" if i > 1 else "X X^T"
        expected[f"P_{i}"] = [below, f"M_{i}", below, f"M_{i}^T", below]
    for node, attributes in tree.nodes(data=True):
        assert symbols(tree, children(tree, node)) == expected.get(attributes["symbol"], [])


def test_the_tree_of_two_layers():
    tree = algatt.unroll(2)
    assert symbols(tree, children(tree, "phi")) == ["L", "P_1", "M_2", "X X^T", "M_1", "X"]
    assert symbols(tree, children(tree, "phi/1")) == ["X X^T", "M_1", "X X^T", "M_1^T", "X X^T"]
    assert [tree.nodes[node]["slot"] for node in children(tree, "phi/1")] == [0, 1, 0, 2, 0]
    assert tree.nodes["phi/2"] == {"kind": "factor", "layer": 2, "transposed": False, "slot": 3, "symbol": "M_2"}


@pytest.mark.parametrize("layers", [1, 2, 3, 4, 5, 6])
@BOTH
def test_read_from_the_left_the_graph_is_the_product(layers, kind):
    tree = algatt.unroll(layers, kind=kind)
    assert symbols(tree, walk(tree)) == product(layers)


@LAYERS
@BOTH
def test_every_node_has_every_attribute_as_a_scalar(layers, kind):
    tree = algatt.unroll(layers, kind=kind)
    assert tree.graph == {"layers": layers, "kind": kind, "factors": product(layers).count("X X^T"), "root": "phi"}
    for node, attributes in tree.nodes(data=True):
        assert isinstance(node, str)
        assert {name: type(value) for name, value in attributes.items()} == {
            "kind": str,
            "layer": int,
            "transposed": bool,
            "slot": int,
            "symbol": str,
        }
        assert attributes["kind"] in KINDS
    assert all(type(places) is str for *_, places in tree.edges(data="places"))


@LAYERS
def test_slots_count_the_factors_of_a_tree_from_the_left(layers):
    tree = algatt.unroll(layers)
    slots = [tree.nodes[node]["slot"] for node in walk(tree) if tree.nodes[node]["kind"] == "factor"]
    assert slots == list(range(1, tree.graph["factors"] + 1))


@LAYERS
def test_a_tree_is_a_tree_and_its_ids_are_paths(layers):
    tree = algatt.unroll(layers)
    assert nx.is_arborescence(tree)
    for parent, child, places in tree.edges(data="places"):
        assert child == f"{parent}/{places}"


@LAYERS
def test_a_dag_has_each_matrix_once_and_contracts_the_tree(layers):
    dag, tree = algatt.unroll(layers, kind="dag"), algatt.unroll(layers)
    assert nx.is_directed_acyclic_graph(dag)
    assert len(dag) == 3 * layers + 2
    assert len({tuple(attributes.values()) for _, attributes in dag.nodes(data=True)}) == len(dag)
    assert set(symbols(dag, dag)) == set(symbols(tree, tree))
    unfolded = {(tree.nodes[parent]["symbol"], tree.nodes[child]["symbol"]) for parent, child in tree.edges}
    assert {(dag.nodes[parent]["symbol"], dag.nodes[child]["symbol"]) for parent, child in dag.edges} == unfolded


def test_the_dag_of_twelve_layers_is_small():
    dag = algatt.unroll(12, kind="dag")
    assert len(dag) == 38
    assert dag.graph["factors"] == 265_720
    assert dag.edges["P_11", "P_10"]["places"] == "0,2,4"


def test_a_network_is_unrolled_by_its_number_of_layers():
    arch = algatt.Lightning(dims=(4, 3, 4), ranks=(2, 2), tokens=3)
    assert nx.utils.graphs_equal(algatt.unroll(arch), algatt.unroll(2))
    assert nx.utils.graphs_equal(algatt.unroll(arch, kind="dag"), algatt.unroll(np.int64(2), kind="dag"))


@LAYERS
def test_the_size_that_a_refusal_names_is_that_of_the_tree(layers):
    assert nodes_of_tree(layers) == len(algatt.unroll(layers))


# Writers


def graphml(graph):
    return nx.read_graphml(io.BytesIO("\n".join(nx.generate_graphml(graph)).encode()))


def gexf(graph):
    buffer = io.BytesIO()
    nx.write_gexf(graph, buffer)
    buffer.seek(0)
    return nx.read_gexf(buffer)


def node_link(graph):
    return nx.node_link_graph(json.loads(json.dumps(nx.node_link_data(graph, edges="edges"))), edges="edges")


def adjacency_json(graph):
    return nx.adjacency_graph(json.loads(json.dumps(nx.adjacency_data(graph))))


@pytest.mark.parametrize("layers", [1, 3])
@pytest.mark.parametrize("travel", [graphml, node_link, adjacency_json])
@BOTH
def test_formats_that_keep_everything(layers, kind, travel):
    tree = algatt.unroll(layers, kind=kind)
    back = travel(tree)
    assert dict(back.nodes(data=True)) == dict(tree.nodes(data=True))
    assert {(*edge, places) for *edge, places in back.edges(data="places")} == {
        (*edge, places) for *edge, places in tree.edges(data="places")
    }
    assert tree.graph.items() <= back.graph.items()
    assert algatt.factors(back) == algatt.factors(tree)


@BOTH
def test_graphml_in_a_file(tmp_path, kind):
    tree = algatt.unroll(2, kind=kind)
    nx.write_graphml(tree, tmp_path / "tree.graphml")
    assert nx.utils.graphs_equal(nx.read_graphml(tmp_path / "tree.graphml"), graphml(tree))


@pytest.mark.parametrize("layers", [1, 3])
@BOTH
def test_gexf_keeps_nodes_and_edges_but_not_the_attributes_of_the_graph(layers, kind):
    tree = algatt.unroll(layers, kind=kind)
    back = gexf(tree)
    expected = {node: {**attributes, "label": node} for node, attributes in tree.nodes(data=True)}
    assert dict(back.nodes(data=True)) == expected
    assert {(*edge, places) for *edge, places in back.edges(data="places")} == {
        (*edge, places) for *edge, places in tree.edges(data="places")
    }
    with pytest.raises(
        algatt.errors.InvalidArgument, match="tree was a graph without the attributes layers, kind, factors, root"
    ):
        algatt.factors(back)


@pytest.mark.parametrize("write", ["adjlist", "multiline_adjlist", "edgelist"])
@BOTH
def test_formats_of_lines_keep_the_edges(write, kind):
    tree = algatt.unroll(3, kind=kind)
    lines = list(getattr(nx, f"generate_{write}")(tree))
    back = getattr(nx, f"parse_{write}")(iter(lines), create_using=nx.DiGraph)
    assert set(back.edges) == set(tree.edges)


@pytest.mark.parametrize("layers", [1, 3])
@BOTH
def test_gml(layers, kind):
    tree = algatt.unroll(layers, kind=kind)
    back = nx.parse_gml("\n".join(nx.generate_gml(tree)))
    assert dict(back.nodes(data=True)) == dict(tree.nodes(data=True))
    assert {(*edge, places) for *edge, places in back.edges(data="places")} == {
        (*edge, places) for *edge, places in tree.edges(data="places")
    }


@BOTH
def test_dot(kind):
    pytest.importorskip("pydot", reason="networkx writes DOT with pydot, which is not installed")
    tree = algatt.unroll(3, kind=kind)
    text = nx.nx_pydot.to_pydot(tree).to_string()
    assert text.count("->") == tree.number_of_edges()


# Dispatch without networkx


def test_directed_graphs_of_networkx_are_recognised():
    assert issubclass(nx.DiGraph, DirectedGraph)
    assert issubclass(nx.MultiDiGraph, DirectedGraph)
    assert not issubclass(nx.Graph, DirectedGraph)
    assert not issubclass(dict, DirectedGraph)

    class Own(DirectedGraph):
        pass

    assert not issubclass(nx.DiGraph, Own)


# Bad input


@pytest.mark.parametrize("layers", [0, -1, True])
def test_layers_are_counted_from_one(layers):
    with pytest.raises(algatt.errors.InvalidArgument, match=r"layers was .*; it should be an integer >= 1"):
        algatt.unroll(layers)


@pytest.mark.parametrize("source", [2.0, "3", None])
def test_what_has_no_layers_is_refused(source):
    with pytest.raises(algatt.errors.MethodError, match="unroll"):
        algatt.unroll(source)


def test_a_network_without_this_recursion_is_refused():
    class Other(algatt.architectures.AttentionNetwork):
        pass

    with pytest.raises(algatt.errors.MethodError, match="unroll"):
        algatt.unroll(Other((2, 2), (1,), 2))


@pytest.mark.parametrize(("layers", "nodes"), [(11, "221,430"), (12, "664,297")])
def test_a_tree_that_is_too_large_is_refused_with_its_size_and_advice(layers, nodes):
    with pytest.raises(algatt.errors.InvalidArgument, match=f'tree has {nodes} nodes; .* at most 10 .*kind="dag"'):
        algatt.unroll(layers)


@BOTH
def test_absurd_numbers_of_layers_are_refused_at_once(kind):
    with pytest.raises(algatt.errors.InvalidArgument, match="layers was 1000000000"):
        algatt.unroll(10**9, kind=kind)


def test_the_kind_is_tree_or_dag():
    with pytest.raises(algatt.errors.InvalidArgument, match="kind was 'graph'; it should be 'tree' or 'dag'"):
        algatt.unroll(2, kind="graph")
