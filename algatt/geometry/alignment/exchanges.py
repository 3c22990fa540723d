"""Heads and experts of a point that take the places in which they are nearest to those of the target."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from algatt.fields import Reals
from algatt.geometry.alignment.closed_forms import assign
from algatt.geometry.alignment.problem import Frame, Problem
from algatt.geometry.alignment.steps import Round, Unit, tensors_of
from algatt.geometry.equality.large.ordering import tensors_read
from algatt.symmetry import GroupElement
from algatt.symmetry.discrete.moves import element_of_moves
from algatt.symmetry.discrete.renaming import TermGraph
from algatt.symmetry.discrete.symmetry import moves_of_renaming, term_graph

ROUNDS = 2
"""Number of times that the inner spaces of a pair of terms are solved for."""


def nearest_exchange(problem: Problem, frame: Frame) -> GroupElement | None:
    """Return the element that brings terms which may change places, as heads and experts, where they are nearest after
    their inner spaces were aligned; None if all stay.

    The places of the terms of one sum are assigned with the least sum of costs.
    """
    costs: dict[tuple[int, int], float] = {}
    graph = term_graph(problem.arch)
    inner = inner_units(problem)
    for terms in sets_of_terms(problem):
        table = np.array([[cost_of(problem, graph, frame, inner, one, other) for other in terms] for one in terms])
        order = assign(table)
        scale = float(table.max()) or 1.0
        for place, one in enumerate(terms):
            for row, other in enumerate(terms):
                costs[one, other] = -1.0 if order[place] == row else float(table[place, row]) / scale
    if not costs:
        return None
    renaming = graph.search({}, prefer=lambda one, other: costs.get((one, other), float(one != other)))
    moves = {} if renaming is None else moves_of_renaming(problem.arch, renaming)
    return element_of_moves(moves, Reals()) if moves else None


def sets_of_terms(problem: Problem) -> Iterator[list[int]]:
    """Iterate over the terms of sums and products that may change places."""
    graph = term_graph(problem.arch)
    seen = set()
    for number in sorted(graph.nodes):
        node = graph.nodes[number]
        if node.symmetric:
            colours: dict[int, dict[int, None]] = {}
            for operand in node.operands:
                colours.setdefault(graph.colours[operand], {})[operand] = None
            for terms in colours.values():
                if len(terms) > 1 and tuple(terms) not in seen and private(graph, list(terms)):
                    seen.add(tuple(terms))
                    yield list(terms)


def private(graph: TermGraph, terms: list[int]) -> bool:
    """Return whether terms read tensors that not all of them do."""
    read = tensors_read(graph.nodes)
    return len({read[term] for term in terms}) > 1


def pairs_of_tensors(graph: TermGraph, one: int, other: int) -> dict[str, str] | None:
    """Return for each tensor of a term the one of another term that would take its place, where the two differ; None if
    they are not alike.
    """
    found: dict[str, str] = {}
    pending, seen = [(one, other)], set()
    while pending:
        first, second = pending.pop()
        if (first, second) in seen:
            continue
        seen.add((first, second))
        a, b = graph.nodes[first], graph.nodes[second]
        if graph.colours[first] != graph.colours[second]:
            return None
        if first == second:
            continue
        if a.tensor is not None and b.tensor is not None:
            found[a.tensor] = b.tensor
        pending += zip(a.operands, b.operands, strict=True)
    return found


def own_tensors(graph: TermGraph, one: int) -> dict[str, str]:
    """Return the tensors of a term that terms of its kind do not share, each with itself."""
    alike = [other for other in graph.nodes if graph.colours[other] == graph.colours[one] and other != one]
    found: dict[str, str] = {}
    for other in alike:
        found |= {name: name for name in pairs_of_tensors(graph, one, other) or {}}
    return found


def inner_units(problem: Problem) -> list[Unit]:
    """Return what moves only tensors of terms that may change places."""
    graph = term_graph(problem.arch)
    names = {name for terms in sets_of_terms(problem) for term in terms for name in own_tensors(graph, term)}
    units: tuple[Unit, ...] = (*problem.spaces, *problem.coordinates)
    return [unit for unit in units if names.issuperset(tensors_of(unit))]


def cost_of(problem: Problem, graph: TermGraph, frame: Frame, inner: list[Unit], one: int, other: int) -> float:
    """Return how far a term is from another one in its place, after their inner spaces were aligned."""
    names = own_tensors(graph, one) if one == other else pairs_of_tensors(graph, one, other)
    if names is None:
        return 1e300
    names = {name: source for name, source in names.items() if name in frame.tensors and source in frame.tensors}
    units = [unit for unit in inner if not set(tensors_of(unit)).isdisjoint(names)]
    there = Frame({name: frame.tensors[source] for name, source in names.items()}, frame.goal, frame.weights)
    sweep = Round(problem.motions, there)
    for _ in range(ROUNDS):
        for unit in units:
            sweep.step(unit)
    return sum(there.square(name) for name in names)
