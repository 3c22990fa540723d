"""The discrete symmetries of a network: generators of the permutations of its coordinates and of its tensors, and signs
of coordinates.
"""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.network import program as program_of
from algatt.display import list_names
from algatt.errors import SymmetryError
from algatt.fields import Elements, Field
from algatt.programs import Program
from algatt.symmetry.base import GroupElement
from algatt.symmetry.discrete.moves import Moves, Order, TensorMove, element_of_moves, is_same_program
from algatt.symmetry.discrete.renaming import Renaming, TermGraph
from algatt.symmetry.discrete.signs import SignedSides, signed_sides
from algatt.symmetry.quotients.gains import fold_gains
from algatt.symmetry.spaces import name_spaces, spaces_of
from algatt.symmetry.tensors_element import Sides, TensorsElement
from algatt.verbs.views import Tabled

Side = tuple[str, int]
"""A tensor, and 0 for its rows or 1 for its columns."""


@dataclass(frozen=True)
class DiscreteSymmetry(Tabled, ABC):
    """A group of finitely many motions of the tensors that leave the function of a network unchanged.

    Parameters
    ----------
    name : str
        Named after the tensors that move.
    """

    name: str

    @abstractmethod
    def elements(self, field: Field) -> tuple[GroupElement, ...]:
        """Return generators as group elements over a field."""


@dataclass(frozen=True)
class PermutationSymmetry(DiscreteSymmetry):
    """Permutations, proven by normal forms of the program."""

    @property
    @abstractmethod
    def generators(self) -> tuple[Moves, ...]:
        """Moves of tensors that generate the group."""

    @property
    def few_generators(self) -> tuple[Moves, ...]:
        """Moves that generate the group, too, and are checked."""
        return self.generators

    def elements(self, field: Field) -> tuple[TensorsElement, ...]:
        return tuple(element_of_moves(moves, field) for moves in self.generators)


@dataclass(frozen=True)
class CoordinatePermutations(PermutationSymmetry):
    """All permutations of the coordinates of one space, as of the neurons of a hidden layer.

    Parameters
    ----------
    size : int
        The number of coordinates.
    sides : tuple of (str, int)
        The tensors whose rows (0) or columns (1) are these coordinates.
    """

    size: int
    sides: tuple[Side, ...]

    def moves(self, order: Order) -> Moves:
        """Return the moves that put the coordinates into an order."""
        orders: dict[str, list[Order | None]] = {}
        for tensor, axis in self.sides:
            orders.setdefault(tensor, [None, None])[axis] = order
        return {tensor: TensorMove(tensor, rows, columns) for tensor, (rows, columns) in orders.items()}

    @property
    def generators(self) -> tuple[Moves, ...]:
        """The exchanges of neighbours."""
        orders = [list(range(self.size)) for _ in range(self.size - 1)]
        for place, order in enumerate(orders):
            order[place : place + 2] = [place + 1, place]
        return tuple(self.moves(tuple(order)) for order in orders)

    @property
    def few_generators(self) -> tuple[Moves, ...]:
        """The exchange of the first two, and the cycle of all."""
        first, second, *others = range(self.size)
        return self.moves((second, first, *others)), self.moves((second, *others, first))


@dataclass(frozen=True, repr=False)
class TensorExchange(PermutationSymmetry):
    """A renaming of tensors, as of the heads of a layer or of its experts, with the rows that go with them.

    Parameters
    ----------
    moved : tuple of (str, Move)
        What tensors become.
    """

    moved: tuple[tuple[str, TensorMove], ...]

    def __repr__(self) -> str:
        return f"TensorExchange({list_names([name for name, _ in self.moved], 4)})"

    @property
    def generators(self) -> tuple[Moves, ...]:
        return (dict(self.moved),)


@dataclass(frozen=True)
class CoordinateSigns(DiscreteSymmetry):
    """Changes of sign of single coordinates of one space, as of neurons with an odd activation, proven operation by
    operation.

    Parameters
    ----------
    size : int
        The number of coordinates.
    sides : tuple of (str, int)
        The tensors of which a row (0) or column (1) is negated.
    """

    size: int
    sides: tuple[Side, ...]

    def elements(self, field: Field) -> tuple[TensorsElement, ...]:
        """One element for each coordinate."""
        found = []
        for place in range(self.size):
            signs = np.eye(self.size, dtype=np.int64)
            signs[place, place] = -1
            matrix = Elements(field, verbs.embed(field, signs))
            pairs: dict[str, list[Elements | None]] = {}
            for tensor, axis in self.sides:
                pairs.setdefault(tensor, [None, None])[axis] = matrix
            found.append(TensorsElement({tensor: Sides(tensor, *pair) for tensor, pair in pairs.items()}))
        return tuple(found)


