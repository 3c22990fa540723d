"""The graph of a program computes the network: it is walked here with plain integers."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import algatt
from algatt import verbs
from algatt.layers import Affine, Causal, Feedforward, Heads, Power, Residual, SiLU, Unnormalized
from algatt.maps import program as program_of

F = algatt.PrimeField(10007)

NETWORKS = {
    "lightning": algatt.Lightning((3, 2, 3), (2, 1), 2),
    "affine": algatt.Normalized((2, 2), (1,), 2, Affine(1, 3)),
    "block": algatt.Network(
        Residual(Heads(2, score=Unnormalized(), mask=Causal())) >> Residual(Feedforward(3, Power(3), gated=True)),
        tokens=3,
        width=4,
    ),
}


def operands(graph: nx.DiGraph, node: str) -> list[str]:
    """Return the operands of a node, in their order."""
    placed = {int(place): one for one, _, places in graph.in_edges(node, data="places") for place in places.split(",")}
    assert sorted(placed) == list(range(len(placed)))
    return [placed[place] for place in sorted(placed)]


def walked(graph: nx.DiGraph, theta: algatt.Weights, X: np.ndarray) -> np.ndarray:
    """Compute the value of a graph modulo the prime, node by node."""
    p = F.p
    values: dict[str, Any] = {}
    for node in nx.topological_sort(graph):
        attributes = graph.nodes[node]
        given = [values[one] for one in operands(graph, node)]
        match attributes["operation"]:
            case "tensor":
                value = np.array(theta[attributes["tensor"]], dtype=object)
            case "input":
                value = X
            case "constant":
                fractions = [Fraction(entry) for entry in attributes["argument"].strip("[]").split()]
                entries = [one.numerator * pow(one.denominator, -1, p) for one in fractions]
                shape = tuple(map(int, attributes["shape"].split(" x "))) if attributes["shape"] else ()
                value = np.array(entries, dtype=object).reshape(shape)
            case "product":
                value = given[0] @ given[1]
            case "transpose":
                value = given[0].T
            case "add":
                value = given[0] + given[1]
            case "multiply":
                value = given[0] * given[1]
            case "negate":
                value = -given[0]
            case "reciprocal":
                value = np.vectorize(lambda entry: pow(int(entry), -1, p), otypes=[object])(given[0])
            case "column_products":
                value = (given[0] * given[1]).sum(axis=0, keepdims=True)
            case other:
                raise AssertionError(other)
        values[node] = value % p
        assert attributes["shape"] == " x ".join(map(str, np.shape(value)))
    return values[graph.graph["value"]]


@pytest.mark.parametrize("name", NETWORKS)
def test_the_graph_computes_the_network(name: str) -> None:
    arch = NETWORKS[name]
    theta = algatt.sample(arch, algatt.Weights, field=F, seed=1)
    X = algatt.sample_inputs(arch, field=F, seed=2)[0]
    value = walked(algatt.maps.program_graph(arch), theta, np.array(X, dtype=object))
    assert (value == np.array(algatt.evaluate(arch, theta, X), dtype=object)).all()


@pytest.mark.parametrize("name", NETWORKS)
def test_its_nodes_are_the_instructions(name: str) -> None:
    program = program_of(NETWORKS[name])
    graph = verbs.program_graph(program)
    assert nx.utils.graphs_equal(graph, algatt.maps.program_graph(NETWORKS[name]))
    assert nx.is_directed_acyclic_graph(graph)
    assert list(graph) == [str(number) for number in range(len(program))]
    assert [graph.nodes[node]["operation"] for node in graph] == [one.operation for one in program.instructions]
    assert {name for _, name in graph.nodes(data="tensor") if name} == set(program.tensors)
    assert nx.ancestors(graph, graph.graph["value"]) | {graph.graph["value"]} == set(graph)


def test_every_writer_of_networkx_takes_it(tmp_path: Path) -> None:
    graph = algatt.maps.program_graph(algatt.Network(Residual(Feedforward(3, SiLU())), tokens=2, width=2))
    everything = (*graph.nodes.values(), *graph.edges.values(), graph.graph)
    kinds = {type(value) for data in everything for value in data.values()}
    assert kinds == {str}
    for suffix, write, read in (("graphml", nx.write_graphml, nx.read_graphml), ("gexf", nx.write_gexf, nx.read_gexf)):
        path = tmp_path / f"program.{suffix}"
        write(graph, path)
        again = read(path)
        assert dict(again.nodes(data="operation")) == dict(graph.nodes(data="operation"))
        assert set(again.edges) == set(graph.edges)


def test_a_result_that_is_used_twice_has_one_edge_with_two_places() -> None:
    graph = algatt.maps.program_graph(algatt.Network(Residual(Feedforward(2, Power(2))), tokens=1, width=1))
    squares = [node for node, operation in graph.nodes(data="operation") if operation == "multiply"]
    assert [[data["places"] for _, _, data in graph.in_edges(node, data=True)] for node in squares] == [["0,1"]]
