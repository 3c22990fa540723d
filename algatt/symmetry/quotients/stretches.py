r"""Stretches of what is written into a stream, along its mean, that fix all columns that norms behind it may give.

In blocks that are repeated with the same weights, matrices read a sum X before the first one, and norms
:math:`N = g * Y + \beta` before the others, of whose columns :math:`(1/g)^T N` is one number s. The map A that fixes
all columns with this number and multiplies 1 by t moves what X is made of, and the matrices take its inverse: they see
the same of X and of N. A norm behind X does not see multiples of 1 (derived, see docs/theory/motions.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from algatt.fields import Elements
from algatt.fields.motions.words import Sum
from algatt.programs import Program
from algatt.programs.interpret import Results
from algatt.symmetry.motions.shift import Shift
from algatt.symmetry.motions.words import sum_of_words
from algatt.symmetry.quotients.folded import FoldedSymmetry
from algatt.symmetry.quotients.gains import Fold


@dataclass(frozen=True, eq=False)
class Stretch:
    """What is stretched.

    Parameters
    ----------
    program : Program
        The program of the network.
    written : tuple of str
        The tensors T of which X is the sum, or of their products T Z.
    bias : str or None
        One that is a summand.
    readers : tuple of str
        The matrices Q that read X.
    gain : str
        The gain g.
    total : Sum
        The number s.
    shifts : tuple of Shift
        For each matrix the shift of a column that is added to its products, in a program that has one; none if s is
        zero.
    """

    program: Program
    written: tuple[str, ...]
    bias: str | None
    readers: tuple[str, ...]
    gain: str
    total: Sum
    shifts: tuple[Shift, ...]

    @property
    def name(self) -> str:
        """What it is called."""
        return f"stretch of {self.written[0]} over {self.gain}"

    @property
    def moves(self) -> tuple[tuple[str, str], ...]:
        """The tensors that it moves, and how: ``rows``, T + 1 v^T, or ``columns``, T + v 1^T or T + v (1/g)^T."""
        taken = [(one.tensor, one.kind) for shift in self.shifts for one in shift.absorbed]
        own = [*((name, "rows") for name in self.written), *((name, "columns") for name in self.readers)]
        return tuple(dict.fromkeys((*own, *taken)))

    def velocities(self, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        """Return for each tensor that moves how it does as t grows."""
        one = Elements.of(tensors[self.gain].field, [[1]])
        tensors = self.with_columns(tensors)
        moved = self.changes(tensors, one, one)
        for shift in self.shifts:
            for name, change in shift.changes(tensors, -moved[shift.tensor]).items():
                moved[name] = moved[name] + change if name in moved else change
        columns = {shift.tensor for shift in self.shifts}
        return {name: change for name, change in moved.items() if name not in columns}

    def stretched(self, tensors: Mapping[str, Elements], factor: Elements) -> dict[str, Elements]:
        """Return the tensors that move, after the stretch by a factor t, a 1 x 1 matrix.

        Raises
        ------
        DivisionByZero
            If the entries of 1/g add up to zero: then A is a shear, whatever t is.
        """
        one = Elements.of(factor.field, [[1]])
        by = (factor - one) @ tensors[self.gain].reciprocal().sum(axis=0).reciprocal()
        moved = self.with_columns(tensors)
        for name, change in self.changes(moved, by, by @ factor.reciprocal()).items():
            moved[name] = moved[name] + change
        for shift in self.shifts:
            for name, change in shift.changes(moved, -moved[shift.tensor]).items():
                moved[name] = moved[name] + change
        return {name: one for name, one in moved.items() if name in tensors and one is not tensors[name]}

    def with_columns(self, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        """Return tensors with the columns beside the matrices, which are zero."""
        field = tensors[self.gain].field
        sizes = [(shift.tensor, tensors[name].shape[0]) for shift, name in zip(self.shifts, self.readers, strict=False)]
        return {**tensors, **{name: Elements.of(field, np.zeros((size, 1), dtype=np.int64)) for name, size in sizes}}

    def changes(self, tensors: Mapping[str, Elements], by: Elements, back: Elements) -> dict[str, Elements]:
        """Return what is added to tensors, and to the columns beside the matrices, for A = 1 + by 1 (1/g)^T, whose
        inverse is 1 - back 1 (1/g)^T.
        """
        field = by.field
        inverse = tensors[self.gain].reciprocal()
        ones = Elements.of(field, np.ones(inverse.shape, dtype=np.int64))
        moved = {name: ones @ (by @ (inverse.T @ tensors[name])) for name in self.written}
        results = Results(self.program, field, tensors)
        s = sum_of_words(self.total, Elements.of(field, [[1]]), results) if self.total else Elements.of(field, [[0]])
        if self.bias is not None:
            moved[self.bias] = moved[self.bias] - by * s
        means = [tensors[name].sum(axis=1) @ back for name in self.readers]
        moved |= {name: -(mean @ inverse.T) for name, mean in zip(self.readers, means, strict=True)}
        return moved | {shift.tensor: mean * s for shift, mean in zip(self.shifts, means, strict=bool(self.shifts))}


@dataclass(frozen=True, repr=False)
class StretchSymmetry(FoldedSymmetry):
    r"""The stretches :math:`A = 1 + \mu \mathbb 1 (1/g)^T` of what is written into a stream, with
    :math:`W \to A W` and :math:`Q \to Q A^{-1}` (derived, see docs/theory/motions.md).

    Parameters
    ----------
    arch : Architecture
        The network.
    stretch : Stretch
        What is stretched, after gains are folded.
    fold : Fold
        The quotient that folds them.
    """

    stretch: Stretch
    fold: Fold

    @property
    def name(self) -> str:
        return self.stretch.name

    @property
    def tensors(self) -> tuple[str, ...]:
        """The names of the tensors that it moves."""
        return tuple(dict.fromkeys(name for name, _ in self.stretch.moves))

    @property
    def dimension(self) -> int:
        """One, for the factor."""
        return 1

    @property
    def neutral(self) -> np.ndarray:
        return np.ones((1, 1), dtype=np.int64)

    def change(self, vector: Elements, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        """Stretch by the factor t of 1."""
        return self.stretch.stretched(tensors, vector)

    def tangents_of_folded(self, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        return {name: Elements(one.field, one.raw[None]) for name, one in self.stretch.velocities(tensors).items()}
