r"""Changes of weights that no output sees: what is added to a tensor, row by row or column by column, is taken up by
other tensors or vanishes.

Biases of keys under softmax, biases of values beside a bias of the output, biases of norms before other biases,
positions beside embeddings, what a LayerNorm's mean takes away, and rows that a softmax does not see are such. Each is
an exact translation along the fibre of an arrow, found on the program and proven by the rules of `changes` (derived).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from algatt import verbs
from algatt.fields import Elements, Field, concatenate
from algatt.linalg.kernel import kernel_of_rank
from algatt.parameters import Weights
from algatt.parameters.base import fresh
from algatt.programs import Program
from algatt.programs.interpret import Results
from algatt.programs.uses import Uses
from algatt.symmetry.arrows.changes import Absorbed, ColumnSums, Condition, Flow, leaves_value
from algatt.symmetry.arrows.folded import tangents_through, through
from algatt.symmetry.arrows.gains import Fold, FoldedTensors, is_vector
from algatt.symmetry.arrows.vector_element import VectorElement
from algatt.symmetry.base import GroupElement, Symmetry

__all__ = ["Shift", "ShiftElement", "ShiftSymmetry", "find_shifts", "shifts_with_flows"]


@dataclass(frozen=True, eq=False)
class Shift:
    """What may be added to a tensor.

    Parameters
    ----------
    program : Program
        The program of the network.
    tensor : str
        The tensor T.
    kind : str
        ``rows``: T + 1 v^T for any v; ``columns``: T + v 1^T.
    absorbed : tuple of Absorbed
        What is subtracted from other tensors.
    conditions : tuple of Condition, optional
        What v has to satisfy.
    gain : str, optional
        A gain g that stays beside the columns that T reads: then it is T + v (1/g)^T.
    ray : bool, optional
        Whether v is a multiple of 1/g in place of that: T + 1 v^T or T + v 1^T with v = c (1/g).
    """

    program: Program
    tensor: str
    kind: str
    absorbed: tuple[Absorbed, ...]
    conditions: tuple[Condition, ...] = ()
    gain: str | None = None
    ray: bool = False

    @property
    def name(self) -> str:
        """What it is called."""
        return f"{self.kind} of {self.tensor}{'' if self.gain is None else f' over {self.gain}'}"

    @property
    def rank(self) -> int:
        """What the rank of the conditions is at most."""
        return sum(one.rank for one in self.conditions)

    def size(self, tensors: Mapping[str, Elements]) -> int:
        """Return the number of entries of v, or 1 if it is a multiple of 1/g."""
        return 1 if self.ray else tensors[self.tensor].shape[self.kind == "rows"]

    def units(self, tensors: Mapping[str, Elements]) -> Elements:
        """Return the unit vectors, as columns."""
        return Elements.of(tensors[self.tensor].field, np.eye(self.size(tensors), dtype=np.int64))

    def matrices(self, tensors: Mapping[str, Elements]) -> dict[str, tuple[str, Elements]]:
        """Return for each tensor that moves the kind of its change, and the matrix M of which M v is added to its rows
        or columns.
        """
        return self.changes(tensors, self.units(tensors))

    def changes(self, tensors: Mapping[str, Elements], vectors: Elements) -> dict[str, tuple[str, Elements]]:
        """Return for each tensor that moves the kind of its change, and for vectors v, given as columns, the columns
        that are added to its rows or columns.
        """
        found = Results(self.program, vectors.field, tensors)
        of_ray = self.gain is not None and self.ray
        own = tensors[str(self.gain)].reciprocal() @ vectors if of_ray else vectors
        moved = {self.tensor: (self.kind, own)}
        return moved | {one.tensor: (one.kind, -one.recipe(found, vectors)) for one in self.absorbed}

    def vectors(self, tensors: Mapping[str, Elements]) -> Elements:
        """Return a basis of the vectors v that satisfy the conditions, as columns; none at weights at which these have
        not the rank that they have elsewhere.
        """
        if not self.conditions:
            return self.units(tensors)
        return kernel_of_rank(self.matrix_of_conditions(tensors), self.rank)

    def matrix_of_conditions(self, tensors: Mapping[str, Elements]) -> Elements:
        """Return the matrix A of the conditions A v = 0, of which there is one at least."""
        found = Results(self.program, tensors[self.tensor].field, tensors)
        return concatenate([one.recipe(found, self.units(tensors)) for one in self.conditions])

    def tangents(self, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        """Return for each tensor that moves how it does along each vector of a basis, as a stack."""
        basis = self.vectors(tensors)
        moved = {}
        for name, (kind, matrix) in self.matrices(tensors).items():
            vectors = Elements(basis.field, (matrix @ basis).T.raw[:, :, None])
            moved[name] = self.spread(name, kind, vectors, tensors)
        return moved

    def is_weighted(self, name: str) -> bool:
        """Return whether what is added to a tensor is divided by the entries of a gain."""
        return name == self.tensor and self.gain is not None and not self.ray

    def spread(self, name: str, kind: str, vectors: Elements, tensors: Mapping[str, Elements]) -> Elements:
        """Return what is added to a tensor: matrices with equal rows, or with equal columns, given as stacked columns;
        to T, if there is a gain, these columns divided by its entries.

        Raises
        ------
        DivisionByZero
            If one of these is zero.
        """
        if self.is_weighted(name):
            return vectors @ tensors[str(self.gain)].reciprocal().T
        return spread(kind, vectors, tensors[name].shape)


def find_shifts(program: Program, *, units: tuple[int, int] | None) -> tuple[Shift, ...]:
    """Return the shifts of all tensors that leave the value of a program unchanged.

    Parameters
    ----------
    program : Program
        The program.
    units : (int, int) or None
        From which row and which column on the columns of its input are unit vectors; None if they never are.
    """
    return tuple(shift for shift, _ in shifts_with_flows(program, units=units))


def shifts_with_flows(program: Program, *, units: tuple[int, int] | None) -> Iterator[tuple[Shift, Flow]]:
    """Iterate over the shifts, each with how the results of the program change."""
    uses = program.uses
    takers: dict[str, set[str]] = {}  # whose shifts a tensor takes up: if one took up its shift, that would be the same
    sums = ColumnSums(uses, units=units)
    for number, one in enumerate(program.instructions):
        if one.operation == "tensor" and len(one.shape) == 2:
            free = set[Way]()
            for way in ways(uses, number):
                if way.ray and not free.isdisjoint((Way(way.kind), Way("columns", way.gain))):
                    continue
                found = largest_shift(uses, sums, number, way, frozenset(takers.get(one.argument, ())))
                if found is not None:
                    shift, flow = found
                    for other in shift.absorbed:
                        takers.setdefault(other.tensor, set()).add(shift.tensor)
                    yield shift, flow
                    if not shift.conditions:
                        free.add(way)
                        if one.shape[way.kind == "columns"] == 1:
                            break  # all entries may change alike, whatever else


class Way(NamedTuple):
    """A way in which a tensor may be shifted: a kind, and perhaps a gain that stays, as `Shift` has them."""

    kind: str
    gain: int | None = None
    ray: bool = False


def ways(uses: Uses, number: int) -> Iterator[Way]:
    """Iterate over the ways in which a tensor may be shifted."""
    yield from (Way("columns"), Way("rows"))
    for gain in gains_beside(uses, number):
        yield Way("columns", gain)
        yield Way("rows", gain, ray=True)
    for user in uses.users[number]:
        if uses[user].operation == "transpose":
            for gain in gains_beside(uses, user):
                yield Way("columns", gain, ray=True)


def gains_beside(uses: Uses, number: int) -> list[int]:
    """Return the gains g of the products g * Y, or sums with these, that are read by a matrix."""
    found: dict[int, None] = {}
    for user in uses.users[number]:
        if uses[user].operation == "product" and uses[user].operands[0] == number:
            right = uses[user].operands[1]
            while uses[right].operation == "take":
                (right,) = uses[right].operands
            for one in uses[right].operands if uses[right].operation == "add" else (right,):
                operands = uses[one].operands if uses[one].operation == "multiply" else ()
                height = uses.height(one)
                found |= {g: None for g in operands if height > 1 and is_vector(uses, g, (height,))}
    return list(found)


def largest_shift(
    uses: Uses, sums: ColumnSums, number: int, way: Way, avoided: frozenset[str]
) -> tuple[Shift, Flow] | None:
    """Return a shift of a tensor for as many vectors as are found, with how results change; None if there is none.

    First no tensor that is used in several places takes anything up; then these may; at last those inside of sums that
    are used in several places.
    """
    found: tuple[Shift, Flow] | None = None
    for shared, inside in ((False, False), (True, False), (True, True)):
        if way.gain is None:
            flow, gain = Flow(uses, sums, shared, avoided, inside=inside), None
        else:
            gain = uses[way.gain].argument
            flow = Flow(uses, sums, shared, avoided | {gain}, way.gain, way.ray, inside)
        if leaves_value(flow, number, way.kind if gain is None or way.ray else "weighted"):
            conditions = tuple(flow.vanishing.conditions.values())
            tensor, absorbed = uses[number].argument, flow.absorbed(number)
            shift = Shift(uses.program, tensor, way.kind, absorbed, conditions, gain, way.ray)
            if found is None or shift.rank < found[0].rank:
                found = shift, flow
        if not flow.narrowed or (found is not None and not found[0].conditions):
            break
    return found


@dataclass(frozen=True)
class ShiftSymmetry(Symmetry):
    r"""The translations :math:`T \to T + 1 v^T` or :math:`T \to T + v 1^T` of a tensor, with what others take up, for
    all v or those that satisfy linear conditions (derived, see docs/theory/arrows.md).

    Parameters
    ----------
    arch : Architecture
        The network.
    shift : Shift
        What may be added, after gains are folded.
    fold : Fold
        The arrow that folds them.
    """

    rests_on: ClassVar[str] = "arrow"
    """The function depends on fewer numbers."""

    shift: Shift
    fold: Fold

    def __repr__(self) -> str:
        return f"ShiftSymmetry({self.name})"

    @property
    def name(self) -> str:
        return self.shift.name

    @property
    def tensors(self) -> tuple[str, ...]:
        """The names of the tensors that it moves."""
        return self.shift.tensor, *(one.tensor for one in self.shift.absorbed)

    @property
    def size(self) -> int:
        """The number of entries of v, or 1 if it is a multiple of 1/g."""
        return 1 if self.shift.ray else int(verbs.coordinates(self.arch)[self.shift.tensor][self.shift.kind == "rows"])

    @property
    def dimension(self) -> int:
        """The number of entries of v, less the rank of what it has to satisfy."""
        return self.size - self.shift.rank

    def tangent_parts(self, theta: Weights) -> list[dict[str, Elements]]:
        """None at weights with a zero in a gain, or in what else is divided by, as nothing is known there."""
        return tangents_through(self.fold, theta, self.shift.tangents)

    def element(self, theta: Weights, seed: int = 0) -> GroupElement:
        """Return the translation by a random vector over the field of `theta`, drawn from the stream of the seed; if
        vectors have to satisfy conditions, it is a symmetry at `theta`, and wherever it leads.
        """
        if not self.shift.conditions:
            size = self.shift.size(theta.tensors)
            raw = verbs.draw_array(theta.field, shape=(size, 1), seed=seed, label=self.name)
            return self.element_of(Elements(theta.field, raw))
        basis = self.shift.vectors(FoldedTensors(self.fold, theta))
        raw = verbs.draw_array(theta.field, shape=(basis.shape[1], 1), seed=seed, label=self.name)
        return self.element_of(basis @ Elements(theta.field, raw))

    def element_of(self, vector: Elements) -> GroupElement:
        """Return the element that adds a vector v, a column, to the folded tensor."""
        return through(self.fold, ShiftElement(self, vector))


def spread(kind: str, vectors: Elements, shape: tuple[int, ...]) -> Elements:
    """Return matrices of a shape with equal rows, or with equal columns, given as stacked columns."""
    ones = np.ones((1, shape[1]) if kind == "columns" else (shape[0], 1), dtype=np.int64)
    return vectors @ ones if kind == "columns" else ones @ vectors.T


@dataclass(frozen=True, eq=False, repr=False)
class ShiftElement(VectorElement):
    """A translation of a tensor, with what others take up; its matrices do not depend on the tensors that it moves.

    Parameters
    ----------
    family : ShiftSymmetry
        Which tensors.
    vector : Elements
        The vector v, as a column.
    """

    family: ShiftSymmetry

    def change(self, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        moved, shift = {}, self.family.shift
        for name, (kind, change) in shift.changes(tensors, self.vector).items():
            if shift.is_weighted(name):
                added = shift.spread(name, kind, change, tensors)
            else:
                added = change if kind == "columns" else change.T
            moved[name] = fresh(tensors[name] + added)
        return moved


@verbs.identity.method
def identity_of_shift(family: ShiftSymmetry, field: Field) -> GroupElement:
    return family.element_of(Elements.of(field, np.zeros((family.size, 1), dtype=np.int64)))
