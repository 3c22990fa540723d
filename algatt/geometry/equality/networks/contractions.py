"""Products of the tensors of terms that mix with others, on which the spaces act inversely: what is left is moved by
the mixture alone, but for numbers.

If rows of R move by G and those of P by the transpose of the inverse of G, then P^T R stays, as K^T Q_h does where only
queries and keys move. This is repeated until nothing moves the rows and columns that are left.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.errors import SymmetryError
from algatt.fields import Elements
from algatt.geometry.equality.networks.echelon import independent_columns
from algatt.geometry.equality.networks.motions import GroupMotions, motions_of
from algatt.parameters import Weights
from algatt.symmetry import MixtureSymmetry
from algatt.symmetry.discrete.symmetry import Side, term_graph
from algatt.symmetry.quotients.terms import TermPart
from algatt.symmetry.spaces import SpaceSymmetry

MOST_PARTNERS = 3
"""On either side of a tensor at most so many others are multiplied."""


@dataclass(frozen=True)
class Contraction:
    """A matrix with a row for each term, made of an argument of the terms and of other tensors.

    Parameters
    ----------
    parts : tuple of Part
        The argument in the terms.
    before, after : tuple of (str, int)
        The tensors that it is multiplied by on the left and on the right, the nearest first, each with the side that it
        is joined by.
    """

    parts: tuple[TermPart, ...]
    before: tuple[Side, ...] = ()
    after: tuple[Side, ...] = ()

    @property
    def tensors(self) -> set[str]:
        """The names of all tensors that it is made of."""
        return {part.tensor for part in self.parts} | {name for name, _ in self.before + self.after}

    def __call__(self, tensors: Mapping[str, Elements]) -> Elements:
        """Return the matrix."""
        rows = []
        for part in self.parts:
            found = tensors[part.tensor][part.rows, part.columns]
            for name, axis in self.before:
                found = (tensors[name] if axis else tensors[name].T) @ found
            for name, axis in self.after:
                found = found @ (tensors[name].T if axis else tensors[name])
            rows.append(found.raw.ravel())
        return Elements(next(iter(tensors.values())).field, np.stack(rows))


def widest(family: MixtureSymmetry, theta: Weights, left: bool) -> Elements | None:
    """Return the matrix of the largest rank that is found for one side of a mixture; None if there is none."""
    tensors = family.fold.fold(theta)
    best, rank = None, 0
    for arguments in contractions(family, left):
        rows = joined(arguments, tensors)
        found = len(independent_columns(rows))
        if found > rank and is_left_by_spaces(family, theta, arguments):
            best, rank = rows, found
    return best


def contractions(family: MixtureSymmetry, left: bool) -> Iterator[tuple[Contraction, ...]]:
    """Iterate over contractions that nothing but numbers should move, each alone, and then over all together."""
    motions = motions_of(family.arch)
    found = []
    for parts in family.mixture.left if left else family.mixture.right:
        shape = verbs.coordinates(family.arch)[parts[0].tensor]
        whole = shape == (len(parts[0].rows), len(parts[0].columns))
        sides = [chains(motions, family, (parts[0].tensor, axis), (), whole) for axis in (0, 1)]
        found += [Contraction(parts, before, after) for before in sides[0] for after in sides[1]]
    yield from ((one,) for one in found)
    if len(found) > 1:
        yield tuple(found)


def chains(
    motions: GroupMotions, family: MixtureSymmetry, side: Side, before: tuple[Side, ...], whole: bool
) -> list[tuple[Side, ...]]:
    """Return the tensors that a side may be multiplied by, one after the other, until nothing moves what is left."""
    if is_still(motions, side):
        return [before]
    found: list[tuple[Side, ...]] = []
    if whole and len(before) < MOST_PARTNERS:
        for name, axis in partners(motions, family, side):
            if (name, axis) not in before:
                found += chains(motions, family, (name, 1 - axis), (*before, (name, axis)), whole)
    return found


def partners(motions: GroupMotions, family: MixtureSymmetry, side: Side) -> Iterator[Side]:
    """Iterate over the sides on which the spaces act inversely, but for those of tensors that may be exchanged."""
    graph = term_graph(family.arch)
    alike: dict[int, list[Side]] = {}
    for name, number in graph.of_tensor.items():
        for axis in (0, 1):
            if (
                name not in family.tensors
                and (name, axis) in motions.exponents
                and cancels(motions, side, (name, axis))
            ):
                alike.setdefault(graph.colours[number], []).append((name, axis))
    yield from (sides[0] for sides in alike.values() if len(sides) == 1)


def is_still(motions: GroupMotions, side: Side) -> bool:
    """Return whether the coordinates on a side are not moved, but for numbers that multiply them alike."""
    exponents = motions.exponents[side]
    return side not in motions.by_side and side not in motions.class_of and not (exponents != exponents[:1]).any()


def cancels(motions: GroupMotions, one: Side, other: Side) -> bool:
    """Return whether a product over two sides is not moved, but for numbers that multiply it as a whole."""
    both = [motions.by_side.get(side, ()) for side in (one, other)]
    if len(motions.exponents[one]) != len(motions.exponents[other]) or len(both[0]) != len(both[1]):
        return False
    for (space, first), (another, second) in zip(*both, strict=True):
        inverse = first.turned != second.turned and first.inverse != second.inverse
        orthogonal = space.rigid and (first.turned != first.inverse) == (second.turned != second.inverse)
        if space is not another or first.part != second.part or not (inverse or orthogonal):
            return False
    exponents = motions.exponents[one] + motions.exponents[other]
    exponents[:, list(motions.signs)] %= 2
    return motions.class_of.get(one) == motions.class_of.get(other) and not (exponents != exponents[:1]).any()


def tensors_of_side(family: MixtureSymmetry, tensors: Mapping[str, Elements], left: bool) -> Elements:
    """Return all tensors on one side of a mixture, a row for each term."""
    arguments = family.mixture.left if left else family.mixture.right
    return joined(tuple(map(Contraction, arguments)), tensors)


def joined(arguments: tuple[Contraction, ...], tensors: Mapping[str, Elements]) -> Elements:
    """Return the matrices of several contractions side by side."""
    rows = [one(tensors) for one in arguments]
    return Elements(rows[0].field, np.hstack([one.raw for one in rows]))


def is_left_by_spaces(family: MixtureSymmetry, theta: Weights, arguments: tuple[Contraction, ...]) -> bool:
    """Return whether random elements of the groups of the spaces multiply rows by numbers at most, one for each."""
    before = joined(arguments, family.fold.fold(theta))
    touched = set().union(*(one.tensors for one in arguments))
    for space in verbs.symmetries(family.arch):
        if isinstance(space, SpaceSymmetry) and not touched.isdisjoint(space.tensors):
            try:
                moved = verbs.act(space.element(theta, 0), theta)
            except SymmetryError:  # no exact elements are known
                return False
            after = joined(arguments, family.fold.fold(moved))
            pairs = zip(before.raw, after.raw, strict=True)
            if any(len(independent_columns(Elements(before.field, np.stack(pair)))) > 1 for pair in pairs):
                return False
    return True
