"""The families that HMK name: changes of coordinates of some spaces of a network together."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import InvalidArgument, MethodError
from algatt.fields import Elements, Field, PublicArray, Reals
from algatt.parameters import Parameters, Weights
from algatt.symmetry.base import Symmetry, entered_matrices, listed_matrices, random_invertible, unit_matrices
from algatt.symmetry.named.found import is_found, places_in_quotient
from algatt.symmetry.named.place import Place
from algatt.symmetry.spaces_element import SpacesElement


@dataclass(frozen=True)
class NamedSpaces(Symmetry):
    """Spaces of a network with a name of their own.

    A family says which tensors move, and how, which is a matter of its name; that the function stays the same is read
    off the code: `algatt.symmetries` has it only where the types of the network allow it.
    """

    @staticmethod
    @abstractmethod
    def places_of(dims: Sequence[int], ranks: Sequence[int]) -> tuple[Place, ...]:
        """Return the places in a network of attention layers of these widths and ranks."""

    @property
    def places(self) -> tuple[Place, ...]:
        """What the factors of the group do to the weights."""
        return self.places_of(self.arch.dims, self.arch.ranks)

    def places_in(self, coordinates: type[Parameters]) -> tuple[Place, ...]:
        """Return what they do to the arrays of a coordinate system."""
        if issubclass(coordinates, Weights):
            return self.places
        return places_in_quotient(self.arch, self.places, coordinates)

    @property
    def found(self) -> bool:
        """Whether the types of the network allow it, so that the function stays the same.

        Raises
        ------
        MethodError
            If the network has no types, because of an operation that has no rule.
        """
        return is_found(self.arch, self.places)

    @property
    def basis(self) -> str:
        """``equivariant`` where the operations of the network prove it, otherwise ``declared``."""
        with suppress(MethodError):
            return "equivariant" if self.found else "declared"
        return "declared"

    @property
    def sizes(self) -> tuple[int, ...]:
        """Sizes of the matrices of a group element."""
        return tuple(place.size for place in self.places)

    @property
    def dimension(self) -> int:
        """The dimension of the group, less what fixes generic tensors: the c with c P = 0 and R c = 0 for what is read
        of them on both sides.
        """
        shapes = verbs.coordinates(self.arch)
        return sum(dimension_of_orbit(place, shapes) for place in self.places)

    def of(self, matrices: Sequence[Any], inverses: Sequence[Elements] | None = None) -> SpacesElement:
        """Return the element of invertible matrices, one for each place, given as public arrays or as `Elements`.

        Parameters
        ----------
        matrices : sequence of array
            The matrices; of one entry where a place is that of a number.
        inverses : sequence of Elements, optional
            Their inverses, if they are known.

        Raises
        ------
        InvalidArgument
            If they are of other sizes, or over several fields.
        SingularMatrix
            If one is not invertible.
        """
        entered = entered_matrices("matrices", matrices)
        known = tuple(map(verbs.inverse, entered)) if inverses is None else tuple(inverses)
        found = tuple(matrix.shape[0] for matrix in entered)
        if found != self.sizes:
            raise InvalidArgument("matrices", f"of sizes {found}", f"of sizes {self.sizes}")
        return SpacesElement(entered, known, self)

    def element(self, theta: Parameters, seed: int = 0) -> SpacesElement:
        pairs = [
            random_invertible(theta.field, size, seed, f"{self.name}/{i}") for i, size in enumerate(self.sizes, start=1)
        ]
        return SpacesElement(tuple(matrix for matrix, _ in pairs), tuple(inverse for _, inverse in pairs), self)

    def tangent_parts(self, theta: Parameters) -> list[dict[str, Elements]]:
        tensors = dict(zip(theta.names(), theta.elements, strict=True))
        places = self.places_in(type(theta))
        return [place.tangents(unit_matrices(theta.field, place.size), tensors) for place in places if place.moves]

    def parts_in_turn(self, theta: Parameters, rows: int) -> tuple[int, Iterator[dict[str, Elements]]]:
        tensors = dict(zip(theta.names(), theta.elements, strict=True))
        sizes = [(place, 1 if place.scalar else place.size) for place in self.places_in(type(theta)) if place.moves]
        parts = (
            place.tangents(unit_matrices(theta.field, size, slice(start, start + rows)), tensors)
            for place, size in sizes
            for start in range(0, size * size, rows)
        )
        return sum(size * size for _, size in sizes), parts

    def combine_parts(self, theta: Parameters, factors: Elements) -> dict[str, Elements]:
        """Return the tangent of a matrix in each group, which has the factors: a tangent is linear in it."""
        tensors = dict(zip(theta.names(), theta.elements, strict=True))
        combined: dict[str, Elements] = {}
        start = 0
        for place in self.places_in(type(theta)):
            if not place.moves:
                continue
            size = 1 if place.scalar else place.size
            stop = start + size * size
            change = Elements(factors.field, factors.raw[:, start:stop].reshape(1, size, size))
            for name, tangent in place.tangents(change, tensors).items():
                some = change * tangent if place.scalar else tangent
                combined[name] = combined[name] + some if name in combined else some
            start = stop
        return combined


def dimension_of_orbit(place: Place, shapes: dict[str, tuple[int, ...]]) -> int:
    """Return the dimension of generic orbits of a place."""
    if place.scalar:
        return 1
    n = place.size
    read = {True: 0, False: 0}  # the columns of all that goes to g P, and the rows of all that goes to R g^-1
    for move in place.moves:
        height, width = shapes[move.tensor]
        read[(move.side == "rows") != move.transposed] += width if move.side == "rows" else height
    return n * n - (n - min(n, read[True])) * (n - min(n, read[False]))


@verbs.identity.method
def identity_of_spaces(family: NamedSpaces, field: Field) -> SpacesElement:
    matrices = tuple(Elements.of(field, np.eye(size, dtype=np.int64)) for size in family.sizes)
    return SpacesElement(matrices, matrices, family)


@verbs.exponential.method
def exponential_of_spaces(family: NamedSpaces, tangent: PublicArray) -> SpacesElement:
    """Those of numbers may be given without brackets."""
    from scipy.linalg import expm

    listed = listed_matrices("tangent", tangent)
    if all(place.number for place in family.places):
        listed = [np.reshape(one, (1, 1)) if np.ndim(one) == 0 else one for one in listed]
    entered = [Elements.of(Reals(), matrix, f"tangent[{i}]").raw for i, matrix in enumerate(listed)]
    shapes = [matrix.shape for matrix in entered]
    if shapes != [(size, size) for size in family.sizes]:
        was = f"with matrices of shapes {shapes}"
        raise InvalidArgument("tangent", was, f"square matrices of sizes {list(family.sizes)}")
    matrices, inverses = (tuple(Elements(Reals(), expm(sign * one)) for one in entered) for sign in (1, -1))
    return SpacesElement(matrices, inverses, family)
