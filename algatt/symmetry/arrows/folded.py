"""Elements that act on weights through the arrow that folds gains."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from algatt import verbs
from algatt.errors import DivisionByZero
from algatt.fields import Elements, Field
from algatt.parameters import Weights
from algatt.symmetry.arrows.gains import Fold, FoldedTensors
from algatt.symmetry.base import GroupElement, MovingElement
from algatt.symmetry.group import ProductElement

__all__ = ["FoldedElement", "tangents_through", "through"]


@dataclass(frozen=True, repr=False)
class FoldedElement(GroupElement):
    """An element that moves the weights in which gains are folded; the gains stay.

    Parameters
    ----------
    fold : Fold
        The arrow.
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
    """Return an element that acts through an arrow, or the element itself if that folds nothing."""
    return FoldedElement(fold, element) if fold.gains or fold.offsets else element


def tangents_through(
    fold: Fold, theta: Weights, tangents: Callable[[Mapping[str, Elements]], dict[str, Elements]]
) -> list[dict[str, Elements]]:
    """Return tangents of weights, given what returns stacks of those of the folded ones by their names; none at weights
    with a zero in a gain, or in what else is divided by, as nothing is known there.
    """
    try:
        part = tangents(folded_tensors(fold, theta))
        return [fold.lift(part, theta)] if any(stack.shape[0] for stack in part.values()) else []
    except DivisionByZero:
        return []


class Same:
    """A value that is equal to itself alone: to compare the weights of large networks takes long."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


def folded_tensors(fold: Fold, theta: Weights) -> FoldedTensors:
    """Return the tensors of weights through an arrow, which all families of a network ask for one after the other."""
    return fold_once(fold, Same(theta))


@functools.lru_cache(maxsize=1)
def fold_once(fold: Fold, theta: Same) -> FoldedTensors:
    """Return the tensors of weights through an arrow."""
    return FoldedTensors(fold, theta.value)


@verbs.act.method
def act_through_fold(element: FoldedElement, theta: Weights) -> Weights:
    """The gains are folded, the weights moved, and the same gains taken out again."""
    moved = element.fold.unfold(element.element.change(folded_tensors(element.fold, theta)), theta)
    return theta.replace([moved.get(name, one) for name, one in theta.tensors.items()])


@verbs.compose.method
def compose_folded(left: FoldedElement, right: FoldedElement) -> GroupElement:
    product = verbs.compose(left.element, right.element)
    if left.fold != right.fold or not isinstance(product, MovingElement):
        return ProductElement((left, right))
    return FoldedElement(left.fold, product)


@verbs.inverse.method
def inverse_of_folded(matrix: FoldedElement) -> FoldedElement:
    return FoldedElement(matrix.fold, verbs.inverse(matrix.element))
