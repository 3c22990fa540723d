r"""A minor of the tangents of symmetries that is known from single tensors.

A change of coordinates, an n x n matrix C, moves a tensor W with n rows to C W to first order. In the entries of W the
tangents of all units are the Kronecker product of the unit matrix with W: if the columns J of W are independent, they
have the minor :math:`\det(W_J)^n` in these columns of all rows. So one tensor fixes the gauge of one space. If no later
space moves it, the minors are the blocks of a triangular matrix, and their product is a minor of all tangents, which
need not be computed. The tangents of numbers, of which there are few, are reduced by the others and eliminated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.fields import Elements, PrimeField
from algatt.geometry.dimensions.evidence import Minor
from algatt.linalg import RowSpace
from algatt.parameters import Weights
from algatt.symmetry.base import Symmetry, columns_of_tensors, stack_tangents
from algatt.symmetry.named.place import Place, PlaceMove
from algatt.symmetry.named.spaces import NamedSpaces


@dataclass(frozen=True)
class Fixed:
    """A space whose gauge a tensor fixes.

    Parameters
    ----------
    start : int
        The number of its first tangent among those of all families.
    place : Place
        The space.
    move : Move
        How the tensor moves.
    """

    start: int
    place: Place
    move: PlaceMove

    def matrix(self, tensor: np.ndarray) -> np.ndarray:
        """Return a raw tensor, or a stack of them, with the side on which the space acts as rows."""
        return tensor if self.move.side == "rows" else np.swapaxes(tensor, -1, -2)

    def minor_of(self, space: RowSpace, shape: tuple[int, ...], first: int) -> Minor:
        """Return the minor of its tangents in the entries of the tensor, whose first column and whose row space are
        given.
        """
        n = self.place.size
        p = space.field.p
        inner, chosen = np.array(space.pivot_rows), np.array(space.pivot_columns)
        blocks = np.arange(n)[:, None]
        straight = (self.move.side == "rows") != self.move.transposed
        rows = self.start + (blocks * n + inner if straight else inner * n + blocks)
        entries = self.matrix(first + np.arange(shape[0] * shape[1]).reshape(shape))[:, chosen]
        sign = -1 if self.move.power < 0 and n % 2 else 1
        determinant = sign * pow(space.determinant, n, p) % p
        return Minor(tuple(rows.ravel().tolist()), tuple(entries.ravel().tolist()), determinant)

    def change(self, wanted: np.ndarray, W: Elements, columns: list[int]) -> Elements:
        """Return the changes whose tangents agree with a stack of tensors in the entries of the minor."""
        square, right = (np.ascontiguousarray(self.matrix(one)[..., columns]) for one in (W.raw, wanted))
        found = Elements(W.field, right) @ verbs.inverse(Elements(W.field, square))
        if self.move.power < 0:
            found = -found
        straight = (self.move.side == "rows") != self.move.transposed
        return found if straight else Elements(found.field, np.ascontiguousarray(np.swapaxes(found.raw, -1, -2)))


def tangents_of(place: Place) -> int:
    """Return how many tangents a space has: one for each entry of a matrix, or for a number."""
    return 1 if place.scalar else place.size**2


def count_tangents_of(family: NamedSpaces) -> int:
    """Return how many tangents a family has."""
    return sum(tangents_of(place) for place in family.places if place.moves)


def numbered_places(families: Sequence[Symmetry]) -> list[tuple[int, Place]] | None:
    """Return what each space of the families does, with the number of its first tangent; None if there is a family of
    another kind.
    """
    found, start = [], 0
    for family in families:
        if not isinstance(family, NamedSpaces):
            return None
        for place in family.places:
            if place.moves:
                found.append((start, place))
                start += tangents_of(place)
    return found


def fixed_spaces(arch: Architecture, families: Sequence[Symmetry]) -> tuple[Fixed, ...] | None:
    """Return the tensors that fix the gauge of all spaces of a network, by their shapes, in an order in which none is
    moved by a later space; or None if there is no such order.
    """
    numbered = numbered_places(families)
    if numbered is None:
        return None
    shapes = verbs.coordinates(arch)
    pending = [one for one in numbered if not one[1].scalar]
    fixed: list[Fixed] = []
    while pending:
        one = next_fixed(pending, shapes)
        if one is None:
            return None
        fixed.append(one)
        pending = [(start, place) for start, place in pending if start != one.start]
    return tuple(fixed)


def next_fixed(pending: Sequence[tuple[int, Place]], shapes: dict[str, tuple[int, ...]]) -> Fixed | None:
    """Return a space with a tensor that it alone moves, and once, and that may have full rank; None without any."""
    moved = [move.tensor for _, place in pending for move in place.moves]
    for start, place in pending:
        for move in place.moves:
            across = shapes[move.tensor][1 if move.side == "rows" else 0]
            if moved.count(move.tensor) == 1 and across >= place.size and abs(move.power) == 1:
                return Fixed(start, place, move)
    return None


def minor_of_gauge(arch: Architecture, families: Sequence[Symmetry], field: PrimeField, theta: Weights) -> Minor | None:
    """Return a minor of all tangents of all families at some weights over GF(p); None if it is not found in this way,
    as where they are not independent.
    """
    numbered, fixed = numbered_places(families), fixed_spaces(arch, families)
    if numbered is None or fixed is None:
        return None
    tensors = dict(zip(theta.names(), theta.elements, strict=True))
    where = columns_of_tensors(theta)
    scalars = [(start, place) for start, place in numbered if place.scalar]
    left = stack_tangents(theta, [place.tangents(theta.elements[0], tensors) for _, place in scalars])
    rows: list[int] = []
    columns: list[int] = []
    determinant = 1
    for one in fixed:
        W, span = tensors[one.move.tensor], where[one.move.tensor]
        space = RowSpace(field, one.matrix(W.raw).shape[1])
        if space.add(Elements(W.field, one.matrix(W.raw))) < one.place.size:
            return None
        minor = one.minor_of(space, W.shape, span.start)
        rows += minor.rows
        columns += minor.columns
        determinant = determinant * minor.determinant % field.p
        if scalars:
            change = one.change(left.raw[:, span].reshape(-1, *W.shape), W, list(space.pivot_columns))
            left = left - stack_tangents(theta, [one.place.tangents(change, tensors)])
    space = RowSpace(field, arch.parameters)
    if space.add(left) < len(scalars):
        return None
    rows += [scalars[row][0] for row in space.pivot_rows]
    columns += space.pivot_columns
    return Minor(tuple(rows), tuple(columns), determinant * space.determinant % field.p)
