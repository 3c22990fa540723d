"""The order of heads, experts, neurons and coordinates by norms that no symmetry changes."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Mapping
from fractions import Fraction

import numpy as np

from algatt.architectures import Architecture
from algatt.errors import NoNormalForm
from algatt.geometry.equality.large.balancing import APART, check_distinct
from algatt.geometry.equality.large.motions import Coordinates, LargeMotions
from algatt.symmetry.discrete.renaming import ListedOperation, Renaming
from algatt.symmetry.discrete.symmetry import term_graph


def orders_of(motions: LargeMotions, tensors: Mapping[str, np.ndarray]) -> dict[Coordinates, np.ndarray]:
    """Return the order of coordinates that may be permuted: by the norms of all rows and columns of each, the largest
    first.

    Raises
    ------
    NoNormalForm
        If two have one norm as far as floats tell.
    """
    orders = {}
    for one in motions.coordinates:
        if one.permuted:
            squares = np.sum([np.sum(tensors[name] ** 2, axis=1 - axis) for name, axis in one.sides], axis=0)
            check_distinct(f"norms of {one.name}", squares)
            orders[one] = np.argsort(-squares)
    return orders


def ordered_terms(arch: Architecture, tensors: Mapping[str, np.ndarray], *, decided: bool = True) -> Renaming | None:
    """Return the renaming of tensors that brings terms that may change places, as heads and experts, into the order of
    the sums of the squares of their tensors, the smallest first; None if none may.

    Parameters
    ----------
    arch : Architecture
        The network.
    tensors : dict of str to ndarray
        Its tensors, balanced.
    decided : bool, optional
        Whether terms of the same sum are refused.

    Raises
    ------
    NoNormalForm
        If two have the same sum as far as floats tell.
    """
    graph = term_graph(arch)
    squares = {name: Fraction(float(np.sum(raw**2))) for name, raw in tensors.items()}
    read = tensors_read(graph.nodes)
    asked: dict[int, set[int]] = {}

    @functools.cache
    def total(node: int) -> Fraction:  # exact, as terms share nearly all of their tensors
        return sum((squares.get(name, Fraction(0)) for name in read[node]), Fraction(0))

    ranks = {node: rank for rank, node in enumerate(sorted(graph.nodes, key=lambda node: (total(node), node)))}

    def prefer(one: int, other: int) -> float:
        asked.setdefault(one, set()).add(other)
        return float(ranks[other])

    renaming = graph.search({}, prefer=prefer)
    for others in asked.values() if decided else ():
        ordered = sorted(others, key=ranks.__getitem__)
        for first, second in itertools.pairwise(ordered):
            apart = read[first] ^ read[second]
            size = sum((squares.get(name, Fraction(0)) for name in apart), Fraction(0))
            if size and abs(total(first) - total(second)) <= Fraction(APART) * size:
                raise NoNormalForm(f"terms with {min(apart)} have one norm, as far as float64 tells")
    return renaming


def tensors_read(nodes: Mapping[int, ListedOperation]) -> dict[int, frozenset[str]]:
    """Return the tensors that each operation depends on."""
    found: dict[int, frozenset[str]] = {}
    for number in sorted(nodes):
        node = nodes[number]
        parts: Iterable[frozenset[str]] = (found[one] for one in node.operands)
        own = frozenset() if node.tensor is None else frozenset({node.tensor})
        found[number] = own.union(*parts)
    return found