@verbs.discrete_symmetries.method
def discrete_symmetries_of_architecture(arch: Architecture) -> tuple[DiscreteSymmetry, ...]:
    return found_symmetries(arch)


@functools.lru_cache(maxsize=64)
def found_symmetries(arch: Architecture) -> tuple[DiscreteSymmetry, ...]:
    """Return the discrete symmetries of an architecture, each checked."""
    program = program_of(arch)
    classes = free_coordinates(arch)
    names = name_spaces([[tensor for tensor, _ in sides] for sides, _ in classes], [size for _, size in classes])
    found: list[PermutationSymmetry] = []
    for name, (sides, size) in zip(names, classes, strict=True):
        found.append(CoordinatePermutations(name, size, sides))
    for moves in exchanges(arch):
        found.append(TensorExchange(" ".join(moves), tuple(moves.items())))
    for symmetry in found:
        for moves in symmetry.few_generators:
            check_moves(program, moves, symmetry.name)
    signs = free_signs(arch)
    names = name_spaces([[tensor for tensor, _ in sides] for sides, _ in signs], [size for _, size in signs])
    return *found, *(
        CoordinateSigns(f"signs of {name}", size, sides) for name, (sides, size) in zip(names, signs, strict=True)
    )


@functools.lru_cache(maxsize=64)
def free_signs(arch: Architecture) -> tuple[SignedSides, ...]:
    """Return the sides of tensors of which each coordinate may be negated, but for those of spaces in which matrices
    act that are not diagonal: to negate a coordinate is one of them.
    """
    program, _ = fold_gains(program_of(arch))
    inside = {
        (name, int(side == "columns"))
        for moving in spaces_of(arch)
        for name, side in moving.solution.moving_sides(mixed=True)
    }
    return tuple((sides, size) for sides, size in signed_sides(program) if inside.isdisjoint(sides))


def check_moves(program: Program, moves: Moves, name: str) -> None:
    """Raise `SymmetryError` unless a program with its tensors moved has the normal form of the program."""
    if not is_same_program(program, moves):
        raise SymmetryError(f"the permutation {name} was found, but does not leave the program unchanged")


@functools.lru_cache(maxsize=64)
def term_graph(arch: Architecture) -> TermGraph:
    """Return the program of an architecture with sets of terms."""
    return TermGraph(program_of(arch))


@functools.lru_cache(maxsize=64)
def free_coordinates(arch: Architecture) -> tuple[tuple[tuple[Side, ...], int], ...]:
    """Return the sets of rows and columns of tensors that may be permuted, with their sizes, in the order of the
    network.
    """
    graph, program = term_graph(arch), program_of(arch)
    sides: dict[tuple[int, int], list[Side]] = {}
    sizes: dict[tuple[int, int], int] = {}
    for tensor in verbs.coordinates(arch):
        number = graph.of_tensor.get(tensor)
        if number is None:
            continue
        for axis, size in enumerate(program.instructions[number].shape):
            found = graph.classes.find((number, axis))
            if size > 1 and not graph.classes.is_fixed(found) and not graph.classes.is_taken(found):
                sides.setdefault(found, []).append((tensor, axis))
                sizes[found] = size
    return tuple((tuple(listed), sizes[found]) for found, listed in sides.items())


def exchanges(arch: Architecture) -> Iterator[Moves]:
    """Iterate over generators of the renamings: for each tensor, with all before it in their places, one for each
    tensor whose place it can take.
    """
    graph = term_graph(arch)
    tensors = [tensor for tensor in verbs.coordinates(arch) if tensor in graph.of_tensor]
    fixed: dict[str, str] = {}
    for place, tensor in enumerate(tensors):
        for other in tensors[place + 1 :]:
            if graph.colours[graph.of_tensor[tensor]] == graph.colours[graph.of_tensor[other]]:
                renaming = graph.search({**fixed, tensor: other})
                if renaming is not None:
                    yield moves_of_renaming(arch, renaming)
        fixed[tensor] = tensor


def moves_of_renaming(arch: Architecture, renaming: Renaming) -> Moves:
    """Return the moves of tensors of a renaming, without those that stay."""
    graph, program = term_graph(arch), program_of(arch)
    moves = {}
    for tensor, source in renaming.tensors.items():
        number = graph.of_tensor[tensor]
        orders: list[Order | None] = []
        for axis, size in enumerate(((1, 1) + program.instructions[number].shape)[-2:]):
            found = graph.classes.find((number, axis))
            order = tuple(renaming.rows.get((found, i), i) for i in range(size))
            orders.append(order if order != tuple(range(size)) else None)
        if source != tensor or orders != [None, None]:
            moves[tensor] = TensorMove(source, *orders)
    return moves
