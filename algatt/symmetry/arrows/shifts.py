r"""Changes of weights that no output sees: what is added to a tensor, row by row or column by column, is taken up by
other tensors or vanishes.

Biases of keys under softmax, biases of values beside a bias of the output, biases of norms before other biases,
positions beside embeddings, what a LayerNorm's mean takes away, and rows that a softmax does not see are such. Each is
an exact translation along the fibre of an arrow, found on the program and proven by the rules of `changes` (derived).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from algatt import verbs
from algatt.fields import Elements, Field, Program, concatenate
from algatt.linalg.kernel import kernel_of_rank
from algatt.maps.interpret import Results
from algatt.parameters import Weights
from algatt.symmetry.arrows.changes import Absorbed, ColumnSums, Condition, Flow, leaves_value
from algatt.symmetry.arrows.folded import tangents_through, through
from algatt.symmetry.arrows.gains import Fold
from algatt.symmetry.arrows.uses import Uses
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
    """

    program: Program
    tensor: str
    kind: str
    absorbed: tuple[Absorbed, ...]
    conditions: tuple[Condition, ...] = ()

    @property
    def rank(self) -> int:
        """What the rank of the conditions is at most."""
        return sum(one.rank for one in self.conditions)

    def size(self, tensors: Mapping[str, Elements]) -> int:
        """Return the number of entries of v."""
        return tensors[self.tensor].shape[self.kind == "rows"]

    def matrices(self, tensors: Mapping[str, Elements]) -> dict[str, tuple[str, Elements]]:
        """Return for each tensor that moves the kind of its change, and the matrix M of which M v is added to its rows
        or columns.
        """
        field = tensors[self.tensor].field
        found = Results(self.program, field, tensors)
        moved = {self.tensor: (self.kind, Elements.of(field, np.eye(self.size(tensors), dtype=np.int64)))}
        return moved | {one.tensor: (one.kind, -one.recipe(found)) for one in self.absorbed}

    def changes(self, tensors: Mapping[str, Elements], vector: Elements) -> dict[str, tuple[str, Elements]]:
        """Return for each tensor that moves the kind of its change, and the column that is added to its rows or
        columns.
        """
        found = Results(self.program, vector.field, tensors)
        moved = {self.tensor: (self.kind, vector)}
        return moved | {one.tensor: (one.kind, -(one.recipe(found) @ vector)) for one in self.absorbed}

    def vectors(self, tensors: Mapping[str, Elements]) -> Elements:
        """Return a basis of the vectors v that satisfy the conditions, as columns; none at weights at which these have
        not the rank that they have elsewhere.
        """
        field = tensors[self.tensor].field
        if not self.conditions:
            return Elements.of(field, np.eye(self.size(tensors), dtype=np.int64))
        return kernel_of_rank(self.matrix_of_conditions(tensors), self.rank)

    def matrix_of_conditions(self, tensors: Mapping[str, Elements]) -> Elements:
        """Return the matrix A of the conditions A v = 0, of which there is one at least."""
        found = Results(self.program, tensors[self.tensor].field, tensors)
        return concatenate([one.recipe(found) for one in self.conditions])

    def tangents(self, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        """Return for each tensor that moves how it does along each vector of a basis, as a stack."""
        basis = self.vectors(tensors)
        moved = {}
        for name, (kind, matrix) in self.matrices(tensors).items():
            vectors = Elements(basis.field, (matrix @ basis).T.raw[:, :, None])
            moved[name] = spread(kind, vectors, tensors[name].shape)
        return moved


def find_shifts(program: Program, *, one_hot: bool) -> tuple[Shift, ...]:
    """Return the shifts of all tensors that leave the value of a program unchanged.

    Parameters
    ----------
    program : Program
        The program.
    one_hot : bool
        Whether the columns of its input are unit vectors.
    """
    return tuple(shift for shift, _ in shifts_with_flows(program, one_hot=one_hot))


def shifts_with_flows(program: Program, *, one_hot: bool) -> Iterator[tuple[Shift, Flow]]:
    """Iterate over the shifts, each with how the results of the program change."""
    uses = Uses(program)
    shifts: list[Shift] = []
    sums = ColumnSums(uses, one_hot=one_hot)
    for number, one in enumerate(program.instructions):
        if one.operation == "tensor" and len(one.shape) == 2:
            for kind in ("columns", "rows"):
                found = largest_shift(uses, sums, number, kind, takers_of(shifts, one.argument))
                if found is not None:
                    shift, flow = found
                    shifts.append(shift)
                    yield shift, flow
                    if one.shape[kind == "columns"] == 1 and not shift.conditions:
                        break  # all entries may change alike, whatever else


def takers_of(shifts: Sequence[Shift], tensor: str) -> frozenset[str]:
    """Return the tensors whose shifts a tensor takes up: if one of these took up its shift, that would be the same."""
    return frozenset(one.tensor for one in shifts if any(tensor == other.tensor for other in one.absorbed))


def largest_shift(
    uses: Uses, sums: ColumnSums, number: int, kind: str, avoided: frozenset[str]
) -> tuple[Shift, Flow] | None:
    """Return a shift of a tensor for as many vectors as are found, with how results change; None if there is none.

    First no tensor that is used in several places takes anything up; then these may.
    """
    found: tuple[Shift, Flow] | None = None
    for shared in (False, True):
        flow = Flow(uses, sums, shared, avoided)
        if leaves_value(flow, number, kind):
            conditions = tuple(flow.vanishing.conditions.values())
            shift = Shift(uses.program, uses[number].argument, kind, flow.absorbed(number), conditions)
            if found is None or shift.rank < found[0].rank:
                found = shift, flow
        if found is not None and not found[0].conditions:
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
        return f"{self.shift.kind} of {self.shift.tensor}"

    @property
    def tensors(self) -> tuple[str, ...]:
        """The names of the tensors that it moves."""
        return self.shift.tensor, *(one.tensor for one in self.shift.absorbed)

    @property
    def size(self) -> int:
        """The number of entries of v."""
        return int(verbs.coordinates(self.arch)[self.shift.tensor][self.shift.kind == "rows"])

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
            size = self.shift.size(self.fold.fold(theta))
            raw = verbs.draw_array(theta.field, shape=(size, 1), seed=seed, label=self.name)
            return self.element_of(Elements(theta.field, raw))
        basis = self.shift.vectors(self.fold.fold(theta))
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

    def move(self, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        """Return tensors by name after the element acted on them."""
        moved = dict(tensors)
        for name, (kind, change) in self.family.shift.changes(tensors, self.vector).items():
            moved[name] = tensors[name] + spread(kind, change, tensors[name].shape)
        return moved


@verbs.identity.method
def identity_of_shift(family: ShiftSymmetry, field: Field) -> GroupElement:
    return family.element_of(Elements.of(field, np.zeros((family.size, 1), dtype=np.int64)))
