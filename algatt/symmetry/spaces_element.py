"""Elements of families of spaces: a matrix for each space."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from algatt import verbs
from algatt.errors import InvalidArgument
from algatt.fields import Elements, Field
from algatt.parameters import Parameters
from algatt.parameters.base import Coordinates
from algatt.symmetry.base import GroupElement, same_arrays

if TYPE_CHECKING:
    from algatt.symmetry.named.spaces import NamedSpaces


@dataclass(frozen=True, eq=False, repr=False)
class SpacesElement(GroupElement):
    """Invertible matrices, one for each place of a family: what the tensors of weights and of their quotients become
    follows from them.

    Parameters
    ----------
    matrices : tuple of Elements
        Invertible matrices, one for each factor of the group.
    inverses : tuple of Elements
        Their inverses.
    family : NamedSpaces
        The family.
    """

    matrices: tuple[Elements, ...]
    inverses: tuple[Elements, ...]
    family: NamedSpaces

    @property
    def field(self) -> Field | None:
        return self.matrices[0].field if self.matrices else None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SpacesElement) or type(self.family) is not type(other.family):
            return NotImplemented
        return same_arrays(self.matrices, other.matrices)

    def __hash__(self) -> int:
        return hash(tuple(matrix.shape for matrix in self.matrices))

    def __repr__(self) -> str:
        sizes = tuple(matrix.shape[0] for matrix in self.matrices)
        return f"{type(self).__name__}({self.family.name}, sizes={sizes}, field={self.field})"


@verbs.act.method
def act_on_spaces(element: SpacesElement, theta: Coordinates) -> Coordinates:
    places = element.family.places_in(type(theta))
    if places and not any(place.moves for place in places):
        return theta  # the quotient has divided this family out
    found, sizes = tuple(matrix.shape[0] for matrix in element.matrices), sizes_in(element.family, theta)
    if found != sizes:
        raise InvalidArgument("element", f"of sizes {found}", f"of sizes {sizes}")
    tensors = dict(zip(theta.names(), theta.elements, strict=True))
    for place, matrix, inverse in zip(places, element.matrices, element.inverses, strict=True):
        for move in place.moves:
            factor, W = move.factor(matrix, inverse), tensors[move.tensor]
            if place.scalar:
                tensors[move.tensor] = factor * W
            else:
                tensors[move.tensor] = factor @ W if move.side == "rows" else W @ factor
    return theta.replace(list(tensors.values()))


def sizes_in(family: NamedSpaces, theta: Parameters) -> tuple[int, ...]:
    """Return the sizes of the matrices that act on a point, as far as its coordinates tell them."""
    dims = theta.widths or (1,) * len(theta.elements)  # virtual weights M_1, ..., M_l, L: only numbers move them
    return tuple(place.size for place in family.places_of(dims, theta.ranks or dims[:-1]))
