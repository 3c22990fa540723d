"""The program of a network as a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from algatt import verbs
from algatt.architectures import Architecture, Network
from algatt.architectures.network import arrangement_of, program
from algatt.programs import Program
from algatt.programs.interpret import written

if TYPE_CHECKING:
    import networkx as nx


@verbs.program_graph.method
def graph_of_architecture(source: Architecture) -> nx.DiGraph:
    return verbs.program_graph(program(source))


@verbs.program_graph.method
def graph_of_network(source: Network) -> nx.DiGraph:
    """The graph is that of the normal form."""
    arrangement = arrangement_of(source)
    return graph_of_architecture(source if arrangement is None else arrangement.network)


@verbs.program_graph.method
def graph_of_program(source: Program) -> nx.DiGraph:
    import networkx as nx

    graph = nx.DiGraph(value=str(len(source) - 1))
    for number, one in enumerate(source.instructions):
        argument = "" if one.argument is None else written(one.argument)
        tensor = argument if one.operation == "tensor" else ""
        shape = " x ".join(map(str, one.shape))
        graph.add_node(str(number), operation=one.operation, argument=argument, tensor=tensor, shape=shape)
        places: dict[int, list[str]] = {}
        for place, operand in enumerate(one.operands):
            places.setdefault(operand, []).append(str(place))
        for operand, listed in places.items():
            graph.add_edge(str(operand), str(number), places=",".join(listed))
    return graph
