"""Elements of vector groups, which are composed by adding vectors."""

from __future__ import annotations

import dataclasses
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from algatt import verbs
from algatt.display import list_names
from algatt.errors import InvalidArgument
from algatt.fields import Elements, Field
from algatt.parameters.base import Coordinates
from algatt.symmetry.base import GroupElement, MovingElement, Symmetry, same_arrays
from algatt.symmetry.group import ProductElement

__all__ = ["VectorElement"]


@dataclass(frozen=True, eq=False, repr=False)
class VectorElement(MovingElement):
    """An element of a vector group; a class of its own for each kind of family says how it moves tensors.

    Parameters
    ----------
    family : Symmetry
        Which tensors.
    vector : Elements
        The vector, as a column.
    """

    family: Symmetry
    vector: Elements

    @property
    def field(self) -> Field:
        return self.vector.field

    @abstractmethod
    def change(self, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        """Return the tensors that are moved, by name; no others are read than those on which they depend."""

    def move(self, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        return {**tensors, **self.change(tensors)}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, VectorElement):
            return NotImplemented
        return self.family == other.family and same_arrays((self.vector,), (other.vector,))

    def __hash__(self) -> int:
        return hash((type(self), self.family.name, self.field))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.family.name}, field={self.field})"


Vector = TypeVar("Vector", bound=VectorElement)


@verbs.act.method
def move_by_vector(element: VectorElement, theta: Coordinates) -> Coordinates:
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
    return dataclasses.replace(left, vector=left.vector + right.vector)


@verbs.inverse.method
def inverse_of_vector(matrix: Vector) -> Vector:
    return dataclasses.replace(matrix, vector=-matrix.vector)
