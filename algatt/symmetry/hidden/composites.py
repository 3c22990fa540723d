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
from math import prod
from typing import ClassVar

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.network import program
from algatt.errors import DivisionByZero, InvalidArgument
from algatt.fields import Dual, DualArray, Elements, Field, Function, PrimeField, concatenate
from algatt.fields.functions import Given
from algatt.linalg import RowSpace
from algatt.linalg.kernel import kernel_of_rank
from algatt.parameters import Weights
from algatt.programs import Program
from algatt.programs.interpret import Results, function_of
from algatt.symmetry.base import GroupElement, Symmetry, rank_of_tangents
from algatt.symmetry.hidden.collected import collected

MOST_ENTRIES = 2**11
"""Maximum number of entries of tensors whose directions are looked at together."""

SPARE = 8
"""Number of random points beyond that of exponents at which these are compared."""

EXPONENTIALS = ("exp", "sigmoid")
"""Functions that are quotients of polynomials in an exponential."""


@dataclass(frozen=True)
class Made:
    """Results that are made of tensors which the value depends on through them alone.

    Parameters
    ----------
    program : Program
        The program.
    results : tuple of int
        The results.
    """

    program: Program
    results: tuple[int, ...]

    @functools.cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the tensors."""
        return tensors_before(self.program, self.results)

    @property
    def size(self) -> int:
        """The number of entries of the tensors."""
        return sum(prod(self.program.tensors[name]) for name in self.names)

    @property
    def entries(self) -> int:
        """The number of entries of the results."""
        return sum(prod(self.program.instructions[number].shape) for number in self.results)

    def joined(self, other: Made) -> Made:
        """Return both together."""
        return Made(self.program, (*self.results, *other.results))

    def derivatives(self, tensors: Mapping[str, Elements], field: Field) -> Elements:
        """Return the derivatives of all entries of the results, as rows, by all entries of the tensors."""
        dual, seeded, start = Dual(field), dict[str, Elements](), 0
        for name in self.names:
            size = tensors[name].raw.size
            units = np.eye(self.size, dtype=np.int64)[:, start : start + size]
            tangent = verbs.encode(field, units.reshape(-1, *tensors[name].shape))
            seeded[name] = Elements(dual, DualArray(tensors[name].raw, tangent))
            start += size
        found = Results(self.program, dual, seeded, functions=self.functions(field))
        rows = [found[number].raw.tangent for number in self.results]
        return concatenate([Elements(field, one.reshape(len(one), -1).T) for one in rows])

    @property
    def exponentials(self) -> list[int]:
        """The numbers of the functions of one variable that the results are made of."""
        instructions = self.program.instructions
        return [one for one in sorted(before(self.program, self.results)) if function_of(instructions[one]) is not None]

    def functions(self, field: Field) -> dict[int, Function]:
        """Return for exponentials modulo a prime residues, which may be any, and their derivatives."""
        given: dict[int, Function] = {}
        for number in self.exponentials if isinstance(field, PrimeField) else ():
            one = self.program.instructions[number]
            value = Elements(field, verbs.draw_array(field, shape=one.shape, seed=0, label=f"composites/{number}"))
            if one.operation == "exp":
                given[number] = Given(value.raw, value.raw)
            else:
                value = value * (value + 1).reciprocal()
                given[number] = Given(value.raw, (value - value * value).raw)
        return given

    def is_generic(self, arch: Architecture) -> bool:
        """Return whether the derivative has as many independent rows as results have entries, at random weights, with
        functions of one variable for which residues may stand.
        """
        instructions = self.program.instructions
        known = all(
            instructions[one].operation in EXPONENTIALS and self.program.uses.is_rational(instructions[one].operands[0])
            for one in self.exponentials
        )
        if not known or not self.entries < self.size <= MOST_ENTRIES or not self.are_independent(arch):
            return False
        theta = verbs.sample(arch, Weights, field=PrimeField(), seed=0)
        try:
            matrix = self.derivatives(theta.tensors, theta.field)
        except DivisionByZero:
            return False
        return kernel_of_rank(matrix, self.entries).shape[1] > 0

    def are_independent(self, arch: Architecture) -> bool:
        """Return whether exponents are linearly independent over Q modulo constants: then exponentials are
        algebraically independent of each other and of the weights (Ax 1971).
        """
        if not self.exponentials:
            return True
        field, rows = PrimeField(), []
        arguments = [self.program.instructions[number].operands[0] for number in self.exponentials]
        count = sum(prod(self.program.instructions[number].shape) for number in arguments)
        for seed in range(count + SPARE):
            results = Results(self.program, field, verbs.sample(arch, Weights, field=field, seed=seed).tensors)
            rows.append(concatenate([Elements(field, results[one].raw.reshape(1, -1)) for one in arguments], axis=1))
        space = RowSpace(field, count)
        space.add(concatenate([row - rows[0] for row in rows[1:]]))
        return space.rank == count


@dataclass(frozen=True, repr=False)
class Composites(Symmetry):
    """The directions in which results of weights alone do not change, through which a network depends on these.

    They are no group: what moves along them is known to first order.

    Parameters
    ----------
    arch : Architecture
        The network.
    made : Made
        The results, and the tensors that they are made of.
    """

    rests_on: ClassVar[str] = "quotient"

    made: Made

    @property
    def name(self) -> str:
        return f"unseen directions of {', '.join(self.made.names)}"

    @property
    def dimension(self) -> int:
        return rank_of_tangents(self)

    def element(self, theta: Weights, seed: int = 0) -> GroupElement:
        raise InvalidArgument("family", repr(self), "one of `algatt.symmetries`: this one is known to first order")

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


def before(whole: Program, results: Sequence[int]) -> set[int]:
    """Return the results that some results are made of, and these."""
    found, pending = set(results), list(results)
    while pending:
        new = set(whole.instructions[pending.pop()].operands) - found
        found |= new
        pending += new
    return found


def tensors_before(whole: Program, results: Sequence[int]) -> tuple[str, ...]:
    """Return the names of the tensors that results are made of."""
    numbers = sorted(before(whole, results))
    return tuple(whole.instructions[one].argument for one in numbers if whole.instructions[one].operation == "tensor")


@functools.lru_cache(maxsize=64)
def composites_of(arch: Architecture) -> tuple[Composites, ...]:
    """Return the family of a network, if it has directions that no symmetry has at random weights: to leave it out
    where it is needed makes a bound worse, and never wrong.
    """
    whole = collected(program(arch))
    results = [number for number in edge_of(whole) if is_composite(whole, number)]
    if not results:
        return ()
    joined = {name for number in results for name in tensors_before(whole, [number])}
    results = [number for number in edge_of(whole) if not joined.isdisjoint(tensors_before(whole, [number]))]
    made = [one for part in parts_of(whole, results) for one in made_of(arch, Made(whole, part))]
    if not made:
        return ()
    family = Composites(arch, functools.reduce(Made.joined, made))
    theta = verbs.sample(arch, Weights, field=PrimeField(), seed=0)
    space = RowSpace(PrimeField(), arch.parameters)
    for other in verbs.symmetries(arch):
        space.add(other.tangent_elements(theta))
    return (family,) if space.add(family.tangent_elements(theta)) else ()


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
