"""Group elements as plain values for JSON."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from algatt import verbs
from algatt.fields import Elements
from algatt.geometry.equality.large.change import CoordinateChange
from algatt.geometry.equality.networks.idle import IdleElement
from algatt.plain import plain
from algatt.symmetry import (
    ArrangedElement,
    GroupElement,
    LinearElement,
    ProductElement,
    SpacesElement,
)
from algatt.symmetry.arrows.folded import FoldedElement, VectorElement
from algatt.symmetry.arrows.norms import GainElement
from algatt.symmetry.tensors_element import TensorsElement

__all__ = ["plain_array"]


def plain_array(array: np.ndarray) -> Any:
    """Return an array as lists of numbers; rational numbers, of which JSON has none, are texts such as ``1/3``."""

    def entry(value: Any) -> Any:
        if isinstance(value, list):
            return [entry(part) for part in value]
        return value if isinstance(value, int | float) else str(value)

    return entry(array.tolist())


def named(element: GroupElement, /, **parts: Any) -> dict[str, Any]:
    """Return the name of an element's class, and its parts."""
    return {"name": type(element).__name__, **parts}


def matrix(array: Elements) -> Any:
    """Return a matrix as lists."""
    return plain_array(array.public())


@verbs.plain_element.method
def plain_element_of_group(element: GroupElement) -> dict[str, Any]:
    return named(element)


@verbs.plain_element.method
def plain_product(element: ProductElement) -> dict[str, Any]:
    return named(element, factors=[verbs.plain_element(factor) for factor in element.factors])


@verbs.plain_element.method
def plain_arranged(element: ArrangedElement) -> dict[str, Any]:
    parts = {part.name: part.tensor for part in element.arrangement.parts}
    return named(element, parts=parts, element=verbs.plain_element(element.element))


@verbs.plain_element.method
def plain_matrices(element: LinearElement) -> dict[str, Any]:
    return named(element, matrices=[matrix(one) for one in element.matrices])


@verbs.plain_element.method
def plain_spaces(element: SpacesElement) -> dict[str, Any]:
    """The name is what files of earlier versions have."""
    return {"name": f"{type(element.family).__name__}Element", "matrices": [matrix(one) for one in element.matrices]}


@verbs.plain_element.method
def plain_idle(element: IdleElement) -> dict[str, Any]:
    return named(element, arrays=[matrix(one) for one in element.arrays])


@verbs.plain_element.method
def plain_sides(element: TensorsElement) -> dict[str, Any]:
    """For each tensor that moves the one that takes its place, and the matrices on its sides, None for the identity."""
    sides = {
        name: {
            "source": side.source,
            "left": None if side.left is None else matrix(side.left),
            "right": None if side.right is None else matrix(side.right),
        }
        for name, side in element.sides.items()
    }
    return named(element, sides=sides)


@verbs.plain_element.method
def plain_vector(element: VectorElement) -> dict[str, Any]:
    """The family has a name in the network."""
    return named(element, family=element.family.name, vector=matrix(element.vector))


@verbs.plain_element.method
def plain_gain(element: GainElement) -> dict[str, Any]:
    return named(element, gain=plain(dataclasses.asdict(element.family.gain)), factors=matrix(element.vector))


@verbs.plain_element.method
def plain_folded(element: FoldedElement) -> dict[str, Any]:
    gains = [dataclasses.asdict(gain) for gain in element.fold.gains]
    return named(element, gains=plain(gains), element=verbs.plain_element(element.element))


@verbs.plain_element.method
def plain_change(element: CoordinateChange) -> dict[str, Any]:
    """Matrices, orders and numbers by the space or the coordinates; those of a family by the first side they act on."""
    matrices = {space.name: g.tolist() for space, (g, _) in element.matrices.items()}
    orders = {one.name: order.tolist() for one, order in element.orders.items()}
    numbers = {
        one.name: [element.numbers[factors].tolist() for factors in one.factors if factors in element.numbers]
        for one in element.motions.coordinates
    }
    return named(element, sources=dict(element.sources), matrices=matrices, orders=orders, numbers=numbers)
