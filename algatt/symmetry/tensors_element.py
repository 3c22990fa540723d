"""Elements of the groups that are read off a network: matrices on both sides of its tensors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from algatt import verbs
from algatt.display import list_names
from algatt.errors import InvalidArgument
from algatt.fields import Elements, Field
from algatt.parameters.base import Coordinates
from algatt.symmetry.base import MovingElement, same_arrays


@dataclass(frozen=True, eq=False)
class Sides:
    """What a tensor W becomes: G W H, for the tensor of a name.

    Parameters
    ----------
    source : str
        The name of W.
    left, right : Elements or None
        G and H; None for the identity.
    """

    source: str
    left: Elements | None = None
    right: Elements | None = None

    @property
    def arrays(self) -> tuple[Elements, ...]:
        """The matrices that are there."""
        return tuple(matrix for matrix in (self.left, self.right) if matrix is not None)


@dataclass(frozen=True, eq=False)
class TensorsElement(MovingElement):
    """An element that takes every tensor W to a product G W H with the tensor of the same name, or of another one of
    its shape.

    Parameters
    ----------
    sides : mapping of str to Sides
        What tensors become, by name; those that are not here stay.
    """

    sides: Mapping[str, Sides]

    @property
    def field(self) -> Field | None:
        return next((matrix.field for side in self.sides.values() for matrix in side.arrays), None)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TensorsElement):
            return NotImplemented
        if self.sides.keys() != other.sides.keys():
            return False
        pairs = [(one, other.sides[name]) for name, one in self.sides.items()]
        return all(
            one.source == two.source
            and (one.left is None) == (two.left is None)
            and (one.right is None) == (two.right is None)
            and same_arrays(one.arrays, two.arrays)
            for one, two in pairs
        )

    def __hash__(self) -> int:
        return hash(tuple((name, side.source) for name, side in self.sides.items()))

    def move(self, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        """Return tensors by name after the element acted on them."""
        moved = dict(tensors)
        for name, side in self.sides.items():
            source = tensors[side.source]
            moved[name] = multiply(multiply(side.left, source), side.right) or source
        return moved

    def __repr__(self) -> str:
        return f"TensorsElement(moves=[{list_names([*map(repr, self.sides)], 4)}], field={self.field})"


def multiply(left: Elements | None, right: Elements | None) -> Elements | None:
    """Return a product, None being the identity."""
    if left is None or right is None:
        return right if left is None else left
    return left @ right


@verbs.act.method
def act_on_tensors(element: TensorsElement, theta: Coordinates) -> Coordinates:
    unknown = [name for name in element.sides if name not in theta.names()]
    if unknown:
        raise InvalidArgument("element", f"one that moves {', '.join(unknown)}", f"one that moves {theta.names()}")
    tensors = dict(zip(theta.names(), theta.elements, strict=True))
    return theta.replace(list(element.move(tensors).values()))


@verbs.compose.method
def compose_sides(left: TensorsElement, right: TensorsElement) -> TensorsElement:
    sides = {}
    for name in dict.fromkeys((*right.sides, *left.sides)):
        outer = left.sides.get(name, Sides(name))
        inner = right.sides.get(outer.source, Sides(outer.source))
        sides[name] = Sides(inner.source, multiply(outer.left, inner.left), multiply(inner.right, outer.right))
    return TensorsElement(sides)


@verbs.inverse.method
def inverse_of_sides(matrix: TensorsElement) -> TensorsElement:
    sides = {}
    for name, side in matrix.sides.items():
        left, right = (None if one is None else verbs.inverse(one) for one in (side.left, side.right))
        sides[side.source] = Sides(name, left, right)
    return TensorsElement(sides)
