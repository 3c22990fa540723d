"""Families of quotients, whose elements are given by an array, and may act through the quotient that folds gains."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from algatt import verbs
from algatt.display import list_names
from algatt.errors import DivisionByZero, InvalidArgument
from algatt.fields import Elements, Field
from algatt.parameters import Weights
from algatt.parameters.base import Coordinates, fresh
from algatt.symmetry.base import GroupElement, InvertibleElement, MovingElement, Symmetry, same_arrays
from algatt.symmetry.group import ProductElement

if TYPE_CHECKING:
    from algatt.symmetry.quotients.gains import Fold


@dataclass(frozen=True, repr=False)
class FoldedElement(GroupElement):
    """An element that moves the weights in which gains are folded; the gains stay.

    Parameters
    ----------
    fold : Fold
        The quotient.
    element : MovingElement
        How the folded weights are moved.
    """

    fold: Fold
    element: MovingElement

    @property
    def field(self) -> Field | None:
        return self.element.field

    def __repr__(self) -> str:
        return f"FoldedElement({self.element!r})"


def through(fold: Fold, element: MovingElement) -> GroupElement:
    """Return an element that acts through a quotient, or the element itself if that folds nothing."""
    return FoldedElement(fold, element) if fold.gains else element


def tangents_through(
    fold: Fold, theta: Weights, tangents: Callable[[Mapping[str, Elements]], dict[str, Elements]]
) -> list[dict[str, Elements]]:
    """Return tangents of weights, given what returns stacks of those of the folded ones by their names; none at weights
    with a zero in a gain, or in what else is divided by, as nothing is known there.
    """
    try:
        part = tangents(fold.folded(theta))
        return [fold.unfold(part, theta)] if any(stack.shape[0] for stack in part.values()) else []
    except DivisionByZero:
        return []


@verbs.act.method
def act_through_fold(element: FoldedElement, theta: Weights) -> Weights:
    """The gains are folded, the weights moved, and the same gains taken out again."""
    moved = element.fold.unfold(element.element.change(element.fold.folded(theta)), theta)
    return theta.replace(list({**theta.tensors, **{name: fresh(one) for name, one in moved.items()}}.values()))


@verbs.compose.method
def compose_folded(left: FoldedElement, right: FoldedElement) -> GroupElement:
    product = verbs.compose(left.element, right.element)
    if left.fold != right.fold or not isinstance(product, MovingElement):
        return ProductElement((left, right))
    return FoldedElement(left.fold, product)


@verbs.inverse.method
def inverse_of_folded(matrix: FoldedElement) -> FoldedElement:
    return FoldedElement(matrix.fold, verbs.inverse(matrix.element))


@dataclass(frozen=True, eq=False, repr=False)
class VectorElement(InvertibleElement):
    """An element of a family, given by an array: vectors are added, unless the family says otherwise.

    Parameters
    ----------
    family : QuotientSymmetry
        Which tensors move, and how.
    vector : Elements
        The array, a column unless the family says otherwise.
    """

    family: QuotientSymmetry
    vector: Elements

    @property
    def field(self) -> Field:
        return self.vector.field

    def change(self, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        return {name: fresh(one) for name, one in self.family.change(self.vector, tensors).items()}

    def move(self, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        return {**tensors, **self.change(tensors)}

    def inverted(self) -> VectorElement:
        return VectorElement(self.family, self.family.inverted(self.vector))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, VectorElement):
            return NotImplemented
        return self.family == other.family and same_arrays((self.vector,), (other.vector,))

    def __hash__(self) -> int:
        return hash((self.family.name, self.field))

    def __repr__(self) -> str:
        return f"VectorElement({self.family.name}, field={self.field})"


@verbs.act.method
def act_by_vector(element: VectorElement, theta: Coordinates) -> Coordinates:
    tensors = dict(zip(theta.names(), theta.elements, strict=True))
    try:
        moved = element.move(tensors)
    except KeyError as missing:  # other coordinates have other names
        was = f"with the tensors {list_names(list(tensors))}"
        raise InvalidArgument("theta", was, f"with {missing.args[0]}, of which {element!r} is a symmetry") from None
    return theta.replace(list(moved.values()))


@verbs.compose.method
def compose_vectors(left: VectorElement, right: VectorElement) -> GroupElement:
    if left.family != right.family:
        return ProductElement((left, right))
    return VectorElement(left.family, left.family.times(left.vector, right.vector))


@dataclass(frozen=True, repr=False)
class QuotientSymmetry(Symmetry):
    """A family whose elements are given by an array: the function depends on fewer numbers."""

    rests_on: ClassVar[str] = "quotient"

    @property
    def neutral(self) -> np.ndarray:
        """The array of the element that moves nothing: zeros, or ones if arrays are multiplied."""
        return np.zeros((self.dimension, 1), dtype=np.int64)

    @abstractmethod
    def change(self, vector: Elements, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        """Return the tensors that the element of an array moves, by name; no others are read than those on which they
        depend.
        """

    def times(self, one: Elements, other: Elements) -> Elements:
        """Return the array of the product of two elements."""
        return one * other if self.neutral.any() else one + other

    def inverted(self, vector: Elements) -> Elements:
        """Return the array of the inverse of an element."""
        return vector.reciprocal() if self.neutral.any() else -vector

    def element(self, theta: Weights, seed: int = 0) -> GroupElement:
        neutral = self.neutral
        raw = verbs.draw_array(theta.field, shape=neutral.shape, seed=seed, label=self.name)
        while neutral.any() and not raw.all():
            seed += 1
            raw = verbs.draw_array(theta.field, shape=neutral.shape, seed=seed, label=self.name)
        return self.element_of(Elements(theta.field, raw))

    def element_of(self, vector: Elements) -> GroupElement:
        """Return the element of an array, a column unless the family says otherwise."""
        return VectorElement(self, vector)


class FoldedSymmetry(QuotientSymmetry):
    """A family that acts through the quotient that folds gains, `fold`."""

    fold: Fold

    @abstractmethod
    def tangents_of_folded(self, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        """Return for each tensor that moves how it does along each direction, as a stack."""

    def tangent_parts(self, theta: Weights) -> list[dict[str, Elements]]:
        """None at weights with a zero in a gain, or in what else is divided by, as nothing is known there."""
        return tangents_through(self.fold, theta, self.tangents_of_folded)

    def element_of(self, vector: Elements) -> GroupElement:
        """Return the element of an array, which moves the weights in which gains are folded."""
        return through(self.fold, VectorElement(self, vector))


@verbs.identity.method
def identity_of_quotient(family: QuotientSymmetry, field: Field) -> GroupElement:
    return family.element_of(Elements.of(field, family.neutral))
