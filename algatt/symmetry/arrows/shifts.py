r"""Changes of weights that no output sees: what is added to a tensor, row by row or column by column, is taken up by
other tensors or vanishes.

Biases of keys under softmax, biases of values beside a bias of the output, biases of norms before other biases,
positions beside embeddings, what a LayerNorm's mean takes away, and rows that a softmax does not see are such. Each is
an exact translation along the fibre of an arrow, found on the program and proven by the rules of `changes` (derived).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from algatt import verbs
from algatt.errors import DivisionByZero
from algatt.fields import Elements, Field, Program
from algatt.maps.interpret import Results
from algatt.parameters import Weights
from algatt.symmetry.arrows.changes import Absorbed, ColumnSums, Flow, leaves_value
from algatt.symmetry.arrows.folded import through
from algatt.symmetry.arrows.gains import Fold
from algatt.symmetry.arrows.uses import Uses
from algatt.symmetry.arrows.vector_element import VectorElement
from algatt.symmetry.base import GroupElement, Symmetry

__all__ = ["Shift", "ShiftElement", "ShiftSymmetry", "find_shifts"]


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
    """

    program: Program
    tensor: str
    kind: str
    absorbed: tuple[Absorbed, ...]

    def matrices(self, tensors: Mapping[str, Elements]) -> dict[str, tuple[str, Elements]]:
        """Return for each tensor that moves the kind of its change, and the matrix M of which M v is added to its rows
        or columns.
        """
        field, (*_, size) = tensors[self.tensor].field, tensors[self.tensor].shape[: 2 if self.kind == "rows" else 1]
        found = Results(self.program, field, tensors)
        moved = {self.tensor: (self.kind, Elements.of(field, np.eye(size, dtype=np.int64)))}
        return moved | {one.tensor: (one.kind, -one.recipe(found)) for one in self.absorbed}


def find_shifts(program: Program, *, one_hot: bool) -> tuple[Shift, ...]:
    """Return the shifts of all tensors that leave the value of a program unchanged.

    Parameters
    ----------
    program : Program
        The program.
    one_hot : bool
        Whether the columns of its input are unit vectors.
    """
    uses = Uses(program)
    shifts = []
    sums = ColumnSums(uses, one_hot=one_hot)
    for number, one in enumerate(program.instructions):
        if one.operation == "tensor" and len(one.shape) == 2:
            for kind in ("columns", "rows"):
                flow = Flow(uses, sums)
                if leaves_value(flow, number, kind):
                    shifts.append(Shift(program, one.argument, kind, tuple(flow.absorbed)))
                    if one.shape[kind == "columns"] == 1:
                        break  # all entries may change alike, whatever else
    return tuple(shifts)


@dataclass(frozen=True)
class ShiftSymmetry(Symmetry):
    r"""The translations :math:`T \to T + 1 v^T` or :math:`T \to T + v 1^T` of a tensor, with what others take up
    (derived, see docs/theory/arrows.md).

    Parameters
    ----------
    arch : Architecture
        The network.
    shift : Shift
        What may be added, after gains are folded.
    fold : Fold
        The arrow that folds them.
    """

    basis: ClassVar[str] = "arrow"
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
    def dimension(self) -> int:
        """The number of entries of v."""
        return int(verbs.coordinates(self.arch)[self.shift.tensor][self.shift.kind == "rows"])

    def tangent_parts(self, theta: Weights) -> list[dict[str, Elements]]:
        """None at weights with a zero in a gain, or in what else is divided by, as nothing is known there."""
        try:
            tensors = self.fold.fold(theta)
            matrices = self.shift.matrices(tensors)
        except DivisionByZero:
            return []
        part = {}
        for name, (kind, matrix) in matrices.items():
            vectors = Elements(theta.field, matrix.T.raw[:, :, None])
            part[name] = spread(kind, vectors, tensors[name].shape)
        return [self.fold.lift(part, theta)]

    def element(self, theta: Weights, seed: int = 0) -> GroupElement:
        raw = verbs.draw_array(theta.field, shape=(self.dimension, 1), seed=seed, label=self.name)
        return self.element_of(Elements(theta.field, raw))

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
        for name, (kind, matrix) in self.family.shift.matrices(tensors).items():
            moved[name] = tensors[name] + spread(kind, matrix @ self.vector, tensors[name].shape)
        return moved


@verbs.identity.method
def identity_of_shift(family: ShiftSymmetry, field: Field) -> GroupElement:
    return family.element_of(Elements.of(field, np.zeros((family.dimension, 1), dtype=np.int64)))
