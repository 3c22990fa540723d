r"""Tensors that the program sees only through what it makes of weights alone: a matrix with an addition of low rank,
W + B A, or a factor exp(a . b) - exp(c . d).

Let C be results of weights alone such that the value depends on some tensors T through C, and let the derivative J of C
by T have as many independent rows as C has entries. Then the value does not change in the directions of the kernel of J
(derived, see docs/theory/hidden_symmetries.md).
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from algatt.architectures import Architecture
from algatt.architectures.network import program
from algatt.errors import InvalidArgument
from algatt.fields import Elements, concatenate
from algatt.linalg.kernel import kernel_of_rank
from algatt.parameters import Weights
from algatt.programs import Program
from algatt.symmetry.base import GroupElement, rank_of_tangents
from algatt.symmetry.hidden.collected import collected
from algatt.symmetry.hidden.composite_elements import has_same_results, moved_within
from algatt.symmetry.hidden.made import Made, before, tensors_before
from algatt.symmetry.quotients.folded import QuotientSymmetry


@dataclass(frozen=True, repr=False)
class CompositeSymmetry(QuotientSymmetry):
    """The directions in which results of weights alone do not change, through which a network depends on these.

    They are no group. Elements are translations that leave the results as they are, and act where they do.

    Parameters
    ----------
    arch : Architecture
        The network.
    made : Made
        The results, and the tensors that they are made of.
    """

    made: Made

    @property
    def name(self) -> str:
        return f"unseen directions of {', '.join(self.made.names)}"

    @property
    def dimension(self) -> int:
        return rank_of_tangents(self)

    @property
    def neutral(self) -> np.ndarray:
        return np.zeros((self.made.size, 1), dtype=np.int64)

    def element(self, theta: Weights, seed: int = 0) -> GroupElement:
        moved = moved_within(self.made, theta.tensors, theta.field, seed)
        changes = [(one - theta.tensors[name]).raw.reshape(-1, 1) for name, one in moved.items()]
        return self.element_of(concatenate([Elements(theta.field, change) for change in changes]))

    def change(self, vector: Elements, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        """Add to the tensors, at points at which the results stay."""
        moved, first = dict[str, Elements](), 0
        for name in self.made.names:
            one = tensors[name]
            change = vector.raw[first : first + one.raw.size].reshape(one.shape)
            moved[name], first = one + Elements(vector.field, change), first + one.raw.size
        if not has_same_results(self.made, tensors, moved):
            raise InvalidArgument(
                "element",
                f"{self.element_of(vector)!r}, which changes the function at this point",
                "a translation that the function does not see there",
            )
        return moved

    def tangent_parts(self, theta: Weights) -> list[dict[str, Elements]]:
        tensors, names = theta.tensors, self.made.names
        kernel = kernel_of_rank(self.made.derivatives(tensors, theta.field), self.made.entries).T
        ends = np.cumsum([0, *(tensors[name].raw.size for name in names)]).tolist()
        return [
            {
                name: Elements(theta.field, kernel.raw[:, slice(*pair)].reshape(-1, *tensors[name].shape))
                for name, pair in zip(names, pairwise(ends), strict=True)
            }
        ]


@functools.lru_cache(maxsize=64)
def composites_of(arch: Architecture) -> tuple[CompositeSymmetry, ...]:
    """Return the family of a network, also one that others span; none if it is not found."""
    whole = collected(program(arch))
    results = [number for number in edge_of(whole) if is_composite(whole, number)]
    if not results:
        return ()
    joined = {name for number in results for name in tensors_before(whole, [number])}
    results = [number for number in edge_of(whole) if not joined.isdisjoint(tensors_before(whole, [number]))]
    made = [one for part in parts_of(whole, results) for one in made_of(arch, Made(whole, part))]
    return (CompositeSymmetry(arch, functools.reduce(Made.joined, made)),) if made else ()


def edge_of(whole: Program) -> list[int]:
    """Return the results of weights alone that something else is computed of, or that are the value."""
    of_weights: list[bool] = []
    for one in whole.instructions:
        of_weights.append(one.operation != "input" and all(of_weights[operand] for operand in one.operands))
    last = len(whole) - 1
    return [
        number
        for number in range(len(whole))
        if of_weights[number] and (number == last or not all(of_weights[user] for user in whole.uses.users[number]))
    ]


def is_composite(whole: Program, number: int) -> bool:
    """Return whether a result is made of two results that are no constants somewhere."""
    return any(
        sum(whole.instructions[operand].operation != "constant" for operand in whole.instructions[one].operands) > 1
        for one in before(whole, [number])
    )


def parts_of(whole: Program, results: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Iterate over the parts of results that are made of the same tensors, or of those of others among them."""
    import networkx as nx

    graph = nx.Graph()
    graph.add_edges_from((number, name) for number in results for name in tensors_before(whole, [number]))
    for part in nx.connected_components(graph):
        yield tuple(sorted(one for one in part if isinstance(one, int)))


def made_of(arch: Architecture, made: Made) -> Iterator[Made]:
    """Iterate over parts of results, or else of what they are made of, whose derivatives have independent rows."""
    if made.is_generic(arch):
        yield made
        return
    instructions = made.program.instructions
    inside = {operand for number in made.results for operand in instructions[number].operands or (number,)}
    if inside != set(made.results):
        for part in parts_of(made.program, sorted(inside)):
            yield from made_of(arch, Made(made.program, part))
