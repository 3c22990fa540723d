"""Elements of families of spaces: a matrix for each space."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from algatt import verbs
from algatt.parameters import Parameters
from algatt.parameters.base import Coordinates
from algatt.symmetry.base import LinearElement

if TYPE_CHECKING:
    from algatt.symmetry.named.spaces import NamedSpaces


@dataclass(frozen=True, eq=False, repr=False)
class SpacesElement(LinearElement):
    """Invertible matrices, one for each place of a family: what the tensors of weights and of their quotients become
    follows from them.

    Parameters
    ----------
    family : NamedSpaces
        The family.
    """

    family: NamedSpaces

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SpacesElement) or type(self.family) is not type(other.family):
            return NotImplemented
        return super().__eq__(other)

    __hash__ = LinearElement.__hash__

    def __repr__(self) -> str:
        sizes = tuple(matrix.shape[0] for matrix in self.matrices)
        return f"{type(self).__name__}({self.family.name}, sizes={sizes}, field={self.field})"


@verbs.act.method
def act_on_spaces(element: SpacesElement, theta: Coordinates) -> Coordinates:
    places = element.family.places_in(type(theta))
    if places and not any(place.moves for place in places):
        return theta  # the quotient has divided this family out
    element.check_sizes(sizes_in(element.family, theta))
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
