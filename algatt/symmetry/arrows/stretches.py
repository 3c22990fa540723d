r"""Stretches of what is written into a stream, along its mean, that fix all columns that norms behind it may give.

In blocks that are repeated with the same weights, matrices read a sum X before the first one, and norms
:math:`N = g * Y + \beta` before the others, of whose columns :math:`(1/g)^T N` is one number s. The map A that fixes
all columns with this number and multiplies 1 by t moves what X is made of, and the matrices take its inverse: they see
the same of X and of N. A norm behind X does not see multiples of 1 (derived, see docs/theory/motions.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from algatt import verbs
from algatt.fields import Elements, Field
from algatt.fields.motions.words import Sum
from algatt.parameters import Weights
from algatt.programs import Program
from algatt.programs.interpret import Results
from algatt.symmetry.arrows.folded import tangents_through, through
from algatt.symmetry.arrows.gains import Fold
from algatt.symmetry.base import GroupElement, InvertibleElement, Symmetry, same_arrays
from algatt.symmetry.group import ProductElement
from algatt.symmetry.motions.shift import Shift
from algatt.symmetry.motions.words import sum_of_words

__all__ = ["Stretch", "StretchElement", "StretchSymmetry"]


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

    def tangents(self, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        """Return for each tensor that moves how it does as t grows, as a stack of one."""
        one = Elements.of(tensors[self.gain].field, [[1]])
        tensors = self.with_columns(tensors)
        moved = self.changes(tensors, one, one)
        for shift in self.shifts:
            for name, change in shift.changes(tensors, -moved[shift.tensor]).items():
                moved[name] = moved[name] + change if name in moved else change
        columns = {shift.tensor for shift in self.shifts}
        return {name: Elements(one.field, change.raw[None]) for name, change in moved.items() if name not in columns}

    def stretched(self, tensors: Mapping[str, Elements], factor: Elements) -> dict[str, Elements]:
        """Return tensors after the stretch by a factor t, a 1 x 1 matrix.

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
        return {name: moved[name] for name in tensors}

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


@dataclass(frozen=True)
class StretchSymmetry(Symmetry):
    r"""The stretches :math:`A = 1 + \mu \mathbb 1 (1/g)^T` of what is written into a stream, with
    :math:`W \to A W` and :math:`Q \to Q A^{-1}` (derived, see docs/theory/motions.md).

    Parameters
    ----------
    arch : Architecture
        The network.
    stretch : Stretch
        What is stretched, after gains are folded.
    fold : Fold
        The arrow that folds them.
    """

    rests_on: ClassVar[str] = "arrow"
    """The function depends on fewer numbers."""

    stretch: Stretch
    fold: Fold

    def __repr__(self) -> str:
        return f"StretchSymmetry({self.name})"

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

    def tangent_parts(self, theta: Weights) -> list[dict[str, Elements]]:
        """None at weights with a zero in a gain, as nothing is known there."""
        return tangents_through(self.fold, theta, self.stretch.tangents)

    def element(self, theta: Weights, seed: int = 0) -> GroupElement:
        """Return the stretch by a random factor over the field of `theta`, drawn from the stream of the seed."""
        raw = verbs.draw_array(theta.field, shape=(1, 1), seed=seed, label=self.name)
        while not raw.all():
            seed += 1
            raw = verbs.draw_array(theta.field, shape=(1, 1), seed=seed, label=self.name)
        return self.element_of(Elements(theta.field, raw))

    def element_of(self, factor: Elements) -> GroupElement:
        """Return the stretch by a factor, a 1 x 1 matrix that is not zero."""
        return through(self.fold, StretchElement(self, factor))


@dataclass(frozen=True, eq=False, repr=False)
class StretchElement(InvertibleElement):
    """A stretch.

    Parameters
    ----------
    family : StretchSymmetry
        Of which tensors.
    factor : Elements
        The factor t by which it multiplies 1, a 1 x 1 matrix that is not zero.
    """

    family: StretchSymmetry
    factor: Elements

    @property
    def field(self) -> Field:
        return self.factor.field

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StretchElement):
            return NotImplemented
        return self.family == other.family and same_arrays((self.factor,), (other.factor,))

    def __hash__(self) -> int:
        return hash((type(self), self.family.name, self.field))

    def __repr__(self) -> str:
        return f"StretchElement({self.family.name}, field={self.field})"

    def move(self, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        """Return tensors by name after the element acted on them."""
        return self.family.stretch.stretched(tensors, self.factor)

    def inverted(self) -> StretchElement:
        """Return the inverse."""
        return StretchElement(self.family, self.factor.reciprocal())


@verbs.act.method
def stretch_weights(element: StretchElement, theta: Weights) -> Weights:
    return theta.replace(list(element.move(theta.tensors).values()))


@verbs.compose.method
def compose_stretches(left: StretchElement, right: StretchElement) -> GroupElement:
    if left.family != right.family:
        return ProductElement((left, right))
    return StretchElement(left.family, left.factor * right.factor)


@verbs.identity.method
def identity_of_stretch(family: StretchSymmetry, field: Field) -> GroupElement:
    return family.element_of(Elements.of(field, [[1]]))
